//! Playing a show: game after game, until nobody watches any more.

use std::sync::atomic::Ordering;
use std::time::Duration;

use engine::{Cancel, Clock, RealClock, broadcast};
use rand::RngExt;
use runs::settings::{RecordingSettings, TetrisSettings};
use runs::{Request, Speed, register};

use super::{Now, Show};
use crate::recordings::{RecordingsSettings, Shelf};

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
    loop {
        let run = 1 + show.runs.fetch_add(1, Ordering::Relaxed);
        let pause = match one_game(show, run, cancel) {
            Ok(()) if show.speed == Speed::Max => Duration::ZERO,
            Ok(()) => BETWEEN_GAMES,
            // Another thread may play already, and the news is its own.
            Err(_) if cancel.is_cancelled() => break,
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
        show.guests.clear();
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
    let most_mb = RecordingsSettings::from_values(&values).game_mb;
    values.fill_in(&RecordingSettings { at_most_mb: most_mb, ..RecordingSettings::default() }, "a show");
    let place = match &show.shelf {
        Some(shelf) => shelf.place(show.name).map(Some).map_err(|error| error.to_string())?,
        None => None,
    };
    let (controls, line) = runs::operator::controls();
    let line = line.with_seat_for_guests(show.guests.clone());
    let deal = controls.deal().clone();
    show.deals.begin(run, deal.clone());
    if let Some(before) = show.controls().replace(controls) {
        // Who shook the camera in the last game shakes it in this one.
        line.switches().set(before.faults());
    }
    let (broadcast, live) = broadcast::open();
    show.now.send_replace(Now::Playing { run, seed, live });
    let request = Request {
        speed: show.speed,
        record: place.as_ref().map(|(_, path)| path.clone()),
        live: Some(broadcast),
        controls: Some(line),
        cancel: cancel.clone(),
        ..Request::games(values, seed, 1)
    };
    let played = entry.play(request);
    deal.end();
    if let (Some(shelf), Some((id, _))) = (&show.shelf, place) {
        keep(shelf, &id, played.is_ok());
    }
    played.map(|_| ()).map_err(|error| {
        // The whole story: the cause is what an operator can mend.
        let causes = std::iter::successors(std::error::Error::source(&error), |cause| cause.source());
        causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
    })
}

/// Lists a recording of a game that was played; one that is too short to be looked at does not stay.
fn keep(shelf: &Shelf, id: &str, was_played: bool) {
    if !was_played {
        return shelf.forget(id);
    }
    match shelf.add(id, false) {
        // Somebody looked in and went on: nothing was decided, so there is nothing to look at.
        Ok(entry) if entry.result["tally"]["decisions"] == 0 => {
            if let Err(error) = shelf.delete(id) {
                tracing::warn!(recording = id, %error, "cannot be deleted");
            }
        }
        Ok(_) => {}
        Err(error) => tracing::warn!(recording = id, %error, "is not kept"),
    }
}
