//! The console's screen in a terminal: two rows of pixels in one row of half-block characters.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use engine::notes::{NoteReader, Topic};
use engine::{Frame, Picture, Time};

/// Time between two drawings: terminals are slower than consoles.
const PAUSE: Duration = Duration::from_millis(30);

/// Reads the frames of a run and draws them on standard error.
#[derive(Debug)]
pub struct TerminalView {
    drawn: Instant,
}

impl TerminalView {
    /// A view that draws from now on.
    #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
    pub fn new() -> Self {
        Self { drawn: Instant::now() }
    }
}

impl NoteReader for TerminalView {
    fn wants(&self, topic: Topic) -> bool {
        topic == Topic::Frame && self.drawn.elapsed() >= PAUSE
    }

    #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
    fn frame(&mut self, frame: &Frame) {
        // Who cannot see the picture can still play.
        drop(std::io::stderr().write_all(drawing(&frame.picture).as_bytes()));
        self.drawn = Instant::now();
    }

    fn note(&mut self, _topic: Topic, _time: Time, _json: &[u8]) {}
}

/// Every second pixel of every second row, so that it fits 80 columns and 36 rows.
fn drawing(picture: &Picture) -> String {
    let mut text = String::from("\x1b[H");
    for y in (0..picture.height).step_by(4) {
        let (upper, lower) = (picture.row(y), picture.row(y + 2));
        for (upper, lower) in upper.iter().step_by(2).zip(lower.iter().step_by(2)) {
            // Writing to a String cannot fail.
            let _ = write!(text, "\x1b[38;5;{};48;5;{}m▀", grey(*upper), grey(*lower));
        }
        text.push_str("\x1b[0m\r\n");
    }
    text
}

/// A colour of the terminal's grey ramp, 232 black to 255 white.
fn grey(luma: u8) -> u8 {
    232 + (u16::from(luma) * 23 / 255) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::PixelFormat;

    #[test]
    fn a_screen_becomes_half_blocks() {
        let text = drawing(&Picture::black(160, 144, PixelFormat::Gray8));
        assert_eq!(text.matches('▀').count(), 80 * 36);
        assert!(text.contains("38;5;232"));
        assert_eq!(grey(255), 255);
    }
}
