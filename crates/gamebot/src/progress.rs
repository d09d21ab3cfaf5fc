//! Progress bars for long work; hidden when standard error is not a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// A sign of life with the elapsed time, for work whose end cannot be foreseen.
pub fn spinner(what: String) -> ProgressBar {
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}  {elapsed}") {
        spinner.set_style(style);
    }
    spinner.set_message(what);
    spinner.enable_steady_tick(Duration::from_millis(200));
    spinner
}

/// A bar that counts `what` up to `length`, with the remaining time and a message.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}} (left {{eta}})  {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// Steps of one whole thing in [`games`].
pub const WHOLE: u64 = 1_000_000;

/// This many steps of [`WHOLE`].
pub fn share(share: f64) -> u64 {
    (share * WHOLE as f64) as u64
}

/// A bar for games that take long each, with the remaining time and a message; each has [`WHOLE`] steps.
pub fn games(count: u32) -> ProgressBar {
    let bar = ProgressBar::new(u64::from(count) * WHOLE);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {msg}  {elapsed} (left {eta})") {
        bar.set_style(style);
    }
    bar
}
