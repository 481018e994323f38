//! Where a node listens, as its owner wrote it.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

/// The port of an address that names none: memcached's.
pub const DEFAULT_PORT: u16 = 11_211;

/// A node's address: `host:port`, `[v6]:port`, `unix:/path` (or `/path`), or `embedded`.
///
/// The host is kept as text and never resolved here, because many rings hash this text: a name that resolves elsewhere tomorrow must not
/// move a key. An IPv6 host is held without its brackets.
///
/// ```
/// # use evenkeel_core::Address;
/// let address: Address = "10.0.1.1".parse()?;
/// assert_eq!(address.to_string(), "10.0.1.1:11211");
/// let address: Address = "[2001:db8::2]:6379".parse()?;
/// assert_eq!(address, Address::Tcp { host: "2001:db8::2".into(), port: 6379 });
/// # Ok::<(), evenkeel_core::AddressError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Address {
    /// A host (name, IPv4, or IPv6 without brackets) and a port.
    Tcp {
        /// Never empty; holds no blank, control character, slash or bracket.
        host: String,
        /// 1 to 65,535.
        port: u16,
    },
    /// The absolute path of a unix socket.
    Unix(String),
    /// A node inside this process, for trying things out.
    Embedded,
}

/// Why a text is not an address.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Nothing was written.
    #[error("the address is empty; write host:port, [v6]:port, unix:/path or embedded")]
    Empty,
    /// The colons could belong to an IPv6 address or set off a port. Write the address in brackets.
    #[error(
        "{text:?} may be an IPv6 address with or without a port; write [{text}]:{DEFAULT_PORT}, or [{host}]:{port} if the last part is the port"
    )]
    Ambiguous {
        /// What was written.
        text: String,
        /// The part that would be the host.
        host: String,
        /// The part that would be the port.
        port: String,
    },
    /// The text in brackets is not an IPv6 address.
    #[error(
        "{0:?} is not an IPv6 address in brackets; write [v6]:port, such as [2001:db8::2]:11211"
    )]
    BadBrackets(String),
    /// More than one colon outside brackets, and not an IPv6 address.
    #[error(
        "{0:?} has more than one colon; write host:port, [v6]:port, and a weight apart from the address"
    )]
    TooManyColons(String),
    /// The port is not a number from 1 to 65,535.
    #[error("{0:?} is not a port from 1 to 65535")]
    BadPort(String),
    /// A character that no host name has.
    #[error("the host {0:?} is empty or holds a blank, a control character, '/', '@' or a bracket")]
    BadHost(String),
    /// A socket path that is relative, or holds a control character.
    #[error("the socket path {0:?} is not absolute or holds a control character")]
    BadPath(String),
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        if text == "embedded" {
            return Ok(Self::Embedded);
        }
        if let Some(path) = text.strip_prefix("unix:") {
            return unix(path);
        }
        if text.starts_with('/') {
            return unix(text);
        }
        if text.starts_with('[') {
            return bracketed(text);
        }
        match text.bytes().filter(|&b| b == b':').count() {
            0 => tcp(text, DEFAULT_PORT),
            1 => {
                let (host, port) = text.split_once(':').unwrap_or((text, ""));
                tcp(host, parse_port(port)?)
            }
            _ => bare_ipv6(text),
        }
    }
}

fn unix(path: &str) -> Result<Address, AddressError> {
    let control = path.chars().any(char::is_control);
    if !path.starts_with('/') || path.len() < 2 || control {
        return Err(AddressError::BadPath(path.to_owned()));
    }
    Ok(Address::Unix(path.to_owned()))
}

