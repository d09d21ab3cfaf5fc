//! SameGame: rules, and solvers that clear boards or collect points.
//!
//! ```
//! use budget::Budget;
//! use samegame::{board::Board, clear::exhaustive, rules::Rules};
//!
//! let board: Board = "[[1,3,2,2],[3,1,1,2],[1,3,2,3],[1,2,3,2],[1,2,3,2]]".parse()?;
//! let answer = exhaustive::solve(&board, &Rules::default(), exhaustive::Pruning::Failed, &Budget::unlimited());
//! assert_eq!(answer.moves, [6, 5, 4, 3, 2, 1, 2, 2, 1]);
//! # Ok::<(), samegame::notation::NotationError>(())
//! ```
//!
//! [`board`] is the plain board with the rules, and [`replay`] is the independent
//! checker. [`field`] is the same board as bits, on which the solvers ([`clear`],
//! [`points`]) run. No I/O and no clock: a [`budget::Budget`] limits the search.

#![allow(
    clippy::inline_always,
    reason = "hot code is compiled twice, see `processor`: only inlined code profits"
)]

pub mod anneal;
pub mod answer;
pub mod beam;
pub mod board;
pub mod cells;
pub mod clear;
pub mod field;
pub mod notation;
pub mod nrpa;
pub mod plan;
pub mod points;
pub mod random;
pub mod records;
pub mod replay;
pub mod rules;
pub mod scoring;
pub mod tracked;

/// The examples of the README, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
