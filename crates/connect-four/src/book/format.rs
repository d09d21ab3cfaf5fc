//! Reads and writes the book as bytes.
//!
//! ```text
//! "C4BOOK1\n"
//! number of full plies                        1 byte
//! for each ply: score of each position        1 byte each, canonical order
//! number of line positions                    varint
//! for each, by ascending key: key difference  varint
//!                             score           1 byte
//!                             column 1–7      1 byte
//! ```
//!
//! The order of a ply's positions follows from the rules, so no key of a full
//! ply is stored. A varint has seven bits a byte, lowest first; the high bit
//! says that more follow.

use std::collections::BTreeMap;

use super::{Book, LineMove};
use crate::Column;

const MAGIC: &[u8] = b"C4BOOK1\n";

/// Why bytes are not a book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookError {
    /// The first bytes are wrong.
    #[error("not an opening book: the file does not start with C4BOOK1")]
    Magic,
    /// The file is shorter than it says.
    #[error("the book ends at byte {0}, in the middle of an entry")]
    CutShort(usize),
    /// More full plies than are supported.
    #[error("{0} full plies; at most 13 are supported")]
    TooManyPlies(u8),
    /// A ply with the wrong number of scores.
    #[error("ply {ply} has {found} scores for {expected} positions")]
    PlySize {
        /// The ply.
        ply: usize,
        /// Scores found.
        found: usize,
        /// Positions of this ply.
        expected: usize,
    },
    /// A line entry with an impossible column.
    #[error("byte {at}: {column} is not a column")]
    Column {
        /// Offset of the byte.
        at: usize,
        /// Its value.
        column: u8,
    },
}

impl Book {
    /// Reads a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.take(MAGIC.len()).map_err(|_| BookError::Magic)? != MAGIC {
            return Err(BookError::Magic);
        }
        let count = reader.byte()?;
        if count > 13 {
            return Err(BookError::TooManyPlies(count));
        }
        let plies = if count == 0 { Vec::new() } else { super::positions_up_to(u32::from(count) - 1) };
        let mut scores = Vec::new();
        for ply in &plies {
            scores.push(reader.take(ply.keys.len())?.iter().map(|&byte| byte.cast_signed()).collect());
        }
        let mut lines = BTreeMap::new();
        let mut key = 0_u64;
        for _ in 0..reader.varint()? {
            key = key.wrapping_add(reader.varint()?);
            let score = i32::from(reader.byte()?.cast_signed());
            let at = reader.at;
            let number = reader.byte()?;
            let column = Column::new(number).map_err(|_| BookError::Column { at, column: number })?;
            lines.insert(key, LineMove { column, score });
        }
        Ok(Self { plies, scores, lines })
    }

    /// The book as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.push(self.scores.len() as u8);
        for scores in &self.scores {
            out.extend(scores.iter().map(|score| score.cast_unsigned()));
        }
        push_varint(&mut out, self.lines.len() as u64);
        let mut last = 0;
        for (&key, entry) in &self.lines {
            push_varint(&mut out, key - last);
            last = key;
            out.push((entry.score as i8).cast_unsigned());
            out.push(entry.column.number());
        }
        out
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], BookError> {
        let end = self.at.saturating_add(len);
        let taken = self.bytes.get(self.at..end).ok_or(BookError::CutShort(self.bytes.len()))?;
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, BookError> {
        self.take(1).map(|taken| taken[0])
    }

    fn varint(&mut self) -> Result<u64, BookError> {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
            if byte & 0x80 == 0 {
                return Ok(value);
            }
            shift += 7;
        }
    }
}

fn push_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_book() -> Book {
        let lines = BTreeMap::from([
            (5, LineMove { column: Column::ALL[2], score: -3 }),
            (1 << 40, LineMove { column: Column::ALL[6], score: 18 }),
        ]);
        Book::new(vec![vec![1], vec![-2, -1, 0, 1]], lines).unwrap()
    }

    #[test]
    fn bytes_and_back() {
        assert_eq!(Book::from_bytes(&small_book().to_bytes()), Ok(small_book()));
        assert_eq!(Book::from_bytes(&Book::default().to_bytes()), Ok(Book::default()));
    }

    #[test]
    fn broken_books_are_refused_with_the_reason() {
        let bytes = small_book().to_bytes();
        assert_eq!(Book::from_bytes(b"nonsense"), Err(BookError::Magic));
        for len in MAGIC.len()..bytes.len() {
            assert_eq!(Book::from_bytes(&bytes[..len]), Err(BookError::CutShort(len)));
        }
        let mut wrong = bytes.clone();
        *wrong.last_mut().unwrap() = 9;
        assert_eq!(Book::from_bytes(&wrong), Err(BookError::Column { at: bytes.len() - 1, column: 9 }));
        let mut deep = bytes;
        deep[MAGIC.len()] = 40;
        assert_eq!(Book::from_bytes(&deep), Err(BookError::TooManyPlies(40)));
        let sizes = Book::new(vec![vec![1, 2]], BTreeMap::new());
        assert_eq!(sizes, Err(BookError::PlySize { ply: 0, found: 2, expected: 1 }));
    }
}
