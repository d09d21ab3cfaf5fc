//! A simulated console with a screen and buttons, and the faults of real ones.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use engine::{Body, Clock, Eye, Fault, Frame, Hand, Picture, PixelFormat, Time};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::rules::{Button, COLUMNS, Game, ROWS, Rules};

/// Side of a cell in pixels.
pub const CELL: u32 = 16;
/// Pixels in a row of the screen.
pub const SCREEN_WIDTH: u32 = COLUMNS as u32 * CELL;
/// Rows of pixels.
pub const SCREEN_HEIGHT: u32 = ROWS as u32 * CELL;

/// Luma of the ball.
pub const BALL_LUMA: u8 = 200;
/// Luma of the paddle.
pub const PADDLE_LUMA: u8 = 255;
/// Luma of the whole field when the game is over.
pub const OVER_LUMA: u8 = 90;
/// The beat mark is drawn in the first pixels of the top and of the bottom
/// row; they differ on a frame that shows two moments at once.
pub const MARK_WIDTH: u32 = 4;
/// The time between two frames: the camera's 30 a second.
pub const FRAME_PERIOD: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// What can go wrong, all off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// From a command to its effect.
    pub hand_latency: Duration,
    /// From a moment to its frame.
    pub eye_latency: Duration,
    /// Share of presses that are lost, 0 to 1.
    pub lost_presses: f64,
    /// Share of frames whose lower half is older than the upper, 0 to 1.
    pub torn_frames: f64,
    /// Share of looks that fail, 0 to 1.
    pub failed_looks: f64,
    /// Share of commands that the hand refuses, 0 to 1.
    pub refused_commands: f64,
}

/// A console with a game in it, seen and held by one body.
pub fn simulated_body<C: Clock>(
    rules: Rules,
    faults: Faults,
    seed: u64,
    clock: &C,
) -> (Body<CatchEye<C>, CatchHand<C>>, Rc<RefCell<Console>>) {
    let console = Console {
        game: Game::new(rules, seed),
        // Faults have their own dice, so that the balls stay the same without them.
        dice: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x00FA_0175),
        faults,
        presses: VecDeque::new(),
    };
    let console = Rc::new(RefCell::new(console));
    let frame = Frame {
        sequence: 0,
        captured: Time::START,
        picture: Picture::black(SCREEN_WIDTH, SCREEN_HEIGHT, PixelFormat::Gray8),
    };
    let eye = CatchEye {
        console: Rc::clone(&console),
        clock: clock.clone(),
        previous: frame.picture.clone(),
        frame,
        drawn_beat: None,
        torn: false,
        looks: 0,
    };
    let hand = CatchHand { console: Rc::clone(&console), clock: clock.clone() };
    (Body { eye, hand }, console)
}

/// The console behind screen and buttons.
#[derive(Debug)]
pub struct Console {
    /// The game in it; a player must never peek.
    pub game: Game,
    dice: Xoshiro256PlusPlus,
    faults: Faults,
    /// Presses on their way: when they take effect.
    presses: VecDeque<(Time, Button)>,
}

impl Console {
    fn advance_to(&mut self, now: Time) {
        while let Some(&(moment, button)) = self.presses.front()
            && moment <= now
        {
            self.game.press(button, moment);
            self.presses.pop_front();
        }
        self.game.advance_to(now);
    }

    fn happens(&mut self, share: f64) -> bool {
        share > 0.0 && self.dice.random_bool(share.clamp(0.0, 1.0))
    }
}

/// Looks at the console's screen, 30 times a second.
#[derive(Debug)]
pub struct CatchEye<C> {
    console: Rc<RefCell<Console>>,
    clock: C,
    frame: Frame,
    /// The picture before the last change, the older half of a torn frame.
    previous: Picture,
    drawn_beat: Option<u32>,
    torn: bool,
    looks: u64,
}

impl<C: Clock> Eye for CatchEye<C> {
    fn look(&mut self) -> Result<&Frame, Fault> {
        self.clock.sleep_until(self.frame.captured + FRAME_PERIOD);
        let now = self.clock.now();
        self.frame.captured = now;
        let mut console = self.console.borrow_mut();
        let faults = console.faults;
        if console.happens(faults.failed_looks) {
            return Err(Fault::Silent { part: "eye".to_owned(), after: FRAME_PERIOD });
        }
        console.advance_to(now - faults.eye_latency);
        let beat = console.game.beat();
        if self.drawn_beat != Some(beat) || self.torn {
            if !self.torn {
                self.previous.clone_from(&self.frame.picture);
            }
            draw(&console.game, &mut self.frame.picture);
            // Only a frame on which something changes can show two moments.
            self.torn = self.drawn_beat != Some(beat) && console.happens(faults.torn_frames);
            self.drawn_beat = Some(beat);
            if self.torn {
                let half = self.frame.picture.pixels.len() / 2;
                self.frame.picture.pixels[half..].copy_from_slice(&self.previous.pixels[half..]);
            }
        }
        self.frame.sequence = self.looks;
        self.looks += 1;
        Ok(&self.frame)
    }
}

fn draw(game: &Game, picture: &mut Picture) {
    picture.pixels.fill(if game.is_over() { OVER_LUMA } else { 0 });
    if !game.is_over() {
        fill_cell(picture, game.ball(), BALL_LUMA);
        fill_cell(picture, (game.paddle(), 0), PADDLE_LUMA);
    }
    let mark = mark_luma(game.beat());
    let last_row = (SCREEN_HEIGHT - 1) as usize * SCREEN_WIDTH as usize;
    for start in [0, last_row] {
        picture.pixels[start..start + MARK_WIDTH as usize].fill(mark);
    }
}

/// Four lumas in turn.
fn mark_luma(beat: u32) -> u8 {
    40 + 20 * (beat % 4) as u8
}

fn fill_cell(picture: &mut Picture, (column, row): (u8, u8), luma: u8) {
    let left = (u32::from(column) * CELL) as usize;
    // Rows count from the bottom in the game, from the top in pixels.
    let top = u32::from(ROWS - 1 - row) * CELL;
    for y in top..top + CELL {
        let start = y as usize * SCREEN_WIDTH as usize + left;
        picture.pixels[start..start + CELL as usize].fill(luma);
    }
}

/// Presses the console's buttons.
#[derive(Debug)]
pub struct CatchHand<C> {
    console: Rc<RefCell<Console>>,
    clock: C,
}

impl<C: Clock> Hand for CatchHand<C> {
    type Action = Button;

    fn begin(&mut self, button: &Button) -> Result<(), Fault> {
        let mut console = self.console.borrow_mut();
        let faults = console.faults;
        if console.happens(faults.refused_commands) {
            return Err(Fault::Refused { part: "hand".to_owned(), why: "simulated refusal".to_owned() });
        }
        if !console.happens(faults.lost_presses) {
            let effect = self.clock.now() + faults.hand_latency;
            console.presses.push_back((effect, *button));
        }
        Ok(())
    }

    fn end(&mut self, _button: &Button) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
