//! The console's screen in a terminal: two rows of pixels in one row of half-block characters.

use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

use engine::{Eye, Fault, Frame, Picture};

/// Time between two drawings: terminals are slower than consoles.
const PAUSE: Duration = Duration::from_millis(30);

/// An eye whose frames are shown, if wanted.
#[derive(Debug)]
pub struct ShownEye<E> {
    eye: E,
    shown: Option<Instant>,
}

impl<E> ShownEye<E> {
    /// Shows what `eye` sees when `show` is set.
    pub fn new(eye: E, show: bool) -> Self {
        #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
        Self { eye, shown: show.then(Instant::now) }
    }
}

impl<E: Eye> Eye for ShownEye<E> {
    fn look(&mut self) -> Result<&Frame, Fault> {
        let frame = self.eye.look()?;
        if let Some(shown) = &mut self.shown
            && shown.elapsed() >= PAUSE
        {
            // Who cannot see the picture can still play.
            drop(std::io::stderr().write_all(drawing(&frame.picture).as_bytes()));
            #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
            {
                *shown = Instant::now();
            }
        }
        Ok(frame)
    }
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
