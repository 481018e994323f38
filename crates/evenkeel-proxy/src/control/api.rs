//! The routes, their words, and their errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use evenkeel_core::Topology;
use evenkeel_core::migration::leader::Refusal;
use evenkeel_core::migration::{Epoch, Options};
use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::preflight::{Complaint, preflight};
use crate::coordinator::{Leader, RequestError, StartRequest, Status};
use crate::copier::{Copier, Network, Rates, server_of};

/// A pool that is led by this process.
#[derive(Clone)]
pub struct Pool {
    /// Its leader.
    pub leader: Leader,
    /// Its copier.
    pub copier: Arc<Copier>,
    /// How its servers are reached.
    pub network: Arc<dyn Network>,
}

/// All pools by name.
#[derive(Clone, Default)]
pub struct Control {
    pools: Arc<BTreeMap<String, Pool>>,
}

impl Control {
    /// Of these pools.
    #[must_use]
    pub fn new(pools: BTreeMap<String, Pool>) -> Self {
        Control {
            pools: Arc::new(pools),
        }
    }

    /// The servers of every pool but `name`, with the pool's name.
    fn others(&self, name: &str) -> BTreeMap<String, String> {
        let mut servers = BTreeMap::new();
        for (other, pool) in self.pools.iter().filter(|(other, _)| *other != name) {
            let record = pool.leader.record();
            let to = record.migration.as_ref().map(|migration| &migration.to);
            let topologies = [Some(&record.current), to];
            for node in topologies.into_iter().flatten().flat_map(Topology::nodes) {
                servers.insert(server_of(node), other.clone());
            }
        }
        servers
    }
}

/// A change that is wanted.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ApplyRequest {
    /// The epoch that the caller has seen; with another one nothing is done.
    pub epoch: Epoch,
    /// The topology that is wanted.
    pub topology: Topology,
    /// What the operator chose.
    #[serde(default)]
    pub options: Options,
    /// Rates to go on with; without them, those in force.
    #[serde(default)]
    pub rates: Option<Rates>,
    /// Delete what a target holds and does not own.
    #[serde(default)]
    pub purge: bool,
    /// Delete what a new node holds.
    #[serde(default)]
    pub flush_new: bool,
    /// Who asks.
    #[serde(default)]
    pub by: String,
}

/// A migration was started.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Started {
    /// The version of this form.
    pub schema: u32,
    /// The epoch of its first record.
    pub epoch: Epoch,
    /// What it does.
    pub plan: Plan,
}

/// Something was not done.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Refused {
    /// The version of this form.
    pub schema: u32,
    /// Why, in a sentence.
    pub error: String,
    /// Every reason with its remedy, if preflight refused.
    #[serde(default)]
    pub refusals: Vec<Complaint>,
}

/// An error as it is answered.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    refused: Refused,
}

impl Problem {
    fn new(status: StatusCode, error: impl Into<String>) -> Self {
        Problem {
            status,
            refused: Refused {
                schema: 1,
                error: error.into(),
                refusals: Vec::new(),
            },
        }
    }
}

impl From<RequestError> for Problem {
    fn from(error: RequestError) -> Self {
        let status = match &error {
            RequestError::Conflict { .. } | RequestError::Refused(Refusal::UnderWay) => {
                StatusCode::CONFLICT
            }
            RequestError::Refused(_) | RequestError::NoTags => StatusCode::UNPROCESSABLE_ENTITY,
            RequestError::Store(_) | RequestError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem::new(status, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(self.refused)).into_response()
    }
}

/// The routes under `/api/v1/pools`. They trust whoever reaches them: the admin listener guards the door.
pub fn routes(control: Control) -> Router {
    Router::new()
        .route("/api/v1/pools", get(list))
        .route("/api/v1/pools/{pool}", get(status))
        .route("/api/v1/pools/{pool}/plan", post(plan))
        .route("/api/v1/pools/{pool}/apply", post(apply))
        .route("/api/v1/pools/{pool}/abort", post(abort))
        .route("/api/v1/pools/{pool}/rate", post(rate))
        .route("/api/v1/pools/{pool}/lose", post(lose))
        .with_state(control)
}

type Answer<T> = Result<Json<T>, Problem>;

fn pool<'a>(control: &'a Control, name: &str) -> Result<&'a Pool, Problem> {
    control.pools.get(name).ok_or_else(|| {
        if control.pools.is_empty() {
            let error = "this proxy keeps no state, so its pools cannot be changed while it serves; set state_dir and start it again";
            return Problem::new(StatusCode::NOT_FOUND, error);
        }
        let names: Vec<&str> = control.pools.keys().map(String::as_str).collect();
        let error = format!(
            "there is no pool {name:?} here; there is {}",
            names.join(", ")
        );
        Problem::new(StatusCode::NOT_FOUND, error)
    })
}

