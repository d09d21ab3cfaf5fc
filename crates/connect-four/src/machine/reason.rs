//! One plain sentence why, in English and German.

use serde::{Deserialize, Serialize};

use super::Intent;
use crate::position::cell_of;
use crate::{COLUMNS, Column, Grid7x6, Outlook, Position};

/// Why a column was chosen, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// In English; without "you", so that it fits a demo and a spectator as well.
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
    /// A win by force with this move.
    WinsBy(u32),
    /// A loss that cannot come before this move of the opponent.
    LosesBy(u32),
    KeepsTheDraw,
    /// A worse move than this column with this outlook.
    Slip(Column, Outlook),
    /// The same, so that the visitor may win.
    Yields(Column, Outlook),
    Threatens(Line),
    Centre,
    MostLines,
    LeastBad,
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
    /// The values of the columns, as far as known.
    pub columns: &'a [Option<i32>; COLUMNS],
    /// The same as outcome and distance.
    pub outlooks: &'a [Option<Outlook>; COLUMNS],
    /// Whether it played the best column.
    pub intent: Intent,
}

impl Knowledge<'_> {
    /// The best column, the middle one of equals, and what it promised.
    fn best(&self) -> Option<(Column, Outlook)> {
        let best = self.columns.iter().flatten().max()?;
        let column = Column::CENTRE_FIRST.into_iter().find(|c| self.columns[c.index()] == Some(*best))?;
        Some((column, self.outlooks[column.index()]?))
    }
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
    match (known.intent, known.best()) {
        (Intent::Slip, Some((better, outlook))) => return Motive::Slip(better, outlook),
        (Intent::Yields, Some((better, outlook))) => return Motive::Yields(better, outlook),
        (Intent::Best, _) | (_, None) => {}
    }
    if let Some(line) = line_of_four(other, cell) {
        return Motive::Blocks(line);
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
    let outlook = known.outlooks[column.index()];
    match outlook {
        Some(Outlook::Wins { moves }) => return Motive::WinsBy(moves),
        Some(Outlook::Loses { moves }) => return Motive::LosesBy(moves),
        Some(Outlook::Draw | Outlook::Open { .. }) | None => {}
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
    match outlook {
        Some(Outlook::Draw) => Motive::KeepsTheDraw,
        Some(Outlook::Open { points: ..0 }) => Motive::LeastBad,
        _ if column == Column::CENTRE_FIRST[0] => Motive::Centre,
        _ => Motive::MostLines,
    }
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
            (format!("blocks three {}", line.en()), format!("blockiert drei {}", line.de()))
        }
        Motive::OnlyMove => (
            "is the only move that does not lose at once".into(),
            "ist der einzige Zug, der nicht sofort verliert".into(),
        ),
        Motive::TwoThreats => (
            "makes two threats at once, and only one can be blocked".into(),
            "droht doppelt, und nur eine Drohung lässt sich abwehren".into(),
        ),
        Motive::StopsTwoThreats => (
            "takes the cell from which the other side would threaten twice".into(),
            "besetzt das Feld, von dem aus die andere Seite doppelt drohen würde".into(),
        ),
        Motive::WinsBy(1) => ("wins with this disc".into(), "gewinnt mit diesem Stein".into()),
        Motive::WinsBy(moves) => {
            (format!("wins by force in {moves} moves"), format!("gewinnt zwingend in {moves} Zügen"))
        }
        Motive::LosesBy(1) => (
            "cannot stop the other side's next disc any more".into(),
            "kann den nächsten Stein der anderen Seite nicht mehr verhindern".into(),
        ),
        Motive::LosesBy(moves) => (
            format!("is lost, but holds out longest: {moves} more moves"),
            format!("steht auf Verlust, hält aber am längsten stand: noch {moves} Züge"),
        ),
        Motive::KeepsTheDraw => ("keeps the draw".into(), "hält das Unentschieden".into()),
        Motive::Slip(better, outlook) => (
            format!("slips, as this level does now and then: column {better} {}", would_en(outlook)),
            format!("patzt, wie diese Stufe es ab und zu tut: Spalte {better} {}", would_de(outlook)),
        ),
        Motive::Yields(better, outlook) => (
            format!("gives a chance away on purpose: column {better} {}", would_en(outlook)),
            format!("verschenkt absichtlich eine Chance: Spalte {better} {}", would_de(outlook)),
        ),
        Motive::Threatens(line) => {
            (format!("makes three {}", line.en()), format!("macht drei {}", line.de()))
        }
        Motive::Centre => (
            "takes the centre, where most lines meet".into(),
            "besetzt die Mitte, wo sich die meisten Linien treffen".into(),
        ),
        Motive::MostLines => ("keeps the best lines open".into(), "hält die besten Linien offen".into()),
        Motive::LeastBad => ("is the least bad choice here".into(), "ist hier das kleinste Übel".into()),
    };
    Reason { en, de }
}

