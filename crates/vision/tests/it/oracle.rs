//! What `imageproc` makes of the same pictures.

use image::{GrayImage, Luma};
use imageproc::distance_transform::Norm;
use imageproc::geometric_transformations::{Border, Interpolation, Projection, warp_into};
use proptest::prelude::*;
use vision::bitmap::Bitmap;
use vision::morphology::Opening;
use vision::threshold::{AdaptiveThreshold, threshold};
use vision::warp::Warp;
use vision::{Gray, Homography, Point};

/// Blocks of a game's screen in changing light, with noise.
fn picture(width: u32, height: u32, seed: u64) -> GrayImage {
    GrayImage::from_fn(width, height, |x, y| {
        let cell = u64::from(x / 8) * 31 + u64::from(y / 8) * 17 + seed;
        let block = if cell.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 62 == 0 { 60 } else { 190 };
        let pixel = (u64::from(y * width + x) ^ seed).wrapping_mul(0xD129_0D3B_3F1D_5A65) >> 59;
        Luma([(block + pixel as i32 + (x / 6) as i32 - (y / 9) as i32).clamp(0, 255) as u8])
    })
}

fn gray(image: &GrayImage) -> Gray<'_> {
    Gray::new(image.width() as usize, image.height() as usize, image.as_raw()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn opening_agrees(width in 20u32..200, height in 20u32..150, radius in 1u8..5, limit in 60u8..180, seed: u64) {
        let image = picture(width, height, seed);
        let mut ours = Bitmap::black(0, 0);
        threshold(gray(&image), limit, &mut ours);
        let theirs = imageproc::contrast::threshold(&image, limit, imageproc::contrast::ThresholdType::Binary);
        prop_assert_eq!(&ours.to_gray(), theirs.as_raw());
        Opening::new(2 * usize::from(radius) + 1).unwrap().apply(&mut ours);
        let theirs = imageproc::morphology::open(&theirs, Norm::LInf, radius);
        prop_assert_eq!(&ours.to_gray(), theirs.as_raw());
    }

    /// imageproc cuts the mean off where OpenCV and we round, so the sum is written out here.
    #[test]
    fn adaptive_threshold_agrees_with_the_plain_sum(radius in 1u32..12, constant in 1i32..20, seed: u64) {
        let image = picture(160, 144, seed);
        let mut ours = Bitmap::black(0, 0);
        AdaptiveThreshold::new(2 * radius as usize + 1, constant).unwrap().apply(gray(&image), &mut ours);
        let area = (2 * radius as i32 + 1).pow(2);
        for y in radius..144 - radius {
            for x in radius..160 - radius {
                let block = (y - radius..=y + radius).flat_map(|y| (x - radius..=x + radius).map(move |x| (x, y)));
                let sum: i32 = block.map(|(x, y)| i32::from(image.get_pixel(x, y).0[0])).sum();
                let mean = (sum + area / 2) / area;
                let white = i32::from(image.get_pixel(x, y).0[0]) > mean - constant;
                prop_assert_eq!(ours.is_white(x as usize, y as usize), white, "({}, {})", x, y);
            }
        }
    }

    #[test]
    fn warp_agrees(dx in -30.0..30.0f64, dy in -30.0..30.0f64, tilt in -40.0..40.0f64, seed: u64) {
        let image = picture(320, 240, seed);
        let corners = [(70.0 + dx, 50.0 + dy), (250.0, 50.0 + tilt), (240.0 + dy, 190.0), (60.0, 190.0 - tilt)];
        let mapping = Homography::onto(160.0, 144.0, corners.map(|(x, y)| Point::new(x, y))).unwrap();
        let mut ours = Vec::new();
        Warp::new(&mapping, (160, 144), (320, 240)).apply(gray(&image), &mut ours).unwrap();

        // Theirs has pixel centres at whole numbers.
        let half = |d: f64| Homography([1.0, 0.0, d, 0.0, 1.0, d, 0.0, 0.0, 1.0]);
        let shifted = half(-0.5).after(&mapping).after(&half(0.5)).inverse().unwrap();
        let projection = Projection::from_matrix(shifted.0.map(|n| n as f32)).unwrap();
        let mut theirs = GrayImage::new(160, 144);
        warp_into(&image, projection, Interpolation::Bilinear, Border::Constant(Luma([0])), &mut theirs);
        // It cuts off twice, after each of two blends.
        for (ours, theirs) in ours.iter().zip(theirs.as_raw()) {
            prop_assert!(ours.abs_diff(*theirs) <= 2, "{ours} {theirs}");
        }
    }
}
