//! The piece generator, including its bitwise-or bug.
//!
//! When a piece becomes active, the hidden piece becomes the preview and a new
//! hidden piece is drawn. A candidate is rejected, at most twice, when the bitwise
//! or of its number, the new preview's and the active piece's equals the active
//! piece's number. This was probably meant to avoid three equal pieces in a row.

use rand::{Rng, RngExt};

use crate::piece::Piece;

/// The divider register as the randomiser reads it.
pub trait DivSource {
    /// The first read of a draw; its phase depends on when the last piece locked.
    fn first(&mut self) -> u8;
    /// The read after a rejected candidate, `cycles` machine cycles after the previous read.
    fn again(&mut self, cycles: u32) -> u8;
}

/// A divider whose reads are all uniform and independent.
#[derive(Clone, Debug)]
pub struct IdealDiv<R>(pub R);

impl<R: Rng> DivSource for IdealDiv<R> {
    fn first(&mut self) -> u8 {
        self.0.random()
    }

    fn again(&mut self, _cycles: u32) -> u8 {
        self.0.random()
    }
}

/// A divider whose first read is uniform, and whose later reads follow from the time that rejected candidates took.
///
/// The divider counts every 64 machine cycles, so after a short rejection it
/// may not have moved at all: re-draws are correlated with what they replace.
#[derive(Clone, Debug)]
pub struct CycleDiv<R> {
    random: R,
    clock: u32,
}

impl<R> CycleDiv<R> {
    /// A divider whose first reads come from `random`.
    pub fn new(random: R) -> Self {
        Self { random, clock: 0 }
    }
}

/// Machine cycles per count of the divider.
const CYCLES_PER_COUNT: u32 = 64;

impl<R: Rng> DivSource for CycleDiv<R> {
    fn first(&mut self) -> u8 {
        self.clock = self.random.random_range(0..256 * CYCLES_PER_COUNT);
        (self.clock / CYCLES_PER_COUNT) as u8
    }

    fn again(&mut self, cycles: u32) -> u8 {
        self.clock = (self.clock + cycles) % (256 * CYCLES_PER_COUNT);
        (self.clock / CYCLES_PER_COUNT) as u8
    }
}

/// A closure that returns a divider value for every read.
impl<F: FnMut() -> u8> DivSource for F {
    fn first(&mut self) -> u8 {
        self()
    }

    fn again(&mut self, _cycles: u32) -> u8 {
        self()
    }
}

/// The candidate for a divider value: (v − 1) mod 7, with 0 read as 256.
fn candidate(div: u8) -> Piece {
    Piece::from_index(usize::from(div.wrapping_sub(1)) % Piece::COUNT)
}

/// Whether a candidate is rejected, with `active` and `preview` as they will be.
pub(super) fn is_rejected(candidate: Piece, preview: Piece, active: Piece) -> bool {
    candidate.index() | preview.index() | active.index() == active.index()
}

/// Machine cycles of one draw: a fixed part and the countdown of the divider
/// value, each step of which costs 14 cycles, or 13 when the candidate wraps around.
fn draw_cycles(div: u8) -> u32 {
    let steps = u32::from(div.wrapping_sub(1));
    let wraps = steps / Piece::COUNT as u32;
    25 + 14 * (steps - wraps) + 13 * wraps
}

/// Draws a new hidden piece.
pub fn draw<D: DivSource + ?Sized>(div: &mut D, active: Piece, preview: Piece) -> Piece {
    let mut value = div.first();
    for _ in 0..2 {
        if !is_rejected(candidate(value), preview, active) {
            break;
        }
        value = div.again(draw_cycles(value));
    }
    candidate(value)
}

/// Active, preview and hidden piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The piece in play.
    pub active: Piece,
    /// The piece shown next to the field.
    pub preview: Piece,
    /// The piece after that, which is not shown.
    pub hidden: Piece,
}

impl Pieces {
    /// The three draws a game starts with.
    ///
    /// The cartridge advances three times from whatever its memory held before; we
    /// start from L (zeroed memory), as after power-on.
    pub fn first<D: Dealer + ?Sized>(dealer: &mut D) -> Pieces {
        let mut pieces = Pieces { active: Piece::L, preview: Piece::L, hidden: Piece::L };
        for _ in 0..3 {
            pieces.advance(dealer);
        }
        pieces
    }

    /// The preview becomes active, the hidden piece the preview, and a new hidden one is drawn.
    pub fn advance<D: Dealer + ?Sized>(&mut self, dealer: &mut D) {
        let (active, preview) = (self.preview, self.hidden);
        *self = Pieces { active, preview, hidden: dealer.deal(active, preview) };
    }
}

