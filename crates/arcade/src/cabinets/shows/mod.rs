//! Shows: games that Gamebot plays by itself through the engine, for whoever watches (X1, X3).
//!
//! A show plays game after game in real time while at least one page watches, and rests otherwise: an empty hall costs
//! nothing. Its pages get the run's own notes and frames ([`engine::broadcast`]); a slow page misses some and slows
//! nobody.

mod commands;
mod play;
mod race;
mod seat;
mod socket;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::extract::{Path, Query, State, WebSocketUpgrade};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use configuration::Values;
use engine::Cancel;
use engine::broadcast::Live;
use runs::Speed;
use runs::operator::{Controls, GuestSeat};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::recordings::{RecordShows, RecordingsSettings, Shelf};
use crate::settings::ArcadeSettings;
use crate::web::{AppState, Peer, not_found, page};

/// What is on, by the name in its address, with the game and the body that the register of runs knows.
fn programme(settings: &ArcadeSettings) -> [(&'static str, &'static str, &'static str); 3] {
    [
        ("tetris", "tetris", settings.tetris_body.word()),
        ("samegame", "samegame", "simulated-window"),
        ("lego", "connect-four", "simulated-lego"),
    ]
}

/// All shows; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shows(Arc<[Show]>);

/// One show.
#[derive(Debug)]
struct Show {
    name: &'static str,
    game: &'static str,
    body: &'static str,
    values: Values,
    speed: Speed,
    /// Where its games are recorded, if they are.
    shelf: Option<Shelf>,
    audience: Mutex<Audience>,
    now: watch::Sender<Now>,
    /// What a person may do to the run that is on.
    controls: Mutex<Option<Controls>>,
    /// Runs so far.
    runs: AtomicU64,
    /// The pieces of the last runs of Tetris.
    deals: race::Deals,
    /// The person's seat at the LEGO robot's table, for visitors.
    guests: GuestSeat,
}

/// How long a show goes on after its last page has gone: one that is loaded again, or left for the race against the
/// robot, finds the same game.
const LINGER: Duration = Duration::from_secs(5);

/// Who watches, and what ends the playing when nobody does.
#[derive(Debug, Default)]
struct Audience {
    /// Pages that watch.
    pages: usize,
    /// Tickets that are held: by pages that watch, and by those that went a moment ago.
    tickets: usize,
    playing: Option<Cancel>,
}

/// What a show does at the moment.
#[derive(Clone, Debug)]
enum Now {
    /// Nobody watches.
    Resting,
    /// A run is on.
    Playing { run: u64, seed: u64, live: Live },
    /// The last run could not go on.
    Failed { why: Arc<str> },
}

/// A show in the list of all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Listed {
    name: &'static str,
    game: &'static str,
    body: &'static str,
    watching: usize,
}

impl Shows {
    /// The programme, with these settings; what is recorded goes onto the shelf.
    pub fn new(values: &Values, shelf: &Shelf) -> Self {
        let recordings = RecordingsSettings::from_values(values);
        let settings = ArcadeSettings::from_values(values);
        let speed = if settings.hurry { Speed::Max } else { Speed::Real };
        let is_recorded = |body| match recordings.shows {
            RecordShows::None => false,
            RecordShows::Small => matches!(body, "emulator" | "simulated-lego"),
            RecordShows::All => true,
        };
        let show = |(name, game, body)| Show {
            name,
            game,
            body,
            values: values.clone(),
            speed,
            shelf: is_recorded(body).then(|| shelf.clone()),
            audience: Mutex::default(),
            now: watch::Sender::new(Now::Resting),
            controls: Mutex::default(),
            runs: AtomicU64::new(0),
            deals: race::Deals::default(),
            guests: GuestSeat::default(),
        };
        Self(programme(&settings).into_iter().map(show).collect())
    }

    /// No shows: the exhibition's table is alone in the hall.
    pub fn none() -> Self {
        Self(Arc::default())
    }

    /// Whether there are any.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Lets a page in: the show begins with the first and ends with the last.
    fn join(&self, name: &str) -> Option<Ticket> {
        let place = self.0.iter().position(|show| show.name == name)?;
        let ticket = Ticket { shows: self.clone(), place };
        let mut audience = ticket.show().audience();
        audience.pages += 1;
        audience.tickets += 1;
        if audience.playing.is_none() {
            let cancel = Cancel::new();
            audience.playing = Some(cancel.clone());
            let shows = self.clone();
            // A thread of its own: runs block, and some of them hold things that stay on their thread.
            std::thread::spawn(move || play::game_after_game(&shows.0[place], &cancel));
        }
        drop(audience);
        Some(ticket)
    }

    /// The shows with their bodies.
    pub fn bodies(&self) -> Vec<(&'static str, &'static str)> {
        self.0.iter().map(|show| (show.name, show.body)).collect()
    }

