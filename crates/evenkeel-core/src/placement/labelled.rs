//! Rendezvous as pymemcache and clandestined do it: MurmurHash3 of `label-key`.

use super::walk::{Walk, shares_of};
use crate::Node;
use crate::hash::{low_bytes_of_code_points, murmur3_32};
use crate::scheme::{RendezvousSpec, Text};

/// A node's text, as it is hashed before each key.
#[derive(Clone, Debug)]
struct Candidate {
    /// The label with the dash.
    prefix: Vec<u8>,
    label: String,
    index: u16,
}

/// The nodes with a weight.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    text: Text,
    candidates: Vec<Candidate>,
}

impl Labelled {
    pub(super) fn build(spec: RendezvousSpec, nodes: &[Node]) -> Self {
        let candidate = |(index, node)| {
            let label = spec.label.of(node).into_owned();
            let prefix = hashed(spec.text, format!("{label}-").as_bytes());
            Candidate {
                prefix,
                label,
                index,
            }
        };
        let weighty = (0..).zip(nodes).filter(|(_, node)| !node.weight.is_zero());
        Self {
            text: spec.text,
            candidates: weighty.map(candidate).collect(),
        }
    }

    /// Scores with candidates, in the order of the nodes.
    fn scores(&self, part: &[u8]) -> impl Iterator<Item = (u32, &Candidate)> {
        let key = hashed(self.text, part);
        let mut text = Vec::new();
        self.candidates.iter().map(move |candidate| {
            text.clear();
            text.extend_from_slice(&candidate.prefix);
            text.extend_from_slice(&key);
            (murmur3_32(&text, 0), candidate)
        })
    }

    fn best(&self, part: &[u8]) -> Option<(u32, &Candidate)> {
        self.scores(part)
            .max_by(|(a, x), (b, y)| a.cmp(b).then_with(|| x.label.cmp(&y.label)))
    }

    pub(super) fn node_of(&self, part: &[u8]) -> u16 {
        self.best(part).map_or(0, |(_, candidate)| candidate.index)
    }

    pub(super) fn score_of(&self, part: &[u8]) -> u64 {
        self.best(part).map_or(0, |(score, _)| u64::from(score))
    }

    pub(super) fn walk(&self, part: &[u8]) -> Walk<'_> {
        let mut scores: Vec<_> = self.scores(part).collect();
        scores.sort_by(|(a, x), (b, y)| b.cmp(a).then_with(|| y.label.cmp(&x.label)));
        Walk::of(scores.into_iter().map(|(_, candidate)| candidate.index))
    }

    pub(super) fn shares(&self, nodes: usize) -> Vec<f64> {
        shares_of(
            self.candidates.iter().map(|candidate| candidate.index),
            nodes,
        )
    }
}

fn hashed(text: Text, bytes: &[u8]) -> Vec<u8> {
    match text {
        Text::Utf8 => bytes.to_vec(),
        Text::LowBytes => low_bytes_of_code_points(bytes).collect(),
    }
}
