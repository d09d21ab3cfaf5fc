//! Connect Four: rules, perfect solver, opening book, levels and explained
//! moves. No input or output, no clock.
//!
//! ```
//! use budget::Budget;
//! use connect_four::{Position, Solver};
//!
//! // The player to move wins with their 18th last disc.
//! let position: Position = "6146".parse()?;
//! let mut solver = Solver::new(1 << 24);
//! assert_eq!(solver.score(&position, &Budget::unlimited())?, 18);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod analyst;
pub mod arena;
pub mod book;
mod column;
mod error;
pub mod exhibition;
pub mod grid;
mod machine;
mod outlook;
mod position;
mod solver;
pub mod text;

pub use analyst::{Analysis, Analyst};
pub use column::Column;
pub use error::RuleError;
pub use machine::{
    Aim, ChooseError, Decision, Intent, Level, Machine, MachineSettings, Reason, SearchLevel, UnknownLevel,
    Values, Visitor, VisitorResult, remark,
};
pub use outlook::Outlook;
pub use position::{Cell, Outcome, Player, Position};
pub use solver::{Exhausted, SharedSolver, Solver};

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Cells of the board.
pub const CELLS: u32 = (COLUMNS * ROWS) as u32;

/// The geometry of the real board.
pub(crate) type Grid7x6 = grid::Grid<COLUMNS, ROWS>;

/// The examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
