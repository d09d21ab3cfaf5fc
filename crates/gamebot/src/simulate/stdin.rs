//! Lines that steer a simulated device.

use std::io::BufRead;

use tokio::sync::mpsc;

/// Reads lines in a thread of its own, because reading standard input cannot be interrupted.
pub(super) fn lines_of_stdin() -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            // Stops at a line that is not text, or when nobody listens any more.
            if line.ok().is_none_or(|line| sender.send(line).is_err()) {
                return;
            }
        }
    });
    lines
}
