//! A set of node indexes that have been met on a walk.

/// Most walks take two or three nodes, so the first few are kept in place and compared one by one.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    few: [u16; Self::FEW],
    count: usize,
    bits: Vec<u64>,
}

impl Seen {
    const FEW: usize = 8;

    /// Whether the index is met for the first time.
    pub(super) fn insert(&mut self, index: u16) -> bool {
        if self.bits.is_empty() {
            if self.few.iter().take(self.count).any(|&seen| seen == index) {
                return false;
            }
            if let Some(place) = self.few.get_mut(self.count) {
                *place = index;
                self.count += 1;
                return true;
            }
            self.spread();
        }
        self.mark(index)
    }

    fn spread(&mut self) {
        for index in self.few {
            self.mark(index);
        }
    }

    fn mark(&mut self, index: u16) -> bool {
        let (word, bit) = (usize::from(index / 64), 1_u64 << (index % 64));
        if word >= self.bits.len() {
            self.bits.resize(word + 1, 0);
        }
        let new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        new
    }
}
