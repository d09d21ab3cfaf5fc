//! Every (game, body) pair, by name.

use std::fs::File;
use std::io::BufReader;

use engine::notes::NoReader;
use engine::replay::{Outcome, Tape};
use engine::{Counts, RunEnding, Time};

use crate::assemble::{self, Request};
use crate::catch;
use crate::connect_four;
use crate::error::RunError;
use crate::gameboy;
use crate::pair::Pair;
use crate::samegame;
use crate::tetris;

/// All pairs of this version.
pub const ENTRIES: &[Entry] = &[
    Entry::of::<catch::Direct>(),
    Entry::of::<catch::Camera>(),
    Entry::of::<catch::Scanned>(),
    Entry::of::<catch::Motor>(),
    Entry::of::<tetris::OnEmulator>(),
    Entry::of::<connect_four::Lego>(),
    Entry::of::<connect_four::SimulatedLego>(),
    Entry::of::<tetris::OnSolenoids>(),
    Entry::of::<tetris::OnSimulatedRobot>(),
    Entry::of::<tetris::OnRobot>(),
    Entry::of::<gameboy::OnEmulator>(),
    Entry::of::<samegame::InSimulatedWindow>(),
    Entry::of::<samegame::OnDesktop>(),
];

/// One pair, without its types.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The game's name on the command line.
    pub game: &'static str,
    /// The body's name on the command line.
    pub body: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    play: fn(Request) -> Result<Finished, RunError>,
    replay: fn(Tape<BufReader<File>>) -> Result<Outcome, RunError>,
}

/// The outcome of a run of any pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Why it ended.
    pub ending: RunEnding,
    /// How often things happened.
    pub counts: Counts,
    /// Time on the run's clock.
    pub time: Time,
    /// The game's own figures.
    pub report: serde_json::Value,
}

impl Entry {
    const fn of<P: Pair>() -> Entry {
        Entry {
            game: P::GAME,
            body: P::BODY,
            about: P::ABOUT,
            play: play_any::<P>,
            replay: assemble::replay::<P>,
        }
    }

    /// Builds a run and carries it out.
    pub fn play(&self, request: Request) -> Result<Finished, RunError> {
        (self.play)(request)
    }

    /// Runs the player again on a recording and compares.
    pub fn replay(&self, tape: Tape<BufReader<File>>) -> Result<Outcome, RunError> {
        (self.replay)(tape)
    }
}

fn play_any<P: Pair>(request: Request) -> Result<Finished, RunError> {
    let played = assemble::play::<P, _>(request, NoReader, |_, _| ())?;
    let report = P::report(&played.player, &played.witness);
    Ok(Finished { ending: played.ending, counts: played.counts, time: played.time, report })
}

/// The pair of these names.
pub fn find(game: &str, body: &str) -> Result<&'static Entry, RunError> {
    ENTRIES.iter().find(|entry| entry.game == game && entry.body == body).ok_or_else(|| {
        let known: Vec<_> = ENTRIES.iter().map(|entry| format!("{} on {}", entry.game, entry.body)).collect();
        RunError::Unknown { game: game.to_owned(), body: body.to_owned(), known: known.join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_pairs_have_the_same_names() {
        let mut names: Vec<_> = ENTRIES.iter().map(|entry| (entry.game, entry.body)).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ENTRIES.len());
    }

    #[test]
    fn an_unknown_pair_is_answered_with_the_known_ones() {
        let error = find("catch", "camera").unwrap_err().to_string();
        assert!(
            error.contains("catch on simulated-camera") && error.contains("tetris on emulator"),
            "{error}"
        );
    }
}
