//! Reads a table key by key: each key once, each with its type, and what is left over is unknown.

use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::quantity::{QuantityError, parse_duration, parse_size};

/// A value and where it stands.
pub struct Found<'s> {
    pub value: DeValue<'s>,
    pub span: Range<usize>,
}

/// A table of the file that is being read.
pub struct Reader<'s, 'd> {
    table: DeTable<'s>,
    /// Where the table stands: for what is missing in it.
    pub span: Range<usize>,
    known: Vec<&'static str>,
    pub diagnostics: &'d mut Diagnostics,
}

impl<'s, 'd> Reader<'s, 'd> {
    pub fn new(table: Spanned<DeTable<'s>>, diagnostics: &'d mut Diagnostics) -> Self {
        Self {
            span: table.span(),
            table: table.into_inner(),
            known: Vec::new(),
            diagnostics,
        }
    }

    pub fn error(&mut self, span: Range<usize>, message: impl Into<String>, remedy: &str) {
        self.diagnostics
            .push(Diagnostic::error(span, message).remedy(remedy));
    }

    /// The value of `key`, which is then dealt with.
    pub fn take(&mut self, key: &'static str) -> Option<Found<'s>> {
        self.known.push(key);
        let name = self
            .table
            .keys()
            .find(|name| name.get_ref() == key)?
            .clone();
        let value = self.table.remove(&name)?;
        let span = value.span();
        Some(Found {
            value: value.into_inner(),
            span,
        })
    }

    fn wrong_type(&mut self, key: &str, found: &Found<'_>, wanted: &str) {
        self.diagnostics.push(
            Diagnostic::error(
                found.span.clone(),
                format!("`{key}` is a {}", found.value.type_str()),
            )
            .remedy(format!("write {wanted}")),
        );
    }

    pub fn text(&mut self, key: &'static str) -> Option<(String, Range<usize>)> {
        let found = self.take(key)?;
        match found.value.as_str() {
            Some(text) => Some((text.to_owned(), found.span)),
            None => {
                self.wrong_type(key, &found, &format!("a text in quotes: {key} = \"...\""));
                None
            }
        }
    }

    pub fn flag(&mut self, key: &'static str) -> Option<bool> {
        let found = self.take(key)?;
        let flag = found.value.as_bool();
        if flag.is_none() {
            self.wrong_type(key, &found, &format!("{key} = true or {key} = false"));
        }
        flag
    }

    /// A whole number of at least `least`.
    pub fn count(&mut self, key: &'static str, least: u64) -> Option<u64> {
        let found = self.take(key)?;
        let number = found
            .value
            .as_integer()
            .and_then(|number| i64::from_str_radix(number.as_str(), number.radix()).ok());
        match number.map(u64::try_from) {
            Some(Ok(number)) if number >= least => Some(number),
            Some(_) => {
                let message = format!("`{key}` is below {least}");
                self.error(
                    found.span,
                    message,
                    &format!("write a number of at least {least}"),
                );
                None
            }
            None => {
                self.wrong_type(key, &found, &format!("a whole number: {key} = {least}"));
                None
            }
        }
    }

    pub fn duration(&mut self, key: &'static str) -> Option<Duration> {
        self.quantity(key, "\"500ms\"", "ns, us, ms, s, m or h", parse_duration)
    }

    pub fn size(&mut self, key: &'static str) -> Option<u64> {
        self.quantity(
            key,
            "\"64MiB\"",
            "B, KiB, MiB, GiB, kB, MB or GB",
            parse_size,
        )
    }

    fn quantity<T>(
        &mut self,
        key: &'static str,
        example: &str,
        units: &str,
        parse: impl Fn(&str) -> Result<T, QuantityError>,
    ) -> Option<T> {
        let found = self.take(key)?;
        let Some(text) = found.value.as_str() else {
            let message = match &found.value {
                DeValue::Integer(_) | DeValue::Float(_) => {
                    format!("`{key}` is a number without a unit")
                }
                other => format!("`{key}` is a {}", other.type_str()),
            };
            let remedy = format!("write it as a text with its unit: {key} = {example}");
            self.error(found.span, message, &remedy);
            return None;
        };
        match parse(text) {
            Ok(value) => Some(value),
            Err(error) => {
                let remedy = format!("write a number and a unit ({units}): {key} = {example}");
                self.error(found.span, format!("`{key}`: {error}"), &remedy);
                None
            }
        }
    }

    /// The texts of an array, or one text.
    pub fn texts(&mut self, key: &'static str) -> Vec<(String, Range<usize>)> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        if let Some(text) = found.value.as_str() {
            return vec![(text.to_owned(), found.span)];
        }
        let DeValue::Array(items) = found.value else {
            self.wrong_type(key, &found, &format!("{key} = [\"...\"]"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref().as_str() {
                Some(text) => texts.push((text.to_owned(), item.span())),
                None => self.error(
                    item.span(),
                    format!("an item of `{key}` is a {}", item.get_ref().type_str()),
                    "write texts in quotes",
                ),
            }
        }
        texts
    }

    /// The tables of an array of tables: `[[key]]`.
    pub fn tables(&mut self, key: &'static str) -> Vec<Spanned<DeTable<'s>>> {
        let Some(found) = self.take(key) else {
            return Vec::new();
        };
        let DeValue::Array(items) = found.value else {
            self.wrong_type(
                key,
                &found,
                &format!("the header in double brackets: [[{key}]]"),
            );
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            let span = item.span();
            match item.into_inner() {
                DeValue::Table(table) => tables.push(Spanned::new(span, table)),
                other => self.error(
                    span,
                    format!("an item of `{key}` is a {}", other.type_str()),
                    &format!("write each as a table: [[{key}]]"),
                ),
            }
        }
        tables
    }

    /// The table of `[key]`.
    pub fn table(&mut self, key: &'static str) -> Option<Spanned<DeTable<'s>>> {
        let found = self.take(key)?;
        match found.value {
            DeValue::Table(table) => Some(Spanned::new(found.span, table)),
            _ => {
                self.wrong_type(key, &found, &format!("a table: [{key}]"));
                None
            }
        }
    }

    /// Whatever was not taken is unknown.
    pub fn finish(self) {
        for name in self.table.keys() {
            let nearest = nearest(name.get_ref(), &self.known);
            let remedy = match nearest {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("known here: {}", self.known.join(", ")),
            };
            self.diagnostics.push(
                Diagnostic::error(
                    name.span(),
                    format!("`{}` is not known here", name.get_ref()),
                )
                .remedy(remedy),
            );
        }
    }
}

/// The known word that is at most two letters away, or three in a long one.
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    let reach = if word.len() > 8 { 3 } else { 2 };
    known
        .iter()
        .map(|candidate| (distance(word, candidate), *candidate))
        .filter(|(distance, _)| *distance <= reach)
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, by characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, left) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, right) in b.iter().enumerate() {
            let change = diagonal + usize::from(left != *right);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
