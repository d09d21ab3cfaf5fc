//! The eye and the hand on a simulated window: what a screen grabber and a mouse are on a real one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Body, Clock, Eye, EyePace, Fault, Focus, Frame, Hand, Key, Mapping, PixelFormat, Pointing};

use super::game::Game;

/// A game that eye, hand and witness share.
pub type SharedGame = Arc<Mutex<Game>>;

/// Time between two frames.
const FRAME: Duration = Duration::from_millis(33);

/// An eye and a hand on this game.
pub fn body<C: Clock>(game: &SharedGame, clock: &C) -> Body<WindowEye<C>, WindowHand<C>> {
    let frame = Frame::blank(1, 1, PixelFormat::Rgb8);
    Body {
        eye: WindowEye { game: Arc::clone(game), clock: clock.clone(), frame, looks: 0 },
        hand: WindowHand { game: Arc::clone(game), clock: clock.clone() },
    }
}

/// Sees the window.
#[derive(Debug)]
pub struct WindowEye<C> {
    game: SharedGame,
    clock: C,
    frame: Frame,
    looks: u64,
}

/// Clicks into the window.
#[derive(Debug)]
pub struct WindowHand<C> {
    game: SharedGame,
    clock: C,
}

impl<C: Clock> Eye for WindowEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        self.clock.sleep(FRAME);
        let captured = self.clock.now();
        let picture = lock(&self.game).picture(captured);
        self.frame = Frame { sequence: self.looks, captured, origin: (0, 0), picture };
        self.looks += 1;
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: Some(FRAME), ..EyePace::default() }
    }
}

impl<C: Clock> Hand for WindowHand<C> {
    type Action = Pointing;

    fn begin(&mut self, action: &Pointing, mapping: &Mapping) -> Result<(), Fault> {
        if *action == Pointing::Type(Key::N) {
            lock(&self.game).press_n();
        }
        let Some(place) = action.place().and_then(|place| mapping.to_frame(place)) else { return Ok(()) };
        match action {
            Pointing::Click(_) => lock(&self.game).click(place.x, place.y, self.clock.now()),
            Pointing::Rest(_) => lock(&self.game).point(Some((place.x, place.y))),
            Pointing::Type(_) => {}
        }
        Ok(())
    }

    fn end(&mut self, _action: &Pointing) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

fn lock(game: &SharedGame) -> MutexGuard<'_, Game> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}
