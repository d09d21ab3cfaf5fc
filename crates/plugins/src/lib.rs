//! Tetris players and evaluators from outside (G22, P3).
//!
//! Three kinds of files in the plug-in folder are loaded at start:
//!
//! - `NAME.wasm` or `NAME.wat`: a WebAssembly module with one evaluation
//!   function, run in a sandbox with limited fuel, see [`wasm`];
//! - `NAME.values`: tables learned by `gamebot tune tetris --objective score`;
//! - `NAME.tbp`: a text file whose first line is a command; the program it
//!   starts speaks the Tetris Bot Protocol on its standard streams, see [`tbp`].
//!
//! A broken file is reported and skipped; the others still load. In the other
//! direction, [`bot`] serves our player to front ends that speak the protocol.

pub mod bot;
pub mod contestant;
pub mod folder;
pub mod process;
pub mod tbp;
pub mod wasm;
mod words;
