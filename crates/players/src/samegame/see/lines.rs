//! Lines that run along a whole board: they lie where cells meet, on all sides of every cell.

use vision::edges::{Direction, Edges};
use vision::lattice::{Lattice, line_share};

/// Lines along one direction of a board, by where they lie within its cells.
pub struct Lines {
    /// Pixels from cell to cell.
    pitch: f64,
    /// The share of the board's length that is drawn, for each pixel from where cells meet.
    shares: Vec<f64>,
}

impl Lines {
    /// The lines between columns (`Across`) or rows (`Down`).
    pub fn of(edges: &Edges, core: &Lattice, direction: Direction) -> Self {
        let area = core.area(0.0, edges.width, edges.height);
        // A line across is made of edges down, and the other way.
        let (axis, along, limit, of_edges) = match direction {
            Direction::Across => (&core.x, (area.y, area.y + area.height), edges.width, Direction::Down),
            Direction::Down => (&core.y, (area.x, area.x + area.width), edges.height, Direction::Across),
        };
        let from = axis.origin.floor().max(0.0) as usize;
        let to = (axis.end().ceil().max(0.0) as usize).min(limit);
        let mut sums = vec![(0.0, 0.0); axis.pitch.ceil() as usize];
        for at in from..to {
            // An edge is found at the pixel before it.
            let place = (at as f64 + 1.0 - axis.origin).rem_euclid(axis.pitch) as usize;
            if let Some(sum) = sums.get_mut(place) {
                sum.0 += line_share(edges, of_edges, at, along.0, along.1);
                sum.1 += 1.0;
            }
        }
        let shares = sums.into_iter().map(|(sum, count)| sum / f64::max(count, 1.0)).collect();
        Self { pitch: axis.pitch, shares }
    }

    /// Whether lines run through cells, and none where they meet.
    pub fn lie_beside(&self) -> bool {
        let (through, between) = (self.strongest(true), self.strongest(false));
        (through > 0.5 && through > 1.3 * between) || self.offset().is_some()
    }

    /// How far long lines lie from where cells were thought to meet, in pixels, if that is not there: the two
    /// lines beside a gap lie around it.
    pub fn offset(&self) -> Option<f64> {
        // Glints of small balls make short lines.
        if self.strongest(true).max(self.strongest(false)) < 0.7 {
            return None;
        }
        let turn = std::f64::consts::TAU / self.pitch;
        let sum = |f: fn(f64) -> f64| -> f64 {
            let places = self.shares.iter().enumerate();
            places.map(|(place, share)| (share - 0.4).max(0.0) * f(place as f64 * turn)).sum()
        };
        let offset = sum(f64::sin).atan2(sum(f64::cos)) / turn;
        (offset.abs() > (0.1 * self.pitch).max(1.6)).then_some(offset)
    }

    /// The strongest line far from where cells meet, or near it.
    fn strongest(&self, far: bool) -> f64 {
        let away = |place: usize| (place as f64).min(self.pitch - place as f64) / self.pitch;
        let places = self.shares.iter().enumerate().filter(|(place, _)| (away(*place) > 0.15) == far);
        places.map(|(_, share)| *share).fold(0.0, f64::max)
    }
}

/// Whether edges lie on every second (or third, …) line between cells only.
pub fn are_missing(edges: &Edges, core: &Lattice, direction: Direction) -> bool {
    let area = core.area(0.0, edges.width, edges.height);
    let profile = edges.profile(area, direction);
    let (axis, start) = match direction {
        Direction::Across => (&core.x, area.x),
        Direction::Down => (&core.y, area.y),
    };
    // An edge is found at the pixel before it; the outermost lines belong to the ground.
    let line = |cell: usize| -> f32 {
        let at = axis.start(cell as isize) - 1.0 - start as f64;
        let near = (at - 1.6).ceil().max(0.0) as usize..=(at + 1.6).floor().max(0.0) as usize;
        profile.get(near).unwrap_or_default().iter().sum()
    };
    let lines: Vec<f32> = (1..axis.count).map(line).collect();
    let all: f32 = lines.iter().sum();
    (2..=4).filter(|every| lines.len() >= 2 * every).any(|every| {
        let of = |phase: usize| lines.iter().skip(phase).step_by(every).sum::<f32>();
        (0..every).map(of).fold(0.0, f32::max) > 0.93 * all
    })
}