    fn find(&self, name: &str) -> Option<&Show> {
        self.0.iter().find(|show| show.name == name)
    }

    fn list(&self) -> Vec<Listed> {
        let listed = |show: &Show| Listed {
            name: show.name,
            game: show.game,
            body: show.body,
            watching: show.audience().pages,
        };
        self.0.iter().map(listed).collect()
    }
}

impl Show {
    fn controls(&self) -> MutexGuard<'_, Option<Controls>> {
        self.controls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn audience(&self) -> MutexGuard<'_, Audience> {
        self.audience.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A page's place in the audience, given back a moment after it goes.
struct Ticket {
    shows: Shows,
    place: usize,
}

impl Ticket {
    fn show(&self) -> &Show {
        &self.shows.0[self.place]
    }

    /// The page is gone; the show goes on for a moment.
    async fn linger(self) {
        self.show().audience().pages -= 1;
        tokio::time::sleep(LINGER).await;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut audience = self.show().audience();
        audience.tickets -= 1;
        if audience.tickets == 0
            && let Some(playing) = audience.playing.take()
        {
            playing.cancel();
        }
    }
}

/// How a page wants to watch.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Wanted {
    /// Frames a second at most.
    #[serde(default = "most_frames")]
    fps: u32,
    /// Whether it wants notes as well.
    #[serde(default)]
    notes: bool,
}

const fn most_frames() -> u32 {
    30
}

pub(crate) use commands::command;

/// The routes of this module.
pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/hall", get(hall_page))
        .route("/screen", get(|State(state)| async move { show_page(&state, "screen.html") }))
        .route("/shows/{name}", get(|State(state)| async move { show_page(&state, "show.html") }))
        .route("/api/shows", get(list))
        .route("/api/shows/{name}", get(commands::describe))
        .route("/api/shows/{name}/faults", post(commands::disturb))
        .route("/api/shows/{name}/pieces", get(race::pieces))
        .route("/api/shows/{name}/seat", post(seat::take))
        .route("/api/shows/{name}/seat/drop", post(seat::drop_disc))
        .route("/api/shows/{name}/seat/leave", post(seat::leave))
        .route("/ws/shows/{name}", get(watch_show))
}

fn show_page(state: &AppState, file: &str) -> Response {
    if state.shows.is_empty() { not_found() } else { page(file) }
}

/// Its address before it became the first page; where the lobby is first, it is still its own.
async fn hall_page(State(state): State<AppState>) -> Response {
    if state.hall.settings().front_is_hall() && !state.shows.is_empty() {
        return Redirect::to("/").into_response();
    }
    show_page(&state, "hall.html")
}

async fn list(State(state): State<AppState>) -> Response {
    Json(serde_json::json!({ "shows": state.shows.list() })).into_response()
}

async fn watch_show(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
    peer: Option<Extension<Peer>>,
    socket: WebSocketUpgrade,
) -> Response {
    if !state.shows.0.iter().any(|show| show.name == name) {
        return not_found();
    }
    socket.max_message_size(1024).read_buffer_size(1024).write_buffer_size(0).on_upgrade(
        move |open| async move {
            if let Some(ticket) = state.shows.join(&name) {
                socket::serve(open, &ticket, wanted, &state.hall).await;
                // The connection's place is free when its socket is closed.
                drop(peer);
                ticket.linger().await;
            }
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X1: nothing runs while nobody watches, and one run is enough for all who do.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_show_begins_with_its_first_page_and_ends_with_its_last() {
        let shows = Shows::new(&Values::default(), &Shelf::open(None, 10));
        assert!(shows.join("no such show").is_none());
        let first = shows.join("tetris").unwrap();
        let mut now = first.show().now.subscribe();
        let second = shows.join("tetris").unwrap();
        assert_eq!(shows.list()[0].watching, 2);
        let playing = now.wait_for(|now| matches!(now, Now::Playing { .. })).await.unwrap().clone();
        let Now::Playing { live, .. } = playing else { unreachable!() };
        let mut viewer = live.watch().expect("a run is on");
        assert!(viewer.next().await.is_some(), "it plays");
        first.linger().await;
        assert_eq!(shows.list()[0].watching, 1);
        let Now::Playing { run, .. } = *second.show().now.borrow() else { panic!("it rests too soon") };
        // Loaded again: the page goes and comes back, and finds the same game.
        let gone = tokio::spawn(second.linger());
        tokio::task::yield_now().await;
        let again = shows.join("tetris").unwrap();
        gone.await.unwrap();
        assert!(matches!(*again.show().now.borrow(), Now::Playing { run: same, .. } if same == run));
        again.linger().await;
        now.wait_for(|now| matches!(now, Now::Resting)).await.unwrap();
        assert_eq!(shows.list()[0].watching, 0);
    }
}
