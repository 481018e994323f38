//! twemproxy's (nutcracker's) YAML file, read so that every key stays where twemproxy had it.
//!
//! Checked against nutcracker 0.5.0. Each setting of the file is reported as the same, as different, or as refused: `evenkeel check`
//! prints the list.

mod pool;
mod server;
mod yaml;

use std::fmt;
use std::sync::Arc;

use crate::config::Config;
use crate::diagnostic::{Diagnostic, Diagnostics};

/// What became of one setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The pool that it stands in.
    pub pool: String,
    /// Its key in the file.
    pub setting: String,
    /// What became of it.
    pub fate: Fate,
}

/// Whether a setting means here what it means to twemproxy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It does.
    Same,
    /// It does not quite; how.
    Different(String),
    /// It is not offered; why.
    Refused(String),
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => f.write_str("same"),
            Self::Different(how) => write!(f, "different: {how}"),
            Self::Refused(why) => write!(f, "refused: {why}"),
        }
    }
}

/// Reads the source of `diagnostics`. The verdicts are complete even if the file cannot be used.
pub fn read(diagnostics: &mut Diagnostics) -> (Option<Config>, Vec<Verdict>) {
    let source = Arc::clone(&diagnostics.source);
    let Some(text) = source.text() else {
        return (None, Vec::new());
    };
    let mut verdicts = Vec::new();
    let pools = match yaml::parse(text) {
        Ok(pools) => pools,
        Err((span, message)) => {
            diagnostics.push(Diagnostic::error(span, message));
            return (None, verdicts);
        }
    };
    let mut config = Config::default();
    for (name, value) in pools {
        if config.pools.iter().any(|pool| pool.name == name.text) {
            diagnostics.push(Diagnostic::error(
                name.span.clone(),
                format!("there are two pools named {:?}", name.text),
            ));
        }
        config
            .pools
            .extend(pool::read(&name, value, diagnostics, &mut verdicts));
    }
    (Some(config), verdicts)
}

/// The report for a text that is twemproxy's YAML.
pub fn verdicts(source: crate::Source) -> Vec<Verdict> {
    read(&mut Diagnostics::new(Arc::new(source))).1
}
