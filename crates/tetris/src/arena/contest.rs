//! Named players and the rules they are compared under.

use super::{GameRecord, Limits, play_classic, play_document, play_with_keys};
use crate::evaluate::{Bergmark, Clever, Evaluator, HeightOnly, Learned, Lee, Linear, ours};
use crate::gameboy::{ROWS, Setup};
use crate::reach::Timing;
use crate::search::Depth;

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rules {
    /// The Game Boy's rules, with the placements that keys of this timing can reach.
    GameBoy {
        /// Mode, level and heart mode.
        setup: Setup,
        /// How fast the keys are.
        timing: Timing,
    },
    /// The simulation of the source of G12.
    Document {
        /// Start level.
        level: u8,
        /// Milliseconds per press; without it pieces do not fall during presses.
        press_ms: Option<f64>,
    },
    /// Ten columns, uniform pieces, straight drops.
    Classic {
        /// Rows of the field.
        rows: u32,
        /// Whether the next piece is shown.
        preview: bool,
    },
}

/// The rules, limits and seed that all players share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contest {
    /// The rules.
    pub rules: Rules,
    /// When games are stopped.
    pub limits: Limits,
    /// Random seed; each game derives its own from it.
    pub seed: u64,
}

/// A built-in player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Yiyuan Lee's evaluator.
    Lee,
    /// Max Bergmark's evaluator.
    Bergmark,
    /// As low as possible (P3).
    Height,
    /// Depth², holes and lines (P3).
    Clever,
    /// Dellacherie's evaluator.
    Dellacherie,
    /// El-Tetris.
    ElTetris,
    /// BCTS.
    Bcts,
    /// DT-10.
    Dt10,
    /// DT-20.
    Dt20,
    /// Ours: for points on the Game Boy, for lines on the classic field.
    Ours,
    /// Ours, for lines on the Game Boy too.
    OursSurvive,
}

impl Player {
    /// All players with their names.
    pub const ALL: [(&'static str, Player); 11] = [
        ("lee", Player::Lee),
        ("bergmark", Player::Bergmark),
        ("height", Player::Height),
        ("clever", Player::Clever),
        ("dellacherie", Player::Dellacherie),
        ("el-tetris", Player::ElTetris),
        ("bcts", Player::Bcts),
        ("dt10", Player::Dt10),
        ("dt20", Player::Dt20),
        ("ours", Player::Ours),
        ("ours-survive", Player::OursSurvive),
    ];

    /// The player with this name.
    pub fn named(name: &str) -> Result<Player, UnknownPlayer> {
        let found = Player::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, player)| *player).ok_or_else(|| UnknownPlayer { name: name.to_owned() })
    }

    /// The player's name.
    pub fn name(self) -> &'static str {
        Player::ALL.iter().find(|(_, player)| *player == self).map_or("", |(name, _)| name)
    }

    /// Plays game number `index` of the contest.
    pub fn play(self, contest: &Contest, index: u64) -> GameRecord {
        self.with_evaluator(&contest.rules, PlayGame { contest, index })
    }

    /// Does something with the player's evaluator and depth, whatever its type.
    pub fn with_evaluator<U: UseEvaluator>(self, rules: &Rules, work: U) -> U::Output {
        let rows = match *rules {
            Rules::GameBoy { .. } | Rules::Document { .. } => ROWS,
            Rules::Classic { rows, .. } => rows,
        };
        match self {
            Player::Lee => work.with(Lee::PUBLISHED, Depth::Two),
            Player::Bergmark => work.with(Bergmark, Depth::Two),
            Player::Height => work.with(HeightOnly, Depth::One),
            Player::Clever => work.with(Clever, Depth::One),
            Player::Dellacherie => work.with(Linear::dellacherie(rows), Depth::Two),
            Player::ElTetris => work.with(Linear::el_tetris(rows), Depth::Two),
            Player::Bcts => work.with(Linear::bcts(rows), Depth::Two),
            Player::Dt10 => work.with(Linear::dt10(rows), Depth::Two),
            Player::Dt20 => work.with(Linear::dt20(rows), Depth::Two),
            Player::Ours if matches!(rules, Rules::GameBoy { .. }) => work.with(Learned::ours(), ours::DEPTH),
            Player::Ours | Player::OursSurvive => {
                let depth = match rules {
                    Rules::Classic { preview: false, .. } => ours::DEPTH_WITHOUT_PREVIEW,
                    Rules::GameBoy { .. } | Rules::Document { .. } | Rules::Classic { preview: true, .. } => {
                        Depth::Two
                    }
                };
                work.with(Linear::new(rows, ours::LINES), depth)
            }
        }
    }
}

/// Work for which [`Player::with_evaluator`] finds the evaluator.
pub trait UseEvaluator {
    /// Its result.
    type Output;
    /// Does it.
    fn with<E: Evaluator + Clone + Send + 'static>(self, evaluator: E, depth: Depth) -> Self::Output;
}

struct PlayGame<'a> {
    contest: &'a Contest,
    index: u64,
}

impl UseEvaluator for PlayGame<'_> {
    type Output = GameRecord;

    fn with<E: Evaluator + Clone + Send + 'static>(self, evaluator: E, depth: Depth) -> GameRecord {
        self.contest.play(evaluator, depth, self.index)
    }
}

impl Contest {
    /// The seed of game number `index`, the same for every player.
    pub fn game_seed(&self, index: u64) -> u64 {
        self.seed.wrapping_mul(1_000_003).wrapping_add(index)
    }

    /// Plays game number `index` with any evaluator.
    pub fn play<E: Evaluator + Clone + Send>(&self, evaluator: E, depth: Depth, index: u64) -> GameRecord {
        let seed = self.game_seed(index);
        match self.rules {
            Rules::GameBoy { setup, timing } => {
                play_with_keys(evaluator, depth, timing, setup, seed, self.limits)
            }
            Rules::Document { level, press_ms } => {
                play_document(evaluator, level, press_ms, seed, self.limits)
            }
            Rules::Classic { rows, preview } => {
                let depth = match depth {
                    _ if preview => depth,
                    Depth::Expected { .. } => depth,
                    Depth::One | Depth::Two | Depth::Chance { .. } | Depth::TwoChances { .. } => Depth::One,
                };
                play_classic(&evaluator, rows, depth, seed, self.limits.lines.saturating_mul(3))
            }
        }
    }
}

/// A name that no player has.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("no player is named “{name}”; choose one of {}", Player::ALL.map(|(name, _)| name).join(", "))]
pub struct UnknownPlayer {
    /// The name.
    pub name: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gameboy::Mode;

    #[test]
    fn names_lead_to_players_and_back() {
        for (name, player) in Player::ALL {
            assert_eq!(Player::named(name), Ok(player));
            assert_eq!(player.name(), name);
        }
        assert!(Player::named("nobody").unwrap_err().to_string().contains("bergmark"));
    }

    #[test]
    fn games_repeat_exactly_and_seeds_differ() {
        let setup = Setup::new(Mode::A, 9, false).unwrap();
        let rules = Rules::GameBoy { setup, timing: Timing::from_ms(75.0) };
        let contest = Contest { rules, limits: Limits { lines: 30, stop_at_max_out: true }, seed: 1 };
        for player in [Player::Clever, Player::Ours] {
            let record = player.play(&contest, 0);
            assert_eq!(record, player.play(&contest, 0));
            assert_ne!(record, player.play(&contest, 1));
        }
    }
}
