//! Visitors: the token that tells who comes back, and the name that others see (C6).

use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

/// Names one visitor across connections; as hard to guess as a password.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(String);

impl Token {
    const DIGITS: usize = 32;

    /// A new visitor's.
    pub fn random() -> Self {
        Self(hex(&rand::random::<[u8; Self::DIGITS / 2]>()))
    }

    /// Reads one that we could have made; nothing else names anybody.
    pub fn parse(text: &str) -> Option<Self> {
        let ours = text.len() == Self::DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        ours.then(|| Self(text.to_owned()))
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Never whole: whoever reads the log must not be able to take a seat.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}…", self.0.get(..4).unwrap_or_default())
    }
}

impl Serialize for Token {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

/// Bytes as text that is safe in cookies and JSON.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// 3–15 characters of `a-z A-Z 0-9 _ -`: short enough for every page, and no markup can be in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name(String);

/// A name that is not allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a name has 3 to 15 characters of a-z, A-Z, 0-9, _ and -")]
pub struct NameInvalid;

impl Name {
    /// Checks a name.
    pub fn new(text: &str) -> Result<Self, NameInvalid> {
        let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if (3..=15).contains(&text.len()) && text.chars().all(allowed) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NameInvalid)
        }
    }

    /// Whether two people could confuse them.
    pub fn is_like(&self, other: &Name) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_ours_or_nobodys() {
        let token = Token::random();
        assert_eq!(Token::parse(token.as_str()), Some(token.clone()));
        assert_ne!(Token::random(), token);
        for bad in ["", "ffff", "0011223344556677889900aabbccddeg", "0011223344556677889900aabbccddee0"] {
            assert_eq!(Token::parse(bad), None, "{bad}");
        }
        assert!(!format!("{token:?}").contains(token.as_str()));
    }

    #[test]
    fn three_to_fifteen_plain_characters() {
        for good in ["Ada", "a-b_c", "123456789012345", "___"] {
            assert!(Name::new(good).is_ok(), "{good}");
        }
        for bad in ["", "ab", "1234567890123456", "Ada L", "<b>x</b>", "Jürg", "a\u{0}b", "Ada\n", "😀😀😀"]
        {
            assert_eq!(Name::new(bad), Err(NameInvalid), "{bad:?}");
        }
    }
}
