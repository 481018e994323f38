//! What a command means to a key that is being moved.

use super::{Kind, MetaFlags};

/// The migration's view of a command. Each command has exactly one class; the match below has no wildcard over
/// [`Kind`], so a new command does not compile before it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Gives the value and changes nothing.
    Read,
    /// Sets or removes the value whatever it was.
    Overwrite,
    /// Depends on the old value, on its absence, or on its token.
    Update,
    /// Empties nodes.
    Flush,
    /// Answered by the proxy, no key involved.
    Local,
    /// Not served.
    Refused,
}

impl Class {
    /// The class of a command with these flags (only meta commands have any). O(number of flags).
    pub fn of(kind: Kind, flags: MetaFlags<'_>) -> Self {
        match kind {
            Kind::Get | Kind::Gets => Self::Read,
            Kind::Set | Kind::Delete => Self::Overwrite,
            Kind::Gat
            | Kind::Gats
            | Kind::Add
            | Kind::Replace
            | Kind::Append
            | Kind::Prepend
            | Kind::Cas
            | Kind::Incr
            | Kind::Decr
            | Kind::Touch
            | Kind::MetaArithmetic => Self::Update,
            Kind::MetaGet => Self::of_meta_get(flags),
            Kind::MetaSet => Self::of_meta_set(flags),
            Kind::MetaDelete => Self::of_meta_delete(flags),
            Kind::MetaDebug => Self::Read,
            Kind::FlushAll => Self::Flush,
            Kind::MetaNoop | Kind::Version | Kind::Quit | Kind::Verbosity | Kind::Stats => {
                Self::Local
            }
            Kind::Admin => Self::Refused,
        }
    }

    /// `N` creates, `T` touches, `R` hands out the right to recache; a flag that we do not know may do anything.
    fn of_meta_get(flags: MetaFlags<'_>) -> Self {
        let reads = |letter| {
            matches!(
                letter,
                b'b' | b'c'
                    | b'f'
                    | b'h'
                    | b'k'
                    | b'l'
                    | b'O'
                    | b'q'
                    | b's'
                    | b't'
                    | b'u'
                    | b'v'
                    | b'P'
                    | b'L'
            )
        };
        only_if(flags.clone().all(|flag| reads(flag.letter)), Self::Read)
    }

    /// A plain set is one that neither compares a token nor looks for the old value.
    fn of_meta_set(flags: MetaFlags<'_>) -> Self {
        let plain = |flag: super::MetaFlag<'_>| match flag.letter {
            b'b' | b'c' | b'F' | b'I' | b'k' | b'O' | b'q' | b'T' | b'P' | b'L' => true,
            b'M' => flag.token == b"S",
            _ => false,
        };
        only_if(flags.clone().all(plain), Self::Overwrite)
    }

    /// `C` compares, and `I` marks the old value as stale and keeps it.
    fn of_meta_delete(flags: MetaFlags<'_>) -> Self {
        let plain = |letter| matches!(letter, b'b' | b'k' | b'O' | b'q' | b'T' | b'P' | b'L');
        only_if(
            flags.clone().all(|flag| plain(flag.letter)),
            Self::Overwrite,
        )
    }
}

fn only_if(plain: bool, class: Class) -> Class {
    if plain { class } else { Class::Update }
}
