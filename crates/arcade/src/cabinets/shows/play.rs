//! Playing a show: game after game, until nobody watches any more.

use std::time::Duration;

use engine::{Cancel, Clock, Limits, RealClock, broadcast};
use rand::RngExt;
use runs::settings::TetrisSettings;
use runs::{Request, Speed, register};

use super::{Now, Show};

/// How long the result of a game stands before the next one begins.
const BETWEEN_GAMES: Duration = Duration::from_secs(3);
/// How long after a run that failed another one is tried.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// The longest wait on the title screen, in frames of the console: people do not wait for a machine that idles.
const LONGEST_IDLE: u32 = 180;

/// Plays until it is cancelled.
pub(super) fn game_after_game(show: &Show, cancel: &Cancel) {
    // Wakes up when it is cancelled.
    let clock = RealClock::start(cancel.clone());
    for run in 1.. {
        let pause = match one_game(show, run, cancel) {
            Ok(()) => BETWEEN_GAMES,
            Err(why) => {
                tracing::warn!(show = show.name, %why, "a show cannot go on");
                show.now.send_replace(Now::Failed { why: why.into() });
                AFTER_FAILURE
            }
        };
        clock.sleep(pause);
        if cancel.is_cancelled() {
            break;
        }
    }
    // Somebody may have come again meanwhile; then another thread plays.
    let audience = show.audience();
    if audience.playing.is_none() {
        show.now.send_replace(Now::Resting);
    }
}

fn one_game(show: &Show, run: u64, cancel: &Cancel) -> Result<(), String> {
    let entry = register::find(show.game, show.body).map_err(|error| error.to_string())?;
    let mut random = rand::rng();
    // Small enough for a page's numbers.
    let seed = random.random_range(1..1_000_000);
    let mut values = show.values.clone();
    let idle_periods = random.random_range(30..LONGEST_IDLE);
    values.fill_in(&TetrisSettings { idle_periods, ..TetrisSettings::default() }, "a show");
    let (broadcast, live) = broadcast::open();
    show.now.send_replace(Now::Playing { run, seed, live });
    let request = Request {
        values,
        seed,
        speed: Speed::Real,
        limits: Limits { games: Some(1), time: None },
        record: None,
        live: Some(broadcast),
        cancel: cancel.clone(),
    };
    entry.play(request).map(|_| ()).map_err(|error| {
        // The whole story: the cause is what an operator can mend.
        let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
        causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
    })
}
