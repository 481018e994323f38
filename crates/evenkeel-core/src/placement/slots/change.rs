//! A table made from another one.

use super::Slots;
use crate::Node;

impl Slots {
    /// The table for other nodes.
    pub(in crate::placement) fn over(&self, _old: &[Node], new: &[Node]) -> Self {
        Self::build(self.count(), new)
    }
}
