//! What was read, drawn over the picture: for people who want to know why.

use engine::{Picture, PixelFormat};

use super::{Sight, Unclear};

/// Colours of the marks, one for each class.
const MARKS: [[u8; 3]; 9] = [
    [255, 64, 64],
    [64, 224, 64],
    [80, 128, 255],
    [255, 224, 0],
    [255, 96, 255],
    [0, 224, 224],
    [255, 160, 64],
    [192, 192, 192],
    [160, 96, 255],
];

/// The picture with cells outlined in the colour of their class, doubtful ones crossed out. Where
/// nothing was read, the picture is dimmed.
pub fn annotate(picture: &Picture, seen: Result<&Sight, &Unclear>) -> Picture {
    let mut drawn = picture.clone();
    if drawn.format != PixelFormat::Rgb8 {
        return drawn;
    }
    let Ok(sight) = seen else {
        drawn.pixels.iter_mut().for_each(|value| *value /= 2);
        return drawn;
    };
    let rows = sight.lattice.y.count;
    for (column, cells) in sight.board.columns().iter().enumerate() {
        for (row, &colour) in cells.iter().enumerate() {
            let from_top = rows - 1 - row;
            let (left, right) =
                (sight.lattice.x.start(column as isize), sight.lattice.x.start(column as isize + 1));
            let (top, bottom) =
                (sight.lattice.y.start(from_top as isize), sight.lattice.y.start(from_top as isize + 1));
            let cell = [left + 1.0, top + 1.0, right - 2.0, bottom - 2.0].map(|edge| edge.round() as i64);
            match usize::from(colour).checked_sub(1).and_then(|class| MARKS.get(class)) {
                Some(&mark) => outline(&mut drawn, cell, mark),
                None => dot(&mut drawn, cell),
            }
            if sight.confidence[column][row] < 0.5 {
                cross(&mut drawn, cell);
            }
        }
    }
    drawn
}

fn outline(picture: &mut Picture, [left, top, right, bottom]: [i64; 4], mark: [u8; 3]) {
    for x in left..=right {
        paint(picture, x, top, mark);
        paint(picture, x, bottom, mark);
    }
    for y in top..=bottom {
        paint(picture, left, y, mark);
        paint(picture, right, y, mark);
    }
}

fn dot(picture: &mut Picture, [left, top, right, bottom]: [i64; 4]) {
    let (x, y) = (i64::midpoint(left, right), i64::midpoint(top, bottom));
    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        paint(picture, x + dx, y + dy, [255; 3]);
    }
}

fn cross(picture: &mut Picture, [left, top, right, bottom]: [i64; 4]) {
    let length = (right - left).min(bottom - top);
    for step in 0..=length {
        paint(picture, left + step, top + step, [255, 0, 0]);
        paint(picture, left + step, bottom - step, [255, 0, 0]);
    }
}

fn paint(picture: &mut Picture, x: i64, y: i64, colour: [u8; 3]) {
    if x >= 0 && y >= 0 && x < i64::from(picture.width) && y < i64::from(picture.height) {
        let at = (y as usize * picture.width as usize + x as usize) * 3;
        picture.pixels[at..at + 3].copy_from_slice(&colour);
    }
}
