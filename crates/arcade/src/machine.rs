//! The machine at the table: turns a thought into a decision with its explanation (C5, C9, X4).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use budget::Budget;
use configuration::Values;
use connect_four::exhibition::{Known, Node};
use connect_four::{Column, Ending, Intent, Level, Machine, Outcome, Player, Position, Settings, Visitor};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::time::Instant;

use crate::event::{ColumnValue, Decision, Disc, Text, Tree};
use crate::hall::Think;
use crate::settings::LevelSettings;
use crate::store::PastGame;
use crate::table::Thought;

/// A thinker whose games differ by `seed` and are otherwise always the same.
pub fn thinker(seed: u64) -> Think {
    let room = Mutex::new(Room { machine: None, visitor: None });
    Arc::new(move |thought: &Thought, past: &[PastGame], values: &Values| {
        // One game at a time: nobody else waits for this lock.
        let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
        room.think(seed, thought, past, &LevelSettings::from_values(values))
    })
}

/// Where the machine thinks: its tables stay warm from turn to turn.
struct Room {
    machine: Option<(Settings, Machine)>,
    /// What is known of the visitor of a game, and how many of its turns have been seen.
    visitor: Option<(u64, usize, Visitor)>,
}

impl Room {
    fn think(&mut self, seed: u64, thought: &Thought, past: &[PastGame], levels: &LevelSettings) -> Decision {
        let started = Instant::now();
        let position = after(&thought.moves);
        let visitor = self.visitor(thought, past);
        let settings = levels.machine();
        if self.machine.as_ref().is_none_or(|(known, _)| *known != settings) {
            self.machine = Some((settings, Machine::new(settings)));
        }
        let Some((_, machine)) = &mut self.machine else { return thoughtless(thought, &position) };
        machine.visitor = visitor;
        let mut random =
            Xoshiro256PlusPlus::seed_from_u64(seed ^ (thought.game << 8) ^ u64::from(thought.ply));
        let deadline = started + Duration::from_secs(u64::from(levels.think_at_most_s));
        let budget = Budget::until(move || Instant::now() >= deadline);
        let chosen = machine.choose(&position, thought.level, &mut random, &budget).or_else(|error| {
            // Out of time: a shallow look is better than keeping a visitor waiting.
            tracing::warn!(%error, level = thought.level.name(), "the machine thinks again, less deeply");
            machine.choose(&position, Level::Medium, &mut random, &Budget::unlimited())
        });
        if let Some((_, _, visitor)) = &mut self.visitor {
            *visitor = machine.visitor;
        }
        let Ok(chosen) = chosen else { return thoughtless(thought, &position) };
        shown(&position, thought.level, chosen, started)
    }

    /// What is known of the visitor of this game: from the stored games, and from its turns so far.
    fn visitor(&mut self, thought: &Thought, past: &[PastGame]) -> Visitor {
        let (game, seen, mut visitor) = match self.visitor.take() {
            Some(known) if known.0 == thought.game => known,
            _ => (thought.game, 0, remember(past)),
        };
        // The machine is to move, so the visitor's turns are those of the other colour.
        let machine = after(&thought.moves).to_move();
        let mut position = Position::EMPTY;
        for (index, column) in thought.moves.iter().enumerate() {
            if index >= seen && position.to_move() != machine {
                visitor.moved(&position, *column);
            }
            let Ok(next) = position.play(*column) else { break };
            position = next;
        }
        self.visitor = Some((game, thought.moves.len(), visitor));
        visitor
    }
}

/// What the stored games tell of a visitor.
fn remember(past: &[PastGame]) -> Visitor {
    let mut visitor = Visitor::default();
    for game in past {
        let visitors_side = if game.visitor_is_red { Player::First } else { Player::Second };
        let mut position = Position::EMPTY;
        for column in game.moves.bytes().filter_map(|digit| Column::new(digit.wrapping_sub(b'0')).ok()) {
            if position.to_move() == visitors_side {
                visitor.moved(&position, column);
            }
            let Ok(next) = position.play(column) else { break };
            position = next;
        }
        match position.outcome() {
            Outcome::Won { winner, .. } if winner == visitors_side => visitor.ended(Ending::VisitorWon),
            Outcome::Won { .. } => visitor.ended(Ending::MachineWon),
            Outcome::Draw => visitor.ended(Ending::Drawn),
            Outcome::Open => {}
        }
    }
    visitor
}

/// The position after these moves; those that the rules refuse end it.
fn after(moves: &[Column]) -> Position {
    moves
        .iter()
        .try_fold(Position::EMPTY, |position, column| position.play(*column))
        .unwrap_or(Position::EMPTY)
}

/// A decision as pages show it.
fn shown(position: &Position, level: Level, chosen: connect_four::Decision, started: Instant) -> Decision {
    let column_value = |column: Column| ColumnValue {
        column,
        value: chosen.columns[column.index()],
        outlook: chosen.outlooks[column.index()],
        full: !position.has_room(column),
    };
    Decision {
        disc: position.to_move().into(),
        level,
        column: chosen.column,
        values: chosen.values,
        intent: chosen.intent,
        columns: Column::ALL.map(column_value).to_vec(),
        line: chosen.line,
        nodes: chosen.nodes,
        think_ms: started.elapsed().as_millis() as u64,
        reason: Text { en: chosen.reason.en, de: chosen.reason.de },
        tree: chosen.tree.map(tree),
    }
}

/// A turn without a thought, should the machine have none: the first column with room.
pub fn thoughtless(thought: &Thought, position: &Position) -> Decision {
    Decision {
        disc: position.to_move().into(),
        level: thought.level,
        column: position.legal().next().unwrap_or(Column::ALL[0]),
        values: connect_four::Values::Points,
        intent: Intent::Best,
        columns: Vec::new(),
        line: Vec::new(),
        nodes: 0,
        think_ms: 0,
        reason: Text::default(),
        tree: None,
    }
}

fn tree(node: Node) -> Tree {
    Tree {
        column: node.column,
        disc: node.player.map(Disc::from),
        value: node.value,
        outlook: node.outlook,
        known: node.known,
        chosen: node.chosen,
        cut: node.known == Known::Cut,
        children: node.children.into_iter().map(tree).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn think(moves: &str, level: Level) -> Decision {
        let moves: Vec<Column> = moves.bytes().map(|digit| Column::new(digit - b'0').unwrap()).collect();
        let thought = Thought { game: 1, ply: moves.len() as u32 + 1, level, moves, visitor: None };
        let levels = LevelSettings::default();
        Room { machine: None, visitor: None }.think(1, &thought, &[], &levels)
    }

    /// The trial's first finding: a value that was not asked for is not a full column.
    #[test]
    fn an_unknown_value_is_not_a_full_column() {
        let decision = think("4436566515174", Level::Perfect);
        assert!(decision.columns.iter().any(|entry| entry.value.is_none()), "{decision:?}");
        for entry in &decision.columns {
            assert!(!entry.full, "{entry:?}");
        }
        let decision = think("444444", Level::Medium);
        let full: Vec<u8> =
            decision.columns.iter().filter(|entry| entry.full).map(|entry| entry.column.number()).collect();
        assert_eq!(full, [4]);
    }
}
