//! Broken cartridges. `cargo xtask lockstep` tries ten thousand.

use crate::images::{Fates, images};

#[test]
fn broken_images_give_errors_or_run_on() {
    let mut sum = Fates::default();
    for start in (0..10_000).step_by(500) {
        let fates = images(start..start + 6);
        sum.refused += fates.refused;
        sum.crashed += fates.crashed;
        sum.running += fates.running;
    }
    assert_eq!(sum.refused + sum.crashed + sum.running, 120);
    assert!(sum.refused > 5 && sum.crashed > 5 && sum.running > 5, "{sum}: one kind is missing");
}