async fn list(State(control): State<Control>) -> Json<Vec<Status>> {
    Json(
        control
            .pools
            .values()
            .map(|pool| pool.leader.status())
            .collect(),
    )
}

async fn status(State(control): State<Control>, Path(name): Path<String>) -> Answer<Status> {
    Ok(Json(pool(&control, &name)?.leader.status()))
}

async fn plan(
    State(control): State<Control>,
    Path(name): Path<String>,
    Json(request): Json<ApplyRequest>,
) -> Answer<Plan> {
    let pool = pool(&control, &name)?;
    Ok(Json(make_plan(&control, pool, &name, &request).await))
}

async fn make_plan(control: &Control, pool: &Pool, name: &str, request: &ApplyRequest) -> Plan {
    let record = pool.leader.record();
    preflight(
        pool.network.as_ref(),
        &record,
        request,
        &control.others(name),
    )
    .await
}

async fn apply(
    State(control): State<Control>,
    Path(name): Path<String>,
    Json(request): Json<ApplyRequest>,
) -> Answer<Started> {
    let pool = pool(&control, &name)?;
    let found = pool.leader.record().epoch;
    if found != request.epoch {
        let expected = request.epoch;
        return Err(RequestError::Conflict { expected, found }.into());
    }
    let plan = make_plan(&control, pool, &name, &request).await;
    if !plan.refusals.is_empty() {
        return Err(refused(plan.refusals));
    }
    if let Some(rates) = request.rates {
        pool.copier.pace.set(rates);
    }
    let start = StartRequest {
        epoch: request.epoch,
        to: request.topology,
        options: request.options,
        by: request.by,
        expected_keys: plan.keys,
    };
    let epoch = pool.leader.start(start).await?;
    Ok(Json(Started {
        schema: 1,
        epoch,
        plan,
    }))
}

fn refused(refusals: Vec<Complaint>) -> Problem {
    let status = match refusals.first().map(|complaint| complaint.kind.as_str()) {
        Some("under-way") => StatusCode::CONFLICT,
        Some("unreachable") => StatusCode::BAD_GATEWAY,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    };
    let mut problem = Problem::new(status, "the migration was not started");
    problem.refused.refusals = refusals;
    problem
}

/// What an operation on a pool led to.
#[derive(Debug, Serialize)]
struct Done {
    schema: u32,
    epoch: Epoch,
}

async fn abort(State(control): State<Control>, Path(name): Path<String>) -> Answer<Done> {
    let epoch = pool(&control, &name)?.leader.abort().await?;
    Ok(Json(Done { schema: 1, epoch }))
}

/// Rates to be changed; what is left out stays as it is.
#[derive(Debug, Deserialize)]
struct RateRequest {
    #[serde(default)]
    keys: Option<Wanted>,
    #[serde(default)]
    bytes: Option<Wanted>,
}

/// A number, or no limit.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Wanted {
    PerSecond(u64),
    Word(Unlimited),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unlimited {
    Unlimited,
}

impl Wanted {
    fn limit(self) -> Option<u64> {
        match self {
            Wanted::PerSecond(rate) => Some(rate),
            Wanted::Word(Unlimited::Unlimited) => None,
        }
    }
}

async fn rate(
    State(control): State<Control>,
    Path(name): Path<String>,
    Json(request): Json<RateRequest>,
) -> Answer<Rates> {
    let pace = &pool(&control, &name)?.copier.pace;
    let mut rates = pace.rates();
    if let Some(keys) = request.keys {
        rates.keys = keys.limit();
    }
    if let Some(bytes) = request.bytes {
        rates.bytes = bytes.limit();
    }
    pace.set(rates);
    Ok(Json(rates))
}

/// A source to be given up.
#[derive(Debug, Deserialize)]
struct LoseRequest {
    server: String,
}

async fn lose(
    State(control): State<Control>,
    Path(name): Path<String>,
    Json(request): Json<LoseRequest>,
) -> Answer<Done> {
    let epoch = pool(&control, &name)?.leader.lose(&request.server).await?;
    Ok(Json(Done { schema: 1, epoch }))
}
