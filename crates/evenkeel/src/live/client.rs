//! A client of the admin API.

use std::time::Duration;

use evenkeel_proxy::control::{ApplyRequest, Plan, Refused, Started};
use evenkeel_proxy::coordinator::Status;
use evenkeel_proxy::copier::Rates;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::failure::Failure;

/// How long an answer may take: a plan lists the keys of every target.
const PATIENCE: Duration = Duration::from_secs(600);

/// The header that every change carries, which no web page can send unasked.
const CHANGE_HEADER: (&str, &str) = ("x-evenkeel", "1");

/// A connection to one proxy's admin listener.
pub struct Client {
    agent: ureq::Agent,
    base: String,
    token: Option<String>,
}

impl Client {
    /// `admin` is `host:port`.
    pub fn new(admin: &str, token: Option<String>) -> Self {
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .timeout_connect(Some(Duration::from_secs(5)))
            .http_status_as_error(false)
            .proxy(None)
            .build();
        Client {
            agent: config.into(),
            base: format!("http://{admin}/api/v1/pools"),
            token,
        }
    }

    /// How every pool stands.
    pub fn statuses(&self) -> Result<Vec<Status>, Failure> {
        self.get("")
    }

    /// How a pool stands.
    pub fn status(&self, pool: &str) -> Result<Status, Failure> {
        self.get(&format!("/{}", escaped(pool)))
    }

    /// What a change would do.
    pub fn plan(&self, pool: &str, request: &ApplyRequest) -> Result<Plan, Failure> {
        self.post(pool, "plan", request)
    }

    /// Starts a change.
    pub fn apply(&self, pool: &str, request: &ApplyRequest) -> Result<Started, Failure> {
        self.post(pool, "apply", request)
    }

    /// Turns a change round.
    pub fn abort(&self, pool: &str) -> Result<serde_json::Value, Failure> {
        self.post(pool, "abort", &serde_json::json!({}))
    }

    /// Changes the copier's rates.
    pub fn rate(&self, pool: &str, wanted: &serde_json::Value) -> Result<Rates, Failure> {
        self.post(pool, "rate", wanted)
    }

    fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Failure> {
        let mut request = self.agent.get(format!("{}{path}", self.base));
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.read(request.call())
    }

    fn post<T: DeserializeOwned>(
        &self,
        pool: &str,
        what: &str,
        body: &impl Serialize,
    ) -> Result<T, Failure> {
        let url = format!("{}/{}/{what}", self.base, escaped(pool));
        let mut request = self
            .agent
            .post(url)
            .header(CHANGE_HEADER.0, CHANGE_HEADER.1);
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        self.read(request.send_json(body))
    }

    fn read<T: DeserializeOwned>(
        &self,
        answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<T, Failure> {
        let mut answer = answer.map_err(|error| {
            Failure::unreachable(format!(
                "no proxy answers at {}: {error}. Is it running, with an admin listener? `--admin HOST:PORT` names another",
                self.base
            ))
        })?;
        let status = answer.status().as_u16();
        let text = answer
            .body_mut()
            .read_to_string()
            .map_err(|error| Failure::unreachable(format!("{}: {error}", self.base)))?;
        if status == 200 {
            return serde_json::from_str(&text).map_err(|error| {
                Failure::unreachable(format!(
                    "{} is no proxy of this version: {error}",
                    self.base
                ))
            });
        }
        Err(refusal(status, &text))
    }
}

fn refusal(status: u16, text: &str) -> Failure {
    let message = match serde_json::from_str::<Refused>(text) {
        Ok(refused) => {
            let reasons = refused
                .refusals
                .iter()
                .map(|complaint| format!("\n  {}\n    {}", complaint.reason, complaint.remedy));
            refused.error + &reasons.collect::<String>()
        }
        Err(_) => format!("the proxy answers {status}: {}", text.trim()),
    };
    match status {
        409 => Failure::conflict(message),
        502..=504 => Failure::unreachable(message),
        404 | 400 | 401 | 403 | 405 | 415 => Failure::usage(message),
        _ => Failure::no(message),
    }
}

/// A pool's name as a part of a path.
fn escaped(name: &str) -> String {
    let escape = |byte: u8| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    name.bytes().map(escape).collect()
}