/// What a column would have brought.
pub(super) fn would_en(outlook: Outlook) -> String {
    match outlook {
        Outlook::Wins { moves: 1 } => "would have won at once".into(),
        Outlook::Wins { moves } => format!("would have won in {moves} moves"),
        Outlook::Loses { moves } => format!("would have held out for {moves} moves"),
        Outlook::Draw => "would have kept the draw".into(),
        Outlook::Open { .. } => "looked better".into(),
    }
}

/// The same in German.
pub(super) fn would_de(outlook: Outlook) -> String {
    match outlook {
        Outlook::Wins { moves: 1 } => "hätte sofort gewonnen".into(),
        Outlook::Wins { moves } => format!("hätte in {moves} Zügen gewonnen"),
        Outlook::Loses { moves } => format!("hätte {moves} Züge lang standgehalten"),
        Outlook::Draw => "hätte das Unentschieden gehalten".into(),
        Outlook::Open { .. } => "sah besser aus".into(),
    }
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

    fn said(moves: &str, column: u8, outlook: Outlook, intent: Intent) -> Reason {
        let position: Position = moves.parse().unwrap();
        let column = Column::new(column).unwrap();
        let (mut columns, mut outlooks) = ([None; COLUMNS], [None; COLUMNS]);
        columns[column.index()] = Some(0);
        outlooks[column.index()] = Some(outlook);
        if intent != Intent::Best {
            columns[2] = Some(9);
            outlooks[2] = Some(Outlook::Wins { moves: 5 });
        }
        reason(&position, column, &Knowledge { columns: &columns, outlooks: &outlooks, intent })
    }

    fn check(moves: &str, column: u8, en: &str) {
        let open = Outlook::Open { points: 0 };
        assert_eq!(said(moves, column, open, Intent::Best).en, en, "{moves} {column}");
    }

    #[test]
    fn sentences_name_what_can_be_seen_on_the_board() {
        check("", 4, "takes the centre, where most lines meet");
        check("443322", 1, "completes four in the bottom row");
        check("44332", 1, "blocks three in the bottom row");
        check("414141", 4, "completes four in column 4");
        check("4141412", 1, "completes four in column 1");
        check("41414", 4, "blocks three in column 4");
        check("443", 2, "takes the cell from which the other side would threaten twice");
        check("4433", 2, "makes two threats at once, and only one can be blocked");
    }

    #[test]
    fn the_outlook_tells_how_long_it_takes() {
        let said = |outlook| said("12", 7, outlook, Intent::Best).en;
        assert_eq!(said(Outlook::Wins { moves: 5 }), "wins by force in 5 moves");
        assert_eq!(said(Outlook::Loses { moves: 3 }), "is lost, but holds out longest: 3 more moves");
        assert_eq!(said(Outlook::Loses { moves: 1 }), "cannot stop the other side's next disc any more");
        assert_eq!(said(Outlook::Draw), "keeps the draw");
        // Item 4 of the trial: no praise for a bad position.
        assert_eq!(said(Outlook::Open { points: -40 }), "is the least bad choice here");
        assert_eq!(said(Outlook::Open { points: 4 }), "keeps the best lines open");
    }

    #[test]
    fn bad_moves_are_called_what_they_are() {
        let open = Outlook::Open { points: 0 };
        assert_eq!(
            said("12", 7, open, Intent::Slip).en,
            "slips, as this level does now and then: column 3 would have won in 5 moves"
        );
        assert_eq!(
            said("12", 7, open, Intent::Yields).de,
            "verschenkt absichtlich eine Chance: Spalte 3 hätte in 5 Zügen gewonnen"
        );
    }

    /// Whoever reads it may be a player, a spectator, or in front of a demo.
    #[test]
    fn nobody_is_addressed() {
        let outlooks = [Outlook::Draw, Outlook::Loses { moves: 1 }, Outlook::Wins { moves: 2 }];
        for moves in ["", "44332", "443", "4433", "41414", "12"] {
            for (column, outlook) in (1..=7).flat_map(|c| outlooks.map(|outlook| (c, outlook))) {
                let Reason { en, de } = said(moves, column, outlook, Intent::Best);
                assert!(!format!(" {en} ").contains(" you"), "{en}");
                assert!(!de.contains("deine") && !de.contains(" du "), "{de}");
            }
        }
    }
}
