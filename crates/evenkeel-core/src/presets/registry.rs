//! The list of presets.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{
    articles, flexihash, go, haproxy, java, javascript, libketama, libmemcached, nginx,
    pecl_memcache, perl, phpredis, python, ruby, twemproxy,
};
use crate::scheme::{ModuloSpec, Recipe, RendezvousSpec, RingSpec};

/// An existing client's placement.
#[derive(Clone, Debug)]
pub struct Preset {
    /// Its name: a family, or `family/variant`.
    pub name: String,
    /// What it reproduces, in a line.
    pub about: String,
    /// The program and version whose recorded assignments it was compared with.
    pub version: &'static str,
    /// What would surprise somebody who knows consistent hashing; may be empty.
    pub quirks: &'static str,
    /// The complete description.
    pub recipe: Recipe,
    /// The ring that takes the recipe's place when a number of points is set, where the original has
    /// no ring otherwise.
    pub with_points: Option<RingSpec>,
    /// The ring that takes the recipe's place when a weight is above 1, where the original changes
    /// its mind then.
    pub with_weights: Option<RingSpec>,
    /// Whether the number of points can be set.
    pub takes_points: bool,
    /// Whether the text that stands for a node can be chosen.
    pub takes_label: bool,
}

impl Preset {
    /// A ring whose points are hashed from labels.
    pub(super) fn ring(name: impl Into<String>, about: impl Into<String>, spec: RingSpec) -> Self {
        let labels = spec.generator == crate::scheme::Generator::Labels;
        // Without a number in the label all points of a node would be one.
        let numbered = !labels || spec.template.contains("{i}");
        let mut preset = Self::of(name.into(), about.into(), Recipe::Ring(spec));
        preset.takes_points = numbered;
        preset.takes_label = labels;
        preset
    }

    /// Buckets. Their labels count only for the order of some, but may be given for all.
    pub(super) fn modulo(
        name: impl Into<String>,
        about: impl Into<String>,
        spec: ModuloSpec,
    ) -> Self {
        let mut preset = Self::of(name.into(), about.into(), Recipe::Modulo(spec));
        preset.takes_label = true;
        preset
    }

    /// The greatest score.
    pub(super) fn rendezvous(
        name: impl Into<String>,
        about: impl Into<String>,
        spec: RendezvousSpec,
    ) -> Self {
        let mut preset = Self::of(name.into(), about.into(), Recipe::LabelRendezvous(spec));
        preset.takes_label = true;
        preset
    }

    fn of(name: String, about: String, recipe: Recipe) -> Self {
        Self {
            name,
            about,
            version: "",
            quirks: "",
            recipe,
            with_points: None,
            with_weights: None,
            takes_points: false,
            takes_label: false,
        }
    }

    pub(super) fn version(self, version: &'static str) -> Self {
        Self { version, ..self }
    }

    pub(super) fn quirks(self, quirks: &'static str) -> Self {
        Self { quirks, ..self }
    }

    pub(super) fn with_weights(self, spec: RingSpec) -> Self {
        Self {
            with_weights: Some(spec),
            ..self
        }
    }

    pub(super) fn with_points(self, spec: RingSpec) -> Self {
        Self {
            with_points: Some(spec),
            takes_points: true,
            ..self
        }
    }
}

static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let families = [
        articles::presets,
        libketama::presets,
        flexihash::presets,
        libmemcached::presets,
        twemproxy::presets,
        nginx::presets,
        haproxy::presets,
        phpredis::presets,
        pecl_memcache::presets,
        python::presets,
        javascript::presets,
        ruby::presets,
        perl::presets,
        java::presets,
        go::presets,
    ];
    families.iter().flat_map(|family| family()).collect()
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
