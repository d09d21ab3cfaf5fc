//! Games for people, in a page or a terminal: rules and solvers behind one function of text to text.
//!
//! [`Desk::answer`] takes a request as JSON and answers as JSON. The crate is made for WebAssembly too: what a module
//! exports is in [`exports`]; servers, terminals and tests call the same code natively, so that there is one
//! implementation of every rule.
//!
//! ```
//! use browser::Desk;
//!
//! let answer = Desk::default().answer(r#"{"ask": "analyse", "position": "6146"}"#);
//! assert!(answer.contains(r#""score":18"#), "{answer}");
//! ```

pub mod connect_four;
mod desk;
pub mod exports;
pub mod samegame;
pub mod tetris;

pub use desk::{Desk, Request};
