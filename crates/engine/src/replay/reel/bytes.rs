//! Reading bytes that may be anybody's: never more of them in memory than a limit says.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::ReelError;

pub(super) fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), ReelError> {
    if found > limit { Err(ReelError::TooLarge { what, found, limit }) } else { Ok(()) }
}

/// Reads a file once from its beginning.
pub(super) struct Walker<R> {
    input: BufReader<R>,
    pub(super) position: u64,
    /// The checksum of what is read, inside a chunk.
    pub(super) sum: Option<crc32fast::Hasher>,
}

impl<R: Read> Walker<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), position: 0, sum: None }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ReelError> {
        self.input.read_exact(bytes)?;
        self.position += bytes.len() as u64;
        if let Some(sum) = &mut self.sum {
            sum.update(bytes);
        }
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReelError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn head(&mut self) -> Result<(u8, u64), ReelError> {
        let [opcode] = self.array()?;
        Ok((opcode, u64::from_le_bytes(self.array()?)))
    }

    pub(super) fn limited(
        &mut self,
        length: u64,
        what: &'static str,
        limit: u64,
    ) -> Result<Vec<u8>, ReelError> {
        at_most(what, length, limit)?;
        self.take(length)
    }

    /// Only as much memory as there are bytes in the file.
    pub(super) fn take(&mut self, length: u64) -> Result<Vec<u8>, ReelError> {
        let mut bytes = Vec::new();
        let mut left = usize::try_from(length).unwrap_or(usize::MAX);
        let mut piece = [0; 4096];
        while left > 0 {
            let now = left.min(piece.len());
            self.fill(&mut piece[..now])?;
            bytes.extend_from_slice(&piece[..now]);
            left -= now;
        }
        Ok(bytes)
    }

    pub(super) fn skip(&mut self, mut length: u64) -> Result<(), ReelError> {
        let mut piece = [0; 4096];
        while length > 0 {
            let now = length.min(piece.len() as u64) as usize;
            self.fill(&mut piece[..now])?;
            length -= now as u64;
        }
        Ok(())
    }
}

/// Where the content of a message is read from.
pub(super) trait Take {
    /// The next bytes; an error if there are fewer, or more than the limit.
    fn take(&mut self, length: u64, what: &'static str, limit: u64) -> Result<Vec<u8>, ReelError>;
}

/// Reads a file at any place.
pub(super) struct Seeker<R> {
    input: BufReader<R>,
    position: u64,
}

impl<R: Read + Seek> Seeker<R> {
    pub(super) fn new(input: R) -> Self {
        // Where a reader stands at first is not known; `go` finds out by the difference to nowhere.
        Self { input: BufReader::with_capacity(1 << 14, input), position: u64::MAX }
    }

    pub(super) fn go(&mut self, place: u64) -> Result<(), ReelError> {
        // A step inside the buffer costs nothing; a seek would throw it away.
        let step =
            i64::try_from(place).ok().zip(i64::try_from(self.position).ok()).map(|(to, from)| to - from);
        match step {
            Some(step) => self.input.seek_relative(step)?,
            None => drop(self.input.seek(SeekFrom::Start(place))?),
        }
        self.position = place;
        Ok(())
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], ReelError> {
        let mut bytes = [0; N];
        self.input.read_exact(&mut bytes)?;
        self.position += N as u64;
        Ok(bytes)
    }

    pub(super) fn head(&mut self) -> Result<(u8, u64), ReelError> {
        let [opcode] = self.array()?;
        Ok((opcode, u64::from_le_bytes(self.array()?)))
    }
}

impl<R: Read + Seek> Take for Seeker<R> {
    fn take(&mut self, length: u64, what: &'static str, limit: u64) -> Result<Vec<u8>, ReelError> {
        at_most(what, length, limit)?;
        let mut bytes = Vec::new();
        let read = (&mut self.input).take(length).read_to_end(&mut bytes)?;
        self.position += read as u64;
        if read as u64 == length {
            Ok(bytes)
        } else {
            Err(io::Error::from(io::ErrorKind::UnexpectedEof).into())
        }
    }
}
