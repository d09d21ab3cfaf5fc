//! The hub plays alone: our stand-alone program is uploaded and only listened to.

use std::time::Duration;

use devices::hub::message::Flow;
use devices::hub::{Discs, HubError, HubEvent, Link, StandAlone, Transport};
use engine::{Cancel, Clock, RealClock, SimulatedClock};
use players::connect_four::{GameEnd, LegoGame, LegoTurn};
use simulators::hub::{Table, TableSettings};

use super::arm_settings;
use super::line::HubLine;
use super::settings::{BeginnerWord, DiscWord, LegoSettings, SimulatedLegoSettings};
use super::simulated::{Witness, hub, table_settings};
use crate::error::RunError;
use crate::pair::Setup;

/// How often is asked whether to go on.
const LOOK_IN: Duration = Duration::from_millis(500);
/// How long after a lost hub it is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(3);
/// How long after the last game the simulated hub may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// What the stand-alone program printed, read as games.
#[derive(Debug, Default)]
pub struct AloneGames {
    moves: String,
    robot_began: bool,
    turns: Vec<LegoTurn>,
    troubles: Vec<String>,
    ended: Vec<LegoGame>,
    last_line: String,
}

impl AloneGames {
    /// Takes in one line.
    fn hear(&mut self, line: &str) {
        line.clone_into(&mut self.last_line);
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            [who @ ("me:" | "other:"), column, ..] if matches!(column.as_bytes(), [b'1'..=b'7']) => {
                if self.moves.is_empty() {
                    self.robot_began = *who == "me:";
                }
                self.moves.push_str(column);
            }
            ["turn", milliseconds, "ms", looks, "looks"] => {
                if let (Ok(milliseconds), Ok(looks)) = (milliseconds.parse(), looks.parse()) {
                    let discs = (self.moves.len() as u32).saturating_sub(1);
                    self.turns.push(LegoTurn { discs, milliseconds, looks });
                }
            }
            ["HELP:", ..] => self.troubles.push(line.trim_start_matches("HELP: ").to_owned()),
            ["I", "won"] => self.end(GameEnd::Win),
            ["I", "lost"] => self.end(GameEnd::Loss),
            ["draw"] => self.end(GameEnd::Draw),
            _ => {}
        }
    }

    fn end(&mut self, end: GameEnd) {
        let Self { moves, robot_began, turns, troubles, ended, last_line } = std::mem::take(self);
        (self.ended, self.last_line) = (ended, last_line);
        self.ended.push(LegoGame { moves, first: robot_began, end, turns, troubles });
    }

    /// The games that have ended.
    pub fn ended(&self) -> &[LegoGame] {
        &self.ended
    }
}

/// Uploads the stand-alone program to the hub and passes on what it prints until this many games have ended. The hub plays
/// on afterwards.
pub fn watch_alone(
    setup: &Setup<'_>,
    games: u32,
    cancel: &Cancel,
    line: impl FnMut(&str),
) -> Result<AloneGames, RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let clock = RealClock::start(cancel.clone());
    let mut watch = Watch { link: Link::new(HubLine::open(&settings, &clock)?, clock.clone()), clock, line };
    let mut heard = AloneGames::default();
    let is_over = |heard: &AloneGames| cancel.is_cancelled() || heard.ended.len() >= games as usize;
    let (slot, program) = (settings.slot as u8, program(&settings)?);
    let mut listening = watch.start(slot, &program).and_then(|()| watch.listen(&mut heard, is_over));
    // The program outlives the line: a hub that is back is only listened to.
    while let Err(problem) = listening {
        if is_over(&heard) {
            break;
        }
        tracing::warn!("{problem}; the hub plays on, and starts again if it has been switched off");
        watch.clock.sleep(TRY_AGAIN);
        listening = watch.connect().and_then(|()| watch.listen(&mut heard, is_over));
    }
    Ok(heard)
}

