//! `evenkeel.toml`.

use std::collections::HashMap;
use std::sync::Arc;

use toml::de::DeTable;

use crate::config::{Admin, Config};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::reader::Reader;
use crate::{Listen, Pool, pool};

/// Reads the source of `diagnostics`. `None` if there is nothing to be used.
pub fn read(diagnostics: &mut Diagnostics) -> Option<Config> {
    let source = Arc::clone(&diagnostics.source);
    let (table, errors) = DeTable::parse_recoverable(source.text()?);
    if !errors.is_empty() {
        for error in errors {
            diagnostics.push(Diagnostic::error(
                error.span().unwrap_or(0..0),
                error.message(),
            ));
        }
        return None;
    }
    let mut reader = Reader::new(table, diagnostics);
    let state_dir = reader.text("state_dir").map(|(path, _)| path.into());
    let allow_embedded = reader.flag("allow_embedded").unwrap_or(false);
    let admin = match reader.table("admin") {
        Some(table) => read_admin(Reader::new(table, reader.diagnostics)),
        None => Admin::default(),
    };
    let tables = reader.tables("pool");
    if tables.is_empty() {
        reader.error(
            0..0,
            "the file has no pool",
            "write a table [[pool]] and in it a [[pool.node]] for each node",
        );
    }
    reader.finish();
    let mut pools: Vec<Pool> = Vec::new();
    let mut names = HashMap::new();
    for table in tables {
        let Some((pool, span)) = pool::read(table, diagnostics) else {
            continue;
        };
        if let Some(first) = names.insert(pool.name.clone(), span.clone()) {
            let message = format!("there are two pools named {:?}", pool.name);
            let error = Diagnostic::error(span, message).other(first, "the first one");
            diagnostics.push(error.remedy("give each pool a name of its own: name = \"...\""));
        }
        pools.push(pool);
    }
    Some(Config {
        admin,
        state_dir,
        allow_embedded,
        pools,
    })
}

fn read_admin(mut reader: Reader<'_, '_>) -> Admin {
    let mut admin = Admin::default();
    match reader.text("listen") {
        Some((text, _)) if text == "off" => admin.listen = None,
        Some((text, span)) => match text.parse::<Listen>() {
            Ok(listen) => admin.listen = Some(listen),
            Err(message) => reader.error(
                span,
                message,
                "write \"127.0.0.1:22100\", \"unix:/path\" or \"off\"",
            ),
        },
        None => {}
    }
    admin.token_file = reader.text("token_file").map(|(path, _)| path.into());
    reader.finish();
    admin
}
