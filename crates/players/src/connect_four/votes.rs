//! Several looks at one cell: a colour counts once enough of them agree.

use serde::Serialize;

use super::scan::Sight;

/// What the looks at a cell said so far. Between two looks the sensor goes elsewhere: bad light at one spot would
/// otherwise be believed as often as it is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Votes {
    empty: u8,
    red: u8,
    yellow: u8,
    strange: u8,
}

impl Votes {
    /// One look.
    pub(super) fn of(sight: Sight) -> Self {
        let mut votes = Self::default();
        votes.add(sight);
        votes
    }

    pub(super) fn add(&mut self, sight: Sight) {
        let count = match sight {
            Sight::Empty => &mut self.empty,
            Sight::Red => &mut self.red,
            Sight::Yellow => &mut self.yellow,
            Sight::Strange => &mut self.strange,
        };
        *count = count.saturating_add(1);
    }

    pub(super) fn count(self, sight: Sight) -> u8 {
        match sight {
            Sight::Empty => self.empty,
            Sight::Red => self.red,
            Sight::Yellow => self.yellow,
            Sight::Strange => self.strange,
        }
    }

    pub(super) fn is_none(self) -> bool {
        self == Self::default()
    }
}
