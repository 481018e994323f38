//! The text that stands for a node in a hash.

use std::borrow::Cow;
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::address::DEFAULT_PORT;
use crate::{Address, Node};

/// Which text stands for a node. An embedded node has no address, so its name stands for it in every form.
///
/// | form | TCP | IPv6 | unix socket |
/// |---|---|---|---|
/// | `host:port` | `10.0.1.1:11211` | `[::1]:11211` | `/path` |
/// | `host:port-unless-11211` | `10.0.1.1`, `10.0.1.1:11212` | `::1`, `::1:11212` | `/path:0` |
/// | `twemproxy` | the same | the same | `/path:` |
/// | `/host:port` | `/10.0.1.1:11211` | `/::1:11211` | `//path:0` |
/// | `spymemcached` | `10.0.1.1:11211`; a name `host/<unresolved>:11211` | `[::1]:11211` | `/path` |
/// | `host` | `10.0.1.1` | `::1` | `/path` |
/// | `name` | the node's name | | |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Label {
    /// The address with its port, IPv6 in brackets.
    #[serde(rename = "host:port")]
    HostPort,
    /// As libmemcached: the port only if it is not 11211, IPv6 bare as its callers pass it, and port 0 after the path of a unix socket.
    #[serde(rename = "host:port-unless-11211")]
    HostPortUnlessDefault,
    /// As twemproxy: the same, but after the path of a unix socket stands the colon before its weight.
    #[serde(rename = "twemproxy")]
    Twemproxy,
    /// As libmemcached's spymemcached mode: a slash, the host, and the port in any case.
    #[serde(rename = "/host:port")]
    SlashHostPort,
    /// As Java prints a socket address without its leading slash; a name counts as unresolved.
    #[serde(rename = "spymemcached")]
    Spymemcached,
    /// The host alone, IPv6 bare.
    #[serde(rename = "host")]
    Host,
    /// The node's name.
    #[serde(rename = "name")]
    Name,
}

impl Label {
    /// The text that stands for `node`.
    #[must_use]
    pub fn of(self, node: &Node) -> Cow<'_, str> {
        match (self, &node.address) {
            (Self::Name, _) | (_, Address::Embedded) => Cow::Borrowed(&node.name),
            (Self::HostPort, Address::Tcp { .. }) => Cow::Owned(node.address.to_string()),
            (Self::Spymemcached, Address::Tcp { host, port })
                if host.parse::<IpAddr>().is_err() =>
            {
                Cow::Owned(format!("{host}/<unresolved>:{port}"))
            }
            (Self::Spymemcached, Address::Tcp { .. }) => Cow::Owned(node.address.to_string()),
            (Self::HostPort | Self::Host | Self::Spymemcached, Address::Unix(path)) => {
                Cow::Borrowed(path)
            }
            (Self::Host, Address::Tcp { host, .. }) => Cow::Borrowed(host),
            (
                Self::HostPortUnlessDefault | Self::Twemproxy,
                Address::Tcp {
                    host,
                    port: DEFAULT_PORT,
                },
            ) => Cow::Borrowed(host),
            (Self::HostPortUnlessDefault | Self::Twemproxy, Address::Tcp { host, port }) => {
                Cow::Owned(format!("{host}:{port}"))
            }
            (Self::Twemproxy, Address::Unix(path)) => Cow::Owned(format!("{path}:")),
            (Self::HostPortUnlessDefault, Address::Unix(path)) => Cow::Owned(format!("{path}:0")),
            (Self::SlashHostPort, Address::Tcp { host, port }) => {
                Cow::Owned(format!("/{host}:{port}"))
            }
            (Self::SlashHostPort, Address::Unix(path)) => Cow::Owned(format!("/{path}:0")),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::HostPort => "host:port",
            Self::HostPortUnlessDefault => "host:port-unless-11211",
            Self::Twemproxy => "twemproxy",
            Self::SlashHostPort => "/host:port",
            Self::Spymemcached => "spymemcached",
            Self::Host => "host",
            Self::Name => "name",
        }
    }
}

/// No label form has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no label form {0:?}; write host, host:port or name")]
pub struct UnknownLabel(pub String);

impl FromStr for Label {
    type Err = UnknownLabel;

    fn from_str(text: &str) -> Result<Self, UnknownLabel> {
        [
            Self::HostPort,
            Self::HostPortUnlessDefault,
            Self::Twemproxy,
            Self::SlashHostPort,
            Self::Spymemcached,
            Self::Host,
            Self::Name,
        ]
        .into_iter()
        .find(|form| form.name() == text)
        .ok_or_else(|| UnknownLabel(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// nc_conf.c takes one byte more than the address where there is no port.
    #[test]
    fn a_socket_s_text_is_the_one_that_each_original_hashes() {
        let node = Node::new("a", Address::Unix("/tmp/mc.sock".to_owned()));
        let texts = [
            Label::HostPort,
            Label::HostPortUnlessDefault,
            Label::Twemproxy,
            Label::Name,
        ];
        assert_eq!(
            texts.map(|label| label.of(&node).into_owned()),
            ["/tmp/mc.sock", "/tmp/mc.sock:0", "/tmp/mc.sock:", "a"]
        );
    }
}
