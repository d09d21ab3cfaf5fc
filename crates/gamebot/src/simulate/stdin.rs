//! Lines that steer a simulated device.

use std::io::BufRead;

use tokio::sync::mpsc;

/// Lines as they come, from a thread of its own: reading standard input cannot be interrupted.
pub(super) fn lines_of_stdin() -> mpsc::UnboundedReceiver<String> {
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
