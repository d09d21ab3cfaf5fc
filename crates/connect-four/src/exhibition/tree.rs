//! The part of a search that people are shown.

use serde::{Deserialize, Serialize};

use crate::{Column, Outlook, Player};

/// How a node's value is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Known {
    /// It is the value.
    Exactly,
    /// The search stopped once it was at least this good for the machine.
    AtLeast,
    /// The search stopped once it was at most this good for the machine.
    AtMost,
    /// The branch was cut: it cannot change the decision, so it has no value.
    Cut,
}

/// A searched position. Values are the machine's: it looks for the largest,
/// its opponent for the smallest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The column that led here; none for the root.
    pub column: Option<Column>,
    /// Who played it; none for the root.
    pub player: Option<Player>,
    /// The value, none for a cut branch.
    pub value: Option<i32>,
    /// The value as outcome and distance; moves are counted from the root.
    pub outlook: Option<Outlook>,
    /// How to read the value.
    pub known: Known,
    /// Whether it is on the line the machine expects.
    pub chosen: bool,
    /// Whether the game ends here.
    pub end: bool,
    /// The answers, in the order in which they were tried; empty below the display depth.
    pub children: Vec<Node>,
}

impl Node {
    /// A branch nothing is known of.
    pub(super) const UNKNOWN: Node = Node {
        column: None,
        player: None,
        value: None,
        outlook: None,
        known: Known::Cut,
        chosen: false,
        end: false,
        children: Vec::new(),
    };

    /// The column of the child on the expected line.
    pub fn chosen_child(&self) -> Option<&Node> {
        self.children.iter().find(|child| child.chosen)
    }

    /// Nodes of this tree.
    pub fn count(&self) -> usize {
        1 + self.children.iter().map(Node::count).sum::<usize>()
    }
}
