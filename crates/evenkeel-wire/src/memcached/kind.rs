//! The commands of the protocol.

use super::Expect;

/// Which command a request is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `get` (and its ancient twin `bget`).
    Get,
    /// `gets`: get with CAS tokens.
    Gets,
    /// `gat`: get and touch.
    Gat,
    /// `gats`: get and touch, with CAS tokens.
    Gats,
    /// `set`.
    Set,
    /// `add`.
    Add,
    /// `replace`.
    Replace,
    /// `append`.
    Append,
    /// `prepend`.
    Prepend,
    /// `cas`.
    Cas,
    /// `incr`.
    Incr,
    /// `decr`.
    Decr,
    /// `touch`.
    Touch,
    /// `delete`.
    Delete,
    /// `mg`, meta get.
    MetaGet,
    /// `ms`, meta set.
    MetaSet,
    /// `md`, meta delete.
    MetaDelete,
    /// `ma`, meta arithmetic.
    MetaArithmetic,
    /// `mn`, the meta no-op that ends a quiet pipeline.
    MetaNoop,
    /// `me`, meta debug.
    MetaDebug,
    /// `version`.
    Version,
    /// `quit`.
    Quit,
    /// `verbosity`.
    Verbosity,
    /// `stats`.
    Stats,
    /// `flush_all`.
    FlushAll,
    /// A command for the administrator of one server (`shutdown`, `slabs`, `lru_crawler`, ...), which has no meaning
    /// for a cluster.
    Admin,
}

impl Kind {
    /// Every kind, for tables and tests.
    pub const ALL: [Kind; 26] = [
        Kind::Get,
        Kind::Gets,
        Kind::Gat,
        Kind::Gats,
        Kind::Set,
        Kind::Add,
        Kind::Replace,
        Kind::Append,
        Kind::Prepend,
        Kind::Cas,
        Kind::Incr,
        Kind::Decr,
        Kind::Touch,
        Kind::Delete,
        Kind::MetaGet,
        Kind::MetaSet,
        Kind::MetaDelete,
        Kind::MetaArithmetic,
        Kind::MetaNoop,
        Kind::MetaDebug,
        Kind::Version,
        Kind::Quit,
        Kind::Verbosity,
        Kind::Stats,
        Kind::FlushAll,
        Kind::Admin,
    ];

    /// The kind of a command word, which is case-sensitive; `None` for a word that memcached 1.6.18 does not know.
    pub fn from_word(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"get" | b"bget" => Self::Get,
            b"gets" => Self::Gets,
            b"gat" => Self::Gat,
            b"gats" => Self::Gats,
            b"set" => Self::Set,
            b"add" => Self::Add,
            b"replace" => Self::Replace,
            b"append" => Self::Append,
            b"prepend" => Self::Prepend,
            b"cas" => Self::Cas,
            b"incr" => Self::Incr,
            b"decr" => Self::Decr,
            b"touch" => Self::Touch,
            b"delete" => Self::Delete,
            b"mg" => Self::MetaGet,
            b"ms" => Self::MetaSet,
            b"md" => Self::MetaDelete,
            b"ma" => Self::MetaArithmetic,
            b"mn" => Self::MetaNoop,
            b"me" => Self::MetaDebug,
            b"version" => Self::Version,
            b"quit" => Self::Quit,
            b"verbosity" => Self::Verbosity,
            b"stats" => Self::Stats,
            b"flush_all" => Self::FlushAll,
            b"shutdown" | b"slabs" | b"lru" | b"lru_crawler" | b"watch" | b"cache_memlimit"
            | b"extstore" | b"refresh_certs" => Self::Admin,
            _ => return None,
        })
    }

    /// What a node's answer to this command looks like; `None` for those that are never sent to a node.
    pub fn expect(self) -> Option<Expect> {
        Some(match self {
            Self::Get | Self::Gat => Expect::Values { cas: false },
            Self::Gets | Self::Gats => Expect::Values { cas: true },
            Self::Set | Self::Add | Self::Replace | Self::Append | Self::Prepend | Self::Cas => {
                Expect::Stored
            }
            Self::Incr | Self::Decr => Expect::Number,
            Self::Touch => Expect::Touched,
            Self::Delete => Expect::Deleted,
            Self::MetaGet => Expect::MetaGet,
            Self::MetaSet => Expect::MetaSet,
            Self::MetaDelete => Expect::MetaDelete,
            Self::MetaArithmetic => Expect::MetaArithmetic,
            Self::MetaNoop => Expect::MetaNoop,
            Self::MetaDebug => Expect::MetaDebug,
            Self::Version => Expect::Version,
            Self::Verbosity | Self::FlushAll => Expect::Ok,
            Self::Stats => Expect::Stats,
            Self::Quit | Self::Admin => return None,
        })
    }

    /// True for the commands that carry a data block.
    pub fn has_body(self) -> bool {
        matches!(
            self,
            Self::Set
                | Self::Add
                | Self::Replace
                | Self::Append
                | Self::Prepend
                | Self::Cas
                | Self::MetaSet
        )
    }

    /// True for `mg`, `ms`, `md`, `ma`, `mn` and `me`.
    pub fn is_meta(self) -> bool {
        matches!(
            self,
            Self::MetaGet
                | Self::MetaSet
                | Self::MetaDelete
                | Self::MetaArithmetic
                | Self::MetaNoop
                | Self::MetaDebug
        )
    }
}
