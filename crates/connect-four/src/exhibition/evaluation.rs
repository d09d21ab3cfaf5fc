//! How good a position looks: every line of four that only one side holds counts.

use serde::{Deserialize, Serialize};

use crate::{Grid7x6, Position};

/// Points for a line by the discs one side has in it, the other side none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation {
    /// Points for lines with one, two, three and four discs.
    pub lines: [i32; 4],
    /// Points for each disc in the centre column.
    pub centre: i32,
}

impl Evaluation {
    /// The exhibition's: 1, 10, 100, 1000 (C5).
    pub const EXHIBITION: Evaluation = Evaluation { lines: [1, 10, 100, 1000], centre: 0 };
    /// The LEGO robot's: two discs 2, three 9 (5 for having, 4 for denying), four 100, centre 3 (L3).
    pub const LEGO: Evaluation = Evaluation { lines: [0, 2, 9, 100], centre: 3 };

    /// Points of the player to move minus points of the opponent.
    pub fn of(&self, position: &Position) -> i32 {
        let (own, other) = (position.own(), position.own() ^ position.occupied());
        let centre = Grid7x6::column(3);
        let in_centre = |discs: u64| (discs & centre).count_ones() as i32;
        let mut points = self.centre * (in_centre(own) - in_centre(other));
        for step in [1, Grid7x6::STRIDE - 1, Grid7x6::STRIDE, Grid7x6::STRIDE + 1] {
            points += self.of_lines(own, other, step) - self.of_lines(other, own, step);
        }
        points
    }

    /// Points for the lines in one direction that `discs` have alone.
    fn of_lines(&self, discs: u64, against: u64, step: usize) -> i32 {
        let free = Grid7x6::BOARD & !against;
        let pairs = free & (free >> step);
        let starts = pairs & (pairs >> (2 * step));
        // Per line a two-bit sum of each half, then the sum of both, bit by bit.
        let [a, b, c, d] = [discs, discs >> step, discs >> (2 * step), discs >> (3 * step)];
        let (low_1, high_1) = (a ^ b, a & b);
        let (low_2, high_2) = (c ^ d, c & d);
        let ones = low_1 ^ low_2;
        let carry = low_1 & low_2;
        let twos = high_1 ^ high_2 ^ carry;
        let fours = high_1 & high_2;
        let count = |lines: u64| (lines & starts).count_ones() as i32;
        self.lines[0] * count(ones & !twos)
            + self.lines[1] * count(twos & !ones)
            + self.lines[2] * count(ones & twos)
            + self.lines[3] * count(fours)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Column, Player, ROWS};

    /// The same, line by line.
    fn slow(evaluation: &Evaluation, position: &Position) -> i32 {
        let mut points = 0;
        for (dc, dr) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            for column in 0..7_i32 {
                for row in 1..=ROWS as i32 {
                    let (c, r) = (column + 3 * dc, row + 3 * dr);
                    if !(0..7).contains(&c) || !(1..=ROWS as i32).contains(&r) {
                        continue;
                    }
                    let cell = |i: i32| Cell {
                        column: Column::from_index((column + i * dc) as usize).unwrap(),
                        row: (row + i * dr) as u8,
                    };
                    let discs =
                        |player: Player| (0..4).filter(|&i| position.disc(cell(i)) == Some(player)).count();
                    let (own, other) = (discs(position.to_move()), discs(position.to_move().other()));
                    if other == 0 && own > 0 {
                        points += evaluation.lines[own - 1];
                    }
                    if own == 0 && other > 0 {
                        points -= evaluation.lines[other - 1];
                    }
                }
            }
        }
        for row in 1..=ROWS as u8 {
            match position.disc(Cell { column: Column::ALL[3], row }) {
                Some(player) if player == position.to_move() => points += evaluation.centre,
                Some(_) => points -= evaluation.centre,
                None => {}
            }
        }
        points
    }

    #[test]
    fn bitwise_counting_agrees_with_counting_line_by_line() {
        for moves in [
            "",
            "4",
            "44",
            "4453",
            "32164625",
            "12345671234567",
            "444444",
            "1212121",
            "52753311433677442422121",
        ] {
            let position: Position = moves.parse().unwrap();
            for evaluation in [Evaluation::EXHIBITION, Evaluation::LEGO] {
                assert_eq!(evaluation.of(&position), slow(&evaluation, &position), "{moves}");
            }
        }
    }
}
