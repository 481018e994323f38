//! A file's text.

use std::io::Read;
use std::path::Path;

/// Most bytes of a configuration file. A list of 65,535 nodes stays below it.
pub const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The byte order mark that some editors put in front.
const BOM: &str = "\u{feff}";

/// A file's name and text. The text is missing if it could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    path: String,
    text: Option<String>,
}

impl Source {
    /// Text that did not come from a file; `name` stands for its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let text: String = text.into();
        let text = text.strip_prefix(BOM).map(str::to_owned).unwrap_or(text);
        Self {
            path: name.into(),
            text: Some(text),
        }
    }

    /// Reads a file. The error is a sentence for people.
    pub(crate) fn read(path: &Path) -> Result<Self, (Self, String)> {
        let name = path.display().to_string();
        read_text(path)
            .map(|text| Self::new(name.clone(), text))
            .map_err(|message| {
                (
                    Self {
                        path: name,
                        text: None,
                    },
                    message,
                )
            })
    }

    /// The file's path, as given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text without a byte order mark.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

fn read_text(path: &Path) -> Result<String, String> {
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!(
            "the file has more than {} MiB; is it the right one?",
            MAX_FILE_BYTES / 1024 / 1024
        ));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        format!("line {line} is not UTF-8; save the file as UTF-8")
    })
}
