//! The flags of a meta request, read once before anything is done.

use super::clock::{Moment, Seconds};
use evenkeel_wire::memcached::{MetaFlag, MetaFlags};
use evenkeel_wire::number;

/// Longest opaque in bytes, without its letter.
const MAX_OPAQUE: usize = 31;

/// The answer to a longer one.
pub(super) const OPAQUE_TOO_LONG: &str = "CLIENT_ERROR opaque token too long";

const DUPLICATE: &str = "CLIENT_ERROR duplicate flag";
const UNKNOWN: &str = "CLIENT_ERROR invalid flag";
const BAD_TOKEN: &str = "CLIENT_ERROR bad token in command line format";
const BAD_FORMAT: &str = "CLIENT_ERROR bad command line format";

/// What the flags ask for.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// `N`: create a missing item that lives so long.
    pub(super) vivify: Option<Seconds>,
    /// `T`.
    pub(super) expires: Option<Seconds>,
    /// `R`: an item that expires before this moment is to be recached.
    pub(super) recache_before: Seconds,
    /// `v`.
    pub(super) value: bool,
    /// `q`.
    pub(super) quiet: bool,
    /// `u`: leave no trace.
    pub(super) unseen: bool,
    /// `I`.
    pub(super) invalidate: bool,
    /// `C`.
    pub(super) token: Option<u64>,
    /// `F`.
    pub(super) client_flags: u32,
    /// `M`.
    pub(super) mode: Option<u8>,
    /// `D`.
    pub(super) delta: u64,
    /// `J`.
    pub(super) initial: u64,
    /// `b`.
    pub(super) base64_key: bool,
    /// An opaque is too long. The server finds that out when it comes to write it: `ms` and `md` have then done
    /// nothing yet, `mg` and `ma` have.
    pub(super) long_opaque: bool,
}

impl Options {
    /// Reads the flags; the error is the server's own line. Of several faults the last is told, but an unknown flag
    /// or one given twice ends the reading.
    pub(super) fn read(flags: MetaFlags<'_>, moment: Moment) -> Result<Self, &'static str> {
        let mut options = Self::none();
        let mut seen = [false; 127];
        let mut fault = None;
        for flag in flags.clone() {
            match seen.get_mut(usize::from(flag.letter)) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(DUPLICATE),
            }
            match options.read_one(flag, moment) {
                Err(UNKNOWN) => return Err(UNKNOWN),
                // A bad `F` has no line of its own: it lets the one before it stand.
                Err(BAD_FORMAT) => fault = fault.or(Some(BAD_FORMAT)),
                Err(line) => fault = Some(line),
                Ok(()) => {}
            }
        }
        fault.map_or(Ok(options), Err)
    }

    fn none() -> Self {
        Self {
            vivify: None,
            expires: None,
            recache_before: 0,
            value: false,
            quiet: false,
            unseen: false,
            invalidate: false,
            token: None,
            client_flags: 0,
            mode: None,
            delta: 1,
            initial: 0,
            base64_key: false,
            long_opaque: false,
        }
    }

    fn read_one(&mut self, flag: MetaFlag<'_>, moment: Moment) -> Result<(), &'static str> {
        let expiry = || {
            number::signed(flag.token)
                .map(|exptime| moment.expiry(exptime))
                .ok_or(BAD_TOKEN)
        };
        let unsigned = |line| number::unsigned(flag.token).ok_or(line);
        match flag.letter {
            b'N' => self.vivify = Some(expiry()?),
            b'T' => self.expires = Some(expiry()?),
            b'R' => self.recache_before = expiry()?,
            b'v' => self.value = true,
            b'q' => self.quiet = true,
            b'u' => self.unseen = true,
            b'I' => self.invalidate = true,
            b'b' => self.base64_key = true,
            b'C' => self.token = Some(unsigned(BAD_TOKEN)?),
            b'F' => self.client_flags = unsigned(BAD_FORMAT)? as u32,
            b'D' => self.delta = unsigned("CLIENT_ERROR invalid numeric delta value")?,
            b'J' => self.initial = unsigned("CLIENT_ERROR invalid numeric initial value")?,
            b'M' => match flag.token {
                [mode] => self.mode = Some(*mode),
                _ => return Err("CLIENT_ERROR incorrect length for M token"),
            },
            b'O' => self.long_opaque = flag.token.len() > MAX_OPAQUE,
            b'P' | b'L' | b'k' | b's' | b't' | b'c' | b'f' | b'l' | b'h' => {}
            _ => return Err(UNKNOWN),
        }
        Ok(())
    }
}
