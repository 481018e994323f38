//! Single lines of replies.

use super::reply::{Expect, Reply, Status};
use super::tokens::Tokens;
use super::{MAX_VALUE_LEN, MetaFlags};
use crate::{Span, number};

/// The line that ends at `line_len`, if it belongs to the awaited reply. Nodes end lines with CR LF, but for the keys
/// of a listing, which end with LF alone.
pub(crate) fn parse(bytes: &[u8], line_len: usize, expect: Expect) -> Option<Reply> {
    let mut end = line_len.checked_sub(1)?;
    match end.checked_sub(1).and_then(|at| bytes.get(at)) {
        Some(b'\r') => end -= 1,
        _ if expect == Expect::Metadump => {}
        _ => return None,
    }
    let text = Span::new(0, end);
    let line = Line {
        bytes,
        text,
        len: line_len,
    };
    line.error().or_else(|| line.awaited(expect))
}

#[derive(Clone, Copy)]
struct Line<'a> {
    bytes: &'a [u8],
    text: Span,
    len: usize,
}

impl<'a> Line<'a> {
    fn str(&self) -> &'a [u8] {
        self.text.of(self.bytes)
    }

    fn tokens(&self) -> Tokens<'a> {
        Tokens::new(self.bytes, self.text)
    }

    /// A line that is the whole reply.
    fn whole(&self, status: Status) -> Reply {
        Reply {
            status,
            line_len: self.len,
            text: self.text,
            key: Span::default(),
            client_flags: Span::default(),
            cas: Span::default(),
            meta: Span::default(),
            number: 0,
            body_len: None,
            last: true,
        }
    }

    /// Any request may be answered with an error line, and that is then the whole reply.
    fn error(&self) -> Option<Reply> {
        let text = self.str();
        let status = match text.first()? {
            b'E' if text == b"ERROR"
                || text.starts_with(b"ERROR ")
                || text.starts_with(b"ERROR:") =>
            {
                Status::Error
            }
            b'C' if text.starts_with(b"CLIENT_ERROR ") => Status::ClientError,
            b'S' if text.starts_with(b"SERVER_ERROR ") => Status::ServerError,
            _ => return None,
        };
        Some(self.whole(status))
    }

    fn awaited(&self, expect: Expect) -> Option<Reply> {
        match expect {
            Expect::Values { cas } => self.value_or_end(cas),
            Expect::Stored | Expect::Touched | Expect::Deleted | Expect::Ok => self.word(expect),
            Expect::Number => self.number().or_else(|| self.word(expect)),
            Expect::MetaGet
            | Expect::MetaSet
            | Expect::MetaDelete
            | Expect::MetaArithmetic
            | Expect::MetaNoop => self.meta(expect),
            Expect::MetaDebug => self.meta_debug(),
            Expect::Version => self
                .str()
                .starts_with(b"VERSION ")
                .then(|| self.whole(Status::Version)),
            Expect::Stats => self.stat(),
            Expect::Metadump => self.listed(),
        }
    }

    fn word(&self, expect: Expect) -> Option<Reply> {
        let status = match (expect, self.str()) {
            (Expect::Stored, b"STORED") => Status::Stored,
            (Expect::Stored, b"NOT_STORED") => Status::NotStored,
            (Expect::Stored, b"EXISTS") => Status::Exists,
            (Expect::Stored | Expect::Touched | Expect::Deleted | Expect::Number, b"NOT_FOUND") => {
                Status::NotFound
            }
            (Expect::Touched, b"TOUCHED") => Status::Touched,
            (Expect::Deleted, b"DELETED") => Status::Deleted,
            (Expect::Ok, b"OK") | (Expect::Stats, b"OK" | b"RESET") => Status::Ok,
            (Expect::Values { .. } | Expect::Stats | Expect::Metadump, b"END") => Status::End,
            _ => return None,
        };
        Some(self.whole(status))
    }

    /// `VALUE <key> <flags> <length> [<cas>]`
    fn value_or_end(&self, cas_wanted: bool) -> Option<Reply> {
        let mut tokens = self.tokens();
        if tokens.next()?.of(self.bytes) != b"VALUE" {
            return self.word(Expect::Values { cas: cas_wanted });
        }
        let (key, client_flags, length) = (tokens.next()?, tokens.next()?, tokens.next()?);
        let cas = if cas_wanted {
            tokens.next()?
        } else {
            Span::default()
        };
        let sound = tokens.next().is_none()
            && number::plain(client_flags.of(self.bytes)).is_some()
            && (!cas_wanted || number::plain(cas.of(self.bytes)).is_some());
        let body_len = Some(self.length(length)?);
        sound.then(|| Reply {
            key,
            client_flags,
            cas,
            body_len,
            last: false,
            ..self.whole(Status::Value)
        })
    }

    fn number(&self) -> Option<Reply> {
        let number = number::plain(self.str())?;
        Some(Reply {
            number,
            ..self.whole(Status::Number)
        })
    }

    /// `<code> [<length>] <flags>*`
    fn meta(&self, expect: Expect) -> Option<Reply> {
        let mut tokens = self.tokens();
        let code = tokens.next()?.of(self.bytes);
        let status = match (expect, code) {
            (Expect::MetaGet | Expect::MetaArithmetic, b"VA") => Status::MetaValue,
            (Expect::MetaNoop, b"MN") => Status::MetaNoop,
            (Expect::MetaNoop, _) => return None,
            (_, b"HD") => Status::MetaHeader,
            (Expect::MetaGet, b"EN") => Status::MetaMiss,
            (Expect::MetaGet, _) => return None,
            (Expect::MetaSet | Expect::MetaArithmetic, b"NS") => Status::NotStored,
            (_, b"EX") => Status::Exists,
            (_, b"NF") => Status::NotFound,
            _ => return None,
        };
        let body_len = if status == Status::MetaValue {
            Some(self.length(tokens.next()?)?)
        } else {
            None
        };
        let meta = tokens.rest();
        let cas = MetaFlags::new(self.bytes, meta)
            .find(b'c')
            .map(|flag| flag.span)
            .unwrap_or_default();
        Some(Reply {
            body_len,
            meta,
            cas,
            ..self.whole(status)
        })
    }

    /// `ME <key> <name>=<value>*`, or `EN`
    fn meta_debug(&self) -> Option<Reply> {
        if self.str() == b"EN" {
            return Some(self.whole(Status::MetaMiss));
        }
        let mut tokens = self.tokens();
        if tokens.next()?.of(self.bytes) != b"ME" {
            return None;
        }
        let key = tokens.next()?;
        Some(Reply {
            key,
            meta: tokens.rest(),
            ..self.whole(Status::MetaDebug)
        })
    }

    fn stat(&self) -> Option<Reply> {
        if self.str().starts_with(b"STAT ") {
            return Some(Reply {
                last: false,
                ..self.whole(Status::Stat)
            });
        }
        self.word(Expect::Stats)
    }

    fn listed(&self) -> Option<Reply> {
        let text = self.str();
        if text.starts_with(b"key=") {
            return Some(Reply {
                last: false,
                ..self.whole(Status::Listed)
            });
        }
        let refusals: [&[u8]; 3] = [b"BUSY ", b"BADCLASS ", b"NOTSTARTED "];
        if refusals.iter().any(|refusal| text.starts_with(refusal)) {
            return Some(self.whole(Status::NoListing));
        }
        self.word(Expect::Metadump)
    }

    fn length(&self, token: Span) -> Option<u32> {
        let len = number::plain(token.of(self.bytes)).filter(|len| *len <= MAX_VALUE_LEN)?;
        u32::try_from(len).ok()
    }
}
