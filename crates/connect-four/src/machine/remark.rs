//! What a person's move was worth, in one sentence (C9).

use super::reason::{would_de, would_en};
use super::{Decision, Reason};
use crate::{Column, Outlook};

/// What playing `column` did, from what the machine would have played instead ([`Machine::advise`](super::Machine::advise)).
pub fn remark(advice: &Decision, column: Column) -> Reason {
    let best = advice.columns.iter().flatten().max();
    let better = Column::CENTRE_FIRST.into_iter().find(|c| advice.columns[c.index()].as_ref() == best);
    let (Some(better), Some(was)) = (better, advice.outlooks[column.index()]) else {
        return Reason { en: String::new(), de: String::new() };
    };
    let Some(could_be) = advice.outlooks[better.index()] else {
        return Reason { en: String::new(), de: String::new() };
    };
    let (en, de) = match (could_be, was) {
        _ if advice.columns.iter().flatten().count() == 1 => {
            ("had no other choice".into(), "hatte keine andere Wahl".into())
        }
        (_, Outlook::Wins { moves: 1 }) => ("wins".into(), "gewinnt".into()),
        _ if advice.columns[column.index()].as_ref() == best => best_move(was),
        (Outlook::Wins { moves: sooner }, Outlook::Wins { moves }) => (
            format!("still wins, in {moves} moves instead of {sooner}"),
            format!("gewinnt immer noch, in {moves} statt {sooner} Zügen"),
        ),
        (Outlook::Loses { moves: later }, Outlook::Loses { moves }) => (
            format!("shortens it: lost in {moves} moves instead of {later}"),
            format!("verkürzt es: verloren in {moves} statt {later} Zügen"),
        ),
        (Outlook::Open { .. }, Outlook::Open { .. }) => (
            format!("is playable; column {better} looked better"),
            format!("ist spielbar; Spalte {better} sah besser aus"),
        ),
        (_, Outlook::Loses { moves }) => (
            format!("loses in {moves} moves: column {better} {}", would_en(could_be)),
            format!("verliert in {moves} Zügen: Spalte {better} {}", would_de(could_be)),
        ),
        _ => (
            format!("misses a chance: column {better} {}", would_en(could_be)),
            format!("verpasst eine Chance: Spalte {better} {}", would_de(could_be)),
        ),
    };
    Reason { en, de }
}

fn best_move(outlook: Outlook) -> (String, String) {
    match outlook {
        Outlook::Wins { moves } => (
            format!("finds the best move: it wins in {moves} moves"),
            format!("findet den besten Zug: Er gewinnt in {moves} Zügen"),
        ),
        Outlook::Loses { moves } => (
            format!("holds out longest: {moves} more moves"),
            format!("hält am längsten stand: noch {moves} Züge"),
        ),
        Outlook::Draw => (
            "finds the best move: it keeps the draw".into(),
            "findet den besten Zug: Er hält das Unentschieden".into(),
        ),
        Outlook::Open { .. } => (
            "plays what the machine would have played".into(),
            "spielt, was die Maschine gespielt hätte".into(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::{Machine, MachineSettings, Position, Values};

    fn said(moves: &str, column: u8) -> String {
        let position: Position = moves.parse().unwrap();
        let mut machine =
            Machine::new(MachineSettings { table_bytes: 1 << 20, ..MachineSettings::default() });
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let advice = machine.advise(&position, &mut rng, 1_000_000).unwrap();
        assert_eq!(advice.values, Values::Scores, "{moves}");
        remark(&advice, Column::new(column).unwrap()).en
    }

    #[test]
    fn people_hear_what_their_moves_were_worth() {
        assert_eq!(said("443322", 1), "wins");
        assert_eq!(said("", 4), "finds the best move: it wins in 21 moves");
        assert_eq!(said("", 3), "misses a chance: column 4 would have won in 21 moves");
        assert_eq!(said("", 1), "loses in 20 moves: column 4 would have won in 21 moves");
        assert_eq!(said("443", 7), "loses in 2 moves: column 5 would have won in 19 moves");
    }

    #[test]
    fn where_the_end_is_too_far_the_points_speak() {
        let position: Position = "4453265156".parse().unwrap();
        let mut machine =
            Machine::new(MachineSettings { table_bytes: 1 << 20, ..MachineSettings::default() });
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let advice = machine.advise(&position, &mut rng, 100).unwrap();
        assert_eq!(advice.values, Values::Points);
        assert!(advice.tree.is_some());
        assert!(!remark(&advice, advice.column).de.is_empty());
    }
}
