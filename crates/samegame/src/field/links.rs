//! Equal neighbours on a fast board, and the groups they form.

use crate::cells::CellSet;

/// Pairs of equal neighbours.
#[derive(Clone, Copy, Debug)]
pub struct Links<C> {
    /// Cells equal to the cell above.
    pub above: C,
    /// Cells equal to the cell to their right.
    pub beside: C,
    /// Cells with at least one equal neighbour.
    pub linked: C,
}

/// A group on a field.
#[derive(Clone, Copy, Debug)]
pub struct Group<C> {
    /// Its cells.
    pub cells: C,
    /// Number of its cells.
    pub size: u32,
    /// Position of its first cell.
    pub first: usize,
}

impl<C: CellSet> Links<C> {
    /// All cells connected to the one at `position`.
    #[inline(always)]
    pub fn group_at(&self, position: usize) -> C {
        let (column, row) = C::place(position);
        let start = column.saturating_sub(1);
        // The group must not leave the window on the left.
        let entry = if start == 0 {
            0
        } else {
            self.beside.window(start - 1) & !(u64::MAX << (64 / C::WINDOW - 1) << 1)
        };
        self.group_in_window(start, (column - start) * (64 / C::WINDOW) + row, entry)
            .unwrap_or_else(|| self.wide_group_at(position))
    }

    /// The group whose first cell is at `position`.
    #[inline(always)]
    fn group_from(&self, first: usize) -> C {
        let (column, row) = C::place(first);
        self.group_in_window(column, row, 0).unwrap_or_else(|| self.wide_group_at(first))
    }

    /// The group of one bit of the window at column `start`, unless it leaves the window.
    ///
    /// Most groups are a few columns wide, so the whole flood fill runs in one word.
    #[inline(always)]
    fn group_in_window(&self, start: usize, bit: usize, entry: u64) -> Option<C> {
        let lane = 64 / C::WINDOW as u32;
        if lane == 64 {
            return None;
        }
        let above = self.above.window(start);
        let beside = self.beside.window(start);
        let mut group = 1_u64 << bit;
        loop {
            let vertical = (group & above) << 1 | (group >> 1 & above);
            let horizontal = (group & beside) << lane | (group >> lane & beside);
            let grown = group | vertical | horizontal;
            if grown == group {
                break;
            }
            group = grown;
        }
        let leaves = group & beside & C::WINDOW_END | group & entry;
        (leaves == 0).then(|| C::from_window(group, start))
    }

    /// All cells connected to the one at `position`, however far away.
    #[inline(always)]
    fn wide_group_at(&self, position: usize) -> C {
        let mut group = C::only(position);
        loop {
            let vertical = group.and(self.above).up().or(group.down().and(self.above));
            let horizontal = group.and(self.beside).right().or(group.left().and(self.beside));
            let grown = group.or(vertical).or(horizontal);
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// Calls `visit` with every group of at least `min_group` (≥ 2) cells, in
    /// the order of their numbers.
    #[inline(always)]
    pub fn for_each_group(&self, min_group: u32, mut visit: impl FnMut(Group<C>)) {
        let mut left = self.linked;
        while !left.is_empty() {
            let first = left.first();
            let cells = self.group_from(first);
            left = left.minus(cells);
            let size = cells.count();
            if size >= min_group {
                visit(Group { cells, size, first });
            }
        }
    }

    /// Cells of groups of at least `min_group` (≥ 2) cells.
    #[inline(always)]
    pub fn removable(&self, min_group: u32) -> C {
        if min_group == 2 {
            return self.linked;
        }
        let mut cells = C::NONE;
        self.for_each_group(min_group, |group| cells = cells.or(group.cells));
        cells
    }
}
