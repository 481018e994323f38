//! A table made from another one: only what can change is scored again.

use std::collections::HashMap;

use super::Slots;
use crate::Node;
use crate::placement::score::{Candidate, Score, place_of_slot};

/// What became of an old node.
#[derive(Clone, Copy)]
enum Fate {
    /// It weighs what it weighed: its slots are its own unless a changed node scores better.
    Same(Candidate),
    /// It weighs more: its slots stay its own against all that did not change.
    Heavier(Candidate),
    /// It weighs less or is gone: its slots are open.
    Open,
}

impl Slots {
    /// The table for other nodes, equal to building it anew. One node more costs two scores a slot; one node less, all scores of its slots.
    pub(in crate::placement) fn over(&self, old: &[Node], new: &[Node]) -> Self {
        let candidates = Candidate::all(new);
        let (fates, changed) = self.fates(old, new, &candidates);
        // Beyond a few changed nodes, scoring everybody is no dearer.
        if changed.len() * 2 > candidates.len() {
            return Self::build(self.count(), new);
        }
        let owner = |(slot, owner): (u32, &u16)| {
            let place = place_of_slot(slot);
            match fates[usize::from(*owner)] {
                Fate::Same(candidate) | Fate::Heavier(candidate) => {
                    best(candidate, &changed, place)
                }
                Fate::Open => in_order_first(&candidates, place),
            }
        };
        let owners = (0..).zip(&self.owners).map(owner).collect();
        Self {
            owners,
            candidates,
            shift: self.shift,
        }
    }

    /// The fate of each old node, and the new candidates that are new or weigh more.
    fn fates(
        &self,
        old: &[Node],
        new: &[Node],
        candidates: &[Candidate],
    ) -> (Vec<Fate>, Vec<Candidate>) {
        let mut left: HashMap<&str, Candidate> = candidates
            .iter()
            .map(|&c| (new[usize::from(c.index)].name.as_str(), c))
            .collect();
        let mut changed = Vec::new();
        let fates = old.iter().map(|node| {
            let Some(candidate) = left.remove(node.name.as_str()) else {
                return Fate::Open;
            };
            let before = u64::from(node.weight.thousandths());
            if candidate.weight > before {
                changed.push(candidate);
                return Fate::Heavier(candidate);
            }
            if candidate.weight == before {
                Fate::Same(candidate)
            } else {
                Fate::Open
            }
        });
        let fates: Vec<Fate> = fates.collect();
        changed.extend(left.into_values());
        (fates, changed)
    }
}

/// The better of an owner and those that changed.
fn best(owner: Candidate, changed: &[Candidate], place: u64) -> u16 {
    let scores = changed.iter().map(|candidate| candidate.score(place));
    scores
        .fold(owner.score(place), |best, score| {
            if score.compare(&best).is_lt() {
                score
            } else {
                best
            }
        })
        .index
}

fn in_order_first(candidates: &[Candidate], place: u64) -> u16 {
    candidates
        .iter()
        .map(|candidate| candidate.score(place))
        .min_by(Score::compare)
        .map_or(0, |score| score.index)
}

#[cfg(test)]
mod tests {
    use super::super::table::in_order;
    use super::*;
    use crate::Weight;

    fn node(number: u32, thousandths: u32) -> Node {
        let address = format!("10.0.{}.{}", number / 250, number % 250)
            .parse()
            .unwrap();
        Node::new(format!("n{number}"), address)
            .weighing(Weight::from_thousandths(thousandths).unwrap())
    }

    /// The definition: everybody scored, slot by slot.
    fn naive(slots: u32, nodes: &[Node]) -> Vec<u16> {
        let candidates = Candidate::all(nodes);
        (0..slots)
            .map(|slot| in_order(&candidates, place_of_slot(slot))[0])
            .collect()
    }

    #[test]
    fn building_and_changing_equal_the_definition() {
        let weights = [
            1_000, 1_000, 1, 250_000, 1_000_000, 999, 1_001, 0, 5_000, 1_000,
        ];
        let mut nodes: Vec<Node> = (0..).zip(weights).map(|(i, w)| node(i, w)).collect();
        let check = |table: &Slots, nodes: &[Node]| assert_eq!(*table.owners, *naive(4_096, nodes));
        let mut table = Slots::build(4_096, &nodes);
        check(&table, &nodes);
        let mut change = |nodes: &mut Vec<Node>, edit: &dyn Fn(&mut Vec<Node>)| {
            let old = nodes.clone();
            edit(nodes);
            table = table.over(&old, nodes);
            check(&table, nodes);
        };
        change(&mut nodes, &|nodes| nodes.push(node(77, 300_000)));
        change(&mut nodes, &|nodes| {
            nodes[0].weight = Weight::from_thousandths(90_000).unwrap()
        });
        change(&mut nodes, &|nodes| {
            nodes[4].weight = Weight::from_thousandths(500_000).unwrap()
        });
        change(&mut nodes, &|nodes| drop(nodes.remove(3)));
        change(&mut nodes, &|nodes| nodes[1].weight = Weight::ZERO);
        change(&mut nodes, &|nodes| nodes.insert(0, node(78, 70_000)));
        change(&mut nodes, &|nodes| nodes.reverse());
    }

    #[test]
    fn equal_weights_are_built_as_defined() {
        let nodes: Vec<Node> = (0..40).map(|i| node(i, 1_000)).collect();
        assert_eq!(*Slots::build(8_192, &nodes).owners, *naive(8_192, &nodes));
    }
}
