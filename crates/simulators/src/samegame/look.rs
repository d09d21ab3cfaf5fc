//! What games look like: a dozen looks, each a short list of choices.

use std::fmt;
use std::str::FromStr;

/// How a tile is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Material {
    /// One colour.
    Flat,
    /// One colour with rounded corners.
    Rounded,
    /// Lighter at the top, darker at the bottom.
    Gradient,
    /// Bevelled edges.
    Bevelled,
    /// A ball with a highlight.
    Ball,
    /// A coloured tile with a pattern.
    Textured,
    /// A grey plate with a grey shape: colour says nothing.
    Shape,
    /// A coloured jewel, each colour with a shape of its own.
    Jewel,
    /// Tiles of a group flow together; only the group has an outline.
    Joined,
}

/// What lies behind the tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// One dark colour.
    Dark,
    /// One light colour.
    Light,
    /// A picture of hills and clouds.
    Picture,
    /// Dark, with a socket drawn where a tile is missing.
    Sockets,
}

/// The looks that can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is described by `LookName::look`")]
pub enum LookName {
    Flat,
    Tight,
    Gradient,
    Glossy,
    Balls,
    Shapes,
    Outlines,
    Fractional,
    Shades,
    Textured,
    Sockets,
    Light,
    Bevelled,
    Jewels,
}

/// What one look consists of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// How tiles are made.
    pub material: Material,
    /// What lies behind them.
    pub ground: Ground,
    /// Pixels between two tiles.
    pub gap: f64,
    /// Whether all colours are shades of one.
    pub shades: bool,
    /// Whether the pitch may be a fraction of a pixel.
    pub fractional: bool,
}

impl LookName {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::Flat,
        Self::Tight,
        Self::Gradient,
        Self::Glossy,
        Self::Balls,
        Self::Shapes,
        Self::Outlines,
        Self::Fractional,
        Self::Shades,
        Self::Textured,
        Self::Sockets,
        Self::Light,
        Self::Bevelled,
        Self::Jewels,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Tight => "tight",
            Self::Gradient => "gradient",
            Self::Glossy => "glossy",
            Self::Balls => "balls",
            Self::Shapes => "shapes",
            Self::Outlines => "outlines",
            Self::Fractional => "fractional",
            Self::Shades => "shades",
            Self::Textured => "textured",
            Self::Sockets => "sockets",
            Self::Light => "light",
            Self::Bevelled => "bevelled",
            Self::Jewels => "jewels",
        }
    }

    /// What it consists of.
    pub fn look(self) -> Look {
        let plain = Look {
            material: Material::Flat,
            ground: Ground::Dark,
            gap: 2.0,
            shades: false,
            fractional: false,
        };
        match self {
            Self::Flat => plain,
            Self::Tight => Look { gap: 0.0, ..plain },
            Self::Gradient => Look { material: Material::Gradient, gap: 1.0, ..plain },
            Self::Glossy => Look { material: Material::Ball, ground: Ground::Picture, gap: 2.0, ..plain },
            Self::Balls => Look { material: Material::Ball, gap: 3.0, ..plain },
            Self::Shapes => Look { material: Material::Shape, gap: 2.0, ..plain },
            Self::Outlines => Look { material: Material::Joined, gap: 0.0, ..plain },
            Self::Fractional => Look { gap: 1.0, fractional: true, ..plain },
            Self::Shades => Look { shades: true, ..plain },
            Self::Textured => Look { material: Material::Textured, gap: 1.0, ..plain },
            Self::Sockets => Look { material: Material::Rounded, ground: Ground::Sockets, ..plain },
            Self::Light => Look { material: Material::Rounded, ground: Ground::Light, gap: 3.0, ..plain },
            Self::Bevelled => Look { material: Material::Bevelled, gap: 0.0, ..plain },
            Self::Jewels => Look { material: Material::Jewel, fractional: true, ..plain },
        }
    }
}

impl fmt::Display for LookName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no look has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no look `{name}`; there are {}", LookName::ALL.map(LookName::name).join(", "))]
pub struct UnknownLook {
    /// What was asked for.
    pub name: String,
}

impl FromStr for LookName {
    type Err = UnknownLook;

    fn from_str(name: &str) -> Result<Self, UnknownLook> {
        let found = Self::ALL.into_iter().find(|look| look.name() == name);
        found.ok_or_else(|| UnknownLook { name: name.to_owned() })
    }
}
