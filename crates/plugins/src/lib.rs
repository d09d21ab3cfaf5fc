//! Tetris players and evaluators from outside (G22, P3).
//!
//! Two kinds of file in a folder are found at start:
//!
//! - `NAME.wasm` or `NAME.wat`: a WebAssembly module with one evaluation
//!   function, run in a sandbox with limited fuel, see [`wasm`];
//! - `NAME.tbp`: a text file whose first line is a command; the program it
//!   starts speaks the Tetris Bot Protocol on its standard streams, see [`tbp`].
//!
//! A broken file is named and skipped, it never stops the others. The other way
//! round, [`bot`] lets our player serve front ends that speak the protocol.

pub mod bot;
pub mod folder;
pub mod tbp;
pub mod wasm;
