//! Mishaps: what can go wrong with the simulated robot.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mishap {
    /// The next character is carried out, but its answer is lost.
    NoAnswer,
    /// The next character is carried out, but its answer arrives as another byte.
    WrongByte,
    /// The robot hears nothing for a while, not even a question for its status.
    Deaf,
    /// The robot says busy for a while, whatever it does.
    StuckBusy,
    /// The arm stops in the error state; what it was doing is finished when somebody helps.
    Error,
    /// The next disc gets stuck and is taken out by hand: it never reaches the board.
    Jam,
    /// The cable is pulled.
    Unplug,
}

impl Mishap {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::NoAnswer, Self::WrongByte, Self::Deaf, Self::StuckBusy, Self::Error, Self::Jam, Self::Unplug];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoAnswer => "no-answer",
            Self::WrongByte => "wrong-byte",
            Self::Deaf => "deaf",
            Self::StuckBusy => "stuck-busy",
            Self::Error => "error",
            Self::Jam => "jam",
            Self::Unplug => "unplug",
        }
    }
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mishap {
    type Err = BadMishap;
    fn from_str(text: &str) -> Result<Self, BadMishap> {
        let found = Self::ALL.into_iter().find(|mishap| mishap.name() == text);
        found.ok_or_else(|| BadMishap::Unknown(text.to_owned()))
    }
}

/// A mishap at a given character, written `jam@5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheduled {
    /// What.
    pub mishap: Mishap,
    /// At which character, counted from 1; questions for the status do not count.
    pub character: u64,
}

impl FromStr for Scheduled {
    type Err = BadMishap;
    fn from_str(text: &str) -> Result<Self, BadMishap> {
        let (mishap, character) = text.split_once('@').ok_or_else(|| BadMishap::NoMoment(text.to_owned()))?;
        let character = character.parse().ok().filter(|count| *count > 0);
        let character = character.ok_or_else(|| BadMishap::NoMoment(text.to_owned()))?;
        Ok(Self { mishap: mishap.parse()?, character })
    }
}

/// A text that names no mishap.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadMishap {
    /// No such mishap.
    #[error("no fault `{0}`; there are {names}", names = Mishap::ALL.map(Mishap::name).join(", "))]
    Unknown(String),
    /// No moment.
    #[error(
        "`{0}` does not say when: write jam@5 for the fifth character that is not a question for the status"
    )]
    NoMoment(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_read_by_name_and_moment() {
        for mishap in Mishap::ALL {
            assert_eq!(mishap.name().parse(), Ok(mishap));
            assert_eq!(format!("{mishap}@5").parse(), Ok(Scheduled { mishap, character: 5 }));
        }
        let wrong = |text: &str| text.parse::<Scheduled>().unwrap_err().to_string();
        assert!(wrong("jam").contains("write jam@5"));
        assert!(wrong("jam@0").contains("write jam@5"));
        assert!(wrong("fire@3").contains("no fault `fire`; there are no-answer, wrong-byte"));
    }
}
