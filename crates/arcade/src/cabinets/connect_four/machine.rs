//! The machine at the table: thinks about a position and explains its turn (C5, C9, X4).

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use budget::Budget;
use configuration::Values;
use connect_four::exhibition::{self, Known, Node};
use connect_four::{
    Column, Intent, Level, Machine, MachineSettings, Outcome, Player, Position, SearchLevel, Visitor,
    VisitorResult, remark,
};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tokio::time::Instant;

use super::archive::PastGame;
use super::event::{ColumnValue, ExplainedTurn, Text, Tree};
use super::settings::LevelSettings;
use super::table::{Purpose, ThinkTask};
use super::{Colour, GameNumber};

/// How the machine thinks. It is called on a thread that may wait; the visitor's earlier games are asked for only when a
/// game begins.
pub type Think = Arc<dyn Fn(&ThinkTask, &dyn Fn() -> Vec<PastGame>, &Values) -> ExplainedTurn + Send + Sync>;

/// A machine that thinks; its games differ by `seed` and are otherwise always the same.
pub fn thinker(seed: u64) -> Think {
    let room = Mutex::new(Room::EMPTY);
    Arc::new(move |task: &ThinkTask, past: &dyn Fn() -> Vec<PastGame>, values: &Values| {
        // One game at a time: nobody else waits for this lock.
        let mut room = room.lock().unwrap_or_else(PoisonError::into_inner);
        room.think(seed, task, past, &LevelSettings::from_values(values))
    })
}

/// Where the machine thinks: its tables stay warm from turn to turn.
struct Room {
    machine: Option<(MachineSettings, Machine)>,
    /// What is known of the visitor of a game, and how many of its turns have been seen.
    visitor: Option<(GameNumber, usize, Visitor)>,
    /// What it would have played in the last position that it commented on, and after how many turns of which game.
    advice: Option<(GameNumber, usize, connect_four::Decision)>,
}

/// Depth of the look when time is up: some dozens of positions, whatever the settings say.
const SHALLOW: u32 = 2;

/// Nodes for one comment: people do not wait for it, but should not have forgotten their move either.
const COMMENT_NODES: u64 = 2_000_000;

impl Room {
    const EMPTY: Room = Room { machine: None, visitor: None, advice: None };

