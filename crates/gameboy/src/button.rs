//! The console's eight buttons.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tetris::gameboy::Buttons;

/// A button, by the name it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each is named after its label")]
pub enum Button {
    Right,
    Left,
    Up,
    Down,
    A,
    B,
    Select,
    Start,
}

impl Button {
    /// All of them in the console's bit order.
    pub const ALL: [Button; 8] = [
        Button::Right,
        Button::Left,
        Button::Up,
        Button::Down,
        Button::A,
        Button::B,
        Button::Select,
        Button::Start,
    ];

    /// The set with this button alone.
    pub fn alone(self) -> Buttons {
        Buttons(1 << self as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buttons_are_in_the_consoles_order() {
        assert_eq!(Button::Right.alone(), Buttons::RIGHT);
        assert_eq!(Button::Down.alone(), Buttons::DOWN);
        assert_eq!(Button::A.alone(), Buttons::A);
        assert_eq!(Button::Start.alone(), Buttons::START);
        assert_eq!(Button::ALL.map(|button| button as u8), [0, 1, 2, 3, 4, 5, 6, 7]);
    }
}
