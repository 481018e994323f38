//! Requests that do not go to a node as they came: without `noreply` and `q`, and with the node's own CAS token.
//!
//! A node must answer everything that it is sent, for a reply that may be missing cannot be told from one that is late.

use evenkeel_wire::memcached::{Command, cas};

/// True if the line cannot be forwarded verbatim.
pub fn is_needed(command: &Command) -> bool {
    command.quiet || !command.cas.is_empty()
}

/// Appends the command's line as its node is to see it, with `token` in place of the client's. `bytes` are those that
/// were parsed. The data block, if any, follows verbatim.
pub fn push_line(out: &mut Vec<u8>, command: &Command, bytes: &[u8], token: Option<u64>) {
    if command.kind.is_meta() {
        push_meta(out, command, bytes, token);
    } else {
        push_text(out, command, bytes, token);
    }
    out.extend_from_slice(b"\r\n");
}

fn push_text(out: &mut Vec<u8>, command: &Command, bytes: &[u8], token: Option<u64>) {
    let mut line = without_blanks(command.text.of(bytes));
    if command.quiet {
        line = without_blanks(line.strip_suffix(b"noreply").unwrap_or(line));
    }
    match token {
        Some(token) if !command.cas.is_empty() => cas::push_line(out, line, command.cas, token),
        _ => out.extend_from_slice(line),
    }
}

fn push_meta(out: &mut Vec<u8>, command: &Command, bytes: &[u8], token: Option<u64>) {
    let before = bytes
        .get(command.text.start as usize..command.args.start as usize)
        .unwrap_or_default();
    out.extend_from_slice(without_blanks(before));
    for flag in command.flags(bytes) {
        match (flag.letter, token) {
            (b'q', _) => {}
            (b'C', Some(token)) => {
                out.extend_from_slice(b" C");
                out.extend_from_slice(itoa::Buffer::new().format(token).as_bytes());
            }
            (letter, _) => {
                out.extend_from_slice(&[b' ', letter]);
                out.extend_from_slice(flag.token);
            }
        }
    }
}

/// Without the spaces at the end. A tab may belong to a key.
fn without_blanks(mut line: &[u8]) -> &[u8] {
    while let Some(rest) = line.strip_suffix(b" ") {
        line = rest;
    }
    line
}

/// The answer to a command that compares with a token of another node: what is there cannot be what the client saw.
pub fn push_foreign_token(out: &mut Vec<u8>, command: &Command, bytes: &[u8]) {
    if !command.kind.is_meta() {
        return out.extend_from_slice(b"EXISTS\r\n");
    }
    out.extend_from_slice(b"EX");
    for flag in command.flags(bytes) {
        match flag.letter {
            b'k' => {
                out.extend_from_slice(b" k");
                out.extend_from_slice(command.key(bytes));
            }
            b'O' => {
                out.extend_from_slice(b" O");
                out.extend_from_slice(flag.token);
            }
            b'b' => out.extend_from_slice(b" b"),
            _ => {}
        }
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use evenkeel_wire::memcached::{RequestParser, Step};

    fn rewritten(line: &[u8], token: Option<u64>) -> String {
        let Step::Command(command) = RequestParser::default().parse(line) else {
            panic!("a command")
        };
        let mut out = Vec::new();
        push_line(&mut out, &command, line, token);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn noreply_and_q_are_taken_out() {
        assert_eq!(rewritten(b"delete K noreply\r\n", None), "delete K\r\n");
        assert_eq!(
            rewritten(b"set noreply 1 2 3 noreply\n", None),
            "set noreply 1 2 3\r\n"
        );
        assert_eq!(rewritten(b"ms k 1 T0 q c\r\n", None), "ms k 1 T0 c\r\n");
        assert_eq!(rewritten(b"mg k v q\r\n", None), "mg k v\r\n");
        assert_eq!(rewritten(b"mg q q\r\n", None), "mg q\r\n");
    }

    #[test]
    fn tokens_are_replaced() {
        assert_eq!(
            rewritten(b"cas k 0 0 1 562949953421331 noreply\r\n", Some(19)),
            "cas k 0 0 1 19\r\n"
        );
        assert_eq!(
            rewritten(b"ms k 1 q C562949953421331 T0\r\n", Some(19)),
            "ms k 1 C19 T0\r\n"
        );
    }
}
