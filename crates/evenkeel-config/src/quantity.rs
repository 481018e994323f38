//! Durations and sizes: a number with its unit.

use std::time::Duration;

use thiserror::Error;

/// Why a text is no duration or size.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum QuantityError {
    /// There is no number in front. Write one.
    #[error("{0:?} does not begin with a number")]
    NoNumber(String),
    /// There is a number and no unit. Write one behind it.
    #[error("{0:?} has no unit")]
    NoUnit(String),
    /// Not a unit of this kind of quantity.
    #[error("{0:?} is no unit here")]
    Unit(String),
    /// More than a computer counts.
    #[error("{0:?} is too large")]
    TooLarge(String),
}

const DURATIONS: [(&str, f64); 7] = [
    ("ns", 1e-9),
    ("us", 1e-6),
    ("µs", 1e-6),
    ("ms", 1e-3),
    ("s", 1.0),
    ("m", 60.0),
    ("h", 3600.0),
];

const SIZES: [(&str, f64); 7] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
];

/// `"500ms"`, `"1.5s"`, `"2m"`.
///
/// # Errors
/// Without a number or without one of the units ns, us, ms, s, m, h.
pub fn parse_duration(text: &str) -> Result<Duration, QuantityError> {
    let seconds = parse(text, &DURATIONS)?;
    Duration::try_from_secs_f64(seconds).map_err(|_| QuantityError::TooLarge(text.to_owned()))
}

/// `"64MiB"`, `"1GiB"`, `"512B"`: bytes.
///
/// # Errors
/// Without a number or without one of the units B, kB, MB, GB, KiB, MiB, GiB.
pub fn parse_size(text: &str) -> Result<u64, QuantityError> {
    let bytes = parse(text, &SIZES)?;
    if bytes > u64::MAX as f64 / 2.0 {
        return Err(QuantityError::TooLarge(text.to_owned()));
    }
    Ok(bytes.round() as u64)
}

fn parse(text: &str, units: &[(&str, f64)]) -> Result<f64, QuantityError> {
    let text = text.trim();
    let end = text
        .find(|character: char| !character.is_ascii_digit() && character != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: f64 = number
        .parse()
        .map_err(|_| QuantityError::NoNumber(text.to_owned()))?;
    let unit = unit.trim_start();
    if unit.is_empty() {
        return Err(QuantityError::NoUnit(text.to_owned()));
    }
    units
        .iter()
        .find(|(name, _)| *name == unit)
        .map(|(_, factor)| number * factor)
        .ok_or_else(|| QuantityError::Unit(unit.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_is_a_number_and_its_unit() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5 s"), Ok(Duration::from_millis(1_500)));
        assert_eq!(parse_duration("2h"), Ok(Duration::from_secs(7_200)));
        assert_eq!(parse_size("64MiB"), Ok(64 << 20));
        assert_eq!(parse_size("1kB"), Ok(1_000));
    }

    #[test]
    fn what_is_none_is_refused() {
        assert!(matches!(
            parse_duration("500"),
            Err(QuantityError::NoUnit(_))
        ));
        assert!(matches!(
            parse_duration("ms"),
            Err(QuantityError::NoNumber(_))
        ));
        assert!(matches!(
            parse_duration("-1s"),
            Err(QuantityError::NoNumber(_))
        ));
        assert!(matches!(
            parse_duration("5 parsecs"),
            Err(QuantityError::Unit(_))
        ));
        assert!(matches!(parse_size("5s"), Err(QuantityError::Unit(_))));
        assert!(matches!(
            parse_size("99999999999999999999GiB"),
            Err(QuantityError::TooLarge(_))
        ));
        assert!(matches!(
            parse_duration("1e400s"),
            Err(QuantityError::Unit(_))
        ));
    }
}
