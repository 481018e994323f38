//! A changed configuration, without losing a client or moving a key by accident.

use std::sync::Arc;

use crate::{Pool, Settings, Snapshot};
use evenkeel_config::Config;

/// Takes over what `config` says of the pools that run; gives a line for people about each.
pub(super) fn reload(pools: &[Arc<Pool>], config: &Config, move_now: bool) -> Vec<String> {
    let mut lines: Vec<String> = pools
        .iter()
        .map(|pool| one(pool, config, move_now))
        .collect();
    for pool in &config.pools {
        if !pools.iter().any(|known| known.snapshot().pool == pool.name) {
            let name = &pool.name;
            lines.push(format!(
                "pool {name}: new; start the proxy again to serve it"
            ));
        }
    }
    lines
}

fn one(pool: &Pool, config: &Config, move_now: bool) -> String {
    let now = pool.snapshot();
    let name = &now.pool;
    let Some(wanted) = config.pools.iter().find(|wanted| &wanted.name == name) else {
        return format!("pool {name}: not in the file any more; it is served as before");
    };
    let moves = wanted.topology.digest() != now.topology.digest();
    let settings = wanted.settings.clone();
    pool.replace(if moves && move_now {
        Snapshot::new(name, wanted.topology.clone(), settings)
    } else {
        tuned(&now, settings)
    });
    match (moves, move_now) {
        (false, _) => format!("pool {name}: settings taken over"),
        (true, true) => format!("pool {name}: settings and nodes taken over; moved keys will miss"),
        (true, false) => format!(
            "pool {name}: settings taken over, nodes and placement not, for keys would move: see what with `evenkeel plan`, do it with `evenkeel apply`"
        ),
    }
}

/// What is served, with other settings: a record that is served stays served.
fn tuned(now: &Snapshot, settings: Settings) -> Snapshot {
    match &now.record {
        Some(record) => Snapshot::of_record(&now.pool, record.clone(), settings),
        None => Snapshot::new(&now.pool, now.topology.clone(), settings),
    }
}
