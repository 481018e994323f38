//! A scheme or preset by its bare name.

use std::str::FromStr;

use thiserror::Error;

use super::{ModuloSpec, RingSpec, Scheme};
use crate::hash::Hash;
use crate::presets;

/// The schemes that need no settings.
const PLAIN: [&str; 6] = ["slots", "ring", "modulo", "jump", "rendezvous", "maglev"];

/// No scheme and no preset has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnknownScheme {
    /// Redis Cluster has no map of slots in its name.
    #[error(
        "redis-cluster needs its map: {{ scheme = \"redis-cluster\", ranges = [{{ first = 0, last = 16383, node = \"...\" }}] }}"
    )]
    NeedsRanges,
    /// Nothing has this name.
    #[error(
        "there is no scheme or preset {name:?}; did you mean {nearest:?}? `evenkeel presets` lists them all"
    )]
    Unknown {
        /// What was written.
        name: String,
        /// The nearest name that exists.
        nearest: String,
    },
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        Ok(match name {
            "slots" => Self::default(),
            "ring" => Self::Ring(RingSpec::default()),
            "modulo" => Self::Modulo(ModuloSpec::default()),
            "jump" => Self::Jump { hash: Hash::Xxh3 },
            "rendezvous" => Self::Rendezvous,
            "maglev" => Self::Maglev {
                size: super::recipe::DEFAULT_MAGLEV_SIZE,
            },
            "redis-cluster" => return Err(UnknownScheme::NeedsRanges),
            _ if presets::find(name).is_some() => Self::preset(name),
            _ => return Err(unknown(name)),
        })
    }
}

fn unknown(name: &str) -> UnknownScheme {
    let names = PLAIN
        .into_iter()
        .chain(["redis-cluster"])
        .chain(presets::presets().iter().map(|preset| preset.name.as_str()));
    let nearest = crate::nearest::nearest(name, names).unwrap_or("slots");
    UnknownScheme::Unknown {
        name: name.to_owned(),
        nearest: nearest.to_owned(),
    }
}
