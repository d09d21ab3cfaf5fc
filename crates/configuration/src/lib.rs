//! Configuration (G18, C11): [`settings!`] describes every key once. The typed
//! struct, its defaults, the checks and their messages, `config explain` and the
//! commented profile of `config init` all come from that description.
//!
//! Later layers override earlier ones: defaults < profile < environment < flags.
//!
//! ```
//! configuration::settings! {
//!     /// The oven.
//!     pub struct Oven in "oven" {
//!         /// How hot it gets.
//!         degrees: u32 = 180, range 50..=300, unit "°C";
//!         /// Whether the fan runs.
//!         fan: bool = true;
//!     }
//! }
//!
//! let schema = configuration::Schema::new(&[Oven::SECTION]);
//! let mut layers = configuration::Layers::new(&schema);
//! layers.profile("oven.toml", "[oven]\ndegrees = 220\n");
//! layers.flag("oven.fan=false");
//! let values = layers.finish().unwrap();
//! assert_eq!(Oven::from_values(&values), Oven { degrees: 220, fan: false });
//!
//! let mut layers = configuration::Layers::new(&schema);
//! layers.profile("oven.toml", "[oven]\ndegress = 220\n");
//! let problem = layers.finish().unwrap_err().to_string();
//! assert!(problem.contains("did you mean `degrees`?"));
//! ```

mod explain;
mod layers;
mod problem;
mod schema;
mod value;

pub use explain::{commented_profile, explain_all, explain_key};
pub use layers::{Layers, Values};
pub use problem::{Hint, Problem, Problems, Source};
pub use schema::{Key, Schema, Section, Settings};
pub use value::{Allowed, Raw, Setting, Wrong};
