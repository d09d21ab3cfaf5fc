//! Looking at the board, until enough looks agree.

use devices::hub::{Order, Outcome, Transport};
use engine::{Clock, Fault};
use players::connect_four::DiscColor;
use players::connect_four::scan::Sight;

use super::super::robot::light_of;
use super::Croupier;
use super::board::Columns;

/// Looks that must agree on a disc, and on there being none: a second disc would be against the rules.
const SURE_OF_DISC: usize = 2;
const SURE_OF_NONE: usize = 3;

impl<T: Transport, C: Clock> Croupier<T, C> {
    /// What stands: every column from the bottom up to its first empty cell. What is not as wanted is looked at twice.
    pub(super) fn look_at_board(&mut self) -> Result<Columns, Fault> {
        let expected = Columns::of(&self.wanted);
        let mut found = Columns::default();
        for column in 0..::connect_four::COLUMNS {
            for row in 0..::connect_four::ROWS {
                let mut sight = self.look(column, row)?;
                if sight != expected.sight(column, row) {
                    sight = self.look_surely(column, row)?;
                }
                match sight {
                    Sight::Red => found.put(column, DiscColor::Red),
                    Sight::Yellow => found.put(column, DiscColor::Yellow),
                    Sight::Empty => break,
                    // Neither disc nor hole: the wheels have slipped, or somebody's hand is in the way.
                    Sight::Strange => {
                        let why = format!("column {} cannot be read", column + 1);
                        self.leave()?;
                        return Err(Fault::Refused { part: "arm".to_owned(), why });
                    }
                }
            }
        }
        self.leave()?;
        Ok(found)
    }

    /// Looks until enough looks agree. In between the sensor goes elsewhere: bad light at one spot would otherwise be
    /// believed as often as it is asked.
    pub(super) fn look_surely(&mut self, column: usize, row: usize) -> Result<Sight, Fault> {
        let aside = if row > 0 { row - 1 } else { 1 };
        let mut seen = Vec::new();
        loop {
            let sight = self.look(column, row)?;
            seen.push(sight);
            let needed = match sight {
                Sight::Red | Sight::Yellow => SURE_OF_DISC,
                Sight::Empty | Sight::Strange => SURE_OF_NONE,
            };
            if seen.iter().filter(|&&other| other == sight).count() >= needed {
                return Ok(sight);
            }
            self.look(column, aside)?;
        }
    }

    fn look(&mut self, column: usize, row: usize) -> Result<Sight, Fault> {
        let order = Order::Look { column: self.near_side(column), row: row as u8 };
        self.stand_at(Some(column));
        match self.order(order)? {
            Outcome::Color(reading) => Ok(self.calibration.sight(light_of(reading, self.colors))),
            Outcome::Done | Outcome::Force { .. } | Outcome::Home { .. } => Ok(Sight::Strange),
        }
    }
}
