//! A LEGO motor: speeds up, arrives, or stands blocked and says so.

use super::rig::STEP_US;

/// Degrees a second, each second.
const ACCELERATION: f64 = 1000.0;
/// A blocked motor says so after this time.
const STALL_US: u64 = 300_000;

/// What a motor was told to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Mode {
    Still,
    Run { velocity: f64 },
    To { target: f64, speed: f64 },
}

/// A motor's word for how it is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    Ready = 0,
    Running = 1,
    Stalled = 2,
    Cancelled = 3,
}

/// A motor with its encoder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motor {
    /// Turned since the hub was switched on.
    pub(super) encoder: f64,
    /// What the program calls 0.
    pub(super) zero: f64,
    pub(super) velocity: f64,
    mode: Mode,
    pub(super) status: Status,
    blocked_us: u64,
}

impl Motor {
    pub(super) fn still() -> Self {
        Self {
            encoder: 0.0,
            zero: 0.0,
            velocity: 0.0,
            mode: Mode::Still,
            status: Status::Ready,
            blocked_us: 0,
        }
    }

    pub(super) fn order(&mut self, mode: Mode) {
        self.status = match (mode, self.status) {
            (Mode::Still, Status::Running) => Status::Cancelled,
            (Mode::Still, status) => status,
            (Mode::Run { .. } | Mode::To { .. }, _) => Status::Running,
        };
        self.mode = mode;
        self.blocked_us = 0;
    }

    /// How far it would turn in one step.
    pub(super) fn wants(&mut self, pull: f64) -> f64 {
        let seconds = STEP_US as f64 / 1e6;
        let wanted = match self.mode {
            Mode::Still => 0.0,
            Mode::Run { velocity } => velocity * pull,
            Mode::To { target, speed } => {
                let left = target - self.encoder;
                left.signum() * (speed * pull).min((2.0 * ACCELERATION * left.abs()).sqrt())
            }
        };
        // Brakes hold at once; only starting takes time.
        let change = ACCELERATION * seconds;
        let faster = wanted.abs() > self.velocity.abs() || wanted * self.velocity < 0.0;
        self.velocity =
            if faster { self.velocity + (wanted - self.velocity).clamp(-change, change) } else { wanted };
        let turn = self.velocity * seconds;
        match self.mode {
            Mode::To { target, .. } if (target - self.encoder).abs() <= turn.abs().max(0.5) => {
                target - self.encoder
            }
            Mode::To { .. } | Mode::Run { .. } | Mode::Still => turn,
        }
    }

    /// Turns by as much as the robot allowed.
    pub(super) fn turned(&mut self, wanted: f64, allowed: f64) {
        self.encoder += allowed;
        if (wanted - allowed).abs() > 0.01 {
            self.velocity = 0.0;
            self.blocked_us += STEP_US;
            if self.blocked_us >= STALL_US && matches!(self.mode, Mode::To { .. }) {
                self.mode = Mode::Still;
                self.status = Status::Stalled;
            }
            return;
        }
        self.blocked_us = 0;
        if let Mode::To { target, .. } = self.mode
            && (target - self.encoder).abs() < 0.01
        {
            self.mode = Mode::Still;
            self.velocity = 0.0;
            self.status = Status::Ready;
        }
    }

    pub(super) fn is_moving(&self) -> bool {
        self.mode != Mode::Still || self.velocity != 0.0
    }
}
