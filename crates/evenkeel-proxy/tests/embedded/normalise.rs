//! Takes out of an answer what cannot be equal: how many seconds ago, how many seconds to go.

/// The answer with its moments replaced.
pub fn normalised(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let Some((line, rest)) = text.split_once('\n') else {
        return text.into_owned();
    };
    let is_meta = ["HD", "VA ", "ME "]
        .iter()
        .any(|code| line.starts_with(code));
    if !is_meta {
        return text.into_owned();
    }
    let words: Vec<String> = line.split(' ').map(word).collect();
    format!("{}\n{rest}", words.join(" "))
}

fn word(word: &str) -> String {
    let is_number = |digits: &str| digits.trim_end().parse::<u64>().is_ok();
    for label in ["t", "l", "la=", "exp=-"] {
        match word.strip_prefix(label) {
            // -1 is "for ever", and no moment.
            Some("1") if label == "exp=-" => {}
            Some(digits) if is_number(digits) => {
                return format!("{label}#{}", if word.ends_with('\r') { "\r" } else { "" });
            }
            _ => {}
        }
    }
    if word.strip_prefix("exp=").is_some_and(is_number) {
        "exp=#".to_owned()
    } else {
        word.to_owned()
    }
}

/// A line of a listing without its moments.
pub fn listed(line: &str) -> String {
    let word = |word: &str| match word.split_once('=') {
        Some(("exp", moment)) if moment != "-1" => "exp=#".to_owned(),
        Some(("la", _)) => "la=#".to_owned(),
        _ => word.to_owned(),
    };
    line.split(' ').map(word).collect::<Vec<_>>().join(" ")
}
