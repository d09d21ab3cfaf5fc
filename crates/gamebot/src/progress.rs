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
