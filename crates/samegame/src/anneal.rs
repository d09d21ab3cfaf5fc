//! Simulated annealing of click sequences, the core of both main solvers.
//!
//! A sequence lists the tiles to click, named by their positions on the first
//! board. A click removes the group that its tile belongs to by then and is
//! skipped when there is none, so a sequence stays meaningful when a click is
//! moved, dropped or added. At the end, remaining groups are clicked at random.
//! A changed sequence is accepted by the Metropolis rule.
//!
//! One colour, the target, may be clicked only when nothing else can be. Once all
//! others are gone, its cells form one group, because columns close up: the "tabu
//! colour" of Cazenave's selective policies. This helps clearing, and it helps
//! collecting points, where that group scores the most; there the ban is lifted
//! for the last part of a run.

use budget::Meter;

use crate::board::Colour;
use crate::cells::CellSet;
use crate::field::{Counts, Field, Links, colour_counts};
use crate::random::{Random, below, unit};
use crate::tracked::{Tile, Tracked};

/// How a sequence is valued.
pub trait Objective: Copy {
    /// Value of removing a group of this size.
    fn gain(&self, size: u32) -> i32;
    /// Value of ending with these cells of each colour left.
    fn end(&self, left: &Counts) -> i32;
    /// Whether a sequence that leaves this many cells ends the search.
    fn is_reached(&self, left: u32) -> bool;
}

/// How a run cools: the temperature falls geometrically over the steps.
#[derive(Clone, Copy, Debug)]
pub struct Cooling {
    /// Temperature of the first step.
    pub from: f64,
    /// Temperature of the last step.
    pub to: f64,
    /// Sequences tried.
    pub steps: u64,
}

/// A played sequence.
#[derive(Clone)]
pub struct Sequence<F: Field> {
    clicks: Vec<Tile>,
    /// `moments[i]` is the state before click `i`; the last one is the end.
    moments: Vec<Moment<F>>,
    target: Option<Colour>,
    /// Its value by the objective.
    pub value: i32,
    /// Cells left over.
    pub left: u32,
}

#[derive(Clone)]
struct Moment<F: Field> {
    state: Tracked<F>,
    links: Links<F::Cells>,
    gained: i32,
}

impl<F: Field> Sequence<F> {
    /// The sequence without clicks.
    pub fn new(start: &F, target: Option<Colour>) -> Self {
        let first = Moment { links: start.links(), state: Tracked::new(start), gained: 0 };
        Self {
            clicks: Vec::new(),
            left: start.occupied().count(),
            moments: vec![first],
            target,
            value: i32::MIN,
        }
    }

    /// Lifts the ban on the target.
    pub fn free_target(&mut self) {
        self.target = None;
    }

    /// The moves as numbers of groups (S4).
    pub fn moves(&self, min_group: u32) -> Vec<usize> {
        let number = |(&tile, moment): (&Tile, &Moment<F>)| {
            let position = moment.state.position(tile)?;
            let first = moment.links.group_at(position).first();
            let mut number = 0;
            moment.links.for_each_group(min_group, |group| number += usize::from(group.first <= first));
            Some(number)
        };
        // The tile of every click in a played sequence is on the board, so `map_while` takes them all.
        self.clicks.iter().zip(&self.moments).map_while(number).collect()
    }
}

/// Tries changes to a sequence; keeps its buffers between tries.
pub struct Annealer<'a, F: Field, O: Objective> {
    objective: O,
    min_group: u32,
    random: &'a mut Random,
    list: Vec<Tile>,
    clicks: Vec<Tile>,
    moments: Vec<Moment<F>>,
}

/// A change to try: click `list` starting from moment `from`.
#[derive(Clone, Copy)]
struct Change {
    from: usize,
    /// List entries after this one are in the old sequence too …
    last_new: usize,
    /// … moved by this many places.
    shift: isize,
}

/// What became of a tried list.
enum Played {
    /// It rejoined the old sequence before the old click with this index.
    Joined { old: usize, gained: i32 },
    /// It was played to its end.
    Ended { value: i32, left: u32 },
}

/// Most places by which a click is moved: longer moves are seldom accepted.
const REACH: u32 = 20;

impl<'a, F: Field, O: Objective> Annealer<'a, F, O> {
    /// An annealer for one objective.
    pub fn new(objective: O, min_group: u32, random: &'a mut Random) -> Self {
        Self { objective, min_group, random, list: Vec::new(), clicks: Vec::new(), moments: Vec::new() }
    }

    /// Anneals `now` and copies it to `best` whenever it is better; each step
    /// costs one node. Ends early when the objective is reached or the meter is empty.
    #[inline(always)]
    pub fn run(
        &mut self,
        now: &mut Sequence<F>,
        best: &mut Sequence<F>,
        cooling: Cooling,
        meter: &mut Meter<'_>,
    ) {
        let mut temperature = cooling.from;
        for step in 0..cooling.steps {
            if !meter.spend_node() {
                return;
            }
            if step % 256 == 0 {
                let share = step as f64 / cooling.steps as f64;
                temperature = cooling.from * (cooling.to / cooling.from).powf(share);
            }
            let Some(change) = self.propose(now) else { continue };
            let played = self.play(now, change);
            let value = match played {
                Played::Joined { old, gained } => now.value + gained - now.moments[old].gained,
                Played::Ended { value, .. } => value,
            };
            let worse = f64::from(now.value) - f64::from(value);
            if worse <= 0.0 || unit(self.random) < (-worse / temperature).exp() {
                self.accept(now, change.from, &played, value);
                if now.value > best.value {
                    best.clone_from(now);
                    if self.objective.is_reached(now.left) {
                        return;
                    }
                }
            }
        }
    }

