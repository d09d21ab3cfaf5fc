//! S3, S6: windows on a real X11 desktop are found, learned and cleared, with people in the way.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::{Cancel, Clock, RealClock, RunEnding};
use players::samegame::RoundEnd;
use simulators::samegame::{Desk, Game, Habits, Hover, LookName, OpenWindow};

use super::desktop::{Desktop, page, play, program, wait_for};

#[test]
fn sgt_samegame_is_found_learned_and_cleared() {
    let desktop = Desktop::start();
    for seed in 1..=3 {
        let game = format!("10x8c3s2#{seed}");
        let _program = program("/usr/games/sgt-samegame", &[&game], &desktop.name);
        wait_for("Same Game", &desktop.name);
        let played = play(&desktop.name, "Same Game", &[], 1, 4);
        assert_eq!(played.ending, RunEnding::GamesPlayed, "{:?}", played.player.rounds());
        let round = &played.player.rounds()[0];
        assert!(round.cleared, "seed {seed}: {round:?}");
        assert_eq!(played.player.clicks_learned(), Some(2), "seed {seed}");
    }
}

/// A page in Chromium whose tiles fall and bounce, light up and grow; the next round is asked for by a key that is found.
#[test]
fn a_page_in_a_browser_is_cleared_round_after_round() {
    let desktop = Desktop::start();
    let _browser = page("seed=3&columns=6&rows=6", &desktop.name);
    wait_for("SameGame page:", &desktop.name);
    let played = play(&desktop.name, "SameGame page", &[], 2, 4);
    assert_eq!(played.ending, RunEnding::GamesPlayed, "{:?}", played.player.rounds());
    assert_eq!(played.player.clicks_learned(), Some(1));
    let told = |round: &players::samegame::Round| round.cleared || round.ending == RoundEnd::Unsolvable;
    assert!(played.player.rounds().iter().all(told), "{:?}", played.player.rounds());
    let cleared = played.player.rounds().iter().filter(|round| round.cleared).count();
    // What the page itself has counted stands in its title.
    wait_for(&format!("SameGame page: {cleared} cleared, {} stuck, 0 beside", 2 - cleared), &desktop.name);
}

/// The window is moved, covered for two seconds, and a person takes the mouse, while clicks get lost.
#[test]
fn people_at_the_desk_are_lived_with() {
    let desktop = Desktop::start();
    let mut desk = Desk::sit_down(Some(&desktop.name)).unwrap();
    desk.spread_backdrop().unwrap();
    let habits = Habits {
        look: LookName::Gradient,
        size: (8, 7),
        hover: Hover::Brighten,
        bounce: true,
        lost_clicks: 0.03,
        seed: 3,
        ..Habits::default()
    };
    let game = Arc::new(Mutex::new(Game::new(habits).unwrap()));
    let window = OpenWindow::open(Some(&desktop.name), "Simulated SameGame", &game).unwrap();
    wait_for("Simulated SameGame", &desktop.name);
    let played = std::thread::scope(|scope| {
        let ended = Cancel::new();
        let person = scope.spawn({
            let (ended, desk, window) = (ended.clone(), &desk, window.id());
            move || bother(desk, window, &RealClock::start(ended))
        });
        let played = play(&desktop.name, "Simulated SameGame", &[], 2, 4);
        ended.cancel();
        person.join().unwrap();
        played
    });
    let tally = game.lock().unwrap().tally().clone();
    assert_eq!(played.ending, RunEnding::GamesPlayed, "{tally:?} {:?}", played.player.rounds());
    assert_eq!((tally.cleared, tally.missed), (2, 0), "{tally:?}");
    assert_eq!(desk.stray_clicks().unwrap(), 0, "clicks beside the window");
}

/// One trouble after the other, until the clock is stopped.
fn bother(desk: &Desk, window: u32, clock: &RealClock) {
    let wait = |ms: u64| clock.sleep(Duration::from_millis(ms));
    wait(1_500);
    desk.move_window(window, 300, 200).unwrap();
    wait(1_500);
    let (x, y, width, height) = desk.place(window).unwrap();
    let cover = desk.cover(x + 20, y + 30, width / 2, height / 2).unwrap();
    wait(2_000);
    desk.uncover(cover).unwrap();
    wait(1_000);
    for step in 0..10 {
        desk.take_mouse(900 + step * 8, 700).unwrap();
        wait(60);
    }
}
