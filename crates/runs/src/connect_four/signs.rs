//! Sounds and lights by which the robot speaks to people.

use devices::hub::{LIGHTS, Order};
use players::connect_four::{GameEnd, Help};

/// Sounds in hertz: a call is higher than everything else, and the one for an empty board the highest.
const CALL: u16 = 2000;
const EMPTY_CALL: u16 = 2500;
const WIN: u16 = 880;
const DRAW: u16 = 440;
const LOSS: u16 = 220;
/// How long a sound is.
const SOUND_MS: u16 = 800;

/// Calls a person.
pub(super) fn call(help: Help) -> Vec<Order> {
    say(question(help), CALL)
}

/// Calls a person to empty the board and fill the magazine.
pub(super) fn empty_call() -> Vec<Order> {
    say(BOX, EMPTY_CALL)
}

/// Tells how a game ended.
pub(super) fn announcement(end: GameEnd) -> Vec<Order> {
    let (hertz, lights) = match end {
        GameEnd::Win => (WIN, SMILE),
        GameEnd::Draw => (DRAW, LINE),
        GameEnd::Loss => (LOSS, FROWN),
    };
    say(lights, hertz)
}

fn say(lights: [u8; LIGHTS], hertz: u16) -> Vec<Order> {
    vec![Order::Show { lights }, Order::Beep { hertz, milliseconds: SOUND_MS }]
}

/// A picture of five rows of five lights, top row first.
const fn picture(rows: [[u8; 5]; 5]) -> [u8; LIGHTS] {
    let mut lights = [0; LIGHTS];
    let mut index = 0;
    while index < LIGHTS {
        lights[index] = rows[index / 5][index % 5] * 100;
        index += 1;
    }
    lights
}

const SMILE: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]);
const FROWN: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 0]]);
const LINE: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]);
const EXCLAMATION: [u8; LIGHTS] =
    picture([[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]);
const ARROW: [u8; LIGHTS] =
    picture([[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [1, 0, 1, 0, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]]);

const BOX: [u8; LIGHTS] =
    picture([[1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [1, 0, 0, 0, 1], [1, 1, 1, 1, 1]]);

/// An arrow down for a disc that should fall, an exclamation mark for the board.
fn question(help: Help) -> [u8; LIGHTS] {
    match help {
        Help::DiscMissing { .. } => ARROW,
        Help::NoNewDisc | Help::WrongDisc { .. } | Help::BoardChanged { .. } => EXCLAMATION,
    }
}
