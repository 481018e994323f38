//! From start to end.

use super::admin::{Admin, router};
use super::banner::banner;
use super::guard::Guard;
use super::notify::notify;
use super::reload::reload;
use super::{ServeError, open};
use crate::control::Control;
use crate::store::StateDirectory;
use evenkeel_config::{Config, Listen};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};

/// How often the end of the workers is looked for while they drain.
const DRAIN_LOOK: Duration = Duration::from_millis(20);

/// What the command line adds to the configuration.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Where the configuration came from, to be read again on SIGHUP.
    pub path: Option<PathBuf>,
    /// A reload may change nodes at once, at the price of misses.
    pub move_now: bool,
}

/// Serves `config` until SIGTERM or SIGINT, and returns once what was in flight is finished.
///
/// # Errors
/// When it cannot start; nothing is served then.
pub fn run(config: &Config, options: &Options) -> Result<(), ServeError> {
    let token = token(config)?;
    let state = config
        .state_dir
        .as_deref()
        .map(StateDirectory::open)
        .transpose()?;
    if state.is_some() && options.move_now {
        return Err(ServeError::MoveNow);
    }
    let opened = config
        .pools
        .iter()
        .filter(|pool| !pool.listen.is_empty())
        .map(|pool| open::pool(pool, config.allow_embedded, state.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let (pools, led): (Vec<_>, Vec<_>) = opened.into_iter().unzip();
    if pools.is_empty() {
        return Err(ServeError::NothingToServe);
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let mut controls = BTreeMap::new();
    let mut coordinators = Vec::new();
    for led in led.into_iter().flatten() {
        controls.insert(led.name, led.control);
        coordinators.push(led.coordinator);
    }
    let admin = Arc::new(Admin {
        pools,
        control: Control::new(controls),
        ready: AtomicBool::new(true),
    });
    runtime.block_on(async {
        for coordinator in coordinators {
            tokio::spawn(coordinator.run());
        }
        serve(config, options, admin.clone(), token).await
    })?;
    drop(runtime);
    Ok(())
}

async fn serve(
    config: &Config,
    options: &Options,
    admin: Arc<Admin>,
    token: Option<String>,
) -> Result<(), ServeError> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let address = match &config.admin.listen {
        Some(Listen::Tcp(text)) => Some(start_admin(text, admin.clone(), token).await?),
        _ => None,
    };
    eprint!("{}", banner(&admin.pools, address.as_deref()));
    notify("READY=1");
    loop {
        tokio::select! {
            _ = terminate.recv() => break,
            _ = interrupt.recv() => break,
            _ = hangup.recv() => read_again(&admin, options),
        }
    }
    notify("STOPPING=1");
    drain(&admin).await;
    Ok(())
}

async fn start_admin(
    text: &str,
    admin: Arc<Admin>,
    token: Option<String>,
) -> Result<String, ServeError> {
    let listener = tokio::net::TcpListener::bind(text).await.map_err(|error| {
        let address = text.to_owned();
        match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse { address },
            _ => ServeError::Listen { address, error },
        }
    })?;
    let address = listener.local_addr()?.to_string();
    let app = router(admin, Guard::new(&address, token));
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(address)
}

/// A file that cannot be read changes nothing.
fn read_again(admin: &Admin, options: &Options) {
    let Some(path) = &options.path else {
        eprintln!("evenkeel proxy: started without a file, so there is nothing to read again");
        return;
    };
    match Config::load(path) {
        Ok((config, warnings)) => {
            eprint!("{warnings}");
            for line in reload(&admin.pools, &config, options.move_now) {
                eprintln!("evenkeel proxy: {line}");
            }
        }
        Err(errors) => eprintln!("{errors}evenkeel proxy: kept the configuration as it was"),
    }
}

async fn drain(admin: &Admin) {
    admin.ready.store(false, Ordering::Relaxed);
    for pool in &admin.pools {
        pool.drain();
    }
    while !admin.pools.iter().all(|pool| pool.is_over()) {
        tokio::time::sleep(DRAIN_LOOK).await;
    }
}

/// The token for changes; required where others than this machine's users can reach the listener.
fn token(config: &Config) -> Result<Option<String>, ServeError> {
    if let Some(path) = &config.admin.token_file {
        let text = std::fs::read_to_string(path).map_err(ServeError::Token)?;
        return Ok(Some(text.trim().to_owned()));
    }
    match &config.admin.listen {
        Some(listen) if !open::is_local(listen) => Err(ServeError::AdminWithoutToken {
            address: listen.to_string(),
        }),
        _ => Ok(None),
    }
}
