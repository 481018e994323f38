//! Keys from the command line or from stdin, one at a time, in constant memory.

use std::io::{self, BufRead};

use anyhow::bail;

/// The longest key that is read, in bytes: far beyond memcached's 250, and small enough that a file without line ends is found out.
pub const MAX_KEY_BYTES: usize = 1024 * 1024;

/// Where keys come from.
pub enum Keys<'a> {
    Given(&'a [String]),
    /// From stdin, separated by this byte.
    Stdin(u8),
}

impl<'a> Keys<'a> {
    /// Those of the command line; none, or a single `-`, reads stdin.
    pub fn new(given: &'a [String], nul_separated: bool) -> Self {
        match given {
            [] => Self::Stdin(if nul_separated { 0 } else { b'\n' }),
            [dash] if dash == "-" => Self::Stdin(if nul_separated { 0 } else { b'\n' }),
            given => Self::Given(given),
        }
    }

    /// Calls `each` with every key.
    pub fn for_each(self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> anyhow::Result<()> {
        match self {
            Self::Given(keys) => {
                for key in keys {
                    each(key.as_bytes())?;
                }
                Ok(())
            }
            Self::Stdin(separator) => read(
                io::BufReader::with_capacity(1 << 18, io::stdin().lock()),
                separator,
                each,
            ),
        }
    }
}

/// Calls `each` with what stands between separators. What follows the last one counts if it is not empty.
fn read(
    mut input: impl BufRead,
    separator: u8,
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> anyhow::Result<()> {
    // The beginning of a key whose end is not in the buffer yet.
    let mut begun = Vec::new();
    let mut number = 1u64;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            break;
        }
        let mut rest = buffer;
        while let Some(end) = memchr::memchr(separator, rest) {
            let (piece, behind) = (&rest[..end], &rest[end + 1..]);
            rest = behind;
            if begun.is_empty() {
                check(piece.len(), number)?;
                each(trimmed(piece, separator))?;
            } else {
                begun.extend_from_slice(piece);
                check(begun.len(), number)?;
                each(trimmed(&begun, separator))?;
                begun.clear();
            }
            number += 1;
        }
        begun.extend_from_slice(rest);
        check(begun.len(), number)?;
        let used = buffer.len();
        input.consume(used);
    }
    if !begun.is_empty() {
        each(trimmed(&begun, separator))?;
    }
    Ok(())
}

fn check(len: usize, number: u64) -> anyhow::Result<()> {
    if len > MAX_KEY_BYTES {
        bail!(
            "stdin, key {number}: longer than {MAX_KEY_BYTES} bytes; keys stand on a line each, or between NUL bytes with -0"
        );
    }
    Ok(())
}

/// A carriage return before a line feed belongs to the line end.
fn trimmed(key: &[u8], separator: u8) -> &[u8] {
    match (separator, key) {
        (b'\n', [key @ .., b'\r']) => key,
        _ => key,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn keys(input: &[u8], separator: u8, buffer: usize) -> Vec<Vec<u8>> {
        let mut keys = Vec::new();
        let input = io::BufReader::with_capacity(buffer, input);
        read(input, separator, |key| {
            keys.push(key.to_vec());
            Ok(())
        })
        .unwrap();
        keys
    }

    #[test]
    fn lines_are_keys_however_they_are_cut() {
        for buffer in 1..20 {
            assert_eq!(
                keys(b"a\r\nb c\n\nd\te", b'\n', buffer),
                [&b"a"[..], b"b c", b"", b"d\te"]
            );
            assert_eq!(keys(b"a\nb\0c\r\0", 0, buffer), [&b"a\nb"[..], b"c\r"]);
            assert!(keys(b"", b'\n', buffer).is_empty());
        }
    }

    #[test]
    fn a_key_without_an_end_is_refused_before_it_fills_the_memory() {
        struct Endless;
        impl io::Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'x');
                Ok(buffer.len())
            }
        }
        let error = read(io::BufReader::new(Endless), b'\n', |_| Ok(())).unwrap_err();
        assert!(error.to_string().contains("key 1: longer than"), "{error}");
    }
}
