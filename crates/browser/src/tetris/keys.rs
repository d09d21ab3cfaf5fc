//! Held keys, frame by frame, as short text: what proves a score.
//!
//! Each run of equal frames is one entry, `frames` in base 36 and the buttons as two hexadecimal digits: `c01` is
//! twelve frames with Right held. Entries are separated by commas.

use tetris::gameboy::Buttons;

/// The keys of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyLog {
    runs: Vec<(u32, Buttons)>,
}

/// The longest game that is replayed: six hours.
const MOST_FRAMES: u64 = 6 * 3600 * 60;

impl KeyLog {
    /// Adds one frame.
    pub fn push(&mut self, held: Buttons) {
        match self.runs.last_mut() {
            Some((frames, last)) if *last == held => *frames += 1,
            _ => self.runs.push((1, held)),
        }
    }

    /// The buttons of every frame, in order.
    pub fn frames(&self) -> impl Iterator<Item = Buttons> + '_ {
        self.runs.iter().flat_map(|&(frames, held)| (0..frames).map(move |_| held))
    }

    /// Writes the log.
    pub fn to_text(&self) -> String {
        let entry = |&(frames, held): &(u32, Buttons)| format!("{}{:02x}", base36(frames), held.0);
        self.runs.iter().map(entry).collect::<Vec<_>>().join(",")
    }

    /// Reads what [`KeyLog::to_text`] wrote.
    ///
    /// ```
    /// use browser::tetris::KeyLog;
    ///
    /// let log = KeyLog::parse("c01,100")?;
    /// assert_eq!(log.frames().count(), 13);
    /// assert!(KeyLog::parse("x").is_err());
    /// # Ok::<(), browser::tetris::KeyLogError>(())
    /// ```
    pub fn parse(text: &str) -> Result<KeyLog, KeyLogError> {
        let mut log = KeyLog::default();
        let mut total = 0;
        for (index, entry) in text.split(',').filter(|entry| !entry.is_empty()).enumerate() {
            let wrong = || KeyLogError::Entry { entry: index + 1 };
            let split = entry.len().checked_sub(2).filter(|&split| split > 0 && entry.is_ascii());
            let (frames, held) = entry.split_at(split.ok_or_else(wrong)?);
            let frames = u32::from_str_radix(frames, 36).map_err(|_| wrong())?;
            let held = u8::from_str_radix(held, 16).map_err(|_| wrong())?;
            total += u64::from(frames);
            if total > MOST_FRAMES {
                return Err(KeyLogError::TooLong);
            }
            log.runs.push((frames, Buttons(held)));
        }
        Ok(log)
    }
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

/// Why a text is not a log of keys.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyLogError {
    /// An entry that is not frames and buttons.
    #[error("entry {entry} of the keys is not frames in base 36 and two hexadecimal digits of buttons")]
    Entry {
        /// Which, counted from 1.
        entry: usize,
    },
    /// Longer than a game can be.
    #[error("the keys are of a game longer than six hours")]
    TooLong,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn text_and_back(held in proptest::collection::vec(0u8..4, 0..200)) {
            let mut log = KeyLog::default();
            for &buttons in &held {
                log.push(Buttons(buttons));
            }
            let read = KeyLog::parse(&log.to_text()).unwrap();
            prop_assert_eq!(&read, &log);
            prop_assert_eq!(read.frames().map(|buttons| buttons.0).collect::<Vec<_>>(), held);
        }

        #[test]
        fn no_text_is_fatal(text in ".{0,40}") {
            let _ = KeyLog::parse(&text);
        }
    }

    #[test]
    fn an_endless_game_is_refused() {
        assert_eq!(KeyLog::parse("zzzzz00"), Err(KeyLogError::TooLong));
        assert_eq!(KeyLog::parse("100,q"), Err(KeyLogError::Entry { entry: 2 }));
    }
}
