//! Finding a screen in a camera's picture by its static parts: frames, labels,
//! walls. No human points at corners, and nothing has to be stuck on the
//! console.
//!
//! [`find()`] needs no starting guess. [`refine()`] starts from corners that are
//! nearly right: marked by hand, or right until somebody touched the mount.
//! Both say how well the static parts fit, which is the robot's sign of health.

mod pyramid;
mod refine;
mod search;
mod template;

pub use pyramid::Pyramid;
pub use refine::{Refined, refine, refine_in_noise};
pub use search::{Found, find};
pub use template::Template;
