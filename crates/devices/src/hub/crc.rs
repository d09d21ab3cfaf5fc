//! The hub's checksum: CRC-32 of data that is padded with zeros to a multiple of four bytes.

/// Bytes the checksum works on at a time.
pub(super) const WORD: usize = 4;

/// The checksum of a whole file.
pub fn checksum(bytes: &[u8]) -> u32 {
    running(0, bytes)
}

/// The checksum after another chunk. It equals that of the whole file only if every chunk but the last is a multiple
/// of four bytes.
pub fn running(before: u32, chunk: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(chunk);
    hasher.update(&[0; WORD][..chunk.len().next_multiple_of(WORD) - chunk.len()]);
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `zlib.crc32` of the padded bytes.
    #[test]
    fn known_checksums() {
        assert_eq!(checksum(b""), 0);
        assert_eq!(checksum(b"1234"), 0x9be3_e0a3);
        assert_eq!(checksum(b"12345"), checksum(b"12345\0\0\0"));
    }

    proptest! {
        #[test]
        fn chunks_of_whole_words_give_the_files_checksum(
            file in prop::collection::vec(any::<u8>(), 0..2000), words in 1usize..60
        ) {
            let chunks = file.chunks(words * WORD).fold(0, running);
            prop_assert_eq!(chunks, checksum(&file));
        }
    }
}
