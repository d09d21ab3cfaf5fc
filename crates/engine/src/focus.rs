//! Directed looking: what a player wants to see next.

use serde::Serialize;

use crate::mapping::{Mapping, Region};

/// What a look should show. A camera shows everything anyway, a screen grabber reads only the
/// region, a sensor on an arm drives to the cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Focus {
    /// All there is.
    #[default]
    Everything,
    /// A rectangle.
    Region(Region),
    /// These pixels (column, row), in this order; an eye may stop early where the player cannot gain
    /// from looking on.
    Cells(Vec<(u32, u32)>),
}

impl Focus {
    /// The smallest region that holds it; `None` for everything.
    pub fn bounds(&self) -> Option<Region> {
        match self {
            Focus::Everything => None,
            Focus::Region(region) => Some(*region),
            Focus::Cells(cells) => {
                let (left, top) = (cells.iter().map(|c| c.0).min()?, cells.iter().map(|c| c.1).min()?);
                let (right, bottom) = (cells.iter().map(|c| c.0).max()?, cells.iter().map(|c| c.1).max()?);
                Some(Region { x: left, y: top, width: right - left + 1, height: bottom - top + 1 })
            }
        }
    }

    /// The same in coordinates of the frame: cells stay cells only where screen and frame are the same.
    #[must_use]
    pub fn in_frame(self, mapping: &Mapping) -> Focus {
        if self == Focus::Everything || mapping.is_identity() {
            return self;
        }
        let region = self.bounds().and_then(|region| mapping.region_to_frame(region));
        region.map_or(Focus::Everything, Focus::Region)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mapping::Point;

    #[test]
    fn cells_become_the_region_around_them_in_the_frame() {
        let cells = Focus::Cells(vec![(3, 5), (4, 2)]);
        assert_eq!(cells.clone().in_frame(&Mapping::IDENTITY), cells);
        let mapping = Mapping::placed(Point::new(100.0, 10.0), 20.0, 20.0);
        let region = Region { x: 160, y: 50, width: 40, height: 80 };
        assert_eq!(cells.in_frame(&mapping), Focus::Region(region));
        assert_eq!(Focus::Everything.in_frame(&mapping), Focus::Everything);
        assert_eq!(Focus::Cells(Vec::new()).in_frame(&mapping), Focus::Everything);
    }
}
