//! The machine at the table: thinks about a position and explains its turn (C5, C9, X4).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use budget::Budget;
use configuration::Values;
use connect_four::exhibition::{Known, Node};
use connect_four::{Column, Ending, Level, Machine, Outcome, Player, Position, Settings, Visitor};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::time::Instant;

use super::archive::PastGame;
use super::event::{ColumnValue, ExplainedTurn, Text, Tree};
use super::settings::LevelSettings;
use super::table::ThinkTask;
use super::{Colour, GameNumber};

/// How the machine thinks. It is called on a thread that may wait; the visitor's earlier games are asked for only when a
/// game begins.
pub type Think = Arc<dyn Fn(&ThinkTask, &dyn Fn() -> Vec<PastGame>, &Values) -> ExplainedTurn + Send + Sync>;

/// A machine that thinks; its games differ by `seed` and are otherwise always the same.
pub fn thinker(seed: u64) -> Think {
    let room = Mutex::new(Room { machine: None, visitor: None });
    Arc::new(move |task: &ThinkTask, past: &dyn Fn() -> Vec<PastGame>, values: &Values| {
        // One game at a time: nobody else waits for this lock.
        let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
        room.think(seed, task, past, &LevelSettings::from_values(values))
    })
}

/// Where the machine thinks: its tables stay warm from turn to turn.
struct Room {
    machine: Option<(Settings, Machine)>,
    /// What is known of the visitor of a game, and how many of its turns have been seen.
    visitor: Option<(GameNumber, usize, Visitor)>,
}

impl Room {
    fn think(
        &mut self,
        seed: u64,
        task: &ThinkTask,
        past: &dyn Fn() -> Vec<PastGame>,
        levels: &LevelSettings,
    ) -> ExplainedTurn {
        let started = Instant::now();
        let position = after(&task.moves);
        let visitor = self.visitor(task, past);
        let settings = levels.machine();
        if self.machine.as_ref().is_none_or(|(known, _)| *known != settings) {
            self.machine = Some((settings, Machine::new(settings)));
        }
        let Some((_, machine)) = &mut self.machine else { return thoughtless(task, &position) };
        machine.visitor = visitor;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ (task.game.0 << 8) ^ u64::from(task.ply));
        let deadline = started + Duration::from_secs(u64::from(levels.think_at_most_s));
        let budget = Budget::until(move || Instant::now() >= deadline);
        let chosen = machine.choose(&position, task.level, &mut random, &budget).or_else(|error| {
            // Out of time: a shallow look is better than keeping a visitor waiting.
            tracing::warn!(%error, level = task.level.name(), "the machine thinks again, less deeply");
            machine.choose(&position, Level::Medium, &mut random, &Budget::unlimited())
        });
        if let Some((_, _, visitor)) = &mut self.visitor {
            *visitor = machine.visitor;
        }
        let Ok(chosen) = chosen else { return thoughtless(task, &position) };
        let disc = Colour::from(position.to_move());
        ExplainedTurn {
            disc,
            level: task.level,
            column: chosen.column,
            value: chosen.columns[chosen.column.index()].unwrap_or(0),
            columns: Column::ALL
                .map(|column| ColumnValue { column, value: chosen.columns[column.index()] })
                .to_vec(),
            line: chosen.line,
            nodes: chosen.nodes,
            think_ms: started.elapsed().as_millis() as u64,
            reason: Text { en: chosen.reason.en, de: chosen.reason.de },
            tree: chosen.tree.map(tree),
        }
    }

    /// What is known of the visitor of this game: from the stored games, and from its turns so far.
    fn visitor(&mut self, task: &ThinkTask, past: &dyn Fn() -> Vec<PastGame>) -> Visitor {
        let (game, seen, mut visitor) = match self.visitor.take() {
            Some(known) if known.0 == task.game => known,
            _ => (task.game, 0, remember(&past())),
        };
        // The machine is to move, so the visitor's turns are those of the other colour.
        let machine = after(&task.moves).to_move();
        let mut position = Position::EMPTY;
        for (index, column) in task.moves.iter().enumerate() {
            if index >= seen && position.to_move() != machine {
                visitor.moved(&position, *column);
            }
            let Ok(next) = position.play(*column) else { break };
            position = next;
        }
        self.visitor = Some((game, task.moves.len(), visitor));
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

/// The position after these moves, up to the first that the rules refuse.
fn after(moves: &[Column]) -> Position {
    let mut position = Position::EMPTY;
    for column in moves {
        let Ok(next) = position.play(*column) else { break };
        position = next;
    }
    position
}

/// A turn without thinking, should the machine fail: the first column with room.
pub fn thoughtless(task: &ThinkTask, position: &Position) -> ExplainedTurn {
    ExplainedTurn {
        disc: position.to_move().into(),
        level: task.level,
        column: position.legal().next().unwrap_or(Column::ALL[0]),
        value: 0,
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
        disc: node.player.map(Colour::from),
        value: node.value,
        chosen: node.chosen,
        cut: node.known == Known::Cut,
        children: node.children.into_iter().map(tree).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_count_up_to_the_first_illegal_one() {
        let column = |number| Column::new(number).unwrap();
        let moves = [4, 4, 4, 4, 4, 4, 4, 1].map(column);
        assert_eq!(after(&moves), after(&moves[..6]));
        assert_eq!(after(&moves).discs(), 6);
    }
}
