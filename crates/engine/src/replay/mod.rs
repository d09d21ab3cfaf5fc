//! Running a player again on what was recorded, bit for bit (X3).
//!
//! A recording is a tape of everything in its order. Frames and faults are
//! what came from the body: the [`RecordedEye`] and [`RecordedHand`] give them
//! to the engine again. All else is what engine and player made of it: the
//! [`Comparison`] holds each note against the tape and keeps the first difference.

mod channel;
mod comparison;
mod recorded;
pub mod reel;
mod summary;
mod tape;
mod unpack;

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use crate::body::Body;
use crate::clock::SimulatedClock;
use crate::notes::Topic;
use crate::picture::{Frame, PixelFormat};
use crate::record::ClockKind;

use comparison::Replay;
pub use comparison::{Comparison, Divergence, Outcome, TapeSteering};
pub use recorded::{RecordedEye, RecordedHand};
pub use reel::{Reel, ReelError};
pub use summary::Summary;
pub use tape::{Note, Tape, TapeError};

type SharedReplay<R> = Rc<RefCell<Replay<R>>>;

/// What replays a tape: the engine gets the body, reads its notes to the comparison and is steered
/// ([`Engine::steered_by`](crate::Engine::steered_by)) by the tape.
#[derive(Debug)]
pub struct ReplayParts<R, A> {
    /// Sees and fails as recorded.
    pub body: Body<RecordedEye<R>, RecordedHand<R, A>>,
    /// Compares.
    pub comparison: Comparison<R>,
    /// Steers.
    pub steering: TapeSteering<R>,
}

/// The parts of an engine that replay a tape on `clock`.
pub fn replay<R: std::io::Read, A>(mut tape: Tape<R>, clock: &SimulatedClock) -> ReplayParts<R, A> {
    let compares_times = tape.run().clock == ClockKind::Simulated;
    // What was weighed is for people; the decision that came of it is compared.
    tape.pass_over(Topic::Candidates);
    let pace = tape.body_pace();
    let clock = clock.clone();
    let replay = Rc::new(RefCell::new(Replay {
        tape,
        clock: clock.clone(),
        compares_times,
        compared: 0,
        divergence: None,
        ended: false,
        last_time: None,
    }));
    let frame = Frame::blank(1, 1, PixelFormat::Gray8);
    let eye = RecordedEye { replay: Rc::clone(&replay), clock: clock.clone(), pace, frame, looks: 0 };
    let hand = RecordedHand { replay: Rc::clone(&replay), clock, pace, action: PhantomData };
    ReplayParts {
        body: Body { eye, hand },
        comparison: Comparison(Rc::clone(&replay)),
        steering: TapeSteering(replay),
    }
}
