//! A bench of real fingers on a real console, with a person who looks.

use std::time::Duration;

use devices::tinkerforge::{Config, PressTimes, Solenoids, TcpDial};
use engine::{Cancel, Clock, RealClock};
use gameboy::Button;

use super::trial::{Bench, TrialError};

/// Fingers behind a Brick Daemon; `W` says whether the cursor is home.
pub struct RealBench<W> {
    clock: RealClock,
    cancel: Cancel,
    hand: Solenoids<Button, TcpDial<RealClock>, RealClock>,
    witness: W,
}

/// What a witness is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is the cursor home?
    IsHome,
    /// Please bring it home; answer when it is there.
    BringHome,
}

impl<W: FnMut(Question) -> Result<bool, TrialError>> RealBench<W> {
    /// Connects, and has the console brought to where trials begin.
    pub fn new(
        config: Config<Button>,
        dial: TcpDial<RealClock>,
        clock: RealClock,
        cancel: Cancel,
        witness: W,
    ) -> Result<Self, TrialError> {
        let mut hand = Solenoids::new(config, dial, clock.clone());
        hand.connect()?;
        let mut bench = Self { clock, cancel, hand, witness };
        bench.bring_home()?;
        Ok(bench)
    }

    fn wait_until(&self, moment: engine::Time) -> Result<(), TrialError> {
        self.clock.sleep_until(moment);
        if self.cancel.is_cancelled() { Err(TrialError::Interrupted) } else { Ok(()) }
    }
}

impl<W: FnMut(Question) -> Result<bool, TrialError>> Bench for RealBench<W> {
    fn press(&mut self, button: Button, times: PressTimes) -> Result<(), TrialError> {
        let begin = self.clock.now();
        self.hand.press(&[(button, times.press)])?;
        self.wait_until(begin + times.press + times.pause)
    }

    fn is_home(&mut self) -> Result<bool, TrialError> {
        (self.witness)(Question::IsHome)
    }

    fn bring_home(&mut self) -> Result<(), TrialError> {
        (self.witness)(Question::BringHome).map(drop)
    }

    fn rest(&mut self, time: Duration) -> Result<(), TrialError> {
        self.wait_until(self.clock.now() + time)
    }

    fn arrived(&self) -> Option<u32> {
        None
    }
}

impl<W> Drop for RealBench<W> {
    fn drop(&mut self) {
        // Monoflops end by themselves; this only shortens a long one.
        if let Err(fault) = self.hand.let_go() {
            tracing::warn!(%fault, "could not let go of the buttons; the bricklets do so by themselves");
        }
    }
}
