//! Commands for a moving key.
//!
//! Left out is what cannot be the same by its nature, when an item was last read, and what is refused while a key moves:
//! `N` and `R` of `mg`, and `I`. Lines that no server takes are refused in other words.

use super::random::Random;

/// Of tokens only that they are there can be compared: each server counts its own.
const TOKEN: &str = "TOKEN";

pub struct Commands {
    random: Random,
    key: String,
}

/// A command in which the item's token is yet to be filled in.
pub struct Template {
    text: String,
    /// Added to the token, to miss it.
    off: u64,
}

impl Template {
    pub fn with_token(&self, token: Option<u64>) -> Vec<u8> {
        let token = token.unwrap_or(1 << 48) + self.off;
        self.text.replace(TOKEN, &token.to_string()).into_bytes()
    }
}

impl Commands {
    pub fn new(seed: u64, key: &str) -> Self {
        Self {
            random: Random::new(seed),
            key: key.to_owned(),
        }
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn pick(&mut self, from: &[&'static str]) -> &'static str {
        self.random.pick::<&str>(from)
    }

    fn value(&mut self) -> &'static str {
        self.pick(&["", "x", "10", "9", "99", "abc \t\n", "END\r\n"])
    }

    fn exptime(&mut self) -> &'static str {
        self.pick(&["0", "0", "1000", "2592000", "-1", "+500"])
    }

    fn noreply(&mut self) -> &'static str {
        self.pick(&["", "", "", "", " noreply"])
    }

    /// Something that leaves a value, or none.
    pub fn before(&mut self) -> Vec<u8> {
        let (key, value) = (self.key.clone(), self.value());
        let (flags, exptime) = (self.pick(&["0", "7", "4294967295"]), self.exptime());
        format!("set {key} {flags} {exptime} {}\r\n{value}\r\n", value.len()).into_bytes()
    }

    /// A read that shows the token.
    pub fn look(&self) -> Vec<u8> {
        format!("gets {}\r\n", self.key).into_bytes()
    }

    pub fn next(&mut self) -> Template {
        let off = self.random.below(3).saturating_sub(1) as u64 * 1_000_000;
        let text = match self.random.below(10) {
            0 => self.read(),
            1..=3 => self.store(),
            4 => self.count(),
            5 => self.touch_or_delete(),
            6 => self.meta_get(),
            7 => self.meta_set(),
            8 => self.meta_delete(),
            _ => self.meta_count(),
        };
        Template { text, off }
    }

    fn read(&mut self) -> String {
        let (word, exptime) = (self.pick(&["get", "gets", "gat", "gats"]), self.exptime());
        let exptime = if word.starts_with("gat") {
            format!(" {exptime}")
        } else {
            String::new()
        };
        format!("{word}{exptime} {}\r\n", self.key)
    }

    fn store(&mut self) -> String {
        let word = self.pick(&["set", "add", "replace", "append", "prepend", "cas", "cas"]);
        let (flags, exptime, value) = (
            self.pick(&["0", "7", "4294967297"]),
            self.exptime(),
            self.value(),
        );
        let token = if word == "cas" {
            format!(" {TOKEN}")
        } else {
            String::new()
        };
        let noreply = self.noreply();
        format!(
            "{word} {} {flags} {exptime} {}{token}{noreply}\r\n{value}\r\n",
            self.key,
            value.len()
        )
    }

    fn count(&mut self) -> String {
        let (word, delta, noreply) = (
            self.pick(&["incr", "decr"]),
            self.pick(&["1", "0", "1000"]),
            self.noreply(),
        );
        format!("{word} {} {delta}{noreply}\r\n", self.key)
    }

    fn touch_or_delete(&mut self) -> String {
        let (exptime, noreply) = (self.exptime(), self.noreply());
        let delete = self.random.below(2) == 0;
        let key = &self.key;
        if delete {
            format!("delete {key}{noreply}\r\n")
        } else {
            format!("touch {key} {exptime}{noreply}\r\n")
        }
    }

    fn flags(&mut self, from: &[&str]) -> String {
        let mut flags = String::new();
        for flag in from {
            if self.random.below(3) == 0 {
                flags += &format!(" {}", flag.replace("C?", &format!("C{TOKEN}")));
            }
        }
        flags
    }

    fn meta_get(&mut self) -> String {
        let flags = self.flags(&["T1000", "v", "c", "f", "k", "O1", "q", "s", "t", "u"]);
        format!("mg {}{flags}\r\n", self.key)
    }

    fn meta_set(&mut self) -> String {
        let mode = self.pick(&["", " MS", " ME", " MA", " MP", " MR"]);
        let flags = self.flags(&["c", "C?", "F7", "k", "O9", "q", "T1000"]);
        // An add looks at no token, and the gate serves none with one.
        let mode = if flags.contains(TOKEN) && mode == " ME" {
            ""
        } else {
            mode
        };
        let value = self.value();
        format!(
            "ms {} {}{flags}{mode}\r\n{value}\r\n",
            self.key,
            value.len()
        )
    }

    fn meta_delete(&mut self) -> String {
        let flags = self.flags(&["C?", "k", "O7", "q"]);
        format!("md {}{flags}\r\n", self.key)
    }

    fn meta_count(&mut self) -> String {
        let mode = self.pick(&["", " MI", " MD", " M+"]);
        let flags = self.flags(&["C?", "N1000", "J10", "D5", "t", "c", "v", "k", "O3"]);
        format!("ma {}{flags}{mode}\r\n", self.key)
    }
}

/// The token in an answer.
pub fn token(answer: &[u8]) -> Option<u64> {
    let text = String::from_utf8_lossy(answer);
    let line = text.lines().next()?;
    line.split(' ').nth(4)?.parse().ok()
}

/// The same answer, but for what differs by nature. Of an empty value under another token both servers tell a truth:
/// the one that it is no number, the other that it is not what was meant.
pub fn same(answer: &[u8], expected: &[u8]) -> bool {
    let no_number = b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n";
    normalised(answer) == normalised(expected)
        || (expected == no_number && answer.starts_with(b"EX"))
}

/// The answer without its tokens and moments.
pub fn normalised(answer: &[u8]) -> String {
    let text = String::from_utf8_lossy(answer);
    let Some((line, rest)) = text.split_once("\r\n") else {
        return text.into_owned();
    };
    let words = line.split(' ').enumerate().map(|(at, word)| {
        let number = |digits: &str| digits.parse::<u64>().is_ok_and(|number| number > 0);
        match word.split_at_checked(1) {
            Some((letter @ ("c" | "t"), digits)) if at > 0 && number(digits) => {
                format!("{letter}#")
            }
            _ if at == 4 && line.starts_with("VALUE") => "#".to_owned(),
            _ => word.to_owned(),
        }
    });
    format!("{}\r\n{rest}", words.collect::<Vec<_>>().join(" "))
}
