//! The program as a user runs it: a real process with its streams, files and signals.

mod command_line;
mod configuration;
mod gamebot;
mod golden;
mod recording;