    fn think(
        &mut self,
        seed: u64,
        task: &ThinkTask,
        past: &dyn Fn() -> Vec<PastGame>,
        levels: &LevelSettings,
    ) -> ExplainedTurn {
        let started = Instant::now();
        let position = after(&task.moves);
        let settings = levels.machine();
        if self.machine.as_ref().is_none_or(|(known, _)| *known != settings) {
            self.machine = Some((settings, Machine::new(settings)));
        }
        if task.purpose == Purpose::Comment {
            return self.comment(task, &position, started);
        }
        let visitor = self.visitor(task, past);
        let Some((_, machine)) = &mut self.machine else { return thoughtless(task) };
        machine.visitor = visitor;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ (task.game.0 << 8) ^ u64::from(task.ply));
        let deadline = started + Duration::from_secs(u64::from(levels.think_at_most_s));
        let budget = Budget::until(move || Instant::now() >= deadline);
        let chosen = machine.choose(&position, task.level, &mut random, &budget).or_else(|error| {
            // Out of time: a shallow look is better than keeping a visitor waiting.
            tracing::warn!(%error, level = task.level.name(), "the machine thinks again, less deeply");
            let shallow =
                SearchLevel { search: exhibition::SearchSettings::exhibition(SHALLOW), bad_moves: 0.0 };
            machine.choose_by(&position, &shallow, &mut random, &Budget::unlimited())
        });
        if let Some((_, _, visitor)) = &mut self.visitor {
            *visitor = machine.visitor;
        }
        let Ok(chosen) = chosen else { return thoughtless(task) };
        shown(&position, task.level, chosen, started)
    }

    /// What it would play in place of the person to move, and what the last move was worth.
    fn comment(&mut self, task: &ThinkTask, position: &Position, started: Instant) -> ExplainedTurn {
        let Some((_, machine)) = &mut self.machine else { return thoughtless(task) };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(u64::from(task.ply));
        let said = task.moves.split_last().and_then(|(last, before)| {
            let known =
                self.advice.take().filter(|(game, turns, _)| (*game, *turns) == (task.game, before.len()));
            let advice = known.map(|(.., advice)| advice);
            let advice =
                advice.or_else(|| machine.advise(&after(before), &mut random, COMMENT_NODES).ok())?;
            Some(remark(&advice, *last))
        });
        let Ok(advice) = machine.advise(position, &mut random, COMMENT_NODES) else {
            return thoughtless(task);
        };
        self.advice = Some((task.game, task.moves.len(), advice.clone()));
        let said = said.map(|said| Text { en: said.en, de: said.de });
        ExplainedTurn { remark: said, ..shown(position, task.level, advice, started) }
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
            Outcome::Won { winner, .. } if winner == visitors_side => {
                visitor.ended(VisitorResult::VisitorWon);
            }
            Outcome::Won { .. } => visitor.ended(VisitorResult::MachineWon),
            Outcome::Draw => visitor.ended(VisitorResult::Drawn),
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

/// A decision as pages show it.
fn shown(
    position: &Position,
    level: Level,
    chosen: connect_four::Decision,
    started: Instant,
) -> ExplainedTurn {
    let column_value = |column: Column| ColumnValue {
        column,
        value: chosen.columns[column.index()],
        outlook: chosen.outlooks[column.index()],
        full: !position.has_room(column),
    };
    ExplainedTurn {
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
        remark: None,
        tree: chosen.tree.map(tree),
    }
}

/// A turn without thinking, should the machine fail: the first column with room.
pub fn thoughtless(task: &ThinkTask) -> ExplainedTurn {
    let position = after(&task.moves);
    ExplainedTurn {
        disc: position.to_move().into(),
        level: task.level,
        column: position.legal().next().unwrap_or(Column::ALL[0]),
        values: connect_four::Values::Points,
        intent: Intent::Best,
        columns: Vec::new(),
        line: Vec::new(),
        nodes: 0,
        think_ms: 0,
        reason: Text::default(),
        remark: None,
        tree: None,
    }
}

fn tree(node: Node) -> Tree {
    Tree {
        column: node.column,
        disc: node.player.map(Colour::from),
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

    fn think(moves: &str, level: Level, purpose: Purpose) -> ExplainedTurn {
        let moves: Vec<Column> = moves.bytes().map(|digit| Column::new(digit - b'0').unwrap()).collect();
        let ply = moves.len() as u32 + 1;
        let task = ThinkTask { game: GameNumber(1), ply, level, purpose, moves, visitor: None };
        let mut room = Room::EMPTY;
        room.think(1, &task, &Vec::new, &LevelSettings::default())
    }

    /// The trial's first finding: a value that was not asked for is not a full column.
    #[test]
    fn an_unknown_value_is_not_a_full_column() {
        let turn = think("4436566515174", Level::Perfect, Purpose::Play);
        assert!(turn.columns.iter().any(|entry| entry.value.is_none()), "{turn:?}");
        assert!(turn.columns.iter().all(|entry| !entry.full), "{turn:?}");
        let turn = think("444444", Level::Medium, Purpose::Play);
        let full: Vec<u8> =
            turn.columns.iter().filter(|entry| entry.full).map(|entry| entry.column.number()).collect();
        assert_eq!(full, [4]);
    }

    #[test]
    fn people_are_told_what_their_last_move_was_worth() {
        assert_eq!(think("", Level::Perfect, Purpose::Comment).remark, None);
        let comment = think("3", Level::Perfect, Purpose::Comment);
        assert_eq!(comment.remark.unwrap().en, "misses a chance: column 4 would have won in 21 moves");
        assert_eq!(comment.disc, Colour::Yellow, "and what the other one can do now");
        assert!(comment.columns.iter().all(|entry| entry.outlook.is_some()));
    }

    /// When the time is up a shallow look decides, whatever depth is set.
    #[test]
    fn nobody_waits_for_a_deep_search() {
        let moves = [4, 4, 3].map(|number| Column::new(number).unwrap()).to_vec();
        let level = Level::Hard;
        let task =
            ThinkTask { game: GameNumber(1), ply: 4, level, purpose: Purpose::Play, moves, visitor: None };
        let at_once = LevelSettings { hard_depth: 12, think_at_most_s: 0, ..LevelSettings::default() };
        let mut room = Room::EMPTY;
        let turn = room.think(1, &task, &Vec::new, &at_once);
        assert!(turn.nodes < 1_000, "{} nodes", turn.nodes);
        assert!(turn.tree.is_some() && !turn.reason.en.is_empty(), "and it is explained: {turn:?}");
    }

    #[test]
    fn moves_count_up_to_the_first_illegal_one() {
        let column = |number| Column::new(number).unwrap();
        let moves = [4, 4, 4, 4, 4, 4, 4, 1].map(column);
        assert_eq!(after(&moves), after(&moves[..6]));
        assert_eq!(after(&moves).discs(), 6);
    }
}
