//! A short deterministic fuzz on stable Rust: samples mutated at random, fed in random pieces. The long runs are in
//! `fuzz/`.

use super::random::Random;
use super::{drive, samples};
use evenkeel_wire::memcached::Limits;

/// Rounds per sample.
const ROUNDS: usize = 400;

fn mutate(random: &mut Random, sample: &[u8]) -> Vec<u8> {
    let mut bytes = sample.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(4) {
            0 => bytes.insert(at, random.next() as u8),
            1 => bytes.insert(at, *random.pick(b" \r\n\x000129-")),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes
}

fn pieces<'a>(random: &mut Random, mut bytes: &'a [u8]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    while !bytes.is_empty() {
        let (piece, rest) = bytes.split_at(1 + random.below(bytes.len().min(30)));
        pieces.push(piece);
        bytes = rest;
    }
    pieces
}

#[test]
fn mutated_requests_neither_panic_nor_depend_on_their_pieces() {
    let mut random = Random::new(2);
    let tight = Limits {
        max_line: 30,
        max_read_line: 60,
        max_keys: 2,
        max_value: 10,
    };
    for sample in samples::REQUESTS {
        for round in 0..ROUNDS {
            let bytes = mutate(&mut random, sample);
            let limits = if round % 2 == 0 {
                tight
            } else {
                Limits::default()
            };
            let pieces = pieces(&mut random, &bytes);
            assert_eq!(
                drive::requests(&pieces, limits),
                drive::requests(&[&bytes], limits)
            );
        }
    }
}

#[test]
fn mutated_replies_neither_panic_nor_depend_on_their_pieces() {
    let mut random = Random::new(3);
    for (expect, sample) in samples::REPLIES {
        for _ in 0..ROUNDS {
            let bytes = mutate(&mut random, sample);
            let pieces = pieces(&mut random, &bytes);
            assert_eq!(
                drive::replies(&pieces, *expect),
                drive::replies(&[&bytes], *expect)
            );
        }
    }
}
