//! Who may ask the admin listener for what.
//!
//! A browser on the same machine can be made to send requests to it by any page. So `Host` must be an address that we
//! listen on (a name that was made to point here is none), `Origin`, if there is one, must be the same, and changes
//! need a header that a page cannot send without asking first.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The header that changes need, with any value.
pub(super) const CHANGE_HEADER: &str = "x-evenkeel";

/// What is asked of requests.
#[derive(Debug)]
pub(super) struct Guard {
    /// `host:port` as a `Host` header may have it.
    pub hosts: Vec<String>,
    /// What changes must bring as a bearer token.
    pub token: Option<String>,
}

impl Guard {
    /// For a listener on `address`, which is `ip:port`.
    pub fn new(address: &str, token: Option<String>) -> Self {
        let mut hosts = vec![address.to_owned()];
        if let Some((_, port)) = address.rsplit_once(':') {
            hosts.extend(
                ["localhost", "127.0.0.1", "[::1]"]
                    .iter()
                    .map(|host| format!("{host}:{port}")),
            );
        }
        Self { hosts, token }
    }

    fn judge(&self, method: &Method, headers: &HeaderMap) -> Result<(), &'static str> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let host = text(header::HOST).unwrap_or_default();
        if !self.hosts.iter().any(|known| known == host) {
            return Err("the Host header is not an address that this listener has\n");
        }
        if let Some(origin) = text(header::ORIGIN)
            && origin.strip_prefix("http://") != Some(host)
        {
            return Err("the Origin header is that of another site\n");
        }
        if method == Method::GET || method == Method::HEAD {
            return Ok(());
        }
        if !headers.contains_key(CHANGE_HEADER) {
            return Err("changes need the header x-evenkeel: 1\n");
        }
        let given = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        match &self.token {
            Some(token) if !is_same(token, given.unwrap_or_default()) => {
                Err("changes need the token: Authorization: Bearer TOKEN\n")
            }
            _ => Ok(()),
        }
    }
}

/// Takes the same time wherever the texts differ.
fn is_same(a: &str, b: &str) -> bool {
    let differing = a
        .bytes()
        .zip(b.bytes())
        .fold(0, |differing, (a, b)| differing | (a ^ b));
    a.len() == b.len() && differing == 0
}

/// The guard as a layer.
pub(super) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    match guard.judge(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(text) => (StatusCode::FORBIDDEN, text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(method: Method, lines: &[(&'static str, &str)]) -> bool {
        let headers = lines
            .iter()
            .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
            .collect();
        Guard::new("127.0.0.1:22100", Some("secret".into()))
            .judge(&method, &headers)
            .is_ok()
    }

    #[test]
    fn only_our_own_address_is_served() {
        assert!(judged(Method::GET, &[("host", "localhost:22100")]));
        assert!(!judged(Method::GET, &[("host", "evil.example:22100")]));
        assert!(!judged(Method::GET, &[]));
        let foreign = [
            ("host", "localhost:22100"),
            ("origin", "http://evil.example"),
        ];
        assert!(!judged(Method::GET, &foreign));
    }

    #[test]
    fn changes_need_the_header_and_the_token() {
        let host = ("host", "127.0.0.1:22100");
        let ours = ("x-evenkeel", "1");
        let token = ("authorization", "Bearer secret");
        assert!(judged(Method::POST, &[host, ours, token]));
        assert!(!judged(Method::POST, &[host, token]));
        assert!(!judged(Method::POST, &[host, ours]));
        assert!(!judged(
            Method::POST,
            &[host, ours, ("authorization", "Bearer secre")]
        ));
    }
}
