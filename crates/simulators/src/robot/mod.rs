//! The Connect Four exhibition robot on a pseudo terminal (C3, C4).
//!
//! ```no_run
//! # async fn example() -> std::io::Result<()> {
//! use simulators::robot::{Config, Simulator};
//!
//! let robot = Simulator::start(Config { link: Some("/tmp/robot".into()), ..Config::default() })?;
//! println!("connect to {}", robot.port().display());
//! println!("{}", robot.state().borrow().picture());
//! # Ok(())
//! # }
//! ```
//!
//! [`Mechanism`] is the robot itself: characters in, characters out, at given
//! times, and no clock of its own. [`Simulator`] puts it on a serial line.

mod board;
mod mechanism;
mod mishap;
mod simulator;
mod terminal;
mod wire;

pub use board::{Disc, State};
pub use mechanism::{Mechanism, Mishaps, Times};
pub use mishap::{BadMishap, Mishap, Scheduled};
pub use simulator::{Config, Order, Simulator};
