//! Which preset explains what was observed?

use crate::hash::mix;
use crate::scheme::{Recipe, Scheme};
use crate::{KeyRule, Label, Node, NodeIndex, Placement, Topology, presets};

/// A placement that was tried, and how well it explains the observations.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The placement.
    pub scheme: Scheme,
    /// Its key rule.
    pub key_rule: KeyRule,
    /// How many observations it explains.
    pub agreeing: usize,
    /// Other placements, further down the list, that place all keys alike on these nodes.
    pub equivalent: Vec<Scheme>,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One placement, or several that place all keys alike, explains everything, and chance does not.
    Certain,
    /// So few observations that a wrong placement may explain them all.
    CannotTell,
    /// Several different placements explain everything.
    Several,
    /// The first explains most, which chance does not: some observations are stale or wrong, or a setting differs.
    Mostly,
    /// Nothing that is known explains the observations.
    Nothing,
}

/// All that was tried, the best first.
#[derive(Clone, Debug)]
pub struct Identified {
    /// How sure one can be of the first.
    pub verdict: Verdict,
    /// What was tried.
    pub explanations: Vec<Explanation>,
    /// How many observations there were.
    pub observations: usize,
}

/// Numbers of points that are common in configurations.
const POINTS: [u32; 6] = [40, 50, 64, 100, 150, 160];

/// A wrong placement that explains everything should be rarer than this.
const CHANCE: f64 = 0.001;

/// Keys that decide whether two placements are one.
const PROBES: u64 = 2_000;

/// Ranks presets, with their options, by how many observations they explain. O(placements * (points + observations)).
#[must_use]
pub fn identify(nodes: &[Node], observations: &[(Vec<u8>, NodeIndex)]) -> Identified {
    let mut tried: Vec<(Explanation, Placement)> = Vec::new();
    for (scheme, key_rule) in candidates(observations) {
        let Ok(topology) = Topology::new(nodes.to_vec(), scheme.clone(), key_rule.clone()) else {
            continue;
        };
        let placement = Placement::build(&topology);
        let agrees = |(key, node): &&(Vec<u8>, NodeIndex)| placement.node_of(key) == *node;
        let agreeing = observations.iter().filter(agrees).count();
        tried.push((
            Explanation {
                scheme,
                key_rule,
                agreeing,
                equivalent: Vec::new(),
            },
            placement,
        ));
    }
    // The sort is stable, so of equals the one that needs no options comes first.
    tried.sort_by_key(|(explanation, _)| std::cmp::Reverse(explanation.agreeing));
    let candidates = tried.len();
    let explanations = fold_equivalent(tried);
    let verdict = verdict(&explanations, candidates, nodes.len(), observations.len());
    Identified {
        verdict,
        explanations,
        observations: observations.len(),
    }
}

/// Everything to try: first what needs no options.
fn candidates(observations: &[(Vec<u8>, NodeIndex)]) -> Vec<(Scheme, KeyRule)> {
    let mut schemes: Vec<Scheme> = presets()
        .iter()
        .map(|preset| Scheme::preset(&preset.name))
        .collect();
    schemes.extend(
        ["slots", "ring", "jump", "rendezvous", "maglev"]
            .iter()
            .filter_map(|name| name.parse().ok()),
    );
    for preset in presets() {
        let labels = [
            None,
            Some(Label::Host),
            Some(Label::HostPort),
            Some(Label::Name),
        ];
        let points = POINTS.map(Some);
        for label in labels
            .into_iter()
            .filter(|label| label.is_none() || preset.takes_label)
        {
            for points in [None]
                .into_iter()
                .chain(points)
                .filter(|points| points.is_none() || worth_trying(preset))
            {
                if label.is_some() || points.is_some() {
                    schemes.push(Scheme::Preset {
                        name: preset.name.clone(),
                        points,
                        label,
                    });
                }
            }
        }
    }
    let tagged = observations
        .iter()
        .any(|(key, _)| KeyRule::braces().hashed_part(key) != key.as_slice());
    let rules = if tagged {
        vec![KeyRule::default(), KeyRule::braces()]
    } else {
        vec![KeyRule::default()]
    };
    rules
        .iter()
        .flat_map(|rule| schemes.iter().map(|scheme| (scheme.clone(), rule.clone())))
        .collect()
}

/// Clients whose number of points is a setting that people change.
fn worth_trying(preset: &presets::Preset) -> bool {
    let settable = [
        "flexihash/",
        "groupcache",
        "perl-cache-memcached-fast",
        "go-redis-ring",
        "article-crc32-64",
        "nginx-consistent",
    ];
    preset.takes_points && settable.iter().any(|start| preset.name.starts_with(start))
}

/// Puts placements that agree on all probes together, for the best ones.
fn fold_equivalent(tried: Vec<(Explanation, Placement)>) -> Vec<Explanation> {
    let best = tried
        .first()
        .map_or(0, |(explanation, _)| explanation.agreeing);
    let mut folded: Vec<(Explanation, Placement)> = Vec::new();
    for (explanation, placement) in tried {
        let known = folded.iter_mut().filter(|_| explanation.agreeing == best);
        match known
            .into_iter()
            .find(|(_, other)| alike(other, &placement))
        {
            Some((first, _)) => first.equivalent.push(explanation.scheme),
            None => folded.push((explanation, placement)),
        }
    }
    folded
        .into_iter()
        .map(|(explanation, _)| explanation)
        .collect()
}

fn alike(a: &Placement, b: &Placement) -> bool {
    if matches!(a.topology().recipe(), Recipe::Slots { .. })
        != matches!(b.topology().recipe(), Recipe::Slots { .. })
    {
        return false;
    }
    // Some hashes spread only keys that differ much, so the probes are of several lengths and alphabets.
    let probe = |number: u64| match number % 3 {
        0 => format!("probe:{number}"),
        1 => format!("{:x}", mix(number)),
        _ => format!("{:x}", mix(number) >> (8 * (number % 7))),
    };
    (0..PROBES)
        .map(probe)
        .all(|key| a.node_of(key.as_bytes()) == b.node_of(key.as_bytes()))
}

fn verdict(
    explanations: &[Explanation],
    candidates: usize,
    nodes: usize,
    observations: usize,
) -> Verdict {
    let Some(first) = explanations.first() else {
        return Verdict::Nothing;
    };
    // A wrong placement explains each observation with a chance of one in so many nodes.
    let by_chance = candidates as f64
        * (nodes.max(1) as f64).powi(-i32::try_from(first.agreeing).unwrap_or(i32::MAX));
    let complete = explanations
        .iter()
        .filter(|explanation| explanation.agreeing == observations)
        .count();
    match complete {
        _ if observations == 0 || (complete > 0 && by_chance > CHANCE) => Verdict::CannotTell,
        0 if first.agreeing * 10 >= observations * 9 && by_chance <= CHANCE => Verdict::Mostly,
        0 => Verdict::Nothing,
        1 => Verdict::Certain,
        _ => Verdict::Several,
    }
}
