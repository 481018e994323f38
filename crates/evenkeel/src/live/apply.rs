//! `evenkeel apply`: makes the proxy's pool what the configuration says.

use std::io::{IsTerminal, Write, stdin, stdout};

use clap::Args;
use evenkeel_core::migration::Options;
use evenkeel_proxy::control::{ApplyRequest, Plan};
use evenkeel_proxy::copier::Rates;

use super::client::Client;
use super::failure::Failure;
use super::follow::{self, Until};
use super::render;
use super::target::{TargetArgs, Wanted};

/// Arguments of `apply`.
#[derive(Debug, Clone, Args)]
pub struct ApplyArgs {
    #[command(flatten)]
    pub target: TargetArgs,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// Show the plan and change nothing; exits 1 if it would be refused
    #[arg(long)]
    pub dry_run: bool,
    /// Come back when the migration has got so far, instead of at its end
    #[arg(long, value_enum, value_name = "PHASE")]
    pub until: Option<Until>,
    /// Keys that the copier moves per second; 0 pauses it
    #[arg(long, value_name = "KEYS")]
    pub rate: Option<u64>,
    /// Bytes that the copier moves per second; 0 pauses it
    #[arg(long, value_name = "BYTES")]
    pub rate_bytes: Option<u64>,
    /// Delete what a new node holds
    #[arg(long)]
    pub flush_new: bool,
    /// Delete what a node holds and does not own, without asking
    #[arg(long)]
    pub purge: bool,
    /// Let go of keys that their new node refuses for good
    #[arg(long)]
    pub drop_unmovable: bool,
    /// Print the plan as JSON
    #[arg(long)]
    pub json: bool,
}

impl ApplyArgs {
    /// Shows the plan, asks, starts the migration and follows it.
    pub fn run(&self) -> Result<(), Failure> {
        let wanted = &self.target.wanted()?;
        let client = self.target.client(&wanted.admin)?;
        let status = client.status(&wanted.pool)?;
        if status.phase.is_some() {
            return Err(Failure::conflict(format!(
                "a migration of {} is under way ({}); look with `evenkeel status`, or `evenkeel abort` it",
                wanted.pool,
                render::phase(&status)
            )));
        }
        if status.current == wanted.topology {
            eprintln!(
                "{} is what the configuration says; nothing to do",
                wanted.pool
            );
            return Ok(());
        }
        let mut request = self.request(status.epoch, status.rates, wanted);
        let mut plan = client.plan(&wanted.pool, &request)?;
        self.print(&plan)?;
        if self.dry_run {
            return refused(&plan);
        }
        if only_leftovers(&plan)
            && self.ask("Delete these keys, so that they are never read again?")?
        {
            request.purge = true;
            plan.refusals.clear();
        }
        refused(&plan)?;
        if !self.yes && !self.ask("Start?")? {
            return Err(Failure::no("nothing was changed"));
        }
        self.start(&client, wanted, &request)
    }

    fn start(
        &self,
        client: &Client,
        wanted: &Wanted,
        request: &ApplyRequest,
    ) -> Result<(), Failure> {
        let started = client.apply(&wanted.pool, request)?;
        follow::follow(client, &wanted.pool, started.epoch, self.until)
    }

    fn request(&self, epoch: u64, rates: Rates, wanted: &Wanted) -> ApplyRequest {
        let changed = Rates {
            keys: self.rate.or(rates.keys),
            bytes: self.rate_bytes.or(rates.bytes),
        };
        ApplyRequest {
            epoch,
            topology: wanted.topology.clone(),
            options: Options {
                drop_unmovable: self.drop_unmovable,
                ..Options::default()
            },
            rates: Some(changed),
            purge: self.purge,
            flush_new: self.flush_new,
            by: who(),
        }
    }

    fn print(&self, plan: &Plan) -> Result<(), Failure> {
        let text = if self.json {
            serde_json::to_string(plan).map_err(|error| Failure::no(error.to_string()))? + "\n"
        } else {
            render::plan(plan)
        };
        // A reader that went away has seen enough.
        let _ = stdout().write_all(text.as_bytes());
        Ok(())
    }

    /// Asks on the terminal. Without one nobody can answer.
    fn ask(&self, question: &str) -> Result<bool, Failure> {
        if !stdin().is_terminal() {
            return match question {
                "Start?" => Err(Failure::usage(
                    "nobody is there to be asked; `--yes` starts without asking",
                )),
                // Deleting is never implied.
                _ => Ok(false),
            };
        }
        eprint!("{question} [y/N] ");
        let mut answer = String::new();
        stdin()
            .read_line(&mut answer)
            .map_err(|error| Failure::usage(error.to_string()))?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }
}

fn only_leftovers(plan: &Plan) -> bool {
    !plan.refusals.is_empty()
        && plan
            .refusals
            .iter()
            .all(|complaint| complaint.kind == "leftovers")
}

fn refused(plan: &Plan) -> Result<(), Failure> {
    match plan
        .refusals
        .first()
        .map(|complaint| complaint.kind.as_str())
    {
        None => Ok(()),
        Some("unreachable") => Err(Failure::unreachable(
            "the migration was not started: a node cannot be reached",
        )),
        Some("under-way") => Err(Failure::conflict(
            "the migration was not started: another one is under way",
        )),
        Some(_) => Err(Failure::no(
            "the migration was not started: see what is refused above",
        )),
    }
}

/// Who starts it, for those who look at it later.
fn who() -> String {
    let user = std::env::var("USER").unwrap_or_else(|_| "somebody".to_owned());
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    match host.trim() {
        "" => user,
        host => format!("{user}@{host}"),
    }
}
