//! The players and what they look at: every value is a sum of named features times weights (P3, G12).

use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tetris::evaluate::{Lee, Linear, ours};

use super::field::{Features, Placed};

/// A player that can take over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerName {
    /// As low as possible, nothing else.
    Height,
    /// Depth², holes and lines.
    Clever,
    /// Yiyuan Lee's four features.
    Lee,
    /// Max Bergmark's roughness and holes.
    Bergmark,
    /// BCTS: Thiery and Scherrer.
    Bcts,
    /// Ours: learned for points on Game Boy rules, tuned for lines on others.
    Ours,
}

impl PlayerName {
    /// All of them, the weakest first.
    pub const ALL: [PlayerName; 6] = [
        PlayerName::Height,
        PlayerName::Clever,
        PlayerName::Bergmark,
        PlayerName::Lee,
        PlayerName::Bcts,
        PlayerName::Ours,
    ];

    /// Its name on command lines and in requests.
    pub fn name(self) -> &'static str {
        match self {
            PlayerName::Height => "height",
            PlayerName::Clever => "clever",
            PlayerName::Lee => "lee",
            PlayerName::Bergmark => "bergmark",
            PlayerName::Bcts => "bcts",
            PlayerName::Ours => "ours",
        }
    }

    /// Whether it thinks about the next piece too.
    pub(super) fn looks_ahead(self) -> bool {
        !matches!(self, PlayerName::Height | PlayerName::Clever)
    }

    /// The value of a move itself.
    pub(super) fn move_value(self, placed: &Placed) -> f32 {
        let mut value = 0.0;
        self.move_parts(placed, |_, amount, weight| value += amount * weight);
        value
    }

    /// The value of a board.
    pub(super) fn board_value(self, features: &Features) -> f32 {
        let mut value = 0.0;
        self.board_parts(features, |_, amount, weight| value += amount * weight);
        value
    }

    /// Every feature that the player looks at, after a move.
    pub(super) fn features(self, placed: &Placed, features: &Features) -> Vec<Feature> {
        let mut found = Vec::new();
        let mut add = |name, amount, weight| found.push(Feature { name, amount, weight });
        self.move_parts(placed, &mut add);
        self.board_parts(features, &mut add);
        found
    }

    fn move_parts(self, placed: &Placed, mut part: impl FnMut(&'static str, f32, f32)) {
        let lines = placed.lines as f32;
        match self {
            PlayerName::Height => part("depth", placed.depth as f32, 1.0),
            PlayerName::Clever => {
                part("depth_squared", (placed.depth * placed.depth) as f32, 1.0);
                part("lines", lines, 100.0);
            }
            PlayerName::Lee => part("lines", lines, Lee::PUBLISHED.lines),
            PlayerName::Bergmark => {}
            PlayerName::Bcts | PlayerName::Ours => {
                let weights = self.weights();
                part("landing_height", 0.5 * placed.landing_height_doubled as f32, weights.landing_height);
                part("eroded", placed.eroded as f32, weights.eroded);
            }
        }
    }

    fn board_parts(self, features: &Features, mut part: impl FnMut(&'static str, f32, f32)) {
        match self {
            PlayerName::Height => {}
            PlayerName::Clever => part("holes", features.holes as f32, -25.0),
            PlayerName::Lee => {
                let Lee { height, holes, bumpiness, .. } = Lee::PUBLISHED;
                part("aggregate_height", features.aggregate_height as f32, height);
                part("holes", features.holes as f32, holes);
                part("bumpiness", features.bumpiness as f32, bumpiness);
            }
            PlayerName::Bergmark => part("bergmark", features.bergmark as f32, -1.0),
            PlayerName::Bcts | PlayerName::Ours => {
                let weights = self.weights();
                part("row_transitions", features.row_transitions as f32, weights.row_transitions);
                part("column_transitions", features.column_transitions as f32, weights.column_transitions);
                part("holes", features.holes as f32, weights.holes);
                part("wells", features.wells as f32, weights.wells);
                part("hole_depth", features.hole_depth as f32, weights.hole_depth);
                part("rows_with_holes", features.rows_with_holes as f32, weights.rows_with_holes);
                if weights.diversity != 0.0 {
                    part("diversity", features.diversity as f32, weights.diversity);
                }
            }
        }
    }

    fn weights(self) -> Linear {
        // The rows do not matter: features are counted on the field's own.
        if self == PlayerName::Ours { Linear::new(0, ours::LINES) } else { Linear::bcts(0) }
    }
}

impl FromStr for PlayerName {
    type Err = UnknownPlayer;

    fn from_str(name: &str) -> Result<Self, UnknownPlayer> {
        let found = PlayerName::ALL.into_iter().find(|player| player.name() == name);
        found.ok_or_else(|| UnknownPlayer { name: name.to_owned() })
    }
}

/// A name that no player has.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no player is named “{name}”; choose one of {}", PlayerName::ALL.map(PlayerName::name).join(", "))]
pub struct UnknownPlayer {
    /// The name.
    pub name: String,
}

/// One reason for a move: how much there is of something, and what the player thinks of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Feature {
    /// What is counted.
    pub name: &'static str,
    /// How much there is.
    pub amount: f32,
    /// What one of it is worth.
    pub weight: f32,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tetris::evaluate::{Bergmark, Clever, Evaluator, HeightOnly};
    use tetris::{Board, Placement};

    use super::super::field::Field;
    use super::*;

    proptest! {
        /// On ten columns the players are those of the arena, feature by feature.
        #[test]
        fn values_are_those_of_the_arena(columns in any::<[u16; 10]>(), piece in 0usize..7, pick in any::<prop::sample::Index>()) {
            let board = Board::from_columns(columns.map(|column| u32::from(column & 0x0fff)));
            let (field, piece) = (Field::of_board(&board), tetris::Piece::from_index(piece));
            let drops = field.drops(piece);
            prop_assume!(!drops.is_empty());
            let (orientation, x, row) = drops[pick.index(drops.len())];
            let shape = piece.shape(orientation);
            let rules = tetris::field::Field::GAME_BOY;
            let (after, placed) = tetris::features::lock(&board, shape, Placement::new(orientation, x, row), rules);
            let (ours_after, ours_placed) = field.locked(shape, x, row);
            let features = ours_after.features();
            let check = |player: PlayerName, value: f32| {
                let ours = player.move_value(&ours_placed) + player.board_value(&features);
                prop_assert!((ours - value).abs() < 1e-2, "{player:?} {ours} {value}");
                Ok(())
            };
            let of = |evaluator: &dyn Evaluator| evaluator.board_value(&after) + evaluator.move_value(&placed);
            check(PlayerName::Height, of(&HeightOnly))?;
            check(PlayerName::Clever, of(&Clever))?;
            check(PlayerName::Lee, of(&Lee::PUBLISHED))?;
            check(PlayerName::Bergmark, of(&Bergmark))?;
            check(PlayerName::Bcts, of(&Linear::bcts(18)))?;
            check(PlayerName::Ours, of(&Linear::new(18, ours::LINES)))?;
        }
    }

    #[test]
    fn names_lead_to_players() {
        for player in PlayerName::ALL {
            assert_eq!(player.name().parse(), Ok(player));
            assert_eq!(serde_json::to_string(&player).unwrap(), format!("\"{}\"", player.name()));
        }
        assert!("nobody".parse::<PlayerName>().unwrap_err().to_string().contains("bergmark"));
    }
}
