//! The Connect Four exhibition robot on its serial line (C3, C4, C11).
//!
//! ```no_run
//! use devices::robot::{Column, Config, Disc, Robot};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let robot = Robot::start(Config::serial("/dev/ttyUSB0"));
//! robot.new_game().await?;
//! robot.drop_disc(Disc::Red, Column::try_from(3)?).await?;
//! println!("{}", robot.status().borrow().word());
//! # Ok(())
//! # }
//! ```
//!
//! [`protocol`] is the language on the line and nothing else. The driver keeps
//! the board that is wanted and the board that stands, and carries out the
//! difference, so that recovering from a fault is the same work as playing.

mod driver;
mod fault;
mod handle;
mod line;
mod parts;
pub mod protocol;
mod wishes;

use std::path::PathBuf;
use std::time::Duration;

pub use fault::{RobotError, RobotFault, RobotStatus};
pub use handle::{Direction, Robot, RobotBoard, RobotHandle, TrafficLine};
pub use parts::{COLUMNS, Cell, Column, DISCS_PER_COLOUR, Disc, DiscDrop, OffTheBoard, ROWS};

/// Which robot, and how long things may take with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How it is connected.
    pub connection: Connection,
    /// How long things may take.
    pub timing: Timing,
}

impl Config {
    /// No robot: every command is done at once, on paper.
    pub fn none() -> Self {
        Self { connection: Connection::None, timing: Timing::default() }
    }

    /// The robot on this serial port, with the usual speed and times.
    pub fn serial(path: impl Into<PathBuf>) -> Self {
        let connection = Connection::Serial { path: path.into(), baud: DEFAULT_BAUD };
        Self { connection, timing: Timing::default() }
    }
}

/// Characters are rare on this line: the slowest common speed is fast enough.
pub const DEFAULT_BAUD: u32 = 9_600;

/// How the robot is connected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Not at all.
    None,
    /// On a serial port: the real robot, or the simulated one.
    Serial {
        /// The port, such as `/dev/ttyUSB0`.
        path: PathBuf,
        /// Its speed in bits a second.
        baud: u32,
    },
}

/// How long things may take with the robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How long an answer may take.
    pub reply_deadline: Duration,
    /// How often a character is sent before a missing answer is a fault.
    pub tries: u32,
    /// Pause between two questions while it is busy.
    pub poll: Duration,
    /// No movement is shorter than this: what is ready twice within less has not moved in between.
    pub shortest_movement: Duration,
    /// Pause between two questions while nothing is going on.
    pub heartbeat: Duration,
    /// How long it may take from receiving a command to moving.
    pub start_deadline: Duration,
    /// How long a movement may take.
    pub busy_deadline: Duration,
    /// Pause before a lost port is opened again; each further one is twice as long.
    pub reopen_first: Duration,
    /// The longest such pause.
    pub reopen_limit: Duration,
    /// How long a command waits for the end of a fault before it tells its caller.
    pub patience: Duration,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            reply_deadline: Duration::from_millis(500),
            tries: 3,
            poll: Duration::from_millis(100),
            shortest_movement: Duration::from_secs(2),
            heartbeat: Duration::from_secs(1),
            start_deadline: Duration::from_secs(5),
            busy_deadline: Duration::from_mins(1),
            reopen_first: Duration::from_millis(200),
            reopen_limit: Duration::from_secs(5),
            patience: Duration::from_secs(30),
        }
    }
}

/// However fast a robot moves, its answers come over a real line between two programs that must both get their turn.
const QUICKEST_ANSWER: Duration = Duration::from_millis(50);

impl Timing {
    /// For a robot that is `speed` times as fast: the relations between the times, on which recovery rests, stay the
    /// same. Only answers get [`QUICKEST_ANSWER`] at least, and a caller's patience is its own.
    #[must_use]
    pub fn faster(&self, speed: f64) -> Self {
        // A factor that makes no sense changes nothing.
        let scale = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() / speed).unwrap_or(time);
        Self {
            reply_deadline: scale(self.reply_deadline).max(self.reply_deadline.min(QUICKEST_ANSWER)),
            tries: self.tries,
            poll: scale(self.poll),
            shortest_movement: scale(self.shortest_movement),
            heartbeat: scale(self.heartbeat),
            start_deadline: scale(self.start_deadline),
            busy_deadline: scale(self.busy_deadline),
            reopen_first: scale(self.reopen_first),
            reopen_limit: scale(self.reopen_limit),
            patience: self.patience,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_relations_at_any_speed() {
        let timing = Timing::default();
        assert_eq!(timing.faster(1.0), timing);
        let thrice = timing.faster(3.0);
        assert!(
            thrice.reply_deadline * 2 < thrice.shortest_movement,
            "a lost answer is asked for again in time"
        );
        assert_eq!(timing.faster(2.0).reopen_limit, timing.reopen_limit / 2);
        assert_eq!(timing.faster(1000.0).reply_deadline, QUICKEST_ANSWER);
        let short = Timing { reply_deadline: Duration::from_millis(10), ..timing.clone() };
        assert_eq!(short.faster(2.0).reply_deadline, short.reply_deadline);
        for nonsense in [0.0, -1.0, f64::NAN] {
            assert_eq!(timing.faster(nonsense), timing);
        }
    }
}
