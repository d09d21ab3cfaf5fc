//! The learned tables and their file format.

use std::sync::{Arc, LazyLock};

use super::Pace;
use super::lookups::{ENTRIES, for_each_lookup};
use crate::board::Board;

/// The first bytes of a file of tables; the number changes whenever [`lookups`](super::lookups()) do.
const MARK: &[u8] = b"gamebot values 1\n";
/// Files with fewer paces than we know hold the easiest; the last of them serves for harder ones too.
const FEWEST_PACES: usize = 4;
/// Units of an entry per tetris.
const PARTS: f32 = 4_096.0;

/// The tables learned by `gamebot tune tetris --objective score`; see [`ours`](crate::evaluate::ours).
static OURS: LazyLock<Arc<Tables>> = LazyLock::new(|| {
    #[cfg(not(target_arch = "wasm32"))]
    let tables = Tables::parse(FILE);
    #[cfg(target_arch = "wasm32")]
    let tables = Tables::parse(&FOR_PAGES);
    Arc::new(tables.unwrap_or_else(|error| unreachable!("a test reads the embedded tables: {error}")))
});

/// The built-in file.
const FILE: &[u8] = include_bytes!("../../../values/score.values");

/// Paces that a page loads: at 200 ms from key to key, as pages play, five are asked for. With four of them our player
/// reached 287,000 points on average from level 9, with five 752,000 (8 games each); the others serve slower hands.
#[cfg(target_arch = "wasm32")]
const PACES_FOR_PAGES: usize = 5;

/// What a page loads of the file.
#[cfg(target_arch = "wasm32")]
static FOR_PAGES: [u8; MARK.len() + 2 * PACES_FOR_PAGES * ENTRIES] = match FILE.first_chunk() {
    Some(file) => *file,
    None => panic!("the built-in file is too short"),
};

/// The tables of all paces, in 4,096ths of a tetris.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    entries: Box<[i16]>,
}

/// Why bytes are not a file of tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablesError {
    /// They start with something else.
    #[error("not a file of learned values: it does not start with “gamebot values 1”")]
    Mark,
    /// Too short or too long.
    #[error("{found} bytes of learned values; expected {}", 2 * Pace::COUNT * ENTRIES)]
    Length {
        /// Bytes after the first line.
        found: usize,
    },
}

impl Tables {
    /// The built-in tables.
    pub fn ours() -> Arc<Tables> {
        Arc::clone(&OURS)
    }

    /// Tables from the values of every pace.
    pub fn from_values<'a>(paces: impl Iterator<Item = &'a [f32]>) -> Tables {
        // The conversion saturates; no board is worth that much.
        Tables { entries: paces.flatten().map(|value| (value * PARTS).round() as i16).collect() }
    }

    /// Reads a file.
    pub fn parse(file: &[u8]) -> Result<Tables, TablesError> {
        let bytes = file.strip_prefix(MARK).ok_or(TablesError::Mark)?;
        let paces = bytes.len() / (2 * ENTRIES);
        if !bytes.len().is_multiple_of(2 * ENTRIES) || !(FEWEST_PACES..=Pace::COUNT).contains(&paces) {
            return Err(TablesError::Length { found: bytes.len() });
        }
        let (pairs, _) = bytes.as_chunks();
        let mut entries: Vec<_> = pairs.iter().map(|&pair| i16::from_le_bytes(pair)).collect();
        while entries.len() < Pace::COUNT * ENTRIES {
            entries.extend_from_within(entries.len() - ENTRIES..);
        }
        Ok(Tables { entries: entries.into() })
    }

    /// Writes a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let entries = self.entries.iter().flat_map(|entry| entry.to_le_bytes());
        MARK.iter().copied().chain(entries).collect()
    }

    /// The value of a board, in tetrises.
    #[inline(always)]
    pub fn value(&self, pace: Pace, board: &Board) -> f32 {
        let table = &self.entries[pace.index() * ENTRIES..][..ENTRIES];
        let mut sum = 0;
        for_each_lookup(board, |entry| sum += i32::from(table[entry]));
        sum as f32 / PARTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_tables_are_readable_and_written_the_same() {
        assert_eq!(Tables::parse(FILE).unwrap().to_bytes(), FILE);
    }

    #[test]
    fn a_file_without_slow_paces_uses_its_last_one_for_them() {
        let few = Tables::parse(&FILE[..MARK.len() + 2 * FEWEST_PACES * ENTRIES]).unwrap();
        let (last, slower) = (Pace::all().nth(FEWEST_PACES - 1).unwrap(), Pace::all().last().unwrap());
        let board = Board::parse(".#########").unwrap();
        assert_eq!(few.value(slower, &board).to_bits(), few.value(last, &board).to_bits());
        let ours = Tables::ours();
        assert_eq!(few.value(last, &board).to_bits(), ours.value(last, &board).to_bits());
        assert_ne!(few.value(slower, &board).to_bits(), ours.value(slower, &board).to_bits());
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(Tables::parse(b"gamebot values 2\n"), Err(TablesError::Mark));
        let error = Tables::parse(b"gamebot values 1\n12345").unwrap_err();
        assert_eq!(error, TablesError::Length { found: 5 });
        assert!(error.to_string().starts_with("5 bytes of learned values; expected "));
    }

    #[test]
    fn values_beyond_the_range_stay_at_its_end() {
        let values = vec![100.0; ENTRIES];
        let tables = Tables::from_values(std::iter::repeat_n(values.as_slice(), Pace::COUNT));
        let value = tables.value(Pace::all().next().unwrap(), &Board::EMPTY);
        assert!((value - 8.0 * super::super::LOOKUPS as f32).abs() < 0.1, "{value}");
    }
}
