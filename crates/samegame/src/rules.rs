//! What may be removed, where columns go, and what it is worth.

/// To which side columns close up when one has become empty (S1).
///
/// Filled columns always end up side by side in their old order, so which
/// groups exist, and their numbers, never depend on it: only the place of the
/// board on the screen does. [`crate::plan`] builds on this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Columns move left; the right side becomes free.
    #[default]
    Left,
    /// Columns move right; the left side becomes free.
    Right,
    /// Both halves move towards the middle line.
    Mixed,
}

/// The rules of one SameGame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    min_group: u8,
    /// Where columns go.
    pub orientation: Orientation,
}

/// A minimum group below 2 would make every cell removable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("minimum group {given}; it must be 2 to 255")]
pub struct MinGroupError {
    /// What was asked for.
    pub given: usize,
}

impl Rules {
    /// Rules with this minimum group, columns closing to the left.
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

    /// The smallest group that can be removed.
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
