//! What a person tells a run under way (G17).
//!
//! Orders are queued until the run is between two looks. Each is noted with what came of it, so that viewers see
//! it and a replay hears it again at the same place.

use std::sync::mpsc::{Receiver, Sender, channel};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Corners of a screen in a frame, in pixels: top left, top right, bottom right, bottom left.
pub type Corners = [(f64, f64); 4];

/// Something a run is told.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Where the screen is in the frame.
    SetCorners(Corners),
    /// That the screen must be searched for.
    ForgetCorners,
    /// Something in the player's own words. They are JSON, because runs of all games are started through one
    /// register that knows no types.
    Player(serde_json::Value),
}

/// The end at which a person gives orders; any number of people may share a run.
#[derive(Clone, Debug)]
pub struct Operator(Sender<Order>);

/// The run's end of it.
#[derive(Debug)]
pub struct OrderLine(Receiver<Order>);

/// The run has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the run has ended")]
pub struct RunEnded;

/// A channel from a person to a run.
pub fn operator() -> (Operator, OrderLine) {
    let (sender, receiver) = channel();
    (Operator(sender), OrderLine(receiver))
}

impl Operator {
    /// Gives an order; it is carried out before the next look.
    pub fn tell(&self, order: Order) -> Result<(), RunEnded> {
        self.0.send(order).map_err(|_| RunEnded)
    }
}

impl OrderLine {
    /// The order that has waited longest.
    pub(crate) fn next(&self) -> Option<Order> {
        self.0.try_recv().ok()
    }
}

/// An order and what came of it.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct OrderNote {
    /// What was asked for.
    pub order: Order,
    /// Why nothing was done, if nothing was.
    pub refused: Option<String>,
}
