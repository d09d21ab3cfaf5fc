//! Real recordings, mutated at random: what strangers may bring. The reader and the arcade are measured with the same series.

const RECORDINGS: [&[u8]; 2] = [
    include_bytes!("../../../../fixtures/recordings/catch-0.1.0.mcap"),
    include_bytes!("../../../../fixtures/recordings/tetris-0.1.0-cut-off.mcap"),
];
/// Bytes of the second that are used: the whole of it would make the series long.
const PART: usize = 300_000;

/// The next variant of the series.
pub fn mutated(variant: u64, random: &mut Random) -> Vec<u8> {
    let original = RECORDINGS[(variant % 2) as usize];
    let mut file = original[..original.len().min(PART)].to_vec();
    if !variant.is_multiple_of(3) {
        // Otherwise the checksum refuses every mutation inside a chunk.
        forget_checksums(&mut file);
    }
    mutate(&mut file, random);
    file
}

/// Changes bytes, lengths, or cuts and repeats parts.
fn mutate(file: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(12) {
        let place = random.below(file.len());
        match random.below(6) {
            0 => file[place] = random.next() as u8,
            1 => file[place] ^= 1 << random.below(8),
            2 => file.truncate(place.max(1)),
            3 => {
                // A length of eight bytes becomes anything.
                let wild = [0, 1, 0xffff, u64::from(u32::MAX), u64::MAX, random.next()][random.below(6)];
                let end = (place + 8).min(file.len());
                file[place..end].copy_from_slice(&wild.to_le_bytes()[..end - place]);
            }
            4 => {
                let end = (place + random.below(500)).min(file.len());
                let part = file[place..end].to_vec();
                let to = random.below(file.len());
                file.splice(to..to, part);
            }
            _ => {
                let end = (place + random.below(500)).min(file.len());
                file.drain(place..end);
                if file.is_empty() {
                    file.push(0);
                }
            }
        }
    }
}

/// Sets the checksums of all chunks to 0, which means "none".
fn forget_checksums(file: &mut [u8]) {
    let mut at = 8;
    while let Some(head) = file.get(at..at + 9) {
        let length = u64::from_le_bytes(head[1..9].try_into().expect("eight bytes")) as usize;
        if head[0] == 6
            && let Some(sum) = file.get_mut(at + 33..at + 37)
        {
            sum.fill(0);
        }
        at = at.saturating_add(9).saturating_add(length);
    }
}

/// Splitmix64: the same series on every machine.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}