    /// Writes a changed list: half of the time one click is moved, otherwise one
    /// is added or, less often, dropped.
    #[inline(always)]
    fn propose(&mut self, now: &Sequence<F>) -> Option<Change> {
        let Self { list, random, .. } = self;
        let clicks = &now.clicks;
        let count = clicks.len();
        list.clear();
        if count < 2 {
            return Some(Change { from: 0, last_new: 0, shift: 0 });
        }
        let place = below(random, count as u32) as usize;
        match below(random, 10) {
            0..5 => {
                let distance = 1 + below(random, REACH) as usize;
                let later = below(random, 2) == 1;
                let to =
                    if later { (place + distance).min(count - 1) } else { place.saturating_sub(distance) };
                let (from, last) = (place.min(to), place.max(to));
                if from == last {
                    return None;
                }
                list.extend_from_slice(&clicks[from..]);
                let moved = &mut list[..=last - from];
                if later {
                    moved.rotate_left(1);
                } else {
                    moved.rotate_right(1);
                }
                Some(Change { from, last_new: last - from, shift: 0 })
            }
            5 => {
                list.extend_from_slice(&clicks[place + 1..]);
                Some(Change { from: place, last_new: 0, shift: 1 })
            }
            _ => {
                let moment = &now.moments[place];
                let open = self.open_cells(moment.links, &moment.state.field, now.target);
                let cells = open.count();
                if cells == 0 {
                    return None;
                }
                let tile = moment.state.tile_at(open.nth(below(self.random, cells)));
                if tile == clicks[place] {
                    return None;
                }
                self.list.push(tile);
                self.list.extend_from_slice(&clicks[place..]);
                Some(Change { from: place, last_new: 0, shift: -1 })
            }
        }
    }

    /// Clicks the list, then clicks remaining groups at random.
    #[inline(always)]
    fn play(&mut self, now: &Sequence<F>, change: Change) -> Played {
        self.clicks.clear();
        self.moments.clear();
        let Moment { mut state, mut links, mut gained } = now.moments[change.from].clone();
        for index in 0..self.list.len() {
            let tile = self.list[index];
            if let Some(position) = state.position(tile)
                && !links.linked.and(F::Cells::only(position)).is_empty()
            {
                let group = links.group_at(position);
                let size = group.count();
                if size >= self.min_group && self.may_click(&links, &state.field, position, now.target) {
                    self.click(tile, group, size, &mut state, &mut links, &mut gained);
                }
            }
            if index >= change.last_new {
                let old = (change.from + index + 1).wrapping_add_signed(change.shift);
                if now.moments.get(old).is_some_and(|moment| moment.state == state) {
                    return Played::Joined { old, gained };
                }
            }
        }
        loop {
            let mut open = self.open_cells(links, &state.field, now.target);
            let mut cells = open.count();
            if cells == 0 {
                open = self.open_cells(links, &state.field, None);
                cells = open.count();
                if cells == 0 {
                    break;
                }
            }
            let position = open.nth(below(self.random, cells));
            let group = links.group_at(position);
            self.click(state.tile_at(position), group, group.count(), &mut state, &mut links, &mut gained);
        }
        let left = colour_counts(&state.field);
        Played::Ended { value: gained + self.objective.end(&left), left: left.iter().sum() }
    }

    #[inline(always)]
    fn click(
        &mut self,
        tile: Tile,
        group: F::Cells,
        size: u32,
        state: &mut Tracked<F>,
        links: &mut Links<F::Cells>,
        gained: &mut i32,
    ) {
        state.remove(&group);
        *links = state.field.links();
        *gained += self.objective.gain(size);
        self.clicks.push(tile);
        self.moments.push(Moment { state: state.clone(), links: *links, gained: *gained });
    }

    /// Whether this click is allowed: the target must wait until nothing else can be clicked.
    #[inline(always)]
    fn may_click(&self, links: &Links<F::Cells>, field: &F, position: usize, target: Option<Colour>) -> bool {
        match target {
            Some(target) if field.colour_at(position) == target => {
                self.open_cells(*links, field, Some(target)).is_empty()
            }
            _ => true,
        }
    }

    /// Cells of removable groups, except those of the target.
    #[inline(always)]
    fn open_cells(&self, links: Links<F::Cells>, field: &F, target: Option<Colour>) -> F::Cells {
        let open = links.removable(self.min_group);
        target.map_or(open, |target| open.minus(field.of_colour(target)))
    }

    #[inline(always)]
    fn accept(&mut self, now: &mut Sequence<F>, from: usize, played: &Played, value: i32) {
        match *played {
            Played::Joined { old, .. } => {
                now.clicks.splice(from..old, self.clicks.drain(..));
                let rest = from + 1 + self.moments.len();
                now.moments.splice(from + 1..=old, self.moments.drain(..));
                if value != now.value {
                    for moment in &mut now.moments[rest..] {
                        moment.gained += value - now.value;
                    }
                }
            }
            Played::Ended { left, .. } => {
                now.clicks.truncate(from);
                now.clicks.append(&mut self.clicks);
                now.moments.truncate(from + 1);
                now.moments.append(&mut self.moments);
                now.left = left;
            }
        }
        now.value = value;
    }
}