/// Probability of each new hidden piece, by number, when all reads are uniform and independent.
pub fn draw_probabilities(active: Piece, preview: Piece) -> [f64; Piece::COUNT] {
    let mut once = [0.0; Piece::COUNT];
    for div in 0..=u8::MAX {
        once[candidate(div).index()] += 1.0 / 256.0;
    }
    let rejected: f64 =
        Piece::ALL.iter().filter(|&&p| is_rejected(p, preview, active)).map(|p| once[p.index()]).sum();
    std::array::from_fn(|index| {
        let accepted = if is_rejected(Piece::from_index(index), preview, active) { 0.0 } else { once[index] };
        accepted * (1.0 + rejected) + once[index] * rejected * rejected
    })
}

/// Decides which piece follows the preview.
pub trait Dealer {
    /// The new hidden piece, once `active` is in play and `preview` is shown.
    fn deal(&mut self, active: Piece, preview: Piece) -> Piece;
}

impl<D: DivSource> Dealer for D {
    fn deal(&mut self, active: Piece, preview: Piece) -> Piece {
        draw(self, active, preview)
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const DRAWS: u32 = 10_000_000;

    /// Shares in percent by piece, and the share of pieces equal to the one before.
    fn measure(dealer: &mut impl Dealer) -> ([f64; Piece::COUNT], f64, f64) {
        let mut pieces = Pieces::first(dealer);
        let mut counts = [0u32; Piece::COUNT];
        let (mut pairs, mut triples) = (0u32, 0u32);
        for _ in 0..DRAWS {
            counts[pieces.hidden.index()] += 1;
            let same = pieces.hidden == pieces.preview;
            pairs += u32::from(same);
            triples += u32::from(same && pieces.preview == pieces.active);
            pieces.advance(dealer);
        }
        let percent = |count: u32| 100.0 * f64::from(count) / f64::from(DRAWS);
        (counts.map(percent), percent(pairs), percent(triples))
    }

    fn check_shares(shares: [f64; Piece::COUNT], expected: [f64; Piece::COUNT]) {
        for (piece, (share, expected)) in Piece::ALL.into_iter().zip(shares.into_iter().zip(expected)) {
            assert!((share - expected).abs() < 0.2, "{piece:?}: {share:.3} %, expected {expected} %");
        }
    }

    /// Long-run shares with independent reads, from the stationary distribution of the triples.
    #[test]
    fn ideal_draws_have_the_known_shares() {
        let (shares, same, _) = measure(&mut IdealDiv(Xoshiro256PlusPlus::seed_from_u64(1)));
        check_shares(shares, [10.86, 13.83, 13.83, 16.22, 13.54, 15.86, 15.86]);
        assert!((same - 10.7).abs() < 0.2, "{same}");
    }

    #[test]
    fn draws_with_the_cost_of_rejections_have_the_known_shares() {
        let (shares, same, triples) = measure(&mut CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(1)));
        check_shares(shares, [10.93, 13.76, 13.88, 16.24, 13.65, 15.64, 15.89]);
        assert!((same - 10.7).abs() < 0.2, "{same}");
        assert!((triples - 0.33).abs() < 0.1, "{triples}");
    }

    #[test]
    fn the_or_quirk_rejects_more_than_repetition() {
        // With T active and L next, every piece whose bits are a subset of 6 is rejected.
        let rejected: Vec<_> =
            Piece::ALL.into_iter().filter(|&p| is_rejected(p, Piece::L, Piece::T)).collect();
        assert_eq!(rejected, [Piece::L, Piece::I, Piece::Z, Piece::T]);
        // With O next the or can never be 6.
        assert!(!Piece::ALL.into_iter().any(|p| is_rejected(p, Piece::O, Piece::T)));
    }

    #[test]
    fn a_divider_of_zero_counts_as_256() {
        assert_eq!(candidate(0), Piece::from_index(255));
        assert_eq!(candidate(1), Piece::L);
        assert_eq!(candidate(7), Piece::T);
        assert_eq!(candidate(8), Piece::L);
        let shares = Piece::ALL.map(|p| (0..=u8::MAX).filter(|&div| candidate(div) == p).count());
        assert_eq!(shares, [37, 37, 37, 37, 36, 36, 36]);
    }

    #[test]
    fn the_third_candidate_is_always_accepted() {
        let mut reads = 0;
        let mut always_l = || {
            reads += 1;
            1
        };
        assert_eq!(draw(&mut always_l, Piece::T, Piece::L), Piece::L);
        assert_eq!(reads, 3);
    }

    #[test]
    fn exact_probabilities_match_drawing() {
        let mut div = IdealDiv(Xoshiro256PlusPlus::seed_from_u64(7));
        for active in Piece::ALL {
            for preview in Piece::ALL {
                let exact = draw_probabilities(active, preview);
                assert!((exact.iter().sum::<f64>() - 1.0).abs() < 1e-12);
                let mut counts = [0u32; Piece::COUNT];
                for _ in 0..40_000 {
                    counts[draw(&mut div, active, preview).index()] += 1;
                }
                for (count, p) in counts.into_iter().zip(exact) {
                    assert!((f64::from(count) / 40_000.0 - p).abs() < 0.015, "{active:?} {preview:?}");
                }
            }
        }
    }
}
