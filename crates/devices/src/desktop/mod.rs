//! The desktop as a body: a window, a region or the whole screen for an eye, the mouse for a hand (S6).
//!
//! X11 in pure Rust. The eye reads what the screen shows in the window's place,
//! so that whatever covers the window is seen as a person would see it; the
//! hand moves the real pointer and never fights the person at the desk.

mod display;
mod eye;
mod hand;
mod target;

pub use display::{DesktopError, Display};
pub use eye::ScreenEye;
pub use hand::{MouseHand, Pace};
pub use target::Target;

use std::sync::{Arc, Mutex};

use engine::{Body, Clock};

/// Where the last frame began on the screen: the eye writes it, the hand adds it.
type Origin = Arc<Mutex<(i32, i32)>>;

/// An eye and a hand on this target.
pub fn body<C: Clock>(
    display: Option<&str>,
    target: Target,
    pace: Pace,
    clock: &C,
) -> Result<Body<ScreenEye<C>, MouseHand<C>>, DesktopError> {
    let origin = Origin::default();
    // Each has a connection of its own, as two programs would.
    let eye = ScreenEye::new(Display::open(display)?, target, Arc::clone(&origin), clock.clone())?;
    let hand = MouseHand::new(Display::open(display)?, pace, origin, clock.clone())?;
    Ok(Body { eye, hand })
}
