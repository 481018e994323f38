//! The key `placement`, and what of a key is hashed.

use std::ops::Range;

use evenkeel_core::{KeyRule, Scheme};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use crate::Protocol;
use crate::diagnostic::Diagnostic;
use crate::reader::Reader;

/// The scheme, and where it is written (the pool if it is not).
pub fn read_scheme(reader: &mut Reader<'_, '_>) -> (Option<Scheme>, Range<usize>) {
    let Some(found) = reader.take("placement") else {
        return (Some(Scheme::default()), reader.span.clone());
    };
    let span = found.span.clone();
    let scheme = match found.value {
        DeValue::String(name) => name
            .parse::<Scheme>()
            .map_err(|error| (span.clone(), error.to_string())),
        table @ DeValue::Table(_) => {
            let table = ValueDeserializer::from(Spanned::new(span.clone(), table));
            Scheme::deserialize(table).map_err(|error| {
                let at = error.span().unwrap_or(span.clone());
                (at, format!("`placement`: {}", error.message()))
            })
        }
        other => Err((
            span.clone(),
            format!("`placement` is a {}", other.type_str()),
        )),
    };
    match scheme {
        Ok(scheme) => (Some(scheme), span),
        Err((at, message)) => {
            let remedy = "write a name, placement = \"slots\", or a table that describes it; `evenkeel presets` lists the names";
            reader.error(at, message, remedy);
            (None, span)
        }
    }
}

/// `hash_tag` and `strip_prefix`.
pub fn read_key_rule(reader: &mut Reader<'_, '_>, protocol: Protocol) -> KeyRule {
    let mut rule = match protocol {
        Protocol::Memcached => KeyRule::default(),
        Protocol::Redis => KeyRule::braces(),
    };
    if let Some((text, span)) = reader.text("hash_tag") {
        match *text.as_bytes() {
            [] => rule.hash_tag = None,
            [open, close] => rule.hash_tag = Some([open, close]),
            _ => reader.diagnostics.push(
                Diagnostic::error(span, "`hash_tag` has not two characters").remedy(
                    "write the opening and the closing one, hash_tag = \"{}\", or \"\" for none",
                ),
            ),
        }
    }
    if let Some((text, _)) = reader.text("strip_prefix") {
        rule.strip_prefix = (!text.is_empty()).then(|| text.into_bytes());
    }
    rule
}
