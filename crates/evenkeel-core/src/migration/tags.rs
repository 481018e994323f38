//! The tag in the upper 16 bits of every CAS token that a client sees.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A number that stands for one life of one server.
pub type Tag = u16;

/// Which tag each server has now, and which numbers are free.
///
/// CAS tokens are counters of one server's life, so a token from the source could by accident equal one at the target.
/// A tagged token is compared with the tag first; a token with another tag answers `EXISTS`. A number is not used again
/// while others last.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tags {
    next: Tag,
    of: BTreeMap<String, Tag>,
}

impl Default for Tags {
    fn default() -> Self {
        Tags {
            next: 1,
            of: BTreeMap::new(),
        }
    }
}

impl Tags {
    /// The tag of a server, by address; `None` if it was never entered.
    pub fn of(&self, server: &str) -> Option<Tag> {
        self.of.get(server).copied()
    }

    /// Gives a server its tag when it enters the pool. It keeps the one it has.
    pub fn enter(&mut self, server: &str) -> Option<Tag> {
        match self.of(server) {
            Some(tag) => Some(tag),
            None => self.renew(server),
        }
    }

    /// Gives a server a new tag, because it restarted and counts from 1 again.
    ///
    /// `None` if all 65,535 numbers are in use.
    pub fn renew(&mut self, server: &str) -> Option<Tag> {
        let tag = self.free()?;
        self.of.insert(server.to_owned(), tag);
        self.next = tag.checked_add(1).unwrap_or(1);
        Some(tag)
    }

    /// Forgets a server that left the pool.
    pub fn leave(&mut self, server: &str) {
        self.of.remove(server);
    }

    /// The next number, from where the last one was taken, that no server has. Zero is never given out.
    fn free(&self) -> Option<Tag> {
        let taken: std::collections::BTreeSet<Tag> = self.of.values().copied().collect();
        (self.next..=Tag::MAX)
            .chain(1..self.next)
            .find(|tag| *tag != 0 && !taken.contains(tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_not_used_again_while_others_last() {
        let mut tags = Tags::default();
        assert_eq!(tags.enter("a:1"), Some(1));
        assert_eq!(tags.enter("a:1"), Some(1));
        tags.leave("a:1");
        assert_eq!(tags.enter("b:1"), Some(2));
        for expected in 3..=Tag::MAX {
            assert_eq!(tags.renew("a:1"), Some(expected));
        }
        assert_eq!(tags.renew("a:1"), Some(1));
        assert_eq!(tags.renew("a:1"), Some(3), "2 is still in use by b:1");
    }
}
