//! What comes out must not depend on how the bytes came in.

use super::{drive, samples};
use evenkeel_wire::memcached::Limits;

/// Small enough for the samples to cross them.
const TIGHT: Limits = Limits {
    max_line: 24,
    max_read_line: 40,
    max_keys: 1,
    max_value: 4,
};

#[test]
fn requests_split_at_any_offset_are_the_same_requests() {
    for sample in samples::REQUESTS {
        for limits in [Limits::default(), TIGHT] {
            let whole = drive::requests(&[sample], limits);
            for at in 0..sample.len() {
                let (left, right) = sample.split_at(at);
                assert_eq!(
                    drive::requests(&[left, right], limits),
                    whole,
                    "split at {at}"
                );
            }
            let bytes: Vec<_> = sample.chunks(1).collect();
            assert_eq!(drive::requests(&bytes, limits), whole, "byte by byte");
        }
    }
}

#[test]
fn replies_split_at_any_offset_are_the_same_replies() {
    for (expect, sample) in samples::REPLIES {
        let whole = drive::replies(&[sample], *expect);
        for at in 0..sample.len() {
            let (left, right) = sample.split_at(at);
            assert_eq!(
                drive::replies(&[left, right], *expect),
                whole,
                "split at {at}"
            );
        }
        let bytes: Vec<_> = sample.chunks(1).collect();
        assert_eq!(drive::replies(&bytes, *expect), whole, "byte by byte");
    }
}

#[test]
fn a_value_of_any_size_around_a_buffer_edge_stays_in_step() {
    for len in [
        0, 1, 16306, 16307, 32642, 32643, 48978, 48979, 65314, 65315, 69_999,
    ] {
        let mut bytes = format!("set twentybyte 0 0 {len}\r\n").into_bytes();
        bytes.extend(std::iter::repeat_n(b'\n', len));
        bytes.extend_from_slice(b"\r\nget x\r\n");
        let whole = drive::requests(&[&bytes], Limits::default());
        assert_eq!(whole.len(), 3, "set, its block, get");
        let pieces: Vec<_> = bytes.chunks(16 * 1024).collect();
        assert_eq!(drive::requests(&pieces, Limits::default()), whole);
    }
}
