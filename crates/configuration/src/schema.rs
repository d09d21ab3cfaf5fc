//! The description of every key, and the macro that declares it.

use crate::layers::Values;
use crate::value::{Raw, Wrong};

/// The description of one key.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Its name inside its section.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// The unit of its value, if it has one.
    pub unit: Option<&'static str>,
    /// A description of the allowed values.
    pub allowed: fn() -> String,
    /// The default value.
    pub default: fn() -> Raw,
    /// Checks a value.
    pub check: fn(&Raw) -> Result<(), Wrong>,
}

/// A group of keys: one table of the profile.
#[derive(Clone, Copy, Debug)]
pub struct Section {
    /// The table's name.
    pub name: &'static str,
    /// What it is about, in one sentence.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [Key],
}

/// All sections of a program.
#[derive(Clone, Debug)]
pub struct Schema {
    sections: Vec<Section>,
}

impl Schema {
    /// The sections in the order in which they are explained.
    pub fn new(sections: &[Section]) -> Self {
        Self { sections: sections.to_vec() }
    }

    /// All sections.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section with this name.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The key with this full name, such as `engine.repeat_limit`.
    pub fn key(&self, path: &str) -> Option<(&Section, &Key)> {
        let (section, name) = path.split_once('.')?;
        let section = self.section(section)?;
        Some((section, section.key(name)?))
    }

    /// Full names of all keys.
    pub fn paths(&self) -> impl Iterator<Item = String> + '_ {
        self.sections.iter().flat_map(|section| section.keys.iter().map(|key| section.path(key)))
    }
}

impl Section {
    /// The key with this name.
    pub fn key(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// A key's full name.
    pub fn path(&self, key: &Key) -> String {
        format!("{}.{}", self.name, key.name)
    }
}

/// A section of settings as a struct; written by [`settings!`](crate::settings!).
pub trait Settings: Clone {
    /// The description of this section.
    const SECTION: Section;

    /// The values of this section; what nobody set has its default.
    fn from_values(values: &Values) -> Self;

    /// Every key's value as a profile would write it, in the order of the section's keys.
    fn to_raw(&self) -> Vec<Raw>;
}

/// Declares a struct of settings with the description of every key.
///
/// Each key is `name: type = default`, then optionally `range first..=last`
/// and `unit "…"`; users read its doc comment. See the crate's example.
#[macro_export]
macro_rules! settings {
    (
        #[doc = $section_doc:literal]
        pub struct $name:ident in $section:literal {
            $(
                #[doc = $doc:literal]
                $key:ident : $type:ty = $default:expr $(, range $range:expr)? $(, unit $unit:literal)? ;
            )+
        }
    ) => {
        #[doc = $section_doc]
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $( #[doc = $doc] pub $key: $type, )+
        }

        impl $name {
            /// The description of this section.
            pub const SECTION: $crate::Section = $crate::Section {
                name: $section,
                doc: $section_doc,
                keys: &[ $( $crate::Key {
                    name: stringify!($key),
                    doc: $doc,
                    unit: $crate::settings!(@unit $($unit)?),
                    allowed: || <$type as $crate::Setting>::describe(&$crate::settings!(@range $($range)?)),
                    default: || {
                        let default: $type = $default;
                        $crate::Setting::to_raw(&default)
                    },
                    check: |raw| {
                        <$type as $crate::Setting>::from_raw(raw, &$crate::settings!(@range $($range)?)).map(|_| ())
                    },
                }, )+ ],
            };

            /// The values of this section; keys that were not set have their defaults.
            pub fn from_values(values: &$crate::Values) -> Self {
                Self {
                    $( $key: values
                        .get($section, stringify!($key))
                        // Only checked values are stored, so this cannot fail.
                        .and_then(|raw| <$type as $crate::Setting>::from_raw(raw, &$crate::settings!(@range $($range)?)).ok())
                        .unwrap_or_else(|| $default), )+
                }
            }
        }

        impl $crate::Settings for $name {
            const SECTION: $crate::Section = Self::SECTION;

            fn from_values(values: &$crate::Values) -> Self {
                Self::from_values(values)
            }

            fn to_raw(&self) -> Vec<$crate::Raw> {
                vec![ $( $crate::Setting::to_raw(&self.$key), )+ ]
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $key: $default, )+ }
            }
        }
    };
    (@unit) => { None };
    (@unit $unit:literal) => { Some($unit) };
    (@range) => { $crate::Allowed::Any };
    (@range $range:expr) => { $crate::Allowed::Range($range) };
}
