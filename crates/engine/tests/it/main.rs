//! The whole loop, proved on Catch: faults, recording, replay, cancellation.

mod catch_run;
mod faults;
mod hands;
mod recording;
mod replaying;
