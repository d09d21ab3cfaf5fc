//! Veiling what lies in front of a window: a plain window over a light board looks like empty cells.

use engine::Picture;

use super::display::Place;

/// Side of the patches of a veil, in pixels: smaller ones would average out to one grey.
const PATCH: i32 = 5;

/// Paints patches of random colours over those parts of a picture that other windows cover, so that nothing there
/// is taken for a part of the window. `corner` is where the picture begins on the screen.
pub(super) fn veil(picture: &mut Picture, corner: (i32, i32), covers: &[Place]) {
    let (width, height) = (picture.width as i32, picture.height as i32);
    for cover in covers {
        let span = |from: i32, length: u32, limit: i32| {
            from.clamp(0, limit)..from.saturating_add_unsigned(length).clamp(0, limit)
        };
        for y in span(cover.y - corner.1, cover.height, height) {
            for x in span(cover.x - corner.0, cover.width, width) {
                let at = ((y * width + x) * 3) as usize;
                if let Some(pixel) = picture.pixels.get_mut(at..at + 3) {
                    pixel.copy_from_slice(&colour(x / PATCH, y / PATCH));
                }
            }
        }
    }
}

/// A colour for each patch, the same in every picture: a veil that stays is at rest.
fn colour(x: i32, y: i32) -> [u8; 3] {
    let mixed = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
    let mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2c1b_3c6d);
    let [red, green, blue, _] = (mixed ^ (mixed >> 13)).to_le_bytes();
    [red, green, blue]
}

#[cfg(test)]
mod tests {
    use engine::PixelFormat;

    use super::*;

    #[test]
    fn what_is_covered_is_veiled_and_nothing_else() {
        let mut picture = Picture::black(40, 30, PixelFormat::Rgb8);
        let covers = [
            Place { x: 110, y: 105, width: 10, height: 8 },
            // Partly, and wholly, beside the picture.
            Place { x: 90, y: 120, width: 15, height: 60 },
            Place { x: 500, y: 500, width: 15, height: 60 },
        ];
        veil(&mut picture, (100, 100), &covers);
        let is_covered =
            |x: i32, y: i32| ((10..20).contains(&x) && (5..13).contains(&y)) || (x < 5 && y >= 20);
        let mut seen = std::collections::BTreeSet::new();
        for (y, x) in (0..30).flat_map(|y| (0..40).map(move |x| (y, x))) {
            let at = ((y * 40 + x) * 3) as usize;
            let pixel = &picture.pixels[at..at + 3];
            assert_eq!(pixel != [0; 3], is_covered(x, y), "{x}, {y}");
            seen.insert(pixel.to_vec());
        }
        assert!(seen.len() >= 7, "each patch has a colour of its own: {seen:?}");
    }
}
