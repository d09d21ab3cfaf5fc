//! Tetris for people (P1–P5): a game frame by frame on Game Boy or classic rules, and players that can take over at
//! any moment.

mod choices;
mod compare;
mod dealer;
mod evaluate;
mod field;
mod keys;
mod paths;
mod pilot;
mod session;
mod think;
mod view;

pub use choices::{Choices, ChoicesError, RulesName};
pub use compare::{fly, machine_buttons};
pub(crate) use dealer::read_pieces;
pub use evaluate::{Feature, PlayerName, UnknownPlayer};
pub use keys::{KeyLog, KeyLogError};
pub use pilot::{Pilot, Steer};
pub use session::{Falling, Happening, Session};
pub use think::{Candidate, Place, Scene, Thought, places, think};
pub use view::View;