/// The same on a simulated table; returns table and hub as well.
pub fn simulate_alone(
    setup: &Setup<'_>,
    games: u32,
    cancel: &Cancel,
    line: impl FnMut(&str),
) -> Result<(AloneGames, Witness), RunError> {
    let settings = LegoSettings::from_values(setup.values);
    let simulated = SimulatedLegoSettings::from_values(setup.values);
    let clock = SimulatedClock::new();
    let table = Table::new(&TableSettings { games, ..table_settings(setup) });
    let (hub, plug) = hub(&table, 0, &simulated, &clock)?;
    let mut watch = Watch { link: Link::new(plug, clock.clone()), clock, line };
    let mut heard = AloneGames::default();
    let broken = |problem: HubError| RunError::Broken(problem.to_string());
    let is_over = |_: &AloneGames| cancel.is_cancelled() || table.is_over();
    watch
        .start(settings.slot as u8, &program(&settings)?)
        .and_then(|()| watch.listen(&mut heard, is_over))
        .map_err(broken)?;
    let clock = watch.clock.clone();
    let latest = clock.now() + LAST_WORDS;
    let is_told = |heard: &AloneGames| heard.ended.len() >= games as usize || clock.now() >= latest;
    watch.listen(&mut heard, |heard| cancel.is_cancelled() || is_told(heard)).map_err(broken)?;
    if !is_over(&heard) {
        return Err(RunError::Broken(format!("the program on the hub ended: {}", heard.last_line)));
    }
    Ok((heard, Witness { table, hub }))
}

fn program(settings: &LegoSettings) -> Result<String, RunError> {
    let program = StandAlone {
        geometry: arm_settings(settings)?.geometry,
        discs: match settings.color {
            DiscWord::Red => Discs::Red,
            DiscWord::Yellow => Discs::Yellow,
        },
        robot_begins: match settings.beginner {
            BeginnerWord::Look => None,
            BeginnerWord::Robot => Some(true),
            BeginnerWord::Other => Some(false),
        },
    };
    Ok(program.text())
}

/// A line to a hub that plays alone.
struct Watch<T, C, F> {
    link: Link<T, C>,
    clock: C,
    line: F,
}

impl<T: Transport, C: Clock, F: FnMut(&str)> Watch<T, C, F> {
    fn connect(&mut self) -> Result<(), HubError> {
        self.link.connect(Duration::ZERO).map(drop)
    }

    /// Uploads and starts the program.
    fn start(&mut self, slot: u8, program: &str) -> Result<(), HubError> {
        self.connect()?;
        match self.link.stop(slot) {
            Ok(()) | Err(HubError::Refused { .. }) => {}
            Err(error) => return Err(error),
        }
        self.link.upload(slot, program.as_bytes())?;
        self.link.start(slot)
    }

    /// Listens until enough was heard, or until somebody stops the program.
    fn listen(
        &mut self,
        heard: &mut AloneGames,
        is_over: impl Fn(&AloneGames) -> bool,
    ) -> Result<(), HubError> {
        while !is_over(heard) {
            match self.link.next_event(self.clock.now() + LOOK_IN)? {
                Some(HubEvent::Console(text)) => text.lines().for_each(|line| {
                    heard.hear(line);
                    (self.line)(line);
                }),
                Some(HubEvent::Program(Flow::Stop)) => return Ok(()),
                Some(HubEvent::Program(Flow::Start) | HubEvent::Tunnel(_) | HubEvent::Report(_)) | None => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_hub_prints_is_read_as_games() {
        let mut heard = AloneGames::default();
        let printed = "colour R begins ?\nother: 4\nme: 4 depth 7 nodes 17519 ms 9020\nturn 21300 ms 9 looks\n\
                       HELP: no new disc found\nother: 9\nother: 3\nI lost\nme: 1 depth 1 nodes 1 ms 3\ndraw";
        printed.lines().for_each(|line| heard.hear(line));
        let [lost, drawn] = heard.ended() else { panic!("{heard:?}") };
        assert_eq!((lost.moves.as_str(), lost.first, lost.end), ("443", false, GameEnd::Loss));
        assert_eq!(lost.turns, [LegoTurn { discs: 1, milliseconds: 21_300, looks: 9 }]);
        assert_eq!(lost.troubles, ["no new disc found"]);
        assert_eq!((drawn.moves.as_str(), drawn.first, drawn.end), ("1", true, GameEnd::Draw));
    }
}
