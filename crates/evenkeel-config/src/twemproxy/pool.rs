//! One pool of a twemproxy file.

use std::time::Duration;

use evenkeel_core::{KeyRule, Label, Scheme, Topology};

use super::server;
use super::yaml::{Entries, Text, Value};
use super::{Fate, Verdict};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::{Listen, MigrationSettings, Pool, Protocol, Settings};

/// What twemproxy uses where the file says nothing.
const DEFAULT_HASH: &str = "fnv1a_64";
const DEFAULT_DISTRIBUTION: &str = "ketama";

/// A pool while its keys are read.
struct Reading<'d> {
    diagnostics: &'d mut Diagnostics,
    hash: String,
    distribution: String,
    place: std::ops::Range<usize>,
    key_rule: KeyRule,
    listen: Vec<Listen>,
    protocol: Protocol,
    settings: Settings,
    servers: Vec<Text>,
}

/// Reads one pool; `None` if it has errors, which are told.
pub fn read(
    name: &Text,
    entries: Entries,
    diagnostics: &mut Diagnostics,
    verdicts: &mut Vec<Verdict>,
) -> Option<Pool> {
    let mut reading = Reading {
        diagnostics,
        hash: DEFAULT_HASH.to_owned(),
        distribution: DEFAULT_DISTRIBUTION.to_owned(),
        place: name.span.clone(),
        key_rule: KeyRule::default(),
        listen: Vec::new(),
        protocol: Protocol::Memcached,
        settings: Settings::default(),
        servers: Vec::new(),
    };
    let has_timeout = entries.iter().any(|(key, _)| key.text == "timeout");
    for (key, value) in entries {
        let fate = reading.setting(&key, value);
        if let Fate::Refused(why) = &fate {
            let error = Diagnostic::error(key.span.clone(), format!("`{}`: {why}", key.text));
            reading.diagnostics.push(error);
        }
        verdicts.push(Verdict {
            pool: name.text.clone(),
            setting: key.text,
            fate,
        });
    }
    if !has_timeout {
        let how = "twemproxy waits for ever; here a request waits 1 s (request_timeout)".to_owned();
        verdicts.push(Verdict {
            pool: name.text.clone(),
            setting: "timeout (not set)".to_owned(),
            fate: Fate::Different(how),
        });
    }
    reading.finish(name)
}

