//! Plans and statuses in words.

use std::fmt::Write;

use evenkeel_proxy::control::{Complaint, Plan};
use evenkeel_proxy::coordinator::Status;
use evenkeel_proxy::copier::Rates;

/// A plan for people.
pub fn plan(plan: &Plan) -> String {
    let mut text = String::new();
    let percent = plan.moved_share * 100.0;
    let _ = writeln!(
        text,
        "{percent:.1} % of the keys move: {} keys, {}",
        count(plan.keys),
        bytes(plan.bytes)
    );
    for flow in &plan.flows {
        let _ = writeln!(
            text,
            "  {} -> {}  {:5.2} %  {:>12} keys  {:>10}",
            flow.source,
            flow.target,
            flow.share * 100.0,
            count(flow.keys),
            bytes(flow.bytes)
        );
    }
    complaints(&mut text, "warning", &plan.warnings);
    complaints(&mut text, "refused", &plan.refusals);
    text
}

fn complaints(text: &mut String, word: &str, complaints: &[Complaint]) {
    for complaint in complaints {
        let _ = writeln!(text, "{word}: {}\n  {}", complaint.reason, complaint.remedy);
    }
}

/// A status for people.
pub fn status(status: &Status) -> String {
    let mut text = String::new();
    let nodes = status.current.nodes().len();
    let _ = writeln!(
        text,
        "{}: {} (epoch {}, {nodes} nodes)",
        status.pool,
        phase(status),
        status.epoch
    );
    if status.phase.is_some() {
        let _ = writeln!(text, "  {}", progress(status));
        let _ = writeln!(text, "  rate: {}", rates(status.rates));
    }
    for (node, tally) in status.nodes.iter().filter(|_| status.phase.is_some()) {
        let _ = writeln!(
            text,
            "  {node}: moved {} keys, {}; there already {}; gone {}; to be tried again {}",
            count(tally.moved),
            bytes(tally.bytes),
            count(tally.already),
            count(tally.vanished),
            count(tally.failed)
        );
        if tally.unmovable > 0 {
            let _ = writeln!(
                text,
                "  {node}: refused by their target, such as {}; `apply --drop-unmovable` lets such keys go",
                tally.unmovable_keys.join(", ")
            );
        }
        if let Some(trouble) = &tally.trouble {
            let _ = writeln!(text, "  {node}: {trouble}");
        }
    }
    for waiting in &status.waiting_for {
        let _ = writeln!(text, "  waiting for {waiting}");
    }
    if let Some(trouble) = &status.trouble {
        let _ = writeln!(text, "  trouble: {trouble}");
    }
    if let Some(line) = ended(status) {
        let _ = writeln!(text, "  {line}");
    }
    text
}

/// The phase, and which way the migration goes.
pub fn phase(status: &Status) -> String {
    let mut words = status.phase_name().to_owned();
    if status.turning_back {
        words.push_str(", turning round");
    } else if status.going_back {
        words.push_str(", going back");
    }
    if status.failed_holds > 0 {
        let _ = write!(words, ", {} holds timed out", status.failed_holds);
    }
    words
}

/// Keys and bytes so far.
pub fn progress(status: &Status) -> String {
    let expected = match status.expected_keys {
        0 => String::new(),
        keys => format!(" of about {}", count(keys)),
    };
    format!(
        "{}{expected} keys, {}",
        count(status.keys_done()),
        bytes(status.bytes_done())
    )
}

/// How the last migration ended, once it did.
pub fn ended(status: &Status) -> Option<String> {
    let ended = status.ended.as_ref()?;
    let how = if ended.aborted { "turned back" } else { "done" };
    let seconds = ended.took_ms as f64 / 1000.0;
    let mut line = format!("{how} after {seconds:.1} s");
    for node in &ended.switch_off {
        let _ = write!(line, "; {node} can be switched off");
    }
    Some(line)
}

/// The copier's limits.
pub fn rates(rates: Rates) -> String {
    let keys = match rates.keys {
        None => "no limit of keys".to_owned(),
        Some(0) => "paused".to_owned(),
        Some(keys) => format!("{} keys/s", count(keys)),
    };
    match rates.bytes {
        None => keys,
        Some(0) => "paused".to_owned(),
        Some(limit) => format!("{keys}, {}/s", bytes(limit)),
    }
}

/// A number with its thousands set apart.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Bytes in the largest unit that leaves a number of at least 1.
pub fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = number as f64;
    let mut units = UNITS.iter();
    let mut unit = units.next().copied().unwrap_or("B");
    while value >= 1024.0
        && let Some(next) = units.next()
    {
        value /= 1024.0;
        unit = next;
    }
    if unit == "B" {
        format!("{number} B")
    } else {
        format!("{value:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(50 * 1024 * 1024), "50.0 MiB");
    }
}
