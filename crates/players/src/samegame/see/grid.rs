//! The cells of a board in a picture: which of them hold tiles, and which tiles are alike.

use std::collections::BTreeMap;

use samegame::board::Board;
use vision::cluster::{Clusters, cluster};
use vision::edges::{Area, Direction, Edges};
use vision::lattice::{Agreement, Axis, Gap, Lattice, Template, gap, share_between_cells};
use vision::patch::{LENGTH, Patch, distance, patch};
use vision::pitch;
use vision::view::RgbView;

use super::bounds::Reach;
use super::lines::{self, Lines};
use super::{MOST, Sight, Unclear, bounds, empty, proof};

/// How often an area is refined to what was found around it.
const MOST_GROWTH: usize = 4;
/// Cells around an area that are looked at in case it is only a part of the board.
const FURTHER: f64 = 10.0;
/// Least agreement with the average cell's edges that makes a tile.
const TILE_LIKE: f32 = 0.45;

/// Largest distance from a class that counts where tiles of a class hardly differ, in grey levels.
const MOST_TOLERANCE: f32 = 16.0;
/// Fewer tiles than this are no board: anything repeats a few times.
const FEWEST_TILES: usize = 8;
/// With this many tiles a colour, none is there only once.
const MANY_OF_EACH: usize = 8;
/// Neighbouring cells differ so much less between tiles than on them, if there is anything between.
const DEEP: f64 = 0.6;
/// Where they surely do in one direction, a picture between tiles may differ more in the other.
const SURELY_DEEP: f64 = 0.35;
const HARDLY_DEEP: f64 = 0.8;

/// Tiles without anything between them have nearly all their edges where cells meet, or at the same places.
const AGREED: f32 = 0.8;
/// Where cells meet there is little to see between round tiles, and chance decides where it is.
const FEW_ON_LINES: f32 = 0.3;

/// A lattice over the whole picture, and its cells that may be tiles.
struct Candidate {
    whole: Lattice,
    tile_like: Vec<bool>,
}

impl Candidate {
    fn new(edges: &Edges, template: &Template, phase: (f64, f64), area: Area) -> Self {
        let whole = template.lattice(area, phase);
        let around = whole.area(FURTHER, edges.width, edges.height);
        let whole = template.lattice(around, phase);
        let least = (whole.x.pitch + whole.y.pitch) as f32 * 4.0;
        let agreements = template.agreements(edges, &whole);
        let tile_like = agreements.iter().map(|a| a.energy > least && a.cosine > TILE_LIKE).collect();
        Self { whole, tile_like }
    }

    /// The tiles that hang together around an area.
    fn core(&self, view: &RgbView<'_>, area: Area, reach: Reach) -> Option<Lattice> {
        let found = bounds::component_in(&self.tile_like, &self.whole, area, reach)?;
        let found = bounds::trim(view, &self.whole, &self.tile_like, found);
        (found.columns() >= 2 && found.rows() >= 2).then(|| found.lattice(&self.whole))
    }
}

/// Where cells may meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meeting {
    /// Where most edges are, or half a cell beside it, across and down.
    Beside(bool, bool),
    /// Where neighbouring cells differ least.
    Gap,
}

/// A lattice cut down to the board, with what is known of each cell.
pub struct Grid {
    /// The cells.
    pub lattice: Lattice,
    /// Row by row from the top.
    pub cells: Vec<Cell>,
    /// Whether each tile has an outline of its own, whatever its neighbours are.
    pub separate: bool,
    /// Colour between tiles, where it is the same everywhere.
    pub between: Option<[f32; 3]>,
    /// Colour of what surrounds the tiles, where it is plain.
    pub around: Option<[f32; 3]>,
    /// Whether each tile was seen by itself, an island in a plain ground: then no doubt is left about the cells.
    apart: bool,
    /// Share of the edges that lie where cells meet, for tiles that flow together.
    on_lines: f32,
    /// Whether edges lie on every second or third line between cells only: the cells are parts of tiles.
    lines_missing: bool,
    /// Kinds of tiles that there may be.
    most_classes: usize,
    template: Template,
}

/// One cell.
#[derive(Clone, Copy)]
pub struct Cell {
    /// How it looks.
    pub patch: Patch,
    /// How its edges agree with those of the average cell.
    pub agreement: Agreement,
}

