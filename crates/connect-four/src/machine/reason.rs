//! One plain sentence why, in English and German.

use serde::{Deserialize, Serialize};

use crate::position::cell_of;
use crate::{COLUMNS, Column, Grid7x6, Position};

/// Why a column was chosen, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// In English; "you" is the opponent.
    pub en: String,
    /// In German.
    pub de: String,
}

/// Why a column was chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motive {
    WinsNow(Line),
    Blocks(Line),
    OnlyMove,
    TwoThreats,
    StopsTwoThreats,
    /// Exactly known: a win with this many more discs of its own.
    WinsBy(i32),
    /// Exactly known: a loss that cannot come before this many more discs of the opponent.
    LosesBy(i32),
    KeepsTheDraw,
    Slip,
    Threatens(Line),
    Centre,
    MostLines,
}

/// A direction on the board, with the row or column where that names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Row(u8),
    Column(Column),
    Rising,
    Falling,
}

/// What the machine knew when it chose.
pub(super) struct Knowledge<'a> {
    /// Exact scores of the columns, if it has them.
    pub exact: Option<&'a [Option<i32>; COLUMNS]>,
    /// Whether it played a bad move on purpose.
    pub slip: bool,
}

/// The reason to play `column`, which is legal.
pub(super) fn reason(position: &Position, column: Column, known: &Knowledge<'_>) -> Reason {
    words(motive(position, column, known))
}

fn motive(position: &Position, column: Column, known: &Knowledge<'_>) -> Motive {
    let playable = Grid7x6::playable(position.occupied());
    let cell = playable & Grid7x6::column(column.index());
    let own = position.own();
    let other = own ^ position.occupied();
    if let Some(line) = line_of_four(own, cell) {
        return Motive::WinsNow(line);
    }
    if let Some(line) = line_of_four(other, cell) {
        return Motive::Blocks(line);
    }
    if known.slip {
        return Motive::Slip;
    }
    let after = position.after(column);
    let threats_now = after.threatened_cells() & Grid7x6::playable(after.occupied());
    let safe: Vec<Column> = position.legal().filter(|&c| !gives_a_win(&position.after(c))).collect();
    if safe == [column] && position.legal().count() > 1 {
        return Motive::OnlyMove;
    }
    if threats_now.count_ones() > 1 {
        return Motive::TwoThreats;
    }
    let score = known.exact.and_then(|scores| scores[column.index()]);
    let left = (crate::CELLS - position.discs()) as i32;
    match score {
        Some(score @ 1..) => return Motive::WinsBy((left + 1) / 2 - score + 1),
        Some(score @ ..=-1) => return Motive::LosesBy(left / 2 + score + 1),
        Some(0) | None => {}
    }
    if would_make_two_threats(position, cell) {
        return Motive::StopsTwoThreats;
    }
    let made = Grid7x6::winning_cells(own | cell, position.occupied() | cell) & !position.winning_cells();
    if made != 0
        && let Some(line) = line_of_four(own | cell, made & made.wrapping_neg())
    {
        return Motive::Threatens(line);
    }
    if score == Some(0) {
        return Motive::KeepsTheDraw;
    }
    if column == Column::CENTRE_FIRST[0] { Motive::Centre } else { Motive::MostLines }
}

/// Whether the player to move can complete four.
fn gives_a_win(position: &Position) -> bool {
    position.winning_cells() & Grid7x6::playable(position.occupied()) != 0
}

/// Whether the opponent, playing `cell`, would have two ways to win at once.
fn would_make_two_threats(position: &Position, cell: u64) -> bool {
    let other = position.own() ^ position.occupied();
    let occupied = position.occupied() | cell;
    let wins = Grid7x6::winning_cells(other | cell, occupied) & Grid7x6::playable(occupied);
    wins.count_ones() > 1
}

/// The line in which `discs` and `cell` make four.
fn line_of_four(discs: u64, cell: u64) -> Option<Line> {
    if cell == 0 {
        return None;
    }
    let place = cell_of(cell.trailing_zeros());
    [
        (Grid7x6::STRIDE, Line::Row(place.row)),
        (1, Line::Column(place.column)),
        (Grid7x6::STRIDE + 1, Line::Rising),
        (Grid7x6::STRIDE - 1, Line::Falling),
    ]
    .into_iter()
    .find(|&(step, _)| {
        let all = discs | cell;
        let pairs = all & (all >> step);
        let starts = pairs & (pairs >> (2 * step));
        (starts | starts << step | starts << (2 * step) | starts << (3 * step)) & cell != 0
    })
    .map(|(_, line)| line)
}

