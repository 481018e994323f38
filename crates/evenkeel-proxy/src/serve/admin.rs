//! The admin listener's pages.

use super::guard::{Guard, guard};
use crate::Pool;
use crate::control::{Control, routes};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Json, Response};
use axum::routing::get;
use serde::Deserialize;
use serde_json::{Value, json};
use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What the pages tell of.
pub(super) struct Admin {
    pub pools: Vec<Arc<Pool>>,
    /// What changes pools.
    pub control: Control,
    /// False once the proxy was told to end.
    pub ready: AtomicBool,
}

/// All pages, behind the guard.
pub(super) fn router(admin: Arc<Admin>, by: Guard) -> Router {
    Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/v1/topology", get(topology))
        .route("/v1/lookup", get(lookup))
        .with_state(Arc::clone(&admin))
        .merge(routes(admin.control.clone()))
        .layer(from_fn_with_state(Arc::new(by), guard))
}

async fn ready(State(admin): State<Arc<Admin>>) -> Response {
    if admin.ready.load(Ordering::Relaxed) {
        "ready\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "draining\n").into_response()
    }
}

async fn metrics(State(admin): State<Arc<Admin>>) -> String {
    let mut text = String::new();
    for (name, _) in crate::counters::Counters::default().list() {
        let kind = if name == "curr_connections" {
            "gauge"
        } else {
            "counter"
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# TYPE evenkeel_{name} {kind}");
        for pool in &admin.pools {
            let counts = pool.counts();
            let value = counts.iter().find(|(known, _)| *known == name);
            let value = value.map_or(0, |(_, value)| *value);
            let pool = &pool.snapshot().pool;
            let _ = writeln!(text, "evenkeel_{name}{{pool={pool:?}}} {value}");
        }
    }
    text
}

async fn topology(State(admin): State<Arc<Admin>>) -> Json<Value> {
    let pools: Vec<Value> = admin
        .pools
        .iter()
        .map(|pool| {
            let snapshot = pool.snapshot();
            json!({
                "name": snapshot.pool,
                "listen": pool.listening(),
                "digest": snapshot.topology.digest(),
                "topology": snapshot.topology,
            })
        })
        .collect();
    Json(json!({ "schema": 1, "pools": pools }))
}

#[derive(Deserialize)]
struct Asked {
    key: String,
    pool: Option<String>,
}

async fn lookup(State(admin): State<Arc<Admin>>, Query(asked): Query<Asked>) -> Response {
    let wanted = |pool: &&Arc<Pool>| {
        let name = &pool.snapshot().pool;
        asked.pool.as_ref().is_none_or(|wanted| wanted == name)
    };
    let Some(pool) = admin.pools.iter().find(wanted) else {
        return (StatusCode::NOT_FOUND, "no such pool\n").into_response();
    };
    let snapshot = pool.snapshot();
    let index = snapshot.placement.node_of(asked.key.as_bytes());
    let node = snapshot.topology.node(index);
    Json(json!({
        "schema": 1,
        "pool": snapshot.pool,
        "key": asked.key,
        "node": node.name,
        "address": node.address.to_string(),
        "hash": format!("{:016x}", snapshot.placement.hash_of(asked.key.as_bytes())),
    }))
    .into_response()
}
