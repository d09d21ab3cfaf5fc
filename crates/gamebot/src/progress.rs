//! Progress bars for long work; hidden when standard error is not a terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts `what` up to `length`, with the remaining time and a message.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}} (left {{eta}})  {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