fn words(motive: Motive) -> Reason {
    let (en, de) = match motive {
        Motive::WinsNow(line) => {
            (format!("completes four {}", line.en()), format!("vollendet vier {}", line.de()))
        }
        Motive::Blocks(line) => {
            (format!("blocks your three {}", line.en()), format!("blockiert deine drei {}", line.de()))
        }
        Motive::OnlyMove => (
            "is the only move that does not lose at once".into(),
            "ist der einzige Zug, der nicht sofort verliert".into(),
        ),
        Motive::TwoThreats => (
            "makes two threats at once, and you can block only one".into(),
            "droht doppelt, und du kannst nur eine Drohung abwehren".into(),
        ),
        Motive::StopsTwoThreats => (
            "takes the cell where you would have made two threats at once".into(),
            "besetzt das Feld, auf dem du doppelt gedroht hättest".into(),
        ),
        Motive::WinsBy(1) => ("wins with the next disc".into(), "gewinnt mit dem nächsten Stein".into()),
        Motive::WinsBy(discs) => (
            format!("wins by force with {discs} discs at most"),
            format!("gewinnt zwingend mit höchstens {discs} Steinen"),
        ),
        Motive::LosesBy(1) => (
            "cannot stop your next disc any more".into(),
            "kann deinen nächsten Stein nicht mehr verhindern".into(),
        ),
        Motive::LosesBy(discs) => (
            format!("holds out longest: you need {discs} more discs"),
            format!("hält am längsten stand: du brauchst noch {discs} Steine"),
        ),
        Motive::KeepsTheDraw => ("keeps the draw".into(), "hält das Unentschieden".into()),
        Motive::Slip => (
            "is a slip, on purpose at this level".into(),
            "ist ein Fehler, auf dieser Stufe mit Absicht".into(),
        ),
        Motive::Threatens(line) => {
            (format!("makes three {}", line.en()), format!("macht drei {}", line.de()))
        }
        Motive::Centre => (
            "takes the centre, where most lines meet".into(),
            "besetzt die Mitte, wo sich die meisten Linien treffen".into(),
        ),
        Motive::MostLines => ("leaves the best lines open".into(), "lässt die besten Linien offen".into()),
    };
    Reason { en, de }
}

impl Line {
    fn en(self) -> String {
        match self {
            Self::Row(1) => "in the bottom row".into(),
            Self::Row(6) => "in the top row".into(),
            Self::Row(row) => format!("in row {row}"),
            Self::Column(column) => format!("in column {column}"),
            Self::Rising => "on a rising diagonal".into(),
            Self::Falling => "on a falling diagonal".into(),
        }
    }

    fn de(self) -> String {
        match self {
            Self::Row(1) => "in der untersten Reihe".into(),
            Self::Row(6) => "in der obersten Reihe".into(),
            Self::Row(row) => format!("in Reihe {row}"),
            Self::Column(column) => format!("in Spalte {column}"),
            Self::Rising => "auf einer steigenden Diagonale".into(),
            Self::Falling => "auf einer fallenden Diagonale".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(moves: &str, column: u8, en: &str) {
        let position: Position = moves.parse().unwrap();
        let known = Knowledge { exact: None, slip: false };
        assert_eq!(reason(&position, Column::new(column).unwrap(), &known).en, en, "{moves} {column}");
    }

    #[test]
    fn sentences_name_what_can_be_seen_on_the_board() {
        check("", 4, "takes the centre, where most lines meet");
        check("443322", 1, "completes four in the bottom row");
        check("44332", 1, "blocks your three in the bottom row");
        check("414141", 4, "completes four in column 4");
        check("4141412", 1, "completes four in column 1");
        check("41414", 4, "blocks your three in column 4");
        check("443", 2, "takes the cell where you would have made two threats at once");
        check("4433", 2, "makes two threats at once, and you can block only one");
    }

    #[test]
    fn exact_scores_tell_how_long_it_takes() {
        let position: Position = "6146".parse().unwrap();
        let mut scores = [None; COLUMNS];
        scores[3] = Some(18);
        let known = Knowledge { exact: Some(&scores), slip: false };
        let said = reason(&position, Column::new(4).unwrap(), &known);
        assert!(said.en.contains("discs at most") || said.en.contains("two threats"), "{}", said.en);
    }
}
