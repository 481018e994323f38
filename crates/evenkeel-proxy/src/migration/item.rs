//! A value and what must survive its move.

use std::sync::Arc;
use std::time::Duration;

/// Longest time to live that the protocol takes as one; what is longer must be written as a date.
const LONGEST_RELATIVE: Duration = Duration::from_secs(60 * 60 * 24 * 30);

/// What is copied: value, client flags and the time that is left.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Item {
    /// The data, shared because a fill goes on behind the client's answer.
    pub value: Arc<[u8]>,
    /// The client's flags.
    pub client_flags: u32,
    /// What was left to live when it was fetched; `None` is for ever. Never 0: a fill with 0 would be for ever.
    pub left: Option<Duration>,
    /// What else the node told of it, for a client that asks; not copied.
    pub told: Remarks,
}

/// What a node tells of an item beside what is copied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Remarks {
    /// It had been read before.
    pub hit: bool,
    /// Since when it had not been read.
    pub idle: Duration,
    /// `W`: whoever looked is to refill it.
    pub won: bool,
    /// `Z`: somebody else is.
    pub held: bool,
    /// `X`: it was declared stale.
    pub stale: bool,
}

impl Item {
    /// The expiry to fill with, `now` being the time since 1970. Rounded down to seconds, as it was told.
    pub fn exptime(&self, now: Duration) -> Option<i64> {
        let left = self.left?;
        let exptime = if left > LONGEST_RELATIVE {
            now + left
        } else {
            left
        };
        Some(i64::try_from(exptime.as_secs()).unwrap_or(i64::MAX).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_thirty_days_are_written_as_a_date() {
        let item = |left| Item {
            value: Arc::default(),
            client_flags: 0,
            left,
            told: Remarks::default(),
        };
        let now = Duration::from_secs(1_700_000_000);
        let days = |days: u64| Some(Duration::from_secs(days * 86_400));
        assert_eq!(item(None).exptime(now), None);
        assert_eq!(item(days(30)).exptime(now), Some(2_592_000));
        assert_eq!(
            item(days(31)).exptime(now),
            Some(1_700_000_000 + 31 * 86_400)
        );
    }
}
