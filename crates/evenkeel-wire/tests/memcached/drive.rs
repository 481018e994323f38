//! Feeds pieces to the parsers as a connection would, and writes down what came out.

use evenkeel_wire::memcached::{
    Body, Expect, Limits, ReplyParser, ReplyStep, RequestParser, Step, answers,
};

/// What a request parser made of the bytes, one line a unit.
pub fn requests(pieces: &[&[u8]], limits: Limits) -> Vec<String> {
    let mut parser = RequestParser::new(limits);
    let (mut unread, mut units) = (Vec::new(), Vec::new());
    let mut body: Option<(Body, Vec<u8>)> = None;
    for piece in pieces {
        unread.extend_from_slice(piece);
        loop {
            if let Some((mut state, mut data)) = body.take() {
                let step = state.advance(&unread);
                data.extend_from_slice(&unread[..step.data]);
                unread.drain(..step.len);
                if !step.last {
                    body = Some((state, data));
                    break;
                }
                let end = if state.is_sound() {
                    ""
                } else {
                    text(answers::BAD_DATA_CHUNK)
                };
                units.push(format!("body {:?} {end}", String::from_utf8_lossy(&data)));
                continue;
            }
            match parser.parse(&unread) {
                Step::Incomplete => break,
                Step::Skip(len) => {
                    assert!(len > 0 && len <= unread.len());
                    unread.drain(..len);
                }
                Step::Answer(answer) => {
                    let key = String::from_utf8_lossy(answer.key.of(&unread)).into_owned();
                    units.push(format!(
                        "answer {:?} {:?} {key:?} {}",
                        text(answer.text),
                        answer.kind,
                        answer.close
                    ));
                    unread.drain(..answer.consumed);
                    if answer.close {
                        return units;
                    }
                }
                Step::Command(command) => {
                    units.push(describe(&command, &unread));
                    body = command.body_len.map(|len| (Body::new(len), Vec::new()));
                    unread.drain(..command.line_len);
                }
            }
        }
    }
    units
}

/// A command without its offsets, in the form that the naive twin writes too.
pub fn describe(command: &evenkeel_wire::memcached::Command, bytes: &[u8]) -> String {
    let keys: Vec<_> = command
        .keys(bytes)
        .map(|key| String::from_utf8_lossy(key).into_owned())
        .collect();
    assert_eq!(keys.len(), command.key_count as usize);
    format!(
        "{:?} {:?} keys {keys:?} quiet {} body {:?} cas {:?}",
        command.kind,
        command.class,
        command.quiet,
        command.body_len,
        text(command.cas.of(bytes)),
    )
}

/// What a reply parser made of the bytes.
pub fn replies(pieces: &[&[u8]], expect: Expect) -> Vec<String> {
    let mut parser = ReplyParser::new();
    let (mut unread, mut units) = (Vec::new(), Vec::new());
    let mut body: Option<Body> = None;
    for piece in pieces {
        unread.extend_from_slice(piece);
        loop {
            if let Some(mut state) = body.take() {
                let step = state.advance(&unread);
                unread.drain(..step.len);
                if !step.last {
                    body = Some(state);
                    break;
                }
                units.push(format!("body sound {}", state.is_sound()));
                continue;
            }
            match parser.parse(&unread, expect) {
                ReplyStep::Incomplete => break,
                ReplyStep::Malformed => {
                    units.push("malformed".into());
                    return units;
                }
                ReplyStep::Line(reply) => {
                    let part = |span: evenkeel_wire::Span| text(span.of(&unread)).to_owned();
                    units.push(format!(
                        "{:?} {:?} key {:?} flags {:?} cas {:?} number {} body {:?} last {}",
                        reply.status,
                        part(reply.text),
                        part(reply.key),
                        part(reply.client_flags),
                        part(reply.cas),
                        reply.number,
                        reply.body_len,
                        reply.last
                    ));
                    body = reply.body_len.map(Body::new);
                    unread.drain(..reply.line_len);
                }
            }
        }
    }
    units
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or("(not utf-8)")
}
