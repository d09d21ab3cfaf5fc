//! The exact probabilities of the console's pieces, from its randomiser (G11, G21).

use super::randomiser::{Dealer, DivSource};
use crate::piece::Piece;

/// One probability for each piece, by number.
pub type PieceShares = [f64; Piece::COUNT];

/// How often each piece comes when every phase of the divider is equally likely at the first read.
///
/// That holds for people. A player as regular as a clock keeps returning to the same phases.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceModel {
    /// Shares after two given pieces, the earlier one as first index.
    pub after_two: [[PieceShares; Piece::COUNT]; Piece::COUNT],
    /// Shares over many pieces.
    pub long_run: PieceShares,
}

impl PieceModel {
    /// Follows the randomiser through every phase of the divider.
    ///
    /// ```
    /// use tetris::Piece;
    /// use tetris::gameboy::PieceModel;
    ///
    /// let model = PieceModel::exact();
    /// // O is the most frequent piece, L the rarest.
    /// assert!((model.long_run[Piece::O.index()] - 0.1624).abs() < 1e-4);
    /// assert!((model.long_run[Piece::L.index()] - 0.1093).abs() < 1e-4);
    /// ```
    pub fn exact() -> PieceModel {
        let mut after_two = [[[0.0; Piece::COUNT]; Piece::COUNT]; Piece::COUNT];
        for before in Piece::ALL {
            for last in Piece::ALL {
                let shares = &mut after_two[before.index()][last.index()];
                for clock in 0..PHASES {
                    shares[Phase(clock).deal(before, last).index()] += 1.0 / f64::from(PHASES);
                }
            }
        }
        let long_run = long_run(&after_two);
        PieceModel { after_two, long_run }
    }
}

/// Machine cycles per count of the divider, which counts to 256.
const CYCLES_PER_COUNT: u32 = 64;
const PHASES: u32 = 256 * CYCLES_PER_COUNT;

/// A divider that starts at a given cycle of its period.
struct Phase(u32);

impl DivSource for Phase {
    fn first(&mut self) -> u8 {
        (self.0 / CYCLES_PER_COUNT) as u8
    }

    fn again(&mut self, cycles: u32) -> u8 {
        self.0 = (self.0 + cycles) % PHASES;
        self.first()
    }
}

/// The stationary shares of the Markov chain on pairs of pieces, by iteration.
fn long_run(after_two: &[[PieceShares; Piece::COUNT]; Piece::COUNT]) -> PieceShares {
    const N: usize = Piece::COUNT;
    let mut pairs = [[1.0 / (N * N) as f64; N]; N];
    for _ in 0..200 {
        let mut next = [[0.0; N]; N];
        for before in 0..N {
            for last in 0..N {
                for piece in 0..N {
                    next[last][piece] += pairs[before][last] * after_two[before][last][piece];
                }
            }
        }
        pairs = next;
    }
    std::array::from_fn(|piece| pairs.iter().map(|row| row[piece]).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_are_the_known_ones() {
        // The cartridge's shares, with the time that rejected draws take.
        let known = [10.93, 13.76, 13.88, 16.24, 13.65, 15.64, 15.89];
        for (share, known) in PieceModel::exact().long_run.into_iter().zip(known) {
            assert!((100.0 * share - known).abs() < 0.02, "{share} {known}");
        }
    }
}
