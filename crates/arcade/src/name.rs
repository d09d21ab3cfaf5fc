//! Visitors' names (C6).

use std::fmt;

use serde::{Serialize, Serializer};
use thiserror::Error;

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
