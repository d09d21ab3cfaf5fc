//! The variants of the rules: smallest group, and the side to which columns close.

/// The side to which columns close when one becomes empty (S1).
///
/// Filled columns always end up side by side in their old order, so which
/// groups exist, and their numbers, never depend on it; only the position of the
/// board on the screen does. [`crate::plan`] relies on this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Columns move left; empty columns gather on the right.
    #[default]
    Left,
    /// Columns move right; empty columns gather on the left.
    Right,
    /// Both halves move towards the middle line.
    Mixed,
}

/// The rules of one SameGame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    min_group: u8,
    /// The side to which columns close.
    pub orientation: Orientation,
}

/// A minimum group below 2 would make every cell removable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("minimum group size is {given}; it must be 2 to 255")]
pub struct MinGroupError {
    /// The size asked for.
    pub given: usize,
}

impl Rules {
    /// Rules with this minimum group size, columns closing to the left.
    pub fn with_min_group(min_group: usize) -> Result<Self, MinGroupError> {
        match u8::try_from(min_group) {
            Ok(min_group) if min_group >= 2 => Ok(Self { min_group, orientation: Orientation::Left }),
            _ => Err(MinGroupError { given: min_group }),
        }
    }

    /// The same rules with columns closing this way.
    #[must_use]
    pub fn closing(self, orientation: Orientation) -> Self {
        Self { orientation, ..self }
    }

    /// Size of the smallest removable group.
    pub fn min_group(&self) -> usize {
        self.min_group.into()
    }
}

impl Default for Rules {
    /// Groups of two, columns closing to the left.
    fn default() -> Self {
        Self { min_group: 2, orientation: Orientation::Left }
    }
}
