//! A seat for a guest: somebody elsewhere plays the person's discs, until they leave or let the table wait too long.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use connect_four::{Column, Outcome, Player, Position};
use serde::Serialize;

use super::board::{COLUMNS, Disc, ROWS};

/// The person's seat at a table, shared by the table and whoever may take it. One guest at a time; without one, the
/// simulated person plays.
#[derive(Clone, Debug, Default)]
pub struct GuestSeat(Arc<Mutex<Shared>>);

#[derive(Debug, Default)]
struct Shared {
    /// The ticket of whoever sits there.
    guest: Option<u64>,
    /// The column of the disc in their hand.
    wish: Option<usize>,
    sight: TableSight,
}

/// What somebody at the table sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TableSight {
    /// Columns of the discs in their order, from the robot's near side.
    pub columns: Vec<usize>,
    /// Whether the first of them was the robot's.
    pub robot_began: bool,
    /// Whether the robot's discs are red.
    pub robot_is_red: bool,
    /// Whether the next disc is the person's.
    pub persons_turn: bool,
    /// How the game has ended, once it has.
    pub end: Option<TableEnd>,
}

/// How a game has ended for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the three ends of a game")]
pub enum TableEnd {
    Won,
    Lost,
    Draw,
}

/// Why a disc is not dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DropError {
    /// The seat is somebody else's, or the simulated person's.
    #[error("this seat is not yours any more")]
    NotSeated,
    /// The robot is at work, or the game is over.
    #[error("it is not your turn")]
    NotYourTurn,
    /// There is no such column, or it is full.
    #[error("there is no room in column {}", column + 1)]
    NoRoom {
        /// The column, from 0.
        column: usize,
    },
}

impl GuestSeat {
    /// Sits down with this ticket; false if somebody sits there already.
    pub fn take(&self, ticket: u64) -> bool {
        let mut seat = self.lock();
        let is_free = seat.guest.is_none();
        if is_free {
            seat.guest = Some(ticket);
            seat.wish = None;
        }
        is_free
    }

    /// Gets up; whoever has no such ticket changes nothing.
    pub fn leave(&self, ticket: u64) {
        let mut seat = self.lock();
        if seat.guest == Some(ticket) {
            seat.guest = None;
        }
    }

    /// Whoever sits there gets up.
    pub fn clear(&self) {
        self.lock().guest = None;
    }

    /// Drops the guest's disc.
    pub fn drop_disc(&self, ticket: u64, column: usize) -> Result<(), DropError> {
        let mut seat = self.lock();
        if seat.guest != Some(ticket) {
            return Err(DropError::NotSeated);
        }
        if !seat.sight.persons_turn || seat.wish.is_some() {
            return Err(DropError::NotYourTurn);
        }
        if !has_room(&seat.sight.columns, column) {
            return Err(DropError::NoRoom { column });
        }
        seat.wish = Some(column);
        Ok(())
    }

    /// Whether a guest sits there.
    pub fn is_taken(&self) -> bool {
        self.lock().guest.is_some()
    }

    /// Whether it is the guest with this ticket.
    pub fn is_of(&self, ticket: u64) -> bool {
        self.lock().guest == Some(ticket)
    }

    /// What is to be seen at the table.
    pub fn sight(&self) -> TableSight {
        self.lock().sight.clone()
    }

    /// The disc that the guest drops, if they have chosen.
    pub(super) fn take_wish(&self) -> Option<usize> {
        self.lock().wish.take()
    }

    pub(super) fn has_wish(&self) -> bool {
        self.lock().wish.is_some()
    }

    /// Shows the table as it stands.
    pub(super) fn show(&self, columns: &[usize], robot_began: bool, robots_disc: Disc, persons_turn: bool) {
        let mut seat = self.lock();
        let Shared { sight, wish, .. } = &mut *seat;
        if !persons_turn {
            *wish = None;
        }
        sight.persons_turn = persons_turn;
        sight.robot_is_red = robots_disc == Disc::Red;
        if sight.columns != columns || sight.robot_began != robot_began {
            sight.columns = columns.to_vec();
            sight.robot_began = robot_began;
            sight.end = end(columns, robot_began);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn has_room(columns: &[usize], column: usize) -> bool {
    column < COLUMNS && columns.iter().filter(|&&other| other == column).count() < ROWS
}

fn end(columns: &[usize], robot_began: bool) -> Option<TableEnd> {
    let position = columns
        .iter()
        .try_fold(Position::default(), |position, &column| position.play(Column::from_index(column)?).ok())?;
    match position.outcome() {
        Outcome::Open => None,
        Outcome::Draw => Some(TableEnd::Draw),
        Outcome::Won { winner, .. } => {
            let is_robot = (winner == Player::First) == robot_began;
            Some(if is_robot { TableEnd::Lost } else { TableEnd::Won })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_guest_at_a_time_drops_discs_when_it_is_their_turn() {
        let seat = GuestSeat::default();
        assert_eq!(seat.drop_disc(7, 3), Err(DropError::NotSeated));
        assert!(seat.take(7) && !seat.take(8));
        assert_eq!(seat.drop_disc(7, 3), Err(DropError::NotYourTurn));
        seat.show(&[3, 3, 3, 3, 3, 3], false, Disc::Red, true);
        assert_eq!(seat.drop_disc(8, 2), Err(DropError::NotSeated));
        for column in [3, 7, usize::MAX] {
            assert_eq!(seat.drop_disc(7, column), Err(DropError::NoRoom { column }));
        }
        assert_eq!(seat.drop_disc(7, 2), Ok(()));
        assert_eq!(seat.drop_disc(7, 1), Err(DropError::NotYourTurn), "one disc a turn");
        assert_eq!(seat.take_wish(), Some(2));
        seat.leave(8);
        assert!(seat.is_of(7), "only its guest leaves a seat");
        seat.leave(7);
        assert!(seat.take(8));
    }

    #[test]
    fn the_end_is_told_from_the_persons_side() {
        let seat = GuestSeat::default();
        for (robot_began, end) in [(true, TableEnd::Lost), (false, TableEnd::Won)] {
            seat.show(&[3, 0, 3, 0, 3, 0, 3], robot_began, Disc::Yellow, false);
            let sight = seat.sight();
            assert_eq!((sight.end, sight.robot_is_red), (Some(end), false));
        }
    }
}
