//! A node's weight: how much of the keyspace it asks for, beside the others.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// A weight in thousandths, from 0 to [`Weight::MAX`].
///
/// Only ratios matter. Zero keeps a node's name and gives it no key. Whole thousandths compare exactly, where floats would make two
/// programs disagree about a node's share.
///
/// ```
/// # use evenkeel_core::Weight;
/// let half: Weight = "0.5".parse()?;
/// assert_eq!(half.thousandths(), 500);
/// assert_eq!(half.to_string(), "0.5");
/// # Ok::<(), evenkeel_core::WeightError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weight(u32);

/// Thousandths in one unit of weight.
const UNIT: u32 = 1_000;

impl Weight {
    /// No key at all.
    pub const ZERO: Self = Self(0);
    /// One unit, the default.
    pub const ONE: Self = Self(UNIT);
    /// The most that any scheme accepts: one million. Single schemes and presets may accept less.
    pub const MAX: Self = Self(1_000_000 * UNIT);

    /// A weight of so many thousandths.
    ///
    /// # Errors
    /// [`WeightError::TooLarge`] above [`Weight::MAX`].
    pub fn from_thousandths(thousandths: u32) -> Result<Self, WeightError> {
        if thousandths > Self::MAX.0 {
            return Err(WeightError::TooLarge);
        }
        Ok(Self(thousandths))
    }

    /// The weight in thousandths.
    #[must_use]
    pub const fn thousandths(self) -> u32 {
        self.0
    }

    /// The weight in whole units, or nothing if it has a fraction.
    #[must_use]
    pub const fn units(self) -> Option<u32> {
        if self.0.is_multiple_of(UNIT) {
            Some(self.0 / UNIT)
        } else {
            None
        }
    }

    /// The double nearest to the weight, as a program that reads `0.1` would hold it.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / f64::from(UNIT)
    }

    /// Whether the node asks for no key.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::ONE
    }
}

/// Why a text or a number is not a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WeightError {
    /// Not a decimal number. Write `1` or `0.5`.
    #[error("a weight is a decimal number such as 1 or 0.5")]
    NotANumber,
    /// Below zero. Write `0` for a node that shall own nothing.
    #[error("a weight is not negative; write 0 for a node that shall own no keys")]
    Negative,
    /// More than three digits after the point.
    #[error(
        "a weight has at most three digits after the point; multiply all weights by the same factor"
    )]
    TooFine,
    /// Above [`Weight::MAX`]. Only ratios matter, so divide all weights.
    #[error(
        "a weight is at most 1000000; only ratios matter, so divide all weights by the same factor"
    )]
    TooLarge,
}

impl FromStr for Weight {
    type Err = WeightError;

    fn from_str(text: &str) -> Result<Self, WeightError> {
        let (digits, negative) = match text.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let decimal = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || !decimal(whole) || !decimal(fraction) || digits.ends_with('.') {
            return Err(WeightError::NotANumber);
        }
        if negative {
            return Err(WeightError::Negative);
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > 3 {
            return Err(WeightError::TooFine);
        }
        let whole: u32 = whole.parse().map_err(|_| WeightError::TooLarge)?;
        let padded = fraction.bytes().chain(*b"000").take(3);
        let fraction = padded.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
        let thousandths = whole
            .checked_mul(UNIT)
            .and_then(|w| w.checked_add(fraction));
        Self::from_thousandths(thousandths.ok_or(WeightError::TooLarge)?)
    }
}

impl TryFrom<f64> for Weight {
    type Error = WeightError;

    /// Accepts what a configuration file may hold; the nearest thousandth has to be the same double.
    fn try_from(number: f64) -> Result<Self, WeightError> {
        if number.is_nan() {
            return Err(WeightError::NotANumber);
        }
        if number < 0.0 {
            return Err(WeightError::Negative);
        }
        if number > Self::MAX.to_f64() {
            return Err(WeightError::TooLarge);
        }
        let thousandths = (number * f64::from(UNIT)).round();
        if (thousandths / f64::from(UNIT) - number).abs() > f64::EPSILON * number {
            return Err(WeightError::TooFine);
        }
        // In range and whole: checked just above.
        Self::from_thousandths(thousandths as u32)
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = self.0 % UNIT;
        if fraction == 0 {
            return write!(f, "{}", self.0 / UNIT);
        }
        let digits = format!("{fraction:03}");
        write!(f, "{}.{}", self.0 / UNIT, digits.trim_end_matches('0'))
    }
}

impl Serialize for Weight {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.units() {
            Some(units) => serializer.serialize_u32(units),
            None => serializer.serialize_f64(self.to_f64()),
        }
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WeightVisitor)
    }
}

struct WeightVisitor;

impl de::Visitor<'_> for WeightVisitor {
    type Value = Weight;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a weight such as 1 or 0.5")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Weight, E> {
        let number = u64::try_from(number).map_err(|_| E::custom(WeightError::Negative))?;
        self.visit_u64(number)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Weight, E> {
        let thousandths = u32::try_from(number).ok().and_then(|n| n.checked_mul(UNIT));
        Weight::from_thousandths(thousandths.unwrap_or(u32::MAX)).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Weight, E> {
        Weight::try_from(number).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Weight, E> {
        text.parse().map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_prints_as_it_was_written() {
        for text in ["0", "1", "0.5", "0.001", "12.34", "1000000"] {
            assert_eq!(text.parse::<Weight>().unwrap().to_string(), text);
        }
        assert_eq!("1.500".parse::<Weight>().unwrap().to_string(), "1.5");
    }

    #[test]
    fn a_weight_outside_the_rules_is_refused_with_its_reason() {
        let refusals = [
            ("", WeightError::NotANumber),
            ("NaN", WeightError::NotANumber),
            ("inf", WeightError::NotANumber),
            ("1e3", WeightError::NotANumber),
            (".5", WeightError::NotANumber),
            ("1.", WeightError::NotANumber),
            ("+1", WeightError::NotANumber),
            ("-1", WeightError::Negative),
            ("0.0001", WeightError::TooFine),
            ("1000000.001", WeightError::TooLarge),
            ("4294967296", WeightError::TooLarge),
        ];
        for (text, reason) in refusals {
            assert_eq!(text.parse::<Weight>(), Err(reason), "{text:?}");
        }
        assert_eq!(Weight::try_from(f64::NAN), Err(WeightError::NotANumber));
        assert_eq!(Weight::try_from(f64::INFINITY), Err(WeightError::TooLarge));
        assert_eq!(Weight::try_from(0.0005), Err(WeightError::TooFine));
    }
}
