//! Connect Four for people who ask: what every column is worth, exactly (X4, C9).

use budget::Budget;
use connect_four::{Analyst, COLUMNS, Column, Outcome, Outlook, Player, Position, RuleError, text};
use serde::Serialize;

/// A position as it lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    /// Six lines from the top, `x` first player, `o` second, `.` empty.
    pub picture: String,
    /// `first` or `second`; nothing when the game is over.
    pub to_move: Option<&'static str>,
    /// Columns with room, 1 to 7; none when the game is over.
    pub open: Vec<u8>,
    /// Discs played.
    pub discs: u32,
    /// `open`, `draw`, `first` or `second` (has won).
    pub outcome: &'static str,
    /// The winning four as column and row.
    pub four: Vec<(u8, u8)>,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// For the player to move: n for a win with the n-th last disc, 0 for a draw, −n for a loss.
    pub score: i32,
    /// What that means in moves.
    pub outlook: Option<Outlook>,
    /// The score of every column; nothing for a full one.
    pub columns: [Option<i32>; COLUMNS],
    /// What each of them means in moves.
    pub outlooks: [Option<Outlook>; COLUMNS],
    /// The best columns, 1 to 7.
    pub best: Vec<u8>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Reads a position: digits of moves, or a drawing of six lines.
pub fn read(position: &str) -> Result<Position, RuleError> {
    let is_drawing = position.chars().any(|symbol| matches!(symbol, '.' | 'x' | 'o' | 'X' | 'O'));
    if is_drawing { text::read_picture(position) } else { position.trim().parse() }
}

/// Adds moves, as digits, to a position.
pub fn continued(start: &str, moves: &str) -> Result<Position, RuleError> {
    let mut position = read(start)?;
    for (index, symbol) in moves.trim().chars().enumerate() {
        let column = u8::try_from(symbol.to_digit(10).unwrap_or(0)).unwrap_or(0);
        let next = Column::new(column).and_then(|column| position.play(column));
        position = next.map_err(|reason| RuleError::AtMove { place: index + 1, reason: Box::new(reason) })?;
    }
    Ok(position)
}

/// What lies on the board.
pub fn look(position: &Position) -> Look {
    let (outcome, four) = match position.outcome() {
        Outcome::Open => ("open", Vec::new()),
        Outcome::Draw => ("draw", Vec::new()),
        Outcome::Won { winner, cells } => {
            (name(winner), cells.iter().map(|cell| (cell.column.number(), cell.row)).collect())
        }
    };
    let is_open = outcome == "open";
    let open = position.legal().map(Column::number).filter(|_| is_open).collect();
    let to_move = is_open.then(|| name(position.to_move()));
    Look { picture: text::picture(position), to_move, open, discs: position.discs(), outcome, four }
}

fn name(player: Player) -> &'static str {
    match player {
        Player::First => "first",
        Player::Second => "second",
    }
}

/// Analyses a position exactly; nothing if the nodes do not suffice.
pub fn analyse(analyst: &mut Analyst, position: &Position, nodes: Option<u64>) -> Option<Answer> {
    let budget = nodes.map_or_else(Budget::unlimited, Budget::nodes);
    if position.is_over() {
        let score = analyst.score(position, &budget).ok()?;
        let nothing = [None; COLUMNS];
        return Some(Answer {
            score,
            outlook: None,
            columns: nothing,
            outlooks: nothing.map(|_| None),
            best: Vec::new(),
            nodes: 0,
        });
    }
    let found = analyst.analyse(position, &budget).ok()?;
    let outlook = |score: i32| Outlook::of_score(position, score);
    Some(Answer {
        score: found.score,
        outlook: Some(outlook(found.score)),
        columns: found.columns,
        outlooks: found.columns.map(|score| score.map(outlook)),
        best: found.best.iter().map(|column| column.number()).collect(),
        nodes: found.nodes,
    })
}

/// The moves of perfect play from here, as digits.
pub fn line(analyst: &mut Analyst, position: &Position, nodes: Option<u64>) -> Option<String> {
    let budget = nodes.map_or_else(Budget::unlimited, Budget::nodes);
    let line = analyst.line(position, &budget).ok()?;
    Some(line.iter().map(Column::to_string).collect())
}

/// The score after every move of a game, for the first player: where it turned.
pub fn course(analyst: &mut Analyst, moves: &str, nodes: Option<u64>) -> Result<Vec<Option<i32>>, RuleError> {
    let budget = nodes.map_or_else(Budget::unlimited, Budget::nodes);
    let mut scores = Vec::new();
    // From the end: what is proved there shortens the search of everything before it.
    for length in (0..=moves.len()).rev() {
        let position = continued("", moves.get(..length).unwrap_or_default())?;
        let sign = if position.discs().is_multiple_of(2) { 1 } else { -1 };
        scores.push(analyst.score(&position, &budget).ok().map(|score| sign * score));
    }
    scores.reverse();
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_read_as_moves_or_drawings() {
        let position = read("4453").unwrap();
        assert_eq!(read(&text::picture(&position)).unwrap(), position);
        assert_eq!(continued("44", "53").unwrap(), position);
        assert_eq!(read("48").unwrap_err().to_string(), "move 2: there is no column 8: columns are 1 to 7");
        assert!(continued("", "4444444").unwrap_err().to_string().contains("column 4 is full"));
    }

    #[test]
    fn a_game_has_a_course() {
        let mut analyst = Analyst::new(1 << 22);
        let course = course(&mut analyst, "4433221", None).unwrap();
        // Won in the centre, thrown away by nobody: the first player has a four at the end.
        assert_eq!((course.first(), course.len()), (Some(&Some(1)), 8));
        assert!(course.last().unwrap().is_some_and(|score| score > 10));
        let look = look(&read("4433221").unwrap());
        assert_eq!((look.outcome, look.four.len(), look.open.len()), ("first", 4, 0));
    }
}
