//! Commands made at random of arguments that matter, so that one meets what the others left.

use super::random::Random;

const KEYS: &[&str] = &["a", "b", "c", "counter", "k\tk", "caf\u{e9}"];

/// The same keys in base64 are other spellings of them.
const BASE64_KEYS: &[&str] = &["YQ==", "Yg==", "Yw==", "Y291bnRlcg==", "ZCBk", "AAEC"];

const VALUES: &[&str] = &[
    "",
    "x",
    "10",
    "9",
    "99",
    "999999999999",
    "abc \t\n",
    "END\r\n",
    "5 five",
    "-1",
    "007",
];

// No number here grows beyond 63 bits: there memcached 1.6.18 looks for a minus sign behind the end of the value, in
// whatever memory follows.

/// Far from now in both directions: the two servers' seconds need not begin together.
const EXPTIMES: &[&str] = &["0", "0", "0", "1000", "2592000", "-1", "2592001", "+500"];

const DELTAS: &[&str] = &["1", "0", "5", "10", "4294967296", "1000000"];

/// Makes commands; remembers the tokens that were seen, to compare with them.
pub struct Generator {
    random: Random,
    tokens: Vec<u64>,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            tokens: vec![1, 2, 3],
        }
    }

    /// Tells of an answer, for its tokens.
    pub fn saw(&mut self, answer: &[u8]) {
        let line = String::from_utf8_lossy(answer);
        let line = line.lines().next().unwrap_or_default();
        let classic = line
            .strip_prefix("VALUE ")
            .and_then(|_| line.split(' ').nth(4));
        let meta = line
            .split(' ')
            .skip(1)
            .find_map(|word| word.strip_prefix('c'));
        self.tokens
            .extend(classic.or(meta).and_then(|token| token.parse::<u64>().ok()));
    }

    /// The next command, with its data block.
    pub fn command(&mut self) -> Vec<u8> {
        match self.random.below(20) {
            0..=2 => self.get(),
            3..=5 => self.store(),
            6 => self.arithmetic(),
            7 => self.touch_or_delete(),
            8..=11 => self.meta_get(),
            12..=14 => self.meta_set(),
            15 | 16 => self.meta_delete(),
            17 | 18 => self.meta_arithmetic(),
            _ => self.rest(),
        }
    }

    fn pick(&mut self, from: &[&str]) -> String {
        (*self.random.pick(from)).to_owned()
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.random.below(many) == 0
    }

    fn noreply(&mut self) -> &'static str {
        if self.one_in(8) { " noreply" } else { "" }
    }

    fn token(&mut self) -> u64 {
        let recent = self.tokens.len().saturating_sub(6);
        let seen = *self.random.pick(&self.tokens[recent..]);
        seen + self.random.below(3) as u64 - u64::from(self.one_in(4) && seen > 0)
    }

    fn get(&mut self) -> Vec<u8> {
        let word = self.pick(&["get", "get", "gets", "gets", "gat", "gats"]);
        let mut line = word.clone();
        if word.starts_with("gat") {
            line += &format!(" {}", self.pick(EXPTIMES));
        }
        for _ in 0..=self.random.below(3) {
            line += &format!(" {}", self.pick(KEYS));
        }
        format!("{line}\r\n").into_bytes()
    }

    fn store(&mut self) -> Vec<u8> {
        let word = self.pick(&[
            "set", "set", "set", "add", "replace", "append", "prepend", "cas", "cas",
        ]);
        let (key, exptime) = (self.pick(KEYS), self.pick(EXPTIMES));
        let flags = self.pick(&["0", "0", "7", "4294967295", "4294967297"]);
        let value = self.pick(VALUES);
        let token = if word == "cas" {
            format!(" {}", self.token())
        } else {
            String::new()
        };
        // A block that is longer than announced is refused, and its rest is a line of its own.
        let excess = if self.one_in(15) { "yy" } else { "" };
        let noreply = self.noreply();
        format!(
            "{word} {key} {flags} {exptime} {}{token}{noreply}\r\n{value}{excess}\r\n",
            value.len()
        )
        .into_bytes()
    }

    fn arithmetic(&mut self) -> Vec<u8> {
        let (word, key) = (self.pick(&["incr", "decr"]), self.pick(KEYS));
        let (delta, noreply) = (self.pick(DELTAS), self.noreply());
        format!("{word} {key} {delta}{noreply}\r\n").into_bytes()
    }

    fn touch_or_delete(&mut self) -> Vec<u8> {
        let (key, noreply) = (self.pick(KEYS), self.noreply());
        if self.one_in(2) {
            return format!("delete {key}{noreply}\r\n").into_bytes();
        }
        format!("touch {key} {}{noreply}\r\n", self.pick(EXPTIMES)).into_bytes()
    }

    /// A key and, if it is written in base64, its flag.
    fn meta_key(&mut self) -> (String, &'static str) {
        if self.one_in(4) {
            (self.pick(BASE64_KEYS), " b")
        } else {
            (self.pick(KEYS), "")
        }
    }

    /// Some of the flags, in some order; now and then one twice, or one that is none.
    fn flags(&mut self, from: &[&str]) -> String {
        let mut flags = String::new();
        let mut seen = String::new();
        for _ in 0..self.random.below(8) {
            let flag = match self.pick(from).as_str() {
                "C" => format!("C{}", self.token()),
                flag => flag.to_owned(),
            };
            let letter = flag.chars().next().unwrap();
            if !seen.contains(letter) || self.one_in(20) {
                flags += &format!(" {flag}");
                seen.push(letter);
            }
        }
        if self.one_in(60) {
            flags += &format!(
                " {}",
                self.pick(&[
                    "!",
                    "z",
                    "Cx",
                    "Tx",
                    "Dx",
                    "Fx",
                    "M",
                    "MZ",
                    "O0123456789012345678901234567890123"
                ])
            );
        }
        flags
    }

    fn meta_get(&mut self) -> Vec<u8> {
        let (key, binary) = self.meta_key();
        let flags = self.flags(&[
            "v", "v", "c", "f", "h", "k", "l", "O1", "Oxy", "q", "s", "t", "u", "N1000", "N0",
            "R500", "R2000", "T1000", "T0", "T-1",
        ]);
        format!("mg {key}{binary}{flags}\r\n").into_bytes()
    }

    fn meta_set(&mut self) -> Vec<u8> {
        let (key, binary) = self.meta_key();
        let value = self.pick(VALUES);
        let flags = self.flags(&[
            "c", "C", "C", "F0", "F7", "I", "k", "O9", "q", "T0", "T1000", "T-1", "MS", "ME", "MA",
            "MP", "MR",
        ]);
        format!("ms {key} {}{binary}{flags}\r\n{value}\r\n", value.len()).into_bytes()
    }

    fn meta_delete(&mut self) -> Vec<u8> {
        let (key, binary) = self.meta_key();
        let flags = self.flags(&["C", "I", "I", "k", "O7", "q", "T1000", "T0"]);
        format!("md {key}{binary}{flags}\r\n").into_bytes()
    }

    /// Without `T`: where the number grows by a digit, memcached 1.6.18 sets the expiry of the item that it has just
    /// replaced, and it is lost.
    fn meta_arithmetic(&mut self) -> Vec<u8> {
        let (key, binary) = self.meta_key();
        let flags = self.flags(&[
            "C", "N1000", "N0", "J10", "J0", "D5", "D1", "MI", "MD", "M+", "M-", "q", "t", "c",
            "v", "v", "k", "O3",
        ]);
        format!("ma {key}{binary}{flags}\r\n").into_bytes()
    }

    fn rest(&mut self) -> Vec<u8> {
        let key = self.pick(KEYS);
        match self.random.below(16) {
            0 => b"version\r\n".to_vec(),
            1 => b"verbosity 0\r\n".to_vec(),
            2 => b"flush_all\r\n".to_vec(),
            3 => b"flush_all noreply\r\n".to_vec(),
            4 => b"nonsense\r\n".to_vec(),
            5 => b"get\r\n".to_vec(),
            6 => format!("incr {key} x\r\n").into_bytes(),
            7 => format!("delete {key} 5\r\n").into_bytes(),
            8 => format!("touch {key} 0.2\r\n").into_bytes(),
            9 => b"gat 0\r\n".to_vec(),
            10 => b"stats nothing\r\n".to_vec(),
            _ => format!("me {key}\r\n").into_bytes(),
        }
    }
}
