//! Which proxy and which pool a command is about.

use std::path::PathBuf;

use clap::Args;
use evenkeel_config::{Config, Listen};
use evenkeel_core::Topology;

use super::client::Client;
use super::failure::Failure;

/// Options of every command that talks to a running proxy.
#[derive(Debug, Clone, Args)]
pub struct TargetArgs {
    /// The configuration file that the proxy runs with
    #[arg(long, value_name = "FILE", default_value = "evenkeel.toml")]
    pub config: PathBuf,
    /// The pool, where there are several
    #[arg(long, value_name = "NAME")]
    pub pool: Option<String>,
    /// The proxy's admin listener, if it is not the one in the configuration
    #[arg(long, value_name = "HOST:PORT")]
    pub admin: Option<String>,
    /// A file that holds the admin listener's token
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

/// What the configuration says about one pool.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// The pool's name.
    pub pool: String,
    /// The topology that is wanted.
    pub topology: Topology,
    /// `host:port` of the admin listener.
    pub admin: String,
}

impl TargetArgs {
    /// What the configuration says about the pool.
    pub fn wanted(&self) -> Result<Wanted, Failure> {
        let config = self.load()?;
        let pool = config.pool(self.pool.as_deref()).map_err(Failure::usage)?;
        Ok(Wanted {
            pool: pool.name.clone(),
            topology: pool.topology.clone(),
            admin: self.admin_of(&config)?,
        })
    }

    /// `host:port` of the admin listener.
    pub fn admin(&self) -> Result<String, Failure> {
        match &self.admin {
            Some(admin) => Ok(admin.clone()),
            None => self.admin_of(&self.load()?),
        }
    }

    fn load(&self) -> Result<Config, Failure> {
        match Config::load(&self.config) {
            // Warnings are `check`'s to tell.
            Ok((config, _)) => Ok(config),
            Err(diagnostics) => Err(Failure::usage(diagnostics.to_string())),
        }
    }

    fn admin_of(&self, config: &Config) -> Result<String, Failure> {
        match (&self.admin, &config.admin.listen) {
            (Some(admin), _) => Ok(admin.clone()),
            (None, Some(Listen::Tcp(admin))) => Ok(admin.clone()),
            (None, Some(Listen::Unix(path))) => Err(Failure::usage(format!(
                "the admin listener is at {}, and this command speaks TCP; name an address with `--admin HOST:PORT`",
                path.display()
            ))),
            (None, None) => Err(Failure::usage(
                "the configuration switches the admin listener off; this command needs it",
            )),
        }
    }

    /// A client of the proxy's admin API.
    pub fn client(&self, admin: &str) -> Result<Client, Failure> {
        let token = match &self.token_file {
            None => None,
            Some(path) => Some(
                std::fs::read_to_string(path)
                    .map_err(|error| Failure::usage(format!("{}: {error}", path.display())))?,
            ),
        };
        Ok(Client::new(
            admin,
            token.map(|token| token.trim().to_owned()),
        ))
    }
}
