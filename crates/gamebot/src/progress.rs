//! Progress of long work on a terminal; nothing when standard error is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar that counts `what` up to `length`, with the time that is left and a message.
pub fn bar(length: u64, what: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}  {{elapsed}} (left {{eta}})  {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
