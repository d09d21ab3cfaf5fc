//! Mutates inputs at random, so that most of each stays valid and the mistake lies deep inside.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Longer inputs only cost time; limits on length have tests of their own.
const LONGEST: usize = 1 << 16;
/// Numbers at the edges of types, as text.
const NUMBERS: [&str; 9] =
    ["0", "-1", "255", "256", "65536", "2147483648", "18446744073709551616", "1e999", "0.0000001"];
/// Bytes at the edges of types, and those that structure text.
const BYTES: [u8; 16] =
    [0, 1, 0x7F, 0x80, 0xFF, b'\n', b'"', b'[', b']', b'{', b'}', b',', b'=', b'.', b' ', b'9'];

/// Makes mutated inputs from a corpus; the same seed makes the same inputs.
#[derive(Clone, Debug)]
pub struct Mutator {
    corpus: Vec<Vec<u8>>,
    dice: Xoshiro256PlusPlus,
}

impl Mutator {
    /// A mutator of this corpus.
    pub fn new(corpus: Vec<Vec<u8>>, seed: u64) -> Self {
        Self { corpus, dice: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The next input.
    pub fn mutated(&mut self) -> Vec<u8> {
        let mut bytes = self.any();
        // Mostly one or two changes: more seldom get past the first check.
        for _ in 0..=self.dice.random_range(0..3) * self.dice.random_range(0..3_usize) {
            self.change(&mut bytes);
        }
        bytes.truncate(LONGEST.max(self.longest()));
        bytes
    }

    fn longest(&self) -> usize {
        self.corpus.iter().map(Vec::len).max().unwrap_or_default()
    }

    fn any(&mut self) -> Vec<u8> {
        if self.corpus.is_empty() || self.dice.random_bool(0.01) {
            let length = self.dice.random_range(0..200);
            return (0..length).map(|_| self.dice.random()).collect();
        }
        self.corpus[self.dice.random_range(0..self.corpus.len())].clone()
    }

    fn place(&mut self, bytes: &[u8]) -> usize {
        if bytes.is_empty() { 0 } else { self.dice.random_range(0..bytes.len()) }
    }

    fn change(&mut self, bytes: &mut Vec<u8>) {
        let at = self.place(bytes);
        let length = self.dice.random_range(1..=16).min(bytes.len() - at);
        match self.dice.random_range(0..9) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << self.dice.random_range(0..8),
            1 if !bytes.is_empty() => bytes[at] = self.dice.random(),
            2 if !bytes.is_empty() => bytes[at] = BYTES[self.dice.random_range(0..BYTES.len())],
            3 => drop(bytes.drain(at..at + length)),
            4 => {
                let again = bytes[at..at + length].to_vec();
                bytes.splice(at..at, again);
            }
            5 => bytes.truncate(at),
            6 => self.number(bytes, at),
            7 => {
                // The end of one input after the beginning of another.
                let other = self.any();
                let from = self.place(&other);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            _ => {
                let byte = BYTES[self.dice.random_range(0..BYTES.len())];
                bytes.insert(at, byte);
            }
        }
    }

    /// Another number in place of the next one.
    fn number(&mut self, bytes: &mut Vec<u8>, from: usize) {
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let Some(start) = bytes[from..].iter().position(is_digit).map(|at| from + at) else { return };
        let end = bytes[start..].iter().position(|byte| !is_digit(byte)).map_or(bytes.len(), |at| start + at);
        let number = NUMBERS[self.dice.random_range(0..NUMBERS.len())];
        bytes.splice(start..end, number.bytes());
    }
}
