//! S6: the desktop as a body: whole screen, windows, regions, the pointer's two paces, and people who come first.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use devices::desktop::{self, Display, Pace, Target};
use engine::{Body, Cancel, Clock, Eye, Fault, Focus, Hand, Mapping, Point, Pointing, RealClock};
use players::samegame::see::see;
use simulators::samegame::{Desk, Game, Habits, LookName, OpenWindow, SharedGame};

use super::desktop::{Desktop, wait_for};

const TITLE: &str = "Simulated SameGame";

/// A window on a screen of its own, and a person at it.
struct Stage {
    game: SharedGame,
    window: OpenWindow,
    desk: Desk,
    desktop: Desktop,
}

fn stage() -> Stage {
    let desktop = Desktop::start();
    let habits = Habits { look: LookName::Flat, size: (8, 7), seed: 5, ..Habits::default() };
    let game = Arc::new(Mutex::new(Game::new(habits).unwrap()));
    let window = OpenWindow::open(Some(&desktop.name), TITLE, &game).unwrap();
    wait_for(TITLE, &desktop.name);
    let desk = Desk::sit_down(Some(&desktop.name)).unwrap();
    desk.move_window(window.id(), 210, 160).unwrap();
    Stage { game, window, desk, desktop }
}

impl Stage {
    fn body(
        &self,
        target: Target,
        pace: Pace,
    ) -> Body<impl Eye + use<>, impl Hand<Action = Pointing> + use<>> {
        desktop::body(Some(&self.desktop.name), target, pace, &RealClock::start(Cancel::new())).unwrap()
    }

    fn board(&self) -> String {
        self.game.lock().unwrap().board().normal_form().to_string()
    }
}

/// Asks again and again until the answer is yes; what happens on a screen takes its time.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let clock = RealClock::start(Cancel::new());
    for _ in 0..1_200 {
        if is_so() {
            return;
        }
        clock.sleep(Duration::from_millis(50));
    }
    panic!("{what}: not within a minute");
}

fn reads(eye: &mut impl Eye, board: &str) -> bool {
    let frame = eye.look(&Focus::Everything);
    frame.is_ok_and(|frame| see(&frame.picture).is_ok_and(|sight| sight.board.to_string() == board))
}

#[test]
fn a_window_a_region_and_the_whole_screen_show_the_same_board() {
    let stage = stage();
    let board = stage.board();
    let by_class = Target::Window("GAMEBOT-samegame".to_owned());
    let mut body = stage.body(by_class, Pace::Instant);
    until("the window, by its class", || reads(&mut body.eye, &board));
    let (x, y, width, height) = stage.desk.place(stage.window.id()).unwrap();
    let region = Target::Region { x: x.into(), y: y.into(), width: width.into(), height: height.into() };
    for target in [Target::Window(TITLE.to_owned()), region, Target::Screen] {
        let mut body = stage.body(target.clone(), Pace::Instant);
        until(&format!("the {target}"), || reads(&mut body.eye, &board));
    }
    let nowhere = Target::Window("no such window".to_owned());
    let refused =
        desktop::body(Some(&stage.desktop.name), nowhere, Pace::Instant, &RealClock::start(Cancel::new()));
    assert!(
        refused.is_err_and(|why| why.to_string().contains(TITLE)),
        "the windows that there are are named"
    );
}

/// Clicks a group once the eye shows this board.
fn click_a_group(body: &mut Body<impl Eye, impl Hand<Action = Pointing>>, board: &str) -> bool {
    let Ok(frame) = body.eye.look(&Focus::Everything) else { return false };
    let Ok(sight) = see(&frame.picture) else { return false };
    if sight.board.to_string() != board {
        return false;
    }
    let group = sight.board.groups(2).swap_remove(0);
    let (column, row) = group.cells[0];
    let place =
        Point::new(sight.lattice.x.middle(column), sight.lattice.y.middle(sight.lattice.y.count - 1 - row));
    body.hand.begin(&Pointing::Click(place), &Mapping::IDENTITY).is_ok()
}

#[test]
fn the_pointer_arrives_at_once_or_as_an_arm_would() {
    let stage = stage();
    for pace in [Pace::Instant, Pace::Human] {
        let mut body = stage.body(Target::Window(TITLE.to_owned()), pace);
        let before = stage.board();
        // The window passes over clicks while its tiles fall, and a loaded machine shows it late: so a click is tried
        // again after some seconds.
        let mut polls = 0;
        until(&format!("the move, {pace:?}"), || {
            if polls % 100 == 0 && !click_a_group(&mut body, &before) {
                return false;
            }
            polls += 1;
            stage.board() != before
        });
    }
    assert_eq!(stage.game.lock().unwrap().tally().missed, 0);
}

#[test]
fn a_person_who_takes_the_mouse_or_holds_escape_comes_first() {
    let stage = stage();
    let mut body = stage.body(Target::Window(TITLE.to_owned()), Pace::Instant);
    body.eye.look(&Focus::Everything).unwrap();
    let click = Pointing::Click(Point::new(60.0, 80.0));
    stage.desk.take_mouse(900, 700).unwrap();
    until("the hand refuses", || {
        matches!(body.hand.begin(&click, &Mapping::IDENTITY), Err(Fault::Refused { .. }))
    });
    let clock = RealClock::start(Cancel::new());
    // A look waits until all has been quiet; while Escape is down it is not.
    let quiet = Duration::from_millis(1_500);
    let before = clock.now();
    body.eye.look(&Focus::Everything).unwrap();
    assert!(clock.now().since(before) >= quiet, "the mouse has just been moved");
    let server = Display::open(Some(&stage.desktop.name)).unwrap();
    stage.desk.hold_escape(true).unwrap();
    until("Escape is down", || server.is_escape_down().unwrap());
    let let_go = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let look = scope.spawn(|| {
            body.eye.look(&Focus::Everything).unwrap();
            assert!(let_go.load(Ordering::SeqCst), "a look returned while Escape was down");
        });
        // Long enough for a look that does not wait to return.
        let mut polls = 0;
        until("a while has passed", || {
            polls += 1;
            polls > 6
        });
        let_go.store(true, Ordering::SeqCst);
        stage.desk.hold_escape(false).unwrap();
        look.join().unwrap();
    });
}