impl Grid {
    /// The board around an area where edges repeat at this pitch, if there is one.
    pub fn find(
        view: &RgbView<'_>,
        edges: &Edges,
        first: &Template,
        area: Area,
        meeting: Meeting,
        most_classes: usize,
    ) -> Option<Self> {
        let beside = match meeting {
            Meeting::Beside(across, down) => (across, down),
            Meeting::Gap => (false, false),
        };
        let (mut core, mut template) = grow(view, edges, first, area, beside, Reach::Touching)?;
        let mut gaps = (gap(view, &core, Direction::Across), gap(view, &core, Direction::Down));
        let mut separate = are_deep(gaps);
        if !separate {
            (core, template) = grow(view, edges, first, area, beside, Reach::OneApart)?;
            gaps = (gap(view, &core, Direction::Across), gap(view, &core, Direction::Down));
            separate = are_deep(gaps);
        }
        // Around balls on a picture there is no clear gap, only less difference than on them.
        separate |= meeting == Meeting::Gap;
        if separate {
            let area = core.area(0.0, edges.width, edges.height);
            let meets = (gaps.0.meets, gaps.1.meets);
            core = Candidate::new(edges, &template, meets, area).core(view, area, Reach::Touching)?;
            // Shapes on plates may differ least in their middle: the plates' lines are surer.
            let off = |direction: Direction| Lines::of(edges, &core, direction).offset();
            let (across, down) = (off(Direction::Across), off(Direction::Down));
            if across.is_some() || down.is_some() {
                let meets = (meets.0 + across.unwrap_or(0.0), meets.1 + down.unwrap_or(0.0));
                core = Candidate::new(edges, &template, meets, area).core(view, area, Reach::Touching)?;
            }
        }
        Self::over(view, edges, &template, &core, separate, most_classes)
    }

    /// The board whose tiles were each seen by themselves.
    pub fn apart(view: &RgbView<'_>, edges: &Edges, core: &Lattice, most_classes: usize) -> Option<Self> {
        let area = core.area(0.0, edges.width, edges.height);
        let template = Template::fold(edges, (core.x.pitch, core.y.pitch), area);
        let grid = Self::over(view, edges, &template, core, true, most_classes)?;
        Some(Self { apart: true, ..grid })
    }

    /// The board whose cells are known.
    pub fn at(view: &RgbView<'_>, edges: &Edges, lattice: &Lattice, most_classes: usize) -> Self {
        let area = lattice.area(0.0, edges.width, edges.height);
        let template = Template::fold(edges, (lattice.x.pitch, lattice.y.pitch), area);
        let separate = are_deep((gap(view, lattice, Direction::Across), gap(view, lattice, Direction::Down)));
        let between = if separate { bounds::colour_between(view, lattice) } else { None };
        Self::of_cells(view, edges, &template, lattice, lattice, (separate, between), most_classes)
    }

    /// The board whose tiles stand in this core, with the empty cells around it.
    fn over(
        view: &RgbView<'_>,
        edges: &Edges,
        template: &Template,
        core: &Lattice,
        separate: bool,
        most_classes: usize,
    ) -> Option<Self> {
        let between = if separate { bounds::colour_between(view, core) } else { None };
        let lattice = bounds::extend(view, edges, core, between, separate);
        if lattice.x.count > MOST.0 || lattice.y.count > MOST.1 {
            return None;
        }
        let lattice =
            if separate && between.is_none() { bounds::without_panel(view, core, &lattice) } else { lattice };
        Some(Self::of_cells(view, edges, template, core, &lattice, (separate, between), most_classes))
    }

    /// All about the cells of a lattice; its tiles stand in the core.
    fn of_cells(
        view: &RgbView<'_>,
        edges: &Edges,
        template: &Template,
        core: &Lattice,
        lattice: &Lattice,
        (separate, between): (bool, Option<[f32; 3]>),
        most_classes: usize,
    ) -> Self {
        let agreements = template.agreements(edges, lattice);
        let mut cells = Vec::with_capacity(agreements.len());
        for row in 0..lattice.y.count {
            for column in 0..lattice.x.count {
                let agreement = agreements[row * lattice.x.count + column];
                let patch = patch(view, lattice, column as isize, row as isize);
                cells.push(Cell { patch, agreement });
            }
        }
        let around = bounds::colour_around(view, lattice);
        let on_lines = share_between_cells(edges, core);
        let lines_missing = [Direction::Across, Direction::Down].into_iter().any(|direction| {
            (on_lines > FEW_ON_LINES && lines::are_missing(edges, core, direction))
                || Lines::of(edges, core, direction).lie_beside()
        });
        let (lattice, template) = (*lattice, template.clone());
        let apart = false;
        Self {
            lattice,
            cells,
            separate,
            between,
            around,
            apart,
            on_lines,
            lines_missing,
            most_classes,
            template,
        }
    }

