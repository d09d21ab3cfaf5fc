//! The search of the two documents: minimax with alpha-beta to a fixed depth.
//!
//! The exhibition shows *this* tree, so every search returns it down to a
//! display depth (C9). The LEGO robot's variant has a table and looks deeper
//! towards the end (L3).

mod evaluation;
mod tree;

use std::collections::BTreeMap;

use budget::{Budget, Meter};
use serde::{Deserialize, Serialize};

pub use evaluation::Evaluation;
pub use tree::{Known, Node};

use crate::{CELLS, COLUMNS, Column, Exhausted, Outlook, Position};

/// How far a search looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Depth {
    /// Always this many discs.
    Fixed(u32),
    /// `early` while more than `empty` cells are empty, then `late`.
    ByEmptyCells {
        /// At the start of the game.
        early: u32,
        /// Later.
        late: u32,
        /// The last number of empty cells that counts as late.
        empty: u32,
    },
}

impl Depth {
    fn at(self, position: &Position) -> u32 {
        match self {
            Self::Fixed(depth) => depth,
            Self::ByEmptyCells { early, late, empty } => {
                if CELLS - position.discs() > empty {
                    early
                } else {
                    late
                }
            }
        }
    }
}

/// The order in which columns are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// As the exhibition does.
    CentreFirst,
    /// As the LEGO robot does.
    LeftToRight,
}

/// Everything that makes one of the documents' searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchSettings {
    /// How far it looks.
    pub depth: Depth,
    /// What it likes.
    pub evaluation: Evaluation,
    /// What it tries first.
    pub order: Order,
    /// Whether positions reached on two ways are searched once.
    pub table: bool,
}

impl SearchSettings {
    /// The exhibition's search to this depth.
    pub const fn exhibition(depth: u32) -> Self {
        Self {
            depth: Depth::Fixed(depth),
            evaluation: Evaluation::EXHIBITION,
            order: Order::CentreFirst,
            table: false,
        }
    }

    /// The search on the LEGO hub: depth 3 while more than 30 cells are empty, then 4.
    pub const LEGO: SearchSettings = SearchSettings {
        depth: Depth::ByEmptyCells { early: 3, late: 4, empty: 30 },
        evaluation: Evaluation::LEGO,
        order: Order::LeftToRight,
        table: true,
    };
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The value of each column for the player to move; none where no disc fits.
    pub columns: [Option<i32>; COLUMNS],
    /// The same as outcome and distance.
    pub outlooks: [Option<Outlook>; COLUMNS],
    /// The first column with the largest value.
    pub best: Column,
    /// The moves both sides are expected to play after each column, the column itself first.
    pub lines: [Vec<Column>; COLUMNS],
    /// The tree down to the display depth, with the best answer chosen at each node.
    tree: Node,
    /// Positions searched.
    pub nodes: u64,
}

impl Found {
    /// The tree in which the machine plays `column` and then both the best.
    pub fn into_tree(mut self, column: Column) -> Node {
        for child in &mut self.tree.children {
            child.chosen = child.column == Some(column);
        }
        self.tree.value = self.columns[column.index()];
        self.tree.outlook = self.outlooks[column.index()];
        keep_one_line(&mut self.tree);
        self.tree
    }
}

/// Searches an open position; the tree is kept `display` discs deep.
///
/// Every column gets its exact value, so that the bars next to the tree are
/// comparable; below the first disc branches are cut as usual. `None` when
/// there is no column to play.
pub fn search(
    position: &Position,
    settings: &SearchSettings,
    display: u32,
    budget: &Budget,
) -> Result<Option<Found>, Exhausted> {
    let depth = settings.depth.at(position).max(1);
    let mut searcher =
        Searcher { settings, meter: budget.meter(), table: BTreeMap::new(), machine_turn: false, depth };
    let mut columns = [None; COLUMNS];
    let mut lines = [const { Vec::new() }; COLUMNS];
    let mut children = Vec::new();
    let mut best: Option<(i32, Column)> = None;
    for column in searcher.moves(position) {
        let child = position.after(column);
        let (value, mut node, mut line) =
            searcher.value(&child, depth - 1, -LIMIT, LIMIT, display.saturating_sub(1))?;
        node.column = Some(column);
        node.player = Some(position.to_move());
        columns[column.index()] = Some(-value);
        line.push(column);
        line.reverse();
        lines[column.index()] = line;
        if display > 0 {
            children.push(node);
        }
        if best.is_none_or(|(value_of_best, _)| -value > value_of_best) {
            best = Some((-value, column));
        }
    }
    let Some((value, best)) = best else { return Ok(None) };
    let outlooks = columns.map(|value| value.map(|value| searcher.outlook(value)));
    let tree = Node {
        value: Some(value),
        outlook: Some(searcher.outlook(value)),
        known: Known::Exactly,
        chosen: true,
        children,
        ..Node::UNKNOWN
    };
    Ok(Some(Found { columns, outlooks, best, lines, tree, nodes: searcher.meter.spent() }))
}

