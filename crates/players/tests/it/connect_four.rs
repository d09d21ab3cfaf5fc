//! The LEGO robot's player at a board that is only imagined: what cannot be is looked at again, then a person is asked (L5).

use std::time::Duration;

use budget::Budget;
use engine::{Choice, Focus, Player, Time};
use players::connect_four::scan::{self, Calibration};
use players::connect_four::{Beginner, ConnectFourPlayer, DiscColor, Help, LegoAction, LegoDecision, Wishes};

use DiscColor::{Red, Yellow};

/// A red robot, the discs in front of it, and what it has said.
struct Table {
    player: ConnectFourPlayer,
    columns: [Vec<DiscColor>; 7],
    now: Time,
    is_pressed: bool,
    jams: u32,
    /// Whether the arm feels that a disc jams.
    feels_jams: bool,
    was_blocked: bool,
    calls: Vec<Help>,
    looks: u32,
}

impl Table {
    fn new() -> Self {
        let wishes = Wishes {
            color: Red,
            beginner: Beginner::Look,
            level: connect_four::Level::Easy,
            calibration: Calibration::default(),
            seed: 1,
        };
        Self {
            player: ConnectFourPlayer::new(wishes),
            columns: Default::default(),
            now: Time::START,
            is_pressed: false,
            jams: 0,
            feels_jams: false,
            was_blocked: false,
            calls: Vec::new(),
            looks: 0,
        }
    }

    /// One look, and what is done about it.
    fn tick(&mut self) {
        self.now = self.now + Duration::from_millis(400);
        let mut screen = scan::blank();
        let Focus::Cells(cells) = self.player.focus() else { panic!("it looks at single cells") };
        for pixel in cells {
            let light = match scan::cell_at(pixel) {
                Some((column, row)) => {
                    self.looks += 1;
                    let calibration = Calibration::default();
                    match self.columns[column].get(row) {
                        Some(Red) => calibration.red,
                        Some(Yellow) => calibration.yellow,
                        None => calibration.empty,
                    }
                }
                None => [if self.is_pressed { 127 } else { 0 }; 3],
            };
            scan::put(&mut screen, pixel, light);
        }
        if self.was_blocked {
            scan::put(&mut screen, scan::PUSH, scan::WHITE);
        }
        let seen = self.player.see(&screen, self.now).unwrap();
        if let Choice::Act(decision) = self.player.decide(&seen, &Budget::unlimited()) {
            self.act(&decision);
        }
    }

    fn act(&mut self, decision: &LegoDecision) {
        for step in self.player.plan(decision).steps {
            for timed in step.actions {
                match timed.action {
                    LegoAction::Drop { .. } if self.jams > 0 => {
                        self.jams -= 1;
                        self.was_blocked = self.feels_jams;
                    }
                    LegoAction::Drop { column } => {
                        self.was_blocked = false;
                        self.columns[column].push(Red);
                    }
                    LegoAction::Call(help) => self.calls.push(help),
                    LegoAction::Leave | LegoAction::Show { .. } | LegoAction::Announce(_) => {}
                }
            }
        }
    }

    /// Somebody presses and lets go; the robot does what there is to do until it waits again.
    fn press(&mut self) {
        self.tick();
        self.is_pressed = true;
        self.tick();
        self.is_pressed = false;
        for _ in 0..500 {
            if self.player.doing().starts_with("waiting") {
                // It calls with its next breath, if it must.
                return self.tick();
            }
            self.tick();
        }
        panic!("still {}", self.player.doing());
    }

    fn discs(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }

    /// The other drops a disc and presses.
    fn turn(&mut self, column: usize) {
        self.columns[column].push(Yellow);
        self.press();
    }

    fn check(&self, calls: &[Help], discs: usize) {
        assert_eq!(self.calls, calls, "{}", self.player.belief().picture());
        assert_eq!(self.discs(), discs, "{}", self.player.belief().picture());
    }
}

#[test]
fn a_press_without_a_disc_is_asked_about_and_forgiven() {
    let mut table = Table::new();
    table.turn(3);
    table.check(&[], 2);
    table.looks = 0;
    table.press();
    table.check(&[Help::NoNewDisc], 2);
    // Three times around the seven columns first.
    assert_eq!(table.looks, 21);
    table.turn(0);
    table.check(&[Help::NoNewDisc], 4);
    assert_eq!(table.player.belief().discs(), 4);
}

#[test]
fn a_call_that_nobody_answers_is_repeated() {
    let mut table = Table::new();
    table.turn(3);
    table.press();
    (0..200).for_each(|_| table.tick());
    assert!(
        table.calls.len() >= 3 && table.calls.iter().all(|call| *call == Help::NoNewDisc),
        "{:?}",
        table.calls
    );
}

#[test]
fn a_disc_of_the_wrong_colour_must_be_taken_out() {
    let mut table = Table::new();
    table.turn(3);
    table.columns[1].push(Red);
    table.press();
    table.check(&[Help::WrongDisc { column: 1 }], 3);
    table.columns[1].clear();
    table.turn(1);
    table.check(&[Help::WrongDisc { column: 1 }], 4);
}

#[test]
fn a_disc_that_changes_its_colour_is_noticed() {
    let mut table = Table::new();
    table.turn(6);
    let own = table.columns.iter().position(|column| column.last() == Some(&Red)).unwrap();
    let row = table.columns[own].len() - 1;
    table.columns[own][row] = Yellow;
    // The look aside of the new disc above it tells.
    table.turn(own);
    table.check(&[Help::BoardChanged { column: own }], 3);
    table.columns[own][row] = Red;
    table.press();
    assert_eq!(table.player.belief().discs(), 4);
}

#[test]
fn a_second_disc_in_the_same_turn_is_noticed_where_the_robot_wants_to_drop() {
    // Two yellow discs in each column at once: whichever it chooses, its disc would stand where another is.
    let mut table = Table::new();
    table.columns = std::array::from_fn(|_| vec![Yellow, Yellow]);
    table.press();
    assert!(matches!(table.calls[..], [Help::WrongDisc { .. }]), "{:?}", table.calls);
}

#[test]
fn a_disc_that_jams_is_pushed_again_and_then_asked_about() {
    let mut table = Table::new();
    table.jams = 2;
    table.turn(3);
    table.check(&[], 2);
    table.jams = 3;
    table.turn(2);
    assert!(matches!(table.calls[..], [Help::DiscMissing { .. }]), "{:?}", table.calls);
    // Somebody frees the slide, and the disc falls.
    let Help::DiscMissing { column } = table.calls[0] else { unreachable!() };
    table.columns[column].push(Red);
    table.press();
    assert_eq!((table.discs(), table.player.belief().discs()), (4, 4));
}

#[test]
fn a_push_that_is_felt_to_be_blocked_needs_fewer_looks() {
    let looks = |feels_jams: bool| {
        let mut table = Table::new();
        (table.jams, table.feels_jams) = (2, feels_jams);
        table.turn(3);
        table.check(&[], 2);
        table.looks
    };
    // One look instead of three, and none aside, after each of two pushes.
    assert_eq!(looks(false) - looks(true), 8);
}