fn bracketed(text: &str) -> Result<Address, AddressError> {
    let bad = || AddressError::BadBrackets(text.to_owned());
    let (host, rest) = text
        .strip_prefix('[')
        .and_then(|t| t.split_once(']'))
        .ok_or_else(bad)?;
    // A zone (fe80::1%eth0) is part of the host's text but not of what the standard library parses.
    let (bare, _zone) = host.split_once('%').unwrap_or((host, ""));
    if bare.parse::<Ipv6Addr>().is_err() {
        return Err(bad());
    }
    let port = match rest.strip_prefix(':') {
        Some(port) => parse_port(port)?,
        None if rest.is_empty() => DEFAULT_PORT,
        None => return Err(bad()),
    };
    tcp(host, port)
}

/// `2001:db8::2` can only be a host; `::1:80` might also be `[::1]:80`, and a guess would move every key.
fn bare_ipv6(text: &str) -> Result<Address, AddressError> {
    let (host, port) = text.rsplit_once(':').unwrap_or((text, ""));
    if host.parse::<Ipv6Addr>().is_ok() && parse_port(port).is_ok() {
        return Err(AddressError::Ambiguous {
            text: text.to_owned(),
            host: host.to_owned(),
            port: port.to_owned(),
        });
    }
    if text.parse::<Ipv6Addr>().is_err() {
        return Err(AddressError::TooManyColons(text.to_owned()));
    }
    tcp(text, DEFAULT_PORT)
}

fn tcp(host: &str, port: u16) -> Result<Address, AddressError> {
    let bad = |c: char| c.is_whitespace() || c.is_control() || "/@[]".contains(c);
    if host.is_empty() || host.contains(bad) {
        return Err(AddressError::BadHost(host.to_owned()));
    }
    Ok(Address::Tcp {
        host: host.to_owned(),
        port,
    })
}

fn parse_port(text: &str) -> Result<u16, AddressError> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.parse() {
        Ok(port) if digits && port > 0 => Ok(port),
        _ => Err(AddressError::BadPort(text.to_owned())),
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "{host}:{port}"),
            Self::Unix(path) => write!(f, "unix:{path}"),
            Self::Embedded => f.write_str("embedded"),
        }
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> (String, u16) {
        match text.parse().unwrap() {
            Address::Tcp { host, port } => (host, port),
            other => panic!("{other:?}"),
        }
    }

    /// The literals of memcached/memcached#118, petergoldstein/dalli#428 and lericson/pylibmc#44.
    #[test]
    fn ipv6_is_read_with_and_without_brackets_and_a_port() {
        assert_eq!(parsed("[::1]:11211"), ("::1".into(), 11_211));
        assert_eq!(parsed("[::1]"), ("::1".into(), 11_211));
        assert_eq!(parsed("::1"), ("::1".into(), 11_211));
        assert_eq!(parsed("2001:db8::2"), ("2001:db8::2".into(), 11_211));
        assert_eq!(parsed("[fe80::1%eth0]:7"), ("fe80::1%eth0".into(), 7));
    }

    #[test]
    fn an_ambiguous_ipv6_address_is_refused_with_both_readings() {
        for text in ["::1:11211", "::1:80", "2001:db8::2:3"] {
            let refusal = text.parse::<Address>().unwrap_err();
            assert!(matches!(refusal, AddressError::Ambiguous { .. }), "{text}");
            let (host, port) = text.rsplit_once(':').unwrap();
            assert!(
                refusal.to_string().contains(&format!("[{host}]:{port}")),
                "{refusal}"
            );
        }
    }

    #[test]
    fn an_address_prints_as_it_parses() {
        for text in [
            "10.0.1.1:11211",
            "[::1]:6379",
            "unix:/tmp/mc.sock",
            "embedded",
            "cache.example:1",
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), text);
        }
        assert_eq!(
            "/tmp/mc.sock".parse::<Address>().unwrap().to_string(),
            "unix:/tmp/mc.sock"
        );
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "", ":1", "a b:1", "h:0", "h:65536", "h:", "h:+1", "h:1:2", "[::1", "[x]:1", "[::1]1",
            "unix:a", "unix:", "/", "a\tb", "u@h", "::1]:1",
        ] {
            assert!(text.parse::<Address>().is_err(), "{text:?}");
        }
    }
}
