//! Values as written, and the types of settings.

use std::fmt;
use std::ops::RangeInclusive;

/// A value as it was written, before it is checked against its key.
#[derive(Clone, Debug, PartialEq)]
pub enum Raw {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// Quoted text.
    Text(String),
    /// Any other kind of TOML value, by name.
    Other(&'static str),
}

impl fmt::Display for Raw {
    /// Writes the value as TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Raw::Boolean(value) => write!(f, "{value}"),
            Raw::Integer(value) => write!(f, "{value}"),
            Raw::Float(value) => write!(f, "{value:?}"),
            Raw::Text(value) => {
                write!(f, "\"")?;
                for character in value.chars() {
                    match character {
                        '"' => write!(f, "\\\"")?,
                        '\\' => write!(f, "\\\\")?,
                        c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
                        c => write!(f, "{c}")?,
                    }
                }
                write!(f, "\"")
            }
            Raw::Other(what) => write!(f, "{what}"),
        }
    }
}

impl Raw {
    /// The value without quotes, as flags and pages write it.
    pub fn plain(&self) -> String {
        match self {
            Raw::Text(text) => text.clone(),
            Raw::Boolean(_) | Raw::Integer(_) | Raw::Float(_) | Raw::Other(_) => self.to_string(),
        }
    }

    /// Reads a value without quotes to tell text from numbers, as in environment
    /// variables and flags.
    pub fn from_plain(text: &str) -> Raw {
        if let Ok(value) = text.parse::<bool>() {
            Raw::Boolean(value)
        } else if let Ok(value) = text.parse::<i64>() {
            Raw::Integer(value)
        } else if let Ok(value) = text.parse::<f64>()
            && value.is_finite()
        {
            Raw::Float(value)
        } else {
            Raw::Text(text.to_owned())
        }
    }
}

/// Why a value does not fit its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// Wrong type.
    Type,
    /// Right type, but not allowed.
    Range,
    /// Not allowed, and possibly a secret: messages do not repeat it.
    Secret,
}

/// Which values of its type a key allows.
#[derive(Clone, Debug, PartialEq)]
pub enum Allowed<T> {
    /// Every value of the type.
    Any,
    /// Values in this range.
    Range(RangeInclusive<T>),
}

impl<T: PartialOrd> Allowed<T> {
    fn admits(&self, value: &T) -> bool {
        match self {
            Allowed::Any => true,
            Allowed::Range(range) => range.contains(value),
        }
    }
}

/// A type of setting.
pub trait Setting: Sized + PartialOrd {
    /// Reads a value.
    fn from_raw(raw: &Raw, allowed: &Allowed<Self>) -> Result<Self, Wrong>;

    /// The value as a profile would write it.
    fn to_raw(&self) -> Raw;

    /// Describes the allowed values, such as "a whole number from 0 to 20".
    fn describe(allowed: &Allowed<Self>) -> String;
}

impl Setting for bool {
    fn from_raw(raw: &Raw, _allowed: &Allowed<Self>) -> Result<Self, Wrong> {
        match raw {
            Raw::Boolean(value) => Ok(*value),
            Raw::Integer(_) | Raw::Float(_) | Raw::Text(_) | Raw::Other(_) => Err(Wrong::Type),
        }
    }
    fn to_raw(&self) -> Raw {
        Raw::Boolean(*self)
    }
    fn describe(_allowed: &Allowed<Self>) -> String {
        "true or false".to_owned()
    }
}

macro_rules! whole_numbers {
    ($($type:ty),*) => { $(
        impl Setting for $type {
            fn from_raw(raw: &Raw, allowed: &Allowed<Self>) -> Result<Self, Wrong> {
                let Raw::Integer(value) = raw else { return Err(Wrong::Type) };
                let value = Self::try_from(*value).map_err(|_| Wrong::Range)?;
                if allowed.admits(&value) { Ok(value) } else { Err(Wrong::Range) }
            }
            fn to_raw(&self) -> Raw {
                // Profiles hold signed 64-bit numbers; no key allows more.
                Raw::Integer(i64::try_from(*self).unwrap_or(i64::MAX))
            }
            fn describe(allowed: &Allowed<Self>) -> String {
                match allowed {
                    Allowed::Any => "a whole number, 0 or more".to_owned(),
                    Allowed::Range(range) => {
                        format!("a whole number from {} to {}", range.start(), range.end())
                    }
                }
            }
        }
    )* };
}

whole_numbers!(u8, u16, u32, u64, usize);

impl Setting for f64 {
    fn from_raw(raw: &Raw, allowed: &Allowed<Self>) -> Result<Self, Wrong> {
        let value = match raw {
            Raw::Float(value) => *value,
            Raw::Integer(value) => *value as f64,
            Raw::Boolean(_) | Raw::Text(_) | Raw::Other(_) => return Err(Wrong::Type),
        };
        if value.is_finite() && allowed.admits(&value) { Ok(value) } else { Err(Wrong::Range) }
    }
    fn to_raw(&self) -> Raw {
        Raw::Float(*self)
    }
    fn describe(allowed: &Allowed<Self>) -> String {
        match allowed {
            Allowed::Any => "a number".to_owned(),
            Allowed::Range(range) => format!("a number from {} to {}", range.start(), range.end()),
        }
    }
}

impl Setting for String {
    fn from_raw(raw: &Raw, _allowed: &Allowed<Self>) -> Result<Self, Wrong> {
        match raw {
            Raw::Text(value) => Ok(value.clone()),
            Raw::Boolean(_) | Raw::Integer(_) | Raw::Float(_) | Raw::Other(_) => Err(Wrong::Type),
        }
    }
    fn to_raw(&self) -> Raw {
        Raw::Text(self.clone())
    }
    fn describe(_allowed: &Allowed<Self>) -> String {
        "text in quotes".to_owned()
    }
}

/// Declares an enum whose variants are the allowed words of a key.
///
/// ```
/// configuration::choices! {
///     /// How loud.
///     pub enum Volume {
///         /// Not at all.
///         Off = "off",
///         /// Very.
///         Full = "full",
///     }
/// }
/// assert_eq!(Volume::Full.word(), "full");
/// ```
#[macro_export]
macro_rules! choices {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $word:literal, )+ }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $( $(#[$variant_meta])* $variant, )+ }

        impl $name {
            /// All choices.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word in a profile.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl $crate::Setting for $name {
            fn from_raw(raw: &$crate::Raw, _allowed: &$crate::Allowed<Self>) -> Result<Self, $crate::Wrong> {
                let $crate::Raw::Text(text) = raw else { return Err($crate::Wrong::Type) };
                match text.as_str() {
                    $($word => Ok(Self::$variant),)+
                    _ => Err($crate::Wrong::Range),
                }
            }
            fn to_raw(&self) -> $crate::Raw {
                $crate::Raw::Text(self.word().to_owned())
            }
            fn describe(_allowed: &$crate::Allowed<Self>) -> String {
                let words: Vec<_> = Self::ALL.iter().map(|choice| format!("\"{}\"", choice.word())).collect();
                format!("one of {}", words.join(", "))
            }
        }
    };
}
