//! Configuration files of Evenkeel and of the programs it replaces, with errors that say what to write instead.
//!
//! [`Config::load`] reads `evenkeel.toml`, a twemproxy YAML file or a libketama server file, by the file's ending, and gives pools with
//! validated topologies. Everything that is wrong is told in one go, each with its line, column and remedy. Nothing here touches a
//! socket; the proxy and the command line are its callers.

mod config;
mod diagnostic;
mod libketama;
mod migration;
mod node;
mod placement;
mod pool;
mod quantity;
mod reader;
mod settings;
mod source;
mod toml_file;
pub mod twemproxy;
mod write;

pub use config::{Admin, Config, DEFAULT_ADMIN};
pub use diagnostic::{Diagnostic, Diagnostics, Severity};
pub use migration::MigrationSettings;
pub use pool::{Listen, Pool, Protocol};
pub use quantity::{QuantityError, parse_duration, parse_size};
pub use settings::{OnNodeDown, Settings};
pub use source::{MAX_FILE_BYTES, Source};
pub use write::to_toml;
