//! One record in one file: its words, and how it is replaced.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use evenkeel_core::Hash;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::PoolRecord;

/// The version of the file's form.
const SCHEMA: u32 = 1;

/// The file: the record beside a checksum of its very bytes, for a flipped digit may still be good JSON.
#[derive(Serialize, Deserialize)]
struct Written {
    schema: u32,
    pool: String,
    checksum: String,
    record: Box<RawValue>,
}

/// The text of a record's file.
pub(super) fn write(pool: &str, record: &PoolRecord) -> Result<Vec<u8>, serde_json::Error> {
    let record = serde_json::value::to_raw_value(record)?;
    let written = Written {
        schema: SCHEMA,
        pool: pool.to_owned(),
        checksum: checksum(&record),
        record,
    };
    let mut text = serde_json::to_vec(&written)?;
    text.push(b'\n');
    Ok(text)
}

/// Reads what [`write`] wrote; the error says what is wrong with it.
pub(super) fn read(pool: &str, text: &[u8]) -> Result<PoolRecord, String> {
    let written: Written = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    if written.schema != SCHEMA {
        return Err(format!(
            "it has schema {}, and this version of evenkeel reads schema {SCHEMA}",
            written.schema
        ));
    }
    if written.pool != pool {
        return Err(format!("it is the record of pool {:?}", written.pool));
    }
    if written.checksum != checksum(&written.record) {
        return Err("its checksum does not match".to_owned());
    }
    serde_json::from_str(written.record.get()).map_err(|error| error.to_string())
}

fn checksum(record: &RawValue) -> String {
    format!("{:016x}", Hash::Xxh3.of(record.get().as_bytes()))
}

/// Puts `text` in the place of `path`: either the old or the new text is there after a power cut, and never a part.
pub(super) fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(text)?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    // The rename itself lives in the directory.
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}
