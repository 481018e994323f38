//! The YAML of such files as a tree with places: a mapping of pools, each a mapping of texts and one list of texts.

use std::ops::Range;

use saphyr_parser::{Event, Parser};

/// A scalar and where it stands.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: String,
    pub span: Range<usize>,
}

/// What a key of a pool has.
#[derive(Clone, Debug)]
pub enum Value {
    Text(Text),
    List(Vec<Text>),
    /// Mappings within mappings, and lists of others than texts.
    Other,
}

/// A pool's keys and values, in the order of the file.
pub type Entries = Vec<(Text, Value)>;

type Fault = (Range<usize>, String);

/// The pools of a file.
pub fn parse(text: &str) -> Result<Vec<(Text, Entries)>, Fault> {
    let offsets: Vec<usize> = text
        .char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect();
    let byte = |index: usize| offsets.get(index).copied().unwrap_or(text.len());
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = byte(error.marker().index());
            (at..at + 1, error.info().to_owned())
        })?;
        events.push((event, byte(span.start.index())..byte(span.end.index())));
    }
    let mut reader = Events {
        events: events.into_iter().peekable(),
    };
    reader.file()
}

struct Events<'t, I: Iterator<Item = (Event<'t>, Range<usize>)>> {
    events: std::iter::Peekable<I>,
}

impl<'t, I: Iterator<Item = (Event<'t>, Range<usize>)>> Events<'t, I> {
    fn next(&mut self) -> (Event<'t>, Range<usize>) {
        self.events.next().unwrap_or((Event::StreamEnd, 0..0))
    }

    fn file(&mut self) -> Result<Vec<(Text, Entries)>, Fault> {
        loop {
            match self.next() {
                (Event::StreamStart | Event::DocumentStart(_), _) => {}
                (Event::MappingStart(..), _) => return self.pools(),
                (_, span) => {
                    return Err((
                        span,
                        "the file has no pool: write its name and a colon".to_owned(),
                    ));
                }
            }
        }
    }

    fn pools(&mut self) -> Result<Vec<(Text, Entries)>, Fault> {
        let mut pools = Vec::new();
        while let Some(name) = self.key()? {
            match self.next() {
                (Event::MappingStart(..), _) => pools.push((name, self.entries()?)),
                _ => return Err((name.span, format!("pool {:?} has no settings", name.text))),
            }
        }
        Ok(pools)
    }

    fn entries(&mut self) -> Result<Entries, Fault> {
        let mut entries = Vec::new();
        while let Some(key) = self.key()? {
            let value = self.value()?;
            entries.push((key, value));
        }
        Ok(entries)
    }

    /// A mapping's next key, or `None` at its end.
    fn key(&mut self) -> Result<Option<Text>, Fault> {
        match self.next() {
            (Event::Scalar(text, ..), span) => Ok(Some(Text {
                text: text.into_owned(),
                span,
            })),
            (Event::MappingEnd, _) => Ok(None),
            (_, span) => Err((span, "a key is expected here".to_owned())),
        }
    }

    fn value(&mut self) -> Result<Value, Fault> {
        match self.next() {
            (Event::Scalar(text, ..), span) => Ok(Value::Text(Text {
                text: text.into_owned(),
                span,
            })),
            (Event::SequenceStart(..), _) => self.list(),
            (Event::MappingStart(..), _) => {
                self.skip();
                Ok(Value::Other)
            }
            (_, span) => Err((span, "a value is expected here".to_owned())),
        }
    }

    fn list(&mut self) -> Result<Value, Fault> {
        let mut items = Vec::new();
        loop {
            match self.next() {
                (Event::Scalar(text, ..), span) => items.push(Text {
                    text: text.into_owned(),
                    span,
                }),
                (Event::SequenceEnd, _) => return Ok(Value::List(items)),
                (Event::StreamEnd, _) => return Ok(Value::Other),
                (_, span) => {
                    return Err((span, "the list holds something else than texts".to_owned()));
                }
            }
        }
    }

    /// Passes over the rest of the mapping that has begun.
    fn skip(&mut self) {
        let mut depth = 1;
        while depth > 0 {
            match self.next().0 {
                Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
                Event::MappingEnd | Event::SequenceEnd => depth -= 1,
                Event::StreamEnd => return,
                _ => {}
            }
        }
    }
}
