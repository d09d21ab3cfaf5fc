//! Rounds of SameGame in windows: see, solve and act for each (S7, S9).
//!
//! `cargo bench -p runs --bench screen -- --kind simulated|looks|sgt|page|window [--rounds N] [--minutes N] [--json]`
//!
//! - `simulated`: rounds on the fastest look, in simulated time
//! - `looks`: rounds in all looks on a real X server, with lost clicks and people in the way; `--looks a,b` for some of
//!   them, `--at-once N` for as many windows side by side, each on a screen of its own
//! - `sgt`: the program sgt-samegame, one round for each seed
//! - `page`: rounds of our SameGame page in Chromium, with animation, hover, points that pop up and a box at the end
//! - `window`: rounds in the window with `--title TEXT` on the display `--display :N`, with settings
//!   `--set "samegame.next_round=click:882,750 …"`

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    clippy::panic,
    reason = "a measurement"
)]

#[path = "../tests/it/desktop.rs"]
mod desktop;
#[path = "../tests/it/settings.rs"]
mod settings;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use desktop::{Desktop, page, play, program, wait_for};
use devices::desktop::Display;
use engine::notes::NoReader;
use engine::{Cancel, Clock, RealClock, RunEnding};
use players::samegame::SamegamePlayer;
use runs::samegame::{InSimulatedWindow, OnDesktop};
use runs::{Lap, Pair, Played, Request};
use serde_json::{Map, Value, json};
use settings::values;
use simulators::samegame::{Desk, Game, Habits, Hover, LookName, OpenWindow, Tally};

fn main() {
    let rounds = argument("--rounds").map_or(20, |text| text.parse().unwrap());
    let mut figures = Figures::default();
    match argument("--kind").as_deref() {
        Some("looks") => looks(rounds, &mut figures),
        Some("page") => in_browser(rounds, &mut figures),
        Some("sgt") => sgt(rounds, &mut figures),
        Some("window") => {
            let (title, display) = (argument("--title").unwrap(), argument("--display").unwrap());
            let settings = argument("--set").unwrap_or_default();
            let settings: Vec<&str> = settings.split_whitespace().collect();
            figures.add(&play(&display, &title, &settings, rounds, minutes(rounds)));
        }
        _ => simulated(rounds, &mut figures),
    }
    println!("{}", Value::Object(figures.report()));
}

/// What was counted.
#[derive(Default)]
struct Figures {
    rounds: u32,
    cleared: u32,
    unsolvable: u32,
    gave_up: Vec<String>,
    lost_clicks: u32,
    missed: u32,
    stray: u32,
    laps: Vec<Lap>,
    round_s: Vec<f64>,
}

impl Figures {
    fn add<P: Pair<Player = SamegamePlayer>>(&mut self, played: &Played<P>) {
        for round in played.player.rounds() {
            self.rounds += 1;
            self.cleared += u32::from(round.cleared);
            self.unsolvable += u32::from(round.ending == players::samegame::RoundEnd::Unsolvable);
            self.lost_clicks += round.lost_clicks;
            self.round_s.push(round.round_s);
        }
        self.laps.extend(&played.laps);
        if played.ending != RunEnding::GamesPlayed {
            self.gave_up.push(format!("{:?}", played.ending));
        }
    }

    fn report(&self) -> Map<String, Value> {
        let mut report = Map::new();
        let ms = |part: fn(&Lap) -> Duration| -> Vec<f64> {
            self.laps.iter().map(|lap| part(lap).as_secs_f64() * 1e3).collect()
        };
        let parts =
            [("see_ms", ms(|lap| lap.see)), ("solve_ms", ms(|lap| lap.solve)), ("act_ms", ms(|lap| lap.act))];
        for (name, values) in parts.into_iter().chain([("round_s", self.round_s.clone())]) {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            let (least, most) = values.iter().fold((f64::MAX, 0.0_f64), |(a, b), v| (a.min(*v), b.max(*v)));
            report.insert(name.to_owned(), json!({ "shortest": least, "mean": mean, "longest": most }));
        }
        let counts = [
            ("rounds", json!(self.rounds)),
            ("cleared", json!(self.cleared)),
            ("proved_unsolvable", json!(self.unsolvable)),
            ("lost_clicks", json!(self.lost_clicks)),
            ("clicks_beside_the_board", json!(self.missed)),
            ("clicks_beside_the_window", json!(self.stray)),
            ("gave_up", json!(self.gave_up)),
        ];
        report.extend(counts.map(|(name, value)| (name.to_owned(), value)));
        report
    }
}

fn simulated(rounds: u32, figures: &mut Figures) {
    let request = Request::games(values(&["samegame_window.animation_ms=0"]), 1, rounds);
    let played = runs::play::<InSimulatedWindow, _>(request, NoReader, |_, _| ()).unwrap();
    figures.missed = played.witness.lock().unwrap().tally().missed;
    figures.add(&played);
}

