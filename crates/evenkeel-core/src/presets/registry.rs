//! The list of presets.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::libmemcached;
use crate::scheme::Recipe;

/// An existing client's placement.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its name: a family, or `family/variant`.
    pub name: String,
    /// What it reproduces, in a line.
    pub about: String,
    /// The program and version whose recorded assignments it was compared with.
    pub version: &'static str,
    /// What would surprise somebody who knows consistent hashing.
    pub quirks: &'static str,
    /// The complete description.
    pub recipe: Recipe,
    /// Whether the number of points can be set.
    pub takes_points: bool,
    /// Whether the text that stands for a node can be chosen.
    pub takes_label: bool,
}

static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let mut presets = Vec::new();
    libmemcached::add(&mut presets);
    presets
});

static BY_NAME: LazyLock<HashMap<&'static str, &'static Preset>> = LazyLock::new(|| {
    presets()
        .iter()
        .map(|preset| (preset.name.as_str(), preset))
        .collect()
});

/// All presets, family by family.
#[must_use]
pub fn presets() -> &'static [Preset] {
    &PRESETS
}

/// The preset of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Preset> {
    BY_NAME.get(name).copied()
}

/// The name of a preset that is nearest to a name that is none.
#[must_use]
pub fn nearest(name: &str) -> &'static str {
    crate::nearest::nearest(name, presets().iter().map(|preset| preset.name.as_str()))
        .unwrap_or_default()
}
