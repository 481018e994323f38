//! `evenkeel rate`: how fast the copier goes, from now on.

use clap::Args;
use serde_json::json;

use super::failure::Failure;
use super::render;
use super::target::TargetArgs;

/// Arguments of `rate`.
#[derive(Debug, Clone, Args)]
pub struct RateArgs {
    /// Keys per second; 0 pauses, `unlimited` is no limit
    #[arg(value_name = "KEYS")]
    pub keys: Option<String>,
    /// Bytes per second; 0 pauses, `unlimited` is no limit
    #[arg(long, value_name = "BYTES")]
    pub bytes: Option<String>,
    #[command(flatten)]
    pub target: TargetArgs,
}

impl RateArgs {
    /// Changes what was given and says what holds.
    pub fn run(&self) -> Result<(), Failure> {
        let wanted = &self.target.wanted()?;
        let mut change = json!({});
        for (name, value) in [("keys", &self.keys), ("bytes", &self.bytes)] {
            if let Some(value) = value {
                change[name] = limit(value)?;
            }
        }
        let client = self.target.client(&wanted.admin)?;
        let rates = client.rate(&wanted.pool, &change)?;
        println!("{}", render::rates(rates));
        Ok(())
    }
}

fn limit(text: &str) -> Result<serde_json::Value, Failure> {
    if text == "unlimited" {
        return Ok(json!("unlimited"));
    }
    let number: u64 = text.parse().map_err(|_| {
        Failure::usage(format!(
            "{text:?} is no rate; write a number per second, or `unlimited`"
        ))
    })?;
    Ok(json!(number))
}