fn looks(rounds: u32, figures: &mut Figures) {
    let wanted = argument("--looks");
    let is_wanted = |look: &LookName| {
        wanted.as_ref().is_none_or(|names| names.split(',').any(|name| name == look.to_string()))
    };
    let chosen: Vec<(LookName, u64)> =
        LookName::ALL.into_iter().zip(1..).filter(|(look, _)| is_wanted(look)).collect();
    let each = rounds.div_ceil(chosen.len().max(1) as u32);
    let at_once = argument("--at-once").map_or(1, |text| text.parse().unwrap());
    let (next, all) = (AtomicUsize::new(0), Mutex::new(figures));
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(&(look, seed)) = chosen.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let (played, tally, stray) = in_look(look, seed, each);
                    eprintln!("{look}: {tally:?} {:?} {:?}", played.ending, played.player.rounds());
                    let mut figures = all.lock().unwrap();
                    figures.missed += tally.missed;
                    figures.stray += stray;
                    figures.add(&played);
                }
            });
        }
    });
}

/// Rounds in a window of one look on a screen of its own; returns the truth too, and clicks beside the window.
fn in_look(look: LookName, seed: u64, rounds: u32) -> (Played<OnDesktop>, Tally, u32) {
    let desktop = Desktop::start();
    let mut desk = Desk::sit_down(Some(&desktop.name)).unwrap();
    desk.spread_backdrop().unwrap();
    let habits = Habits {
        look,
        size: (10, 8),
        hover: if seed.is_multiple_of(2) { Hover::Brighten } else { Hover::Nothing },
        bounce: seed.is_multiple_of(3),
        clicks: if seed.is_multiple_of(4) { 2 } else { 1 },
        lost_clicks: 0.03,
        seed,
        ..Habits::default()
    };
    let game = Arc::new(Mutex::new(Game::new(habits).unwrap()));
    let title = format!("Simulated SameGame {look}");
    let window = OpenWindow::open(Some(&desktop.name), &title, &game).unwrap();
    wait_for(&title, &desktop.name);
    let played = std::thread::scope(|scope| {
        let ended = Cancel::new();
        let person = scope.spawn({
            let (ended, desk, window) = (ended.clone(), &desk, window.id());
            move || bother(desk, window, &ended)
        });
        let played = play(&desktop.name, &title, &[], rounds, minutes(rounds));
        ended.cancel();
        person.join().unwrap();
        played
    });
    let tally = game.lock().unwrap().tally().clone();
    (played, tally, desk.stray_clicks().unwrap())
}

fn in_browser(rounds: u32, figures: &mut Figures) {
    let desktop = Desktop::start();
    let _browser = page("seed=1", &desktop.name);
    wait_for("SameGame page:", &desktop.name);
    let played = play(&desktop.name, "SameGame page", &[], rounds, minutes(rounds));
    // The page's own account stands in its title.
    let server = Display::open(Some(&desktop.name)).unwrap();
    eprintln!("{:?}, {:?}", server.find_window("no such window").err(), played.player.rounds());
    figures.add(&played);
}

/// Every few seconds the window is moved, covered for two seconds, or the mouse taken.
fn bother(desk: &Desk, window: u32, ended: &Cancel) {
    let clock = RealClock::start(ended.clone());
    let wait = |ms: u64| clock.sleep(Duration::from_millis(ms));
    for turn in 0.. {
        wait(6_000);
        if ended.is_cancelled() {
            return;
        }
        let Ok((x, y, width, height)) = desk.place(window) else { return };
        match turn % 3 {
            0 => desk.move_window(window, 40 + turn * 37 % 300, 40 + turn * 53 % 200).unwrap(),
            1 => {
                let cover = desk.cover(x + 20, y + 30, width / 2, height / 2).unwrap();
                wait(2_000);
                desk.uncover(cover).unwrap();
            }
            _ => {
                for step in 0..12 {
                    desk.take_mouse(600 + step * 8, 500).unwrap();
                    wait(60);
                }
            }
        }
    }
}

fn sgt(rounds: u32, figures: &mut Figures) {
    let desktop = Desktop::start();
    let clock = RealClock::start(Cancel::new());
    for seed in 1..=rounds {
        if clock.now().elapsed() >= Duration::from_mins(minutes(rounds)) {
            eprintln!("no time for seed {seed} and those after it");
            break;
        }
        let game = format!("10x8c3s2#{seed}");
        let _program = program("/usr/games/sgt-samegame", &[&game], &desktop.name);
        wait_for("Same Game", &desktop.name);
        let played = play(&desktop.name, "Same Game", &[], 1, 4);
        eprintln!("seed {seed}: {:?} clicks {:?}", played.player.rounds(), played.player.clicks_learned());
        figures.add(&played);
    }
}

/// How long one run may take: `--minutes N`, or two minutes for each round.
fn minutes(rounds: u32) -> u64 {
    argument("--minutes").map_or(u64::from(rounds) * 2, |text| text.parse().unwrap())
}

fn argument(name: &str) -> Option<String> {
    let arguments: Vec<_> = std::env::args().collect();
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).cloned()
}
