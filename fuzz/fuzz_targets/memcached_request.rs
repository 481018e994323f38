//! Client bytes, in two pieces and whole: no panic, and the same units.
//! The first byte of the input says where to cut.

#![no_main]

use evenkeel_wire::memcached::{Body, Limits, RequestParser, Step};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((cut, bytes)) = input.split_first() else { return };
    let cut = usize::from(*cut).min(bytes.len());
    let (left, right) = bytes.split_at(cut);
    assert_eq!(units(&[bytes]), units(&[left, right]));
});

fn units(pieces: &[&[u8]]) -> Vec<String> {
    let mut parser = RequestParser::new(Limits::default());
    let (mut unread, mut units) = (Vec::new(), Vec::new());
    let mut body: Option<Body> = None;
    for piece in pieces {
        unread.extend_from_slice(piece);
        loop {
            if let Some(state) = body.as_mut() {
                let piece = state.advance(&unread);
                unread.drain(..piece.len);
                if !piece.last {
                    break;
                }
                units.push(format!("sound {}", state.is_sound()));
                body = None;
            }
            match parser.parse(&unread) {
                Step::Incomplete => break,
                Step::Skip(len) => drop(unread.drain(..len)),
                Step::Answer(answer) => {
                    units.push(format!("{:?} {}", answer.text, answer.close));
                    unread.drain(..answer.consumed);
                    if answer.close {
                        return units;
                    }
                }
                Step::Command(command) => {
                    units.push(format!("{command:?}"));
                    body = command.body_len.map(Body::new);
                    unread.drain(..command.line_len);
                }
            }
        }
    }
    units
}
