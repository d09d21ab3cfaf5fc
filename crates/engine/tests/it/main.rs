//! The whole loop, proved on Catch: faults, recording, replay, cancellation.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod catch_run;
mod faults;
mod hands;
mod recording;
mod reel;
mod replaying;
mod seams;
