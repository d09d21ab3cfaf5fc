//! Unpacking chunks: ours are packed with Zstandard, those of earlier versions not at all.

use std::io::Read;

use mcap::McapError;

/// The farthest back that packed bytes may refer, as a power of two: what is packed hard by other programs still opens, and
/// nobody's file makes us keep more.
const WINDOW_LOG: u32 = 24;

/// How the records of a chunk are packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Not at all.
    None,
    /// With Zstandard.
    Zstd,
}

impl Packing {
    /// By its name in the file.
    pub(super) fn named(name: &str) -> Result<Self, McapError> {
        match name {
            "" => Ok(Packing::None),
            "zstd" => Ok(Packing::Zstd),
            other => Err(McapError::UnsupportedCompression(other.to_owned())),
        }
    }
}

/// The records of a Zstandard chunk, which must be as long as it `claims` and not longer than `limit`.
pub(super) fn unpack(packed: &[u8], claims: u64, limit: u64) -> Result<Vec<u8>, McapError> {
    let failed = |why: std::io::Error| McapError::DecompressionError(why.to_string());
    let mut decoder = zstd::Decoder::new(packed).map_err(failed)?;
    decoder.window_log_max(WINDOW_LOG).map_err(failed)?;
    let mut records = Vec::new();
    // One byte more shows that there are too many. Memory grows with what comes, not with what is claimed.
    decoder.take(claims.min(limit).saturating_add(1)).read_to_end(&mut records).map_err(failed)?;
    if records.len() as u64 == claims && claims <= limit {
        Ok(records)
    } else {
        Err(McapError::DecompressionError(format!("a chunk of {claims} bytes has another length")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        zstd::encode_all(bytes, 1).unwrap()
    }

    #[test]
    fn what_was_packed_comes_back() {
        let records = b"frame frame frame".repeat(100);
        assert_eq!(unpack(&packed(&records), records.len() as u64, 1 << 20).unwrap(), records);
    }

    #[test]
    fn lies_and_bombs_are_refused() {
        let bomb = packed(&vec![0; 50 << 20]);
        assert!(bomb.len() < 1 << 20);
        assert!(unpack(&bomb, 50 << 20, 1 << 20).is_err(), "larger than the limit");
        assert!(unpack(&bomb, 1_000, 1 << 20).is_err(), "larger than it claims");
        assert!(unpack(&packed(b"short"), 1_000, 1 << 20).is_err(), "smaller than it claims");
        assert!(unpack(b"junk", 4, 1 << 20).is_err());
        assert!(unpack(&bomb[..bomb.len() / 2], 50 << 20, 1 << 30).is_err(), "cut off");
    }

    #[test]
    fn unknown_packings_are_named() {
        assert_eq!(Packing::named("").unwrap(), Packing::None);
        assert!(Packing::named("lz4").unwrap_err().to_string().contains("lz4"));
    }
}
