//! Which process runs on which core.

/// How the processes share the machine's first two cores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Layout {
    /// Proxy, nodes and load on core 0: the repeatable one.
    OneCore,
    /// The proxy alone on core 1, all else on core 0.
    Split,
}

impl Layout {
    pub fn name(self) -> &'static str {
        match self {
            Self::OneCore => "one core",
            Self::Split => "split",
        }
    }

    pub fn proxy_core(self) -> &'static str {
        match self {
            Self::OneCore => "0",
            Self::Split => "1",
        }
    }

    pub fn other_core(self) -> &'static str {
        "0"
    }

    /// What a figure's name ends with.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::OneCore => "",
            Self::Split => "_split",
        }
    }
}
