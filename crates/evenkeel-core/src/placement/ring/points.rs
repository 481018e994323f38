//! Where the points of a node are.

use super::position::Position;
use crate::hash::{avalanche, chained_crc32};
use crate::scheme::{Collision, Generator, RingSpec};
use crate::{Address, Node};

/// The nodes in the order in which they claim a position that several of them have: `order[rank]` is an index.
pub(super) fn claim_order(spec: &RingSpec, nodes: &[Node]) -> Vec<u16> {
    let mut order: Vec<(u16, &Node)> = (0..).zip(nodes).collect();
    match spec.collision {
        Collision::FirstListed => {}
        Collision::LastListed => order.reverse(),
        Collision::ByName => order.sort_by(|(_, a), (_, b)| a.name.cmp(&b.name)),
        // The list decides between two nodes of one label.
        Collision::ByLabel => order.sort_by_cached_key(|(_, node)| spec.label.of(node)),
        Collision::ShortestLabel => order.sort_by_cached_key(|(_, node)| {
            let label = spec.label.of(node);
            (label.len(), label)
        }),
    }
    order.into_iter().map(|(index, _)| index).collect()
}

/// Calls `take` with the positions of one node's points, in the order in which the original makes them.
pub(super) fn each_point<P: Position>(
    spec: &RingSpec,
    node: &Node,
    index: u16,
    digests: u64,
    mut take: impl FnMut(P),
) {
    match spec.generator {
        Generator::Labels => {
            let mut text = Numbered::new(spec, node);
            for number in 0..digests {
                let bytes = text.with(u64::from(spec.first_index) + number);
                spec.point_hash
                    .each_word(bytes, spec.per_digest, |word| take(P::from_hash(word)));
            }
        }
        Generator::Chained => {
            let head = crc32fast::hash(&host_nul_port(&node.address, &node.name));
            let mut point = 0_u32;
            for _ in 0..digests {
                point = chained_crc32(head, point.to_le_bytes());
                take(P::from_hash(u64::from(point)));
            }
        }
        Generator::Place => {
            let place = u32::from(index) + 1;
            for number in 0..digests {
                let point = avalanche(place.wrapping_mul(4_096).wrapping_add(number as u32));
                take(P::from_hash(u64::from(point)));
            }
        }
    }
}

/// nginx keeps host and port as they stand in its `server` line: IPv6 in brackets, a socket's path without a port.
fn host_nul_port(address: &Address, name: &str) -> Vec<u8> {
    match address {
        Address::Tcp { host, port } if host.contains(':') => format!("[{host}]\0{port}"),
        Address::Tcp { host, port } => format!("{host}\0{port}"),
        Address::Unix(path) => format!("{path}\0"),
        Address::Embedded => format!("{name}\0"),
    }
    .into_bytes()
}

/// A template with everything but the number filled in.
struct Numbered {
    /// The text around the numbers.
    pieces: Vec<Vec<u8>>,
    text: Vec<u8>,
}

impl Numbered {
    fn new(spec: &RingSpec, node: &Node) -> Self {
        let (host, port) = match &node.address {
            Address::Tcp { host, port } => (host.as_str(), port.to_string()),
            Address::Unix(path) => (path.as_str(), String::new()),
            Address::Embedded => (node.name.as_str(), String::new()),
        };
        let label = spec.label.of(node);
        let known = [
            ("{node}", label.as_ref()),
            ("{name}", &node.name),
            ("{host}", host),
            ("{port}", &port),
        ];
        let pieces = spec
            .template
            .split("{i}")
            .map(|piece| filled(piece, &known).into_bytes())
            .collect();
        Self {
            pieces,
            text: Vec::new(),
        }
    }

    /// The text for a number.
    fn with(&mut self, number: u64) -> &[u8] {
        let mut digits = [0; 20];
        let digits = decimal(number, &mut digits);
        self.text.clear();
        for (place, piece) in self.pieces.iter().enumerate() {
            if place > 0 {
                self.text.extend_from_slice(digits);
            }
            self.text.extend_from_slice(piece);
        }
        &self.text
    }
}

/// Replaces the marks from left to right, and never inside what it has put in: a name may well hold braces.
fn filled(mut piece: &str, known: &[(&str, &str)]) -> String {
    let mut text = String::new();
    while let Some(c) = piece.chars().next() {
        match known.iter().find(|(mark, _)| piece.starts_with(mark)) {
            Some((mark, value)) => {
                text.push_str(value);
                piece = &piece[mark.len()..];
            }
            None => {
                text.push(c);
                piece = &piece[c.len_utf8()..];
            }
        }
    }
    text
}

/// The decimal digits of a number, written from the end of the buffer.
fn decimal(mut number: u64, buffer: &mut [u8; 20]) -> &[u8] {
    let mut start = buffer.len();
    loop {
        start -= 1;
        buffer[start] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &buffer[start..];
        }
    }
}
