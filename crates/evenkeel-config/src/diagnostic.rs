//! What is wrong with a file: where, and what to write instead.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::Source;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file is used as it is, but probably not meant so. `--strict` makes it an error.
    Warning,
    /// The file is not used.
    Error,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// The bytes of the file that it is about.
    pub span: Range<usize>,
    /// Another place that matters, and what it is.
    pub other: Option<(Range<usize>, String)>,
    /// What to write instead.
    pub remedy: Option<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            message: message.into(),
            span,
            other: None,
            remedy: None,
        }
    }

    /// A warning at `span`.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(span, message)
        }
    }

    /// With what to write instead.
    #[must_use]
    pub fn remedy(self, text: impl Into<String>) -> Self {
        Self {
            remedy: Some(text.into()),
            ..self
        }
    }

    /// With another place that matters.
    #[must_use]
    pub fn other(self, span: Range<usize>, what: impl Into<String>) -> Self {
        Self {
            other: Some((span, what.into())),
            ..self
        }
    }
}

/// Everything that was found in one file. Its `Display` draws each with its line, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostics {
    /// The file.
    pub source: Arc<Source>,
    /// What was found, in the order of the file.
    pub list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Found nothing yet.
    pub(crate) fn new(source: Arc<Source>) -> Self {
        Self {
            source,
            list: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// True if the file cannot be used.
    pub fn has_errors(&self) -> bool {
        self.list
            .iter()
            .any(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// Every warning becomes an error.
    #[must_use]
    pub fn strict(mut self) -> Self {
        for diagnostic in &mut self.list {
            diagnostic.severity = Severity::Error;
        }
        self
    }

    fn draw(&self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let title = level.primary_title(diagnostic.message.as_str());
        let Some(text) = self.source.text() else {
            return format!("{}: {}", self.source.path(), diagnostic.message);
        };
        let span = clip(&diagnostic.span, text);
        let mut snippet = Snippet::source(text)
            .path(self.source.path())
            .annotation(AnnotationKind::Primary.span(span));
        if let Some((span, what)) = &diagnostic.other {
            let there = AnnotationKind::Context.span(clip(span, text));
            snippet = snippet.annotation(there.label(what.as_str()));
        }
        let mut group: Group<'_> = title.element(snippet);
        if let Some(remedy) = &diagnostic.remedy {
            group = group.element(Level::HELP.message(remedy.as_str()));
        }
        Renderer::plain().render(&[group])
    }
}

/// A span that lies in `text`, on character boundaries.
fn clip(span: &Range<usize>, text: &str) -> Range<usize> {
    let mut start = span.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = span.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, diagnostic) in self.list.iter().enumerate() {
            if index > 0 {
                writeln!(f, "\n")?;
            }
            write!(f, "{}", self.draw(diagnostic))?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
