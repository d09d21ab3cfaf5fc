//! Our programs for the hub, each in one piece: the robot's movements, then what to do with them.

use super::order::{Geometry, Order};

/// The movements.
const ARM: &str = include_str!("../../../../hub/arm.py");

/// Obeys a computer.
pub const REMOTE_BODY: &str =
    concat!(include_str!("../../../../hub/arm.py"), include_str!("../../../../hub/remote_body.py"));

/// Plays alone, without a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandAlone {
    /// Where things are plugged in and how far they turn.
    pub geometry: Geometry,
    /// The discs in its magazine, until the hub's left button changes them.
    pub discs: Discs,
    /// Whether the robot plays the first disc, until the hub's right button changes it; the board tells if nothing is
    /// said.
    pub robot_begins: Option<bool>,
}

/// A colour of discs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "colours speak for themselves")]
pub enum Discs {
    Red,
    Yellow,
}

impl StandAlone {
    /// The program's text.
    pub fn text(&self) -> String {
        let set = |order| match order {
            Order::Set { key, value } => format!("numbers[{key}] = {value}\n"),
            _ => String::new(),
        };
        let numbers: String = self.geometry.orders().map(set).collect();
        let color = match self.discs {
            Discs::Red => "R",
            Discs::Yellow => "Y",
        };
        let begins = match self.robot_begins {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        let play = include_str!("../../../../hub/stand_alone.py");
        format!("{ARM}{numbers}MY_COLOR = \"{color}\"\nI_BEGIN = {begins}\n{play}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stand_alone_program_knows_its_robot() {
        let geometry = Geometry { column_degrees: 80, ..Geometry::default() };
        let text = StandAlone { geometry, discs: Discs::Yellow, robot_begins: Some(false) }.text();
        assert!(text.contains("\nnumbers[6] = 80\n"), "{text}");
        assert!(text.contains("\nMY_COLOR = \"Y\"\nI_BEGIN = False\n"), "{text}");
    }
}
