//! Which graphics a terminal offers: by its answer, or by the variables it sets.

use std::fs::OpenOptions;
use std::io::{Read as _, Write as _};

use clap::ValueEnum;
use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

/// How pictures are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Graphics {
    /// The protocol of kitty, which others speak too.
    Kitty,
    /// The protocol of iTerm2.
    Iterm2,
    /// Sixels.
    Sixel,
    /// Characters alone.
    Characters,
}

/// A picture of one pixel that is not shown, as kitty's protocol asks whether it is understood; then the question that
/// every terminal answers.
const QUESTION: &[u8] = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c";
/// Tenths of a second to wait for the next byte of the answer.
const PATIENCE_TENTHS: u8 = 2;
/// The longest answer that is read.
const LONGEST_ANSWER: usize = 512;

/// The best that this terminal offers.
pub fn of_this_terminal() -> Graphics {
    let variable = |name: &str| std::env::var(name).ok();
    // Between us and the terminal sits a program that shows characters.
    if variable("TMUX").is_some() || variable("STY").is_some() {
        return Graphics::Characters;
    }
    offered(variable, &answer().unwrap_or_default())
}

fn offered(variable: impl Fn(&str) -> Option<String>, answer: &[u8]) -> Graphics {
    let answer = String::from_utf8_lossy(answer);
    if answer.contains("_Gi=31;OK") {
        return Graphics::Kitty;
    }
    let is = |name: &str, value: &str| variable(name).is_some_and(|found| found == value);
    if is("TERM_PROGRAM", "iTerm.app") || is("LC_TERMINAL", "iTerm2") {
        return Graphics::Iterm2;
    }
    // ESC [ ? 62 ; 4 ; 22 c: the 4 stands for sixels.
    let attributes = answer.rsplit_once("\x1b[?").and_then(|(_, rest)| rest.split_once('c'));
    if attributes.is_some_and(|(numbers, _)| numbers.split(';').skip(1).any(|number| number == "4")) {
        return Graphics::Sixel;
    }
    Graphics::Characters
}

/// What the terminal says of itself; it is left as it was found.
fn answer() -> std::io::Result<Vec<u8>> {
    let mut terminal = OpenOptions::new().read(true).write(true).open("/dev/tty")?;
    let before = tcgetattr(&terminal)?;
    let mut silent = before.clone();
    silent.make_raw();
    silent.special_codes[SpecialCodeIndex::VMIN] = 0;
    silent.special_codes[SpecialCodeIndex::VTIME] = PATIENCE_TENTHS;
    tcsetattr(&terminal, OptionalActions::Now, &silent)?;
    let mut answer = Vec::new();
    let asked = terminal.write_all(QUESTION).and_then(|()| {
        let mut byte = [0];
        while answer.len() < LONGEST_ANSWER && terminal.read(&mut byte)? == 1 {
            answer.push(byte[0]);
            // The answer to the second question ends with its c, and everyone answers that one.
            if byte[0] == b'c' && answer.windows(3).any(|three| three == b"\x1b[?") {
                break;
            }
        }
        Ok(())
    });
    tcsetattr(&terminal, OptionalActions::Now, &before)?;
    asked.map(|()| answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(variables: &[(&str, &str)], answer: &str) -> Graphics {
        let variable = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        offered(variable, answer.as_bytes())
    }

    #[test]
    fn terminals_are_known_by_their_answers() {
        assert_eq!(offer(&[], "\x1b_Gi=31;OK\x1b\\\x1b[?62;c"), Graphics::Kitty);
        assert_eq!(offer(&[], "\x1b[?62;4;22c"), Graphics::Sixel);
        assert_eq!(offer(&[], "\x1b[?64;1;2;42c"), Graphics::Characters);
        assert_eq!(offer(&[], "\x1b[?4c"), Graphics::Characters, "a VT132, not sixels");
        assert_eq!(offer(&[], ""), Graphics::Characters);
        assert_eq!(offer(&[("TERM_PROGRAM", "iTerm.app")], "\x1b[?62;4c"), Graphics::Iterm2);
        assert_eq!(offer(&[("LC_TERMINAL", "iTerm2")], ""), Graphics::Iterm2);
    }
}
