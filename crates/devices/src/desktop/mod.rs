//! The desktop as a body: a window, a region or the whole screen for an eye, the mouse for a hand (S6).
//!
//! X11 in pure Rust. The eye reads what the screen shows in the window's place,
//! and veils what other windows cover there; the
//! hand moves the real pointer and never fights the person at the desk.

mod display;
mod eye;
mod hand;
mod target;
mod veil;

pub use display::{DesktopError, Display};
pub use eye::ScreenEye;
pub use hand::{MouseHand, Pace};
pub use target::Target;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::{Body, Clock};

/// What eye and hand know of each other.
#[derive(Clone, Copy, Debug, Default)]
struct Sighting {
    /// Where the last frame began on the screen: the hand adds it.
    corner: (i32, i32),
    /// The window that is looked at, if it is one.
    window: Option<u32>,
    /// Where the hand left the pointer: elsewhere, a person moves it.
    left_at: Option<(i32, i32)>,
}

type Shared = Arc<Mutex<Sighting>>;

fn lock(shared: &Shared) -> MutexGuard<'_, Sighting> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An eye and a hand on this target.
pub fn body<C: Clock>(
    display: Option<&str>,
    target: Target,
    pace: Pace,
    clock: &C,
) -> Result<Body<ScreenEye<C>, MouseHand<C>>, DesktopError> {
    let shared = Shared::default();
    // Each has a connection of its own, as two programs would.
    let eye = ScreenEye::new(Display::open(display)?, target, Arc::clone(&shared), clock.clone())?;
    let hand = MouseHand::new(Display::open(display)?, pace, shared, clock.clone())?;
    Ok(Body { eye, hand })
}