impl Reading<'_> {
    fn setting(&mut self, key: &Text, value: Value) -> Fate {
        let value = match value {
            Value::Text(text) => text,
            Value::List(items) if key.text == "servers" => {
                self.servers = items;
                return Fate::Same;
            }
            Value::List(_) | Value::Other => {
                return Fate::Refused("a single value is expected here".to_owned());
            }
        };
        match key.text.as_str() {
            "listen" => self.listen(&value),
            "hash" => {
                self.hash = value.text;
                self.place = value.span;
                Fate::Same
            }
            "distribution" => self.distribution(value),
            "hash_tag" => self.hash_tag(&value),
            "redis" => self.redis(&value),
            "timeout" => self.timeout(&value),
            "client_connections" => {
                self.number(&value, |settings, number| settings.max_clients = number)
            }
            "server_connections" => {
                self.number(&value, |settings, number| settings.connections = number)
            }
            "auto_eject_hosts" => self.auto_eject(key, &value),
            other => ignored(other),
        }
    }

    fn listen(&mut self, value: &Text) -> Fate {
        // A unix socket may be followed by its permissions.
        let (address, permissions) = match value.text.split_once(' ') {
            Some((address, mode)) => (address, Some(mode)),
            None => (value.text.as_str(), None),
        };
        match (address.parse::<Listen>(), permissions) {
            (Ok(listen), None) => {
                self.listen.push(listen);
                Fate::Same
            }
            (Ok(listen), Some(_)) => {
                self.listen.push(listen);
                Fate::Different("the socket gets the permissions of the process's umask".to_owned())
            }
            (Err(message), _) => Fate::Refused(message),
        }
    }

    fn distribution(&mut self, value: Text) -> Fate {
        let fate = match value.text.as_str() {
            "ketama" | "modula" => Fate::Same,
            "random" => Fate::Refused(
                "a random node for each request is no placement: a read would not find what a write left; use ketama or modula".to_owned(),
            ),
            other => Fate::Refused(format!("there is no distribution {other:?}; twemproxy has ketama, modula and random")),
        };
        self.distribution = value.text;
        fate
    }

    fn hash_tag(&mut self, value: &Text) -> Fate {
        match *value.text.as_bytes() {
            [open, close] => {
                self.key_rule.hash_tag = Some([open, close]);
                Fate::Same
            }
            _ => Fate::Refused("it must have two characters, as \"{}\"".to_owned()),
        }
    }

    fn redis(&mut self, value: &Text) -> Fate {
        match flag(&value.text) {
            Some(true) => {
                self.protocol = Protocol::Redis;
                Fate::Same
            }
            Some(false) => Fate::Same,
            None => not_a_flag(),
        }
    }

    fn timeout(&mut self, value: &Text) -> Fate {
        match value.text.parse::<i64>() {
            Ok(milliseconds) if milliseconds > 0 => {
                let time = Duration::from_millis(milliseconds.unsigned_abs());
                self.settings.connect_timeout = time;
                self.settings.request_timeout = time;
                Fate::Same
            }
            Ok(_) => Fate::Different(
                "twemproxy waits for ever; here a request waits 1 s (request_timeout)".to_owned(),
            ),
            Err(_) => Fate::Refused("a number of milliseconds is expected".to_owned()),
        }
    }

    fn number(&mut self, value: &Text, set: impl Fn(&mut Settings, usize)) -> Fate {
        match value.text.parse::<usize>() {
            Ok(number) if number > 0 => {
                set(&mut self.settings, number);
                Fate::Same
            }
            _ => Fate::Refused("a number above 0 is expected".to_owned()),
        }
    }

    fn auto_eject(&mut self, key: &Text, value: &Text) -> Fate {
        match flag(&value.text) {
            Some(true) => {
                let how = "a node that fails is not ejected: its keys get errors until it is back, and no key moves (an ejected node that returns brings back old values)";
                let warning =
                    Diagnostic::warning(key.span.clone(), format!("`auto_eject_hosts`: {how}"));
                self.diagnostics.push(warning.remedy("set auto_eject_hosts: false; with on_node_down = \"miss\" in evenkeel.toml reads miss instead"));
                Fate::Different(how.to_owned())
            }
            Some(false) => Fate::Same,
            None => not_a_flag(),
        }
    }

    fn finish(self, name: &Text) -> Option<Pool> {
        let mut nodes = Vec::new();
        for line in &self.servers {
            match server::parse(&line.text) {
                Ok(node) => nodes.push(node),
                Err(message) => self.diagnostics.push(Diagnostic::error(
                    line.span.clone(),
                    format!("server {:?}: {message}", line.text),
                )),
            }
        }
        if nodes.len() < self.servers.len() || self.distribution == "random" {
            return None;
        }
        let preset = format!("twemproxy-{}/{}", self.distribution, self.hash);
        if evenkeel_core::presets::find(&preset).is_none() {
            let error = Diagnostic::error(self.place, format!("there is no hash {:?}", self.hash));
            self.diagnostics.push(error.remedy("twemproxy has one_at_a_time, md5, crc16, crc32, crc32a, fnv1_64, fnv1a_64, fnv1_32, fnv1a_32, hsieh, murmur and jenkins"));
            return None;
        }
        let scheme = Scheme::Preset {
            name: preset,
            points: None,
            label: Some(Label::Name),
        };
        match Topology::new(nodes, scheme, self.key_rule) {
            Ok(topology) => Some(Pool {
                name: name.text.clone(),
                protocol: self.protocol,
                listen: self.listen,
                topology,
                memory: Default::default(),
                settings: self.settings,
                migration: MigrationSettings::default(),
            }),
            Err(error) => {
                self.diagnostics
                    .push(Diagnostic::error(name.span.clone(), error.to_string()));
                None
            }
        }
    }
}

fn flag(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" | "yes" => Some(true),
        "false" | "no" => Some(false),
        _ => None,
    }
}

fn not_a_flag() -> Fate {
    Fate::Refused("true or false is expected".to_owned())
}

/// Settings that have no counterpart.
fn ignored(key: &str) -> Fate {
    let how = match key {
        "backlog" => "the system's largest backlog is used",
        "preconnect" => "nodes are always connected at the start",
        "server_retry_timeout" => {
            "a node is tried again after reconnect_min to reconnect_max (50 ms to 1 s)"
        }
        "server_failure_limit" => "nothing is ejected, so failures are not counted for it",
        "tcpkeepalive" => "keepalive is always on (keepalive)",
        "reuseport" => "one process serves the port with all its workers",
        "redis_db" | "redis_auth" => {
            return Fate::Refused("it is not served yet; leave it out".to_owned());
        }
        other => return Fate::Refused(format!("twemproxy has no setting {other:?}")),
    };
    Fate::Different(how.to_owned())
}
