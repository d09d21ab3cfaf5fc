//! Plug-ins that behave, and those that do not (G22).

mod programs;
mod wasm;
