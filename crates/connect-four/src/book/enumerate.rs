//! Lists all positions of a ply in a canonical order, so that a book needs to store only values.

use crate::Position;

/// The open positions with the same number of discs, up to mirroring, by ascending key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Their keys.
    pub keys: Vec<u64>,
}

/// Of a position and its mirror image, the one with the smaller key.
pub fn canonical(position: &Position) -> Position {
    let mirrored = position.mirrored();
    if mirrored.key() < position.key() { mirrored } else { *position }
}

/// The plies 0 to `last`.
pub fn positions_up_to(last: u32) -> Vec<Ply> {
    let mut plies = vec![Ply { keys: vec![Position::EMPTY.key()] }];
    let mut level = vec![Position::EMPTY];
    for _ in 0..last {
        let mut next: Vec<Position> = level
            .iter()
            .flat_map(|position| position.legal().map(|column| position.after(column)))
            .filter(|position| !position.is_over())
            .map(|position| canonical(&position))
            .collect();
        next.sort_unstable_by_key(Position::key);
        next.dedup();
        plies.push(Ply { keys: next.iter().map(Position::key).collect() });
        level = next;
    }
    plies
}
