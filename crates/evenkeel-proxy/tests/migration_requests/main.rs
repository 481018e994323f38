//! A key that is being moved answers as one that is not: generated commands, each on a moving key and on the same key
//! at a single node, and the answers compared.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod commands;
mod moving;
#[path = "../embedded/random.rs"]
mod random;

use commands::Commands;
use moving::{Moving, Node};

/// Rounds, each on a fresh key: a few commands before the move, a few while it moves.
const ROUNDS: u64 = 3000;

#[test]
fn a_moving_key_answers_like_a_single_node() {
    let (mut moving, mut single) = (Moving::new(), Node::new());
    let mut acted = 0;
    for round in 0..ROUNDS {
        let key = format!("key{round}");
        let mut commands = Commands::new(round, &key);
        for _ in 0..commands.below(3) {
            let command = commands.before();
            assert_eq!(moving.at_source(&command), single.exchange(&command));
        }
        let mut story = Vec::new();
        for _ in 0..1 + commands.below(5) {
            let template = commands.next();
            let token = |answer: Vec<u8>| commands::token(&answer);
            let ours = template.with_token(token(moving.run(&commands.look())));
            let theirs = template.with_token(token(single.exchange(&commands.look())));
            story.push(String::from_utf8_lossy(&ours).into_owned());
            let (answer, expected) = (moving.run(&ours), single.exchange(&theirs));
            assert!(
                commands::same(&answer, &expected),
                "round {round} after {story:#?}: {} for {}",
                commands::normalised(&answer),
                commands::normalised(&expected)
            );
            acted += 1;
        }
        assert!(
            !moving.source_has(&key),
            "round {round}: what was looked at has moved"
        );
    }
    assert!(acted > 5_000);
}

// Without a look in front, the first command finds the value still at its source, and must bring it over itself.
#[test]
fn the_first_command_brings_the_value_over() {
    let (mut moving, mut single) = (Moving::new(), Node::new());
    for round in 0..ROUNDS {
        let key = format!("key{round}");
        let mut commands = Commands::new(round + 1_000_000, &key);
        let stored = commands.before();
        moving.at_source(&stored);
        single.exchange(&stored);
        let template = commands.next();
        // A token that no item has.
        let command = template.with_token(Some((1 << 48) + 999_999_999));
        let (answer, expected) = (moving.run(&command), single.exchange(&command));
        assert!(
            commands::same(&answer, &expected),
            "{} then {}: {} for {}",
            String::from_utf8_lossy(&stored),
            String::from_utf8_lossy(&command),
            commands::normalised(&answer),
            commands::normalised(&expected)
        );
        let look = commands.look();
        let (answer, expected) = (moving.run(&look), single.exchange(&look));
        assert_eq!(
            commands::normalised(&answer),
            commands::normalised(&expected)
        );
    }
}

#[test]
fn a_token_of_another_server_never_matches() {
    let mut moving = Moving::new();
    moving.at_source(b"set k 0 0 1\r\nx\r\n");
    let answer = moving.run(b"gets k\r\n");
    let token = commands::token(&answer).unwrap();
    // The same counter with another tag: what a client has from the source.
    let foreign = (token & ((1 << 48) - 1)) | (2 << 48);
    assert_eq!(
        moving.run(format!("cas k 0 0 1 {foreign}\r\ny\r\n").as_bytes()),
        b"EXISTS\r\n"
    );
    assert_eq!(
        moving.run(format!("cas k 0 0 1 {token}\r\ny\r\n").as_bytes()),
        b"STORED\r\n"
    );
}

#[test]
fn base64_keys_are_the_keys_that_they_stand_for() {
    let mut moving = Moving::new();
    moving.at_source(b"set foo 0 0 1\r\nx\r\n");
    assert_eq!(moving.run(b"mg Zm9v b v k\r\n"), b"VA 1 kZm9v b\r\nx\r\n");
    assert_eq!(
        moving.run(b"ma Zm9v b\r\n"),
        b"CLIENT_ERROR cannot increment or decrement non-numeric value\r\n"
    );
    assert_eq!(moving.run(b"ms Zm9v 1 b\r\n7\r\n"), b"HD\r\n");
    assert_eq!(moving.run(b"incr foo 1\r\n"), b"8\r\n");
}