    /// The same board with its tiles in this lattice; `None` if that is larger than any board.
    pub fn with_core(&self, view: &RgbView<'_>, edges: &Edges, core: &Lattice) -> Option<Self> {
        Self::over(view, edges, &self.template, core, self.separate, self.most_classes)
    }

    /// How the cells of another lattice of the same pitch agree with the average cell, row by row.
    pub fn agreements(&self, edges: &Edges, lattice: &Lattice) -> Vec<Agreement> {
        self.template.agreements(edges, lattice)
    }

    /// The cell in a column, counted from the left, and a row, counted from the bottom.
    pub fn cell(&self, column: usize, row: usize) -> &Cell {
        &self.cells[(self.lattice.y.count - 1 - row) * self.lattice.x.count + column]
    }

    /// Reads the board; the number says how much it looks like one, 0 to 1.
    pub fn read(&self) -> (f32, Result<Sight, Unclear>) {
        match self.read_cells() {
            Ok((quality, sight)) => (quality, Ok(sight)),
            Err(why) => (0.2, Err(why)),
        }
    }

    /// The places of all tiles, how they look, and which are alike.
    fn tiles(&self, heights: &[usize]) -> (Vec<(usize, usize)>, Vec<Patch>, Clusters) {
        let columns = heights.iter().enumerate();
        let places: Vec<(usize, usize)> =
            columns.flat_map(|(column, &height)| (0..height).map(move |row| (column, row))).collect();
        let patches: Vec<Patch> = places.iter().map(|&(column, row)| self.cell(column, row).patch).collect();
        let clusters = cluster(&patches, self.most_classes);
        (places, patches, clusters)
    }

    fn read_cells(&self) -> Result<(f32, Sight), Unclear> {
        let mut heights = empty::heights(self)?;
        let (columns, rows) = (self.lattice.x.count, self.lattice.y.count);
        let (mut places, mut patches, mut clusters) = self.tiles(&heights);
        if empty::raise(self, &mut heights, &patches, &clusters) {
            (places, patches, clusters) = self.tiles(&heights);
        }
        if let Some((column, row)) = empty::doubtful(self, &heights, &patches, &clusters) {
            return Err(Unclear::Doubtful { column: column + 1, row: row + 1 });
        }
        if places.len() < FEWEST_TILES || columns < 3 || rows < 3 {
            return Err(Unclear::NoBoard { across: self.lattice.x.pitch, down: self.lattice.y.pitch });
        }
        if clusters.count > self.most_classes
            || (clusters.count > 1 && clusters.contrast() < 1.3)
            || clusters.within > 30.0
        {
            let Clusters { count, within, between, .. } = clusters;
            return Err(Unclear::Indistinct { classes: count, between, within });
        }
        // Three rows or columns do not tell a pitch to fractions of a pixel.
        let vague = |tall: usize, axis: &Axis| !self.apart && tall < 4 && axis.pitch.fract() != 0.0;
        let wide = heights.iter().filter(|height| **height > 0).count();
        if vague(heights.iter().copied().max().unwrap_or(0), &self.lattice.y) || vague(wide, &self.lattice.x)
        {
            return Err(Unclear::NoBoard { across: self.lattice.x.pitch, down: self.lattice.y.pitch });
        }
        let classes = prototypes(&patches, &clusters);
        let lonely = (0..clusters.count)
            .filter(|class| clusters.labels.iter().filter(|label| *label == class).count() == 1)
            .count();
        if !self.apart && lonely >= 2 && places.len() >= MANY_OF_EACH * (clusters.count - lonely) {
            // Things around the board were taken for tiles.
            return Err(Unclear::NoBoard { across: self.lattice.x.pitch, down: self.lattice.y.pitch });
        }
        if !self.apart && (self.lines_missing || !proof::is_one_tile_a_cell(&places, &clusters, &classes)) {
            return Err(Unclear::NoBoard { across: self.lattice.x.pitch, down: self.lattice.y.pitch });
        }
        let mut cells = vec![vec![0; rows]; columns];
        let mut confidence = vec![vec![1.0; rows]; columns];
        for ((&(column, row), patch), &label) in places.iter().zip(&patches).zip(&clusters.labels) {
            cells[column][row] = label as u8 + 1;
            confidence[column][row] = margin(patch, label, &classes);
        }
        let board = Board::from_columns(cells)?;
        // What looks alike comes in numbers; cells across tiles, and letters, are all different.
        let tiles = places.len() as f32;
        let cosines = places.iter().map(|&(c, r)| self.cell(c, r).agreement.cosine);
        // Tiles that flow together have edges on some sides only, but nowhere else.
        let alike = cosines.sum::<f32>() / tiles.max(1.0);
        let agreement = alike.max(0.9 * self.on_lines);
        if !self.separate && agreement < AGREED {
            return Err(Unclear::NoBoard { across: self.lattice.x.pitch, down: self.lattice.y.pitch });
        }
        // Where all cells have the same edges they are tiles, however few there are of a kind.
        let wanted = if self.apart { 2.0 } else { 3.0 };
        let several = (tiles / (wanted * clusters.count as f32)).max(alike.powi(4)).min(1.0);
        let explained = if clusters.count > 1 {
            proof::explained(&patches, &clusters.labels, &classes)
        } else {
            agreement.min(1.0)
        };
        let quality = explained * several * (clusters.contrast() / 2.0).clamp(0.3, 1.0);
        // Without noise a tile looks like its class to a few grey levels: marks and windows in front must not.
        let apart = if clusters.between.is_finite() { clusters.between * 0.4 } else { 12.0 };
        let tolerance = (clusters.within * 1.5).max(apart.min(MOST_TOLERANCE));
        let spread = clusters.within;
        let ground = empty::grounds(self, &heights);
        Ok((
            quality,
            Sight {
                board,
                lattice: self.lattice,
                agreement,
                quality,
                confidence,
                classes,
                tolerance,
                spread,
                ground,
                bare: BTreeMap::new(),
            },
        ))
    }
}

