//! What the table wants done: the only way in which it touches the world.

use connect_four::{Cell, Column, Level};

use crate::cabinets::connect_four::event::{Answer, Event};
use crate::cabinets::connect_four::records::Record;
use crate::cabinets::connect_four::{Colour, GameNumber};
use crate::visitor::{Name, Token};

/// What must be done because of what happened, in this order.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Tell everyone.
    Broadcast(Event),
    /// Tell one visitor.
    Tell(Token, Answer),
    /// Let the machine think.
    Think(ThinkTask),
    /// Let the robot do something; `Table::robot_done` answers.
    Robot(RobotTask),
    /// Keep it; all records of one list of effects belong together.
    Store(Record),
}

/// A position that the machine is to think about.
#[derive(Clone, Debug, PartialEq)]
pub struct ThinkTask {
    /// In which game.
    pub game: GameNumber,
    /// Before which ply, counted from 1.
    pub ply: u32,
    /// How strong.
    pub level: Level,
    /// What for.
    pub purpose: Purpose,
    /// What was played.
    pub moves: Vec<Column>,
    /// Against whom, if against a person.
    pub visitor: Option<Name>,
}

/// What the machine thinks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To play the turn.
    Play,
    /// To comment on a game between people (C9).
    Comment,
}

/// What the robot is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the robot's protocol")]
pub enum RobotTask {
    NewGame,
    Drop { disc: Colour, column: Column },
    ShowWin { disc: Colour, cells: Vec<Cell> },
    ShowDraw,
}
