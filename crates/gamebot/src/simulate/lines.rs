//! Lines on standard input, for simulators that are told what to do while they run.

use std::io::BufRead;

use tokio::sync::mpsc;

/// Lines as they come, from a thread of its own: reading standard input cannot be interrupted.
pub fn of_stdin() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            // A line that is not text ends the conversation, as does a listener that has gone.
            if line.ok().is_none_or(|line| sender.send(line).is_err()) {
                return;
            }
        }
    });
    lines
}

/// A share from 0 to 1, for flags.
pub fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "a number from 0 to 1".to_owned())
}