/// Whether there is something between tiles, in both directions.
fn are_deep(gaps: (Gap, Gap)) -> bool {
    let (less, more) = (gaps.0.depth.min(gaps.1.depth), gaps.0.depth.max(gaps.1.depth));
    more < DEEP || (less < SURELY_DEEP && more < HARDLY_DEEP)
}

/// The tiles around an area, and the template that fits them: what was found is most of the board, so
/// its pitch is nearer the truth and shows more of it.
fn grow(
    view: &RgbView<'_>,
    edges: &Edges,
    first: &Template,
    area: Area,
    beside: (bool, bool),
    reach: Reach,
) -> Option<(Lattice, Template)> {
    let (mut area, mut template) = (area, first.clone());
    let mut core = Candidate::new(edges, &template, template.phase(beside), area).core(view, area, reach)?;
    for _ in 0..MOST_GROWTH {
        let grown = core.area(0.0, edges.width, edges.height);
        let refined = |direction: Direction, axis: &Axis| {
            // A few cells say less about the pitch than the area in which it was found.
            let coarse = axis.pitch;
            if axis.count < 4 { coarse } else { pitch::refine(&edges.profile(grown, direction), coarse) }
        };
        let pitch = (refined(Direction::Across, &core.x), refined(Direction::Down, &core.y));
        if grown == area && pitch == (core.x.pitch, core.y.pitch) {
            break;
        }
        area = grown;
        template = Template::fold(edges, pitch, area);
        core = Candidate::new(edges, &template, template.phase(beside), area).core(view, area, reach)?;
    }
    Some((core, template))
}

/// The mean patch of each group.
fn prototypes(patches: &[Patch], clusters: &Clusters) -> Vec<Patch> {
    let mut sums = vec![([0.0_f32; LENGTH], 0.0_f32); clusters.count];
    for (patch, &label) in patches.iter().zip(&clusters.labels) {
        let (sum, count) = &mut sums[label];
        sum.iter_mut().zip(patch).for_each(|(sum, value)| *sum += value);
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| sum.map(|value| value / count)).collect()
}

/// How much nearer a patch is to its class than to any other, 0 to 1.
pub fn margin(patch: &Patch, label: usize, classes: &[Patch]) -> f32 {
    let own = distance(patch, &classes[label]);
    let others = classes.iter().enumerate().filter(|(class, _)| *class != label);
    let other = others.map(|(_, class)| distance(patch, class)).fold(60.0, f32::min);
    (1.0 - own / other.max(1.0)).clamp(0.0, 1.0)
}