/// Beyond every value.
const LIMIT: i32 = 1_000_000_000;

/// Only children of chosen nodes are on the expected line.
fn keep_one_line(node: &mut Node) {
    for child in &mut node.children {
        child.chosen &= node.chosen;
        keep_one_line(child);
    }
}

struct Searcher<'s, 'b> {
    settings: &'s SearchSettings,
    meter: Meter<'b>,
    /// Exact values by position and depth left.
    table: BTreeMap<(u64, u32), i32>,
    /// Whether the player to move is the one who decides at the root.
    machine_turn: bool,
    /// How deep the whole search looks.
    depth: u32,
}

impl Searcher<'_, '_> {
    fn moves(&self, position: &Position) -> impl Iterator<Item = Column> + use<> {
        let order = match self.settings.order {
            Order::CentreFirst => Column::CENTRE_FIRST,
            Order::LeftToRight => Column::ALL,
        };
        let position = *position;
        order.into_iter().filter(move |&column| position.has_room(column))
    }

    /// The value for the player to move, its node for the display and the line, last move first.
    fn value(
        &mut self,
        position: &Position,
        depth: u32,
        alpha: i32,
        beta: i32,
        display: u32,
    ) -> Result<(i32, Node, Vec<Column>), Exhausted> {
        if !self.meter.spend_node() {
            return Err(Exhausted { nodes: self.meter.spent() });
        }
        let won = position.is_won();
        if won || depth == 0 || position.discs() == CELLS {
            let value = self.leaf(position, won, depth);
            return Ok((
                value,
                self.node(value, Known::Exactly, won || position.discs() == CELLS),
                Vec::new(),
            ));
        }
        // A table entry has no tree below it, so it serves where none is shown.
        let entry = (position.key(), depth);
        if self.settings.table
            && display == 0
            && let Some(&value) = self.table.get(&entry)
        {
            return Ok((value, self.node(value, Known::Exactly, false), Vec::new()));
        }
        let mut best = -LIMIT;
        let mut best_child = None;
        let mut line = Vec::new();
        let mut children = Vec::new();
        for column in self.moves(position) {
            if best >= beta {
                if display > 0 {
                    let (column, player) = (Some(column), Some(position.to_move()));
                    children.push(Node { column, player, ..Node::UNKNOWN });
                }
                continue;
            }
            self.machine_turn = !self.machine_turn;
            let found = self.value(
                &position.after(column),
                depth - 1,
                -beta,
                -alpha.max(best),
                display.saturating_sub(1),
            );
            self.machine_turn = !self.machine_turn;
            let (value, mut node, continuation) = found?;
            if display > 0 {
                node.column = Some(column);
                node.player = Some(position.to_move());
                children.push(node);
            }
            if -value > best {
                best = -value;
                best_child = Some(column);
                line = continuation;
                line.push(column);
            }
        }
        for child in &mut children {
            child.chosen = child.column == best_child;
        }
        let known = if best >= beta {
            self.at_least()
        } else if best <= alpha {
            self.at_most()
        } else {
            Known::Exactly
        };
        if self.settings.table && known == Known::Exactly {
            self.table.insert(entry, best);
        }
        let mut node = self.node(best, known, false);
        node.children = children;
        Ok((best, node, line))
    }

    /// The evaluation; a four counts once more for each disc it comes early.
    fn leaf(&self, position: &Position, won: bool, depth: u32) -> i32 {
        let four = self.four();
        if won {
            return -four * (1 + depth.min(100) as i32);
        }
        if position.discs() == CELLS {
            return 0;
        }
        self.settings.evaluation.of(position).clamp(1 - four, four - 1)
    }

    fn at_least(&self) -> Known {
        if self.machine_turn { Known::AtLeast } else { Known::AtMost }
    }

    fn at_most(&self) -> Known {
        if self.machine_turn { Known::AtMost } else { Known::AtLeast }
    }

    fn node(&self, value: i32, known: Known, end: bool) -> Node {
        let value = if self.machine_turn { value } else { -value };
        Node { value: Some(value), outlook: Some(self.outlook(value)), known, end, ..Node::UNKNOWN }
    }

    fn outlook(&self, value: i32) -> Outlook {
        Outlook::of_points(value, self.four(), self.depth)
    }

    fn four(&self) -> i32 {
        self.settings.evaluation.lines[3].clamp(1, LIMIT / 1_000)
    }
}
