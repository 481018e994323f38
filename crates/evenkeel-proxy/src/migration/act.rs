//! The node commands of a client's write: conditional on exactly what was seen, and never quiet.

use super::item::Item;
use super::request::Request;
use evenkeel_core::migration::operation::Seen;
use evenkeel_wire::memcached::{Expect, Kind as Word};

impl Request {
    /// Writes the client's own overwrite, for `Command::Overwrite`.
    pub fn overwrite(&self, out: &mut Vec<u8>) -> Expect {
        let command = self.command();
        if command.kind == Word::MetaSet {
            self.meta_store(out, self.value(), b"bcFIkMOTPL");
            return Expect::MetaSet;
        }
        out.extend_from_slice(b"set ");
        out.extend_from_slice(self.key_text());
        for part in [command.client_flags, command.exptime] {
            out.push(b' ');
            out.extend_from_slice(self.part(part));
        }
        out.push(b' ');
        push_data(out, self.value(), |_| {});
        Expect::Stored
    }

    /// Writes the client's update on what was seen, for `Command::Act`.
    pub fn act(&self, out: &mut Vec<u8>, seen: &Seen<Item>) -> Expect {
        if let Some(item) = self.touches(seen) {
            self.store(out, &item.value, seen, |out| {
                push_flag(out, b'F', item.client_flags.to_string().as_bytes())
            });
            return Expect::MetaSet;
        }
        match self.command().kind {
            Word::Incr | Word::Decr | Word::MetaArithmetic => self.count(out, seen),
            Word::MetaDelete => self.delete(out, seen),
            _ => self.store(out, self.value(), seen, |out| self.push_own_flags(out)),
        }
    }

    /// `ms` with the condition that what was seen is still there.
    fn store(
        &self,
        out: &mut Vec<u8>,
        value: &[u8],
        seen: &Seen<Item>,
        flags: impl FnOnce(&mut Vec<u8>),
    ) -> Expect {
        out.extend_from_slice(b"ms ");
        out.extend_from_slice(self.key_text());
        out.push(b' ');
        push_data(out, value, |out| {
            self.push_base64(out);
            flags(out);
            self.push_exptime(out);
            self.push_told(out, b"Ok");
            out.extend_from_slice(b" c");
            push_condition(out, seen);
        });
        Expect::MetaSet
    }

    /// What a storage command says of the item itself, and how it joins it.
    fn push_own_flags(&self, out: &mut Vec<u8>) {
        let client_flags = self.part(self.command().client_flags);
        if !client_flags.is_empty() {
            push_flag(out, b'F', client_flags);
        }
        let joins: Option<&[u8]> = match (self.command().kind, self.mode()) {
            (Word::Append, _) | (Word::MetaSet, Some(b'A')) => Some(b"A"),
            (Word::Prepend, _) | (Word::MetaSet, Some(b'P')) => Some(b"P"),
            _ => None,
        };
        if let Some(mode) = joins {
            push_flag(out, b'M', mode);
        }
    }

    /// `ma`, or the initial value where there is none to count on.
    fn count(&self, out: &mut Vec<u8>, seen: &Seen<Item>) -> Expect {
        if !matches!(seen, Seen::Value(..)) {
            let initial = self.initial().to_string();
            return self.store(out, initial.as_bytes(), seen, |_| {});
        }
        out.extend_from_slice(b"ma ");
        out.extend_from_slice(self.key_text());
        match self.command().kind {
            Word::MetaArithmetic => self.push_told(out, b"bDMTOkct"),
            word => {
                push_flag(out, b'D', self.part(self.command().delta));
                push_flag(out, b'M', if word == Word::Incr { b"I" } else { b"D" });
            }
        }
        // The value is always asked for: a text client wants it, and it does no harm to the other.
        out.extend_from_slice(b" v");
        push_condition(out, seen);
        out.extend_from_slice(b"\r\n");
        Expect::MetaArithmetic
    }

    /// `md`, conditional or marking as stale.
    fn delete(&self, out: &mut Vec<u8>, seen: &Seen<Item>) -> Expect {
        out.extend_from_slice(b"md ");
        out.extend_from_slice(self.key_text());
        self.push_told(out, b"bIkOT");
        push_condition(out, seen);
        out.extend_from_slice(b"\r\n");
        Expect::MetaDelete
    }

    /// The client's own `ms`, without what would keep it quiet.
    fn meta_store(&self, out: &mut Vec<u8>, value: &[u8], letters: &[u8]) {
        out.extend_from_slice(b"ms ");
        out.extend_from_slice(self.key_text());
        out.push(b' ');
        push_data(out, value, |out| self.push_told(out, letters));
    }

    /// Those of the client's flags that have one of these letters, as they are written.
    fn push_told(&self, out: &mut Vec<u8>, letters: &[u8]) {
        for flag in self.flags().filter(|flag| letters.contains(&flag.letter)) {
            push_flag(out, flag.letter, flag.token);
        }
    }

    fn push_base64(&self, out: &mut Vec<u8>) {
        if self.command().base64_key {
            out.extend_from_slice(b" b");
        }
    }

    /// The expiry, as the client wrote it: of `T`, of a storage command, or what a created number shall live.
    fn push_exptime(&self, out: &mut Vec<u8>) {
        let exptime = match self.command().kind {
            Word::MetaArithmetic => self.flag(b'N').unwrap_or_default(),
            _ => self.part(self.command().exptime),
        };
        if !exptime.is_empty() {
            push_flag(out, b'T', exptime);
        }
    }
}

/// `C<token>` of what was seen, or `ME` where nothing was.
fn push_condition(out: &mut Vec<u8>, seen: &Seen<Item>) {
    match seen {
        Seen::Value(_, lease) | Seen::Placeholder(lease) => {
            push_flag(out, b'C', lease.token.to_string().as_bytes())
        }
        Seen::Nothing => push_flag(out, b'M', b"E"),
    }
}

/// Length, flags, line end, data, line end.
fn push_data(out: &mut Vec<u8>, value: &[u8], flags: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(itoa::Buffer::new().format(value.len()).as_bytes());
    flags(out);
    out.extend_from_slice(b"\r\n");
    out.extend_from_slice(value);
    out.extend_from_slice(b"\r\n");
}

fn push_flag(out: &mut Vec<u8>, letter: u8, token: &[u8]) {
    out.extend_from_slice(&[b' ', letter]);
    out.extend_from_slice(token);
}
