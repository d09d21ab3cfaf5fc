//! What the hands of Catch can do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::Button;

/// One thing a hand does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A motor carries the paddle to this column; it takes as long as it takes.
    DriveTo {
        /// Where to.
        column: u8,
    },
    /// A button is held.
    #[serde(untagged)]
    Press(Button),
}
