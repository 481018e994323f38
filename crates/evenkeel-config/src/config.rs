//! A whole configuration.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{Listen, Pool, Source, libketama, toml_file, twemproxy};

/// Where the admin listener is if the file does not say.
pub const DEFAULT_ADMIN: &str = "127.0.0.1:22100";

/// The admin listener: the table `[admin]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admin {
    /// Where it listens; `None` switches it off (`listen = "off"`). Default 127.0.0.1:22100.
    pub listen: Option<Listen>,
    /// A file with the token that changes need when the listener is not on the loopback or a unix socket.
    pub token_file: Option<PathBuf>,
}

impl Default for Admin {
    fn default() -> Self {
        Self {
            listen: Some(Listen::Tcp(DEFAULT_ADMIN.to_owned())),
            token_file: None,
        }
    }
}

/// What a configuration file wants.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// The admin listener.
    pub admin: Admin,
    /// The folder that keeps what is: each pool's record. Needed to change a pool while it serves.
    pub state_dir: Option<PathBuf>,
    /// Embedded nodes may be served on addresses outside the loopback.
    pub allow_embedded: bool,
    /// At least one.
    pub pools: Vec<Pool>,
}

impl Config {
    /// Reads a file: twemproxy's YAML if it ends in `.yml` or `.yaml`, a libketama server file if it ends in `.servers` or `.ketama`,
    /// TOML otherwise. The second value holds the warnings.
    ///
    /// # Errors
    /// Everything that is wrong with the file, in one go.
    pub fn load(path: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        match Source::read(path) {
            Ok(source) => Self::parse(source),
            Err((source, message)) => {
                let mut diagnostics = Diagnostics::new(Arc::new(source));
                diagnostics.push(Diagnostic::error(0..0, message));
                Err(diagnostics)
            }
        }
    }

    /// As [`Self::load`], for a text that is there already.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn parse(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let ending = Path::new(source.path())
            .extension()
            .and_then(|ending| ending.to_str());
        let ending = ending.unwrap_or_default().to_ascii_lowercase();
        let mut diagnostics = Diagnostics::new(Arc::new(source));
        let config = match ending.as_str() {
            "yml" | "yaml" => twemproxy::read(&mut diagnostics).0,
            "servers" | "ketama" => libketama::read(&mut diagnostics),
            _ => toml_file::read(&mut diagnostics),
        };
        match config {
            Some(config) if !diagnostics.has_errors() => Ok((config, diagnostics)),
            _ => Err(diagnostics),
        }
    }

    /// The pool of this name, or the only one if no name is given. The error is a sentence for people.
    ///
    /// # Errors
    /// When there is no such pool, or several and no name.
    pub fn pool(&self, name: Option<&str>) -> Result<&Pool, String> {
        let names = || {
            let names: Vec<&str> = self.pools.iter().map(|pool| pool.name.as_str()).collect();
            names.join(", ")
        };
        match (name, self.pools.as_slice()) {
            (None, [only]) => Ok(only),
            (None, _) => Err(format!(
                "the file has several pools; say which with --pool: {}",
                names()
            )),
            (Some(name), pools) => pools
                .iter()
                .find(|pool| pool.name == name)
                .ok_or_else(|| format!("there is no pool {name:?}; the file has: {}", names())),
        }
    }
}
