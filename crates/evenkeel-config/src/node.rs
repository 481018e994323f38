//! `[[pool.node]]`: one node.

use std::ops::Range;

use evenkeel_core::{Address, Node, Weight};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::Diagnostics;
use crate::reader::{Found, Reader};

/// A node of the file, and where its parts stand.
pub struct NodeEntry {
    pub node: Node,
    /// Memory of an embedded node, in bytes.
    pub memory: Option<u64>,
    /// Where the name is written.
    pub span: Range<usize>,
}

/// Reads one node; `None` if it has errors, which are told.
pub fn read(table: Spanned<DeTable<'_>>, diagnostics: &mut Diagnostics) -> Option<NodeEntry> {
    let mut reader = Reader::new(table, diagnostics);
    let whole = reader.span.clone();
    let address = read_address(&mut reader);
    let name = reader.text("name");
    let weight = read_weight(&mut reader);
    let zone = reader.text("zone").map(|(zone, _)| zone);
    let memory = reader.size("memory");
    reader.finish();
    let address = address?;
    let (name, span) = name.unwrap_or_else(|| (address.to_string(), whole));
    let node = Node {
        name,
        address,
        weight: weight?,
        zone,
    };
    Some(NodeEntry { node, memory, span })
}

fn read_address(reader: &mut Reader<'_, '_>) -> Option<Address> {
    let Some((text, span)) = reader.text("address") else {
        let span = reader.span.clone();
        reader.error(
            span,
            "a node has no `address`",
            "write address = \"host:port\", \"[v6]:port\", \"unix:/path\" or \"embedded\"",
        );
        return None;
    };
    match text.parse() {
        Ok(address) => Some(address),
        Err(error) => {
            let message = format!("`address`: {error}");
            reader.error(
                span,
                message,
                "write host:port, [v6]:port, unix:/path or embedded",
            );
            None
        }
    }
}

fn read_weight(reader: &mut Reader<'_, '_>) -> Option<Weight> {
    let Some(Found { value, span }) = reader.take("weight") else {
        return Some(Weight::ONE);
    };
    let text = match &value {
        DeValue::Integer(number) => number.as_str().to_owned(),
        DeValue::Float(number) => number.as_str().to_owned(),
        other => {
            let message = format!("`weight` is a {}", other.type_str());
            reader.error(span, message, "write a number without quotes: weight = 1");
            return None;
        }
    };
    match text.parse() {
        Ok(weight) => Some(weight),
        Err(error) => {
            let remedy = "write a weight from 0 to 1000000 in steps of 0.001; 0 keeps the node's name and gives it no keys";
            reader.error(span, format!("`weight`: {error}"), remedy);
            None
        }
    }
}
