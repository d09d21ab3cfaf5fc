//! Grouping what looks alike, without being told how alike: the groups are cut
//! where the distances between patches jump.

use crate::patch::{Patch, distance, is_nearer};

/// Patches closer than this are the same picture: rounding, no more.
const SAME: f32 = 3.0;
/// With more kinds than this, the picture does not consist of a few things that repeat; nothing is grouped.
const MOST_KINDS: usize = 400;
/// Distances below this never tell two groups apart.
const FLOOR: f32 = 5.0;

/// Kinds further apart than this differ by more than noise.
const EXACT: f32 = 12.0;

/// Groups of patches.
#[derive(Clone, Debug)]
pub struct Clusters {
    /// The group of each patch, counted from 0 in order of appearance.
    pub labels: Vec<usize>,
    /// How many groups.
    pub count: usize,
    /// Largest distance between neighbours within a group.
    pub within: f32,
    /// Smallest distance between two groups; infinite for one group.
    pub between: f32,
    /// Whether patches of a group are the same, and come several times.
    pub exact: bool,
}

impl Clusters {
    /// Distance between groups compared to that within them; above 1.
    pub fn contrast(&self) -> f32 {
        // What is the same each time differs from everything else, however little.
        let floor = if self.exact { FLOOR / 2.0 } else { FLOOR };
        self.between / self.within.max(floor)
    }
}

/// Groups the patches, into `most` groups at most if that is possible at all.
pub fn cluster(patches: &[Patch], most: usize) -> Clusters {
    let (leaders, leader_of) = leaders(patches);
    if leaders.len() > MOST_KINDS {
        let count = leaders.len();
        return Clusters { labels: leader_of, count, within: 0.0, between: SAME, exact: false };
    }
    let links = spanning_tree(&leaders);
    // Joining the first `cut` links leaves `leaders − cut` groups.
    let joined = |cut: usize| links[..cut].last().map_or(0.0, |link| link.2);
    let apart = |cut: usize| links.get(cut).map_or(f32::INFINITY, |link| link.2);
    let enough = leaders.len().saturating_sub(most);
    // One group would always be infinitely far from any other: it needs a reason.
    let lonely = |cut: usize| cut == links.len() && joined(cut) > 4.0 * FLOOR;
    let jump = |cut: usize| {
        let apart = if cut == links.len() { 4.0 * FLOOR } else { apart(cut) };
        if lonely(cut) { 0.0 } else { apart / joined(cut).max(FLOOR) }
    };
    let cuts = enough.min(links.len())..=links.len();
    // Without noise every kind is a group, however far apart the others are.
    let same = leaders.len() <= most && are_exact(patches, &leaders, &leader_of);
    let exact = same || (leaders.len() <= most && apart(0) >= EXACT);
    let cut = if exact { 0 } else { cuts.max_by(|a, b| jump(*a).total_cmp(&jump(*b))).unwrap_or(0) };
    let mut group: Vec<usize> = (0..leaders.len()).collect();
    for &(a, b, _) in &links[..cut] {
        let (from, to) = (group[a], group[b]);
        group.iter_mut().filter(|g| **g == from).for_each(|g| *g = to);
    }
    let mut names = Vec::new();
    let labels = leader_of
        .iter()
        .map(|&leader| {
            let at = names.iter().position(|&name| name == group[leader]);
            at.unwrap_or_else(|| {
                names.push(group[leader]);
                names.len() - 1
            })
        })
        .collect();
    Clusters { labels, count: names.len(), within: joined(cut), between: apart(cut), exact: same }
}

/// Whether kinds come several times, each time the same to a fraction of a grey level: then nothing but kinds differs,
/// however little. A rare kind must be a clear one.
fn are_exact(patches: &[Patch], leaders: &[Patch], leader_of: &[usize]) -> bool {
    let mut members = vec![0_u32; leaders.len()];
    for (patch, &leader) in patches.iter().zip(leader_of) {
        if distance(patch, &leaders[leader]) > 0.5 {
            return false;
        }
        members[leader] += 1;
    }
    let several = |kind: usize| members[kind] >= 3;
    let is_clear = |kind: usize| {
        let others = leaders.iter().enumerate().filter(|(other, _)| *other != kind);
        others.map(|(_, leader)| distance(leader, &leaders[kind])).fold(f32::INFINITY, f32::min) >= EXACT
    };
    let rare = (0..leaders.len()).filter(|&kind| !several(kind)).count();
    rare * 2 <= leaders.len() && (0..leaders.len()).all(|kind| several(kind) || is_clear(kind))
}

/// The kind of every patch: patches of a kind are the same but for rounding.
pub fn kinds(patches: &[Patch]) -> Vec<usize> {
    leaders(patches).1
}

/// One patch of each kind, and the kind of every patch.
fn leaders(patches: &[Patch]) -> (Vec<Patch>, Vec<usize>) {
    let mut leaders: Vec<Patch> = Vec::new();
    let mut of = Vec::with_capacity(patches.len());
    // The leaders by their mean brightness: those of patches that are the same are near each other, and a
    // picture's ground has hundreds of kinds.
    let mut shelves: Vec<Vec<usize>> = vec![Vec::new(); SHELVES];
    for patch in patches {
        let shelf = shelf(patch);
        let near = &shelves[shelf.saturating_sub(1)..(shelf + 2).min(SHELVES)];
        let alike = |leader: &usize| is_nearer(&leaders[*leader], patch, SAME);
        // The first of them all, as if they were looked through in their order.
        let known = near.iter().filter_map(|shelf| shelf.iter().copied().find(alike)).min();
        of.push(known.unwrap_or_else(|| {
            leaders.push(*patch);
            shelves[shelf].push(leaders.len() - 1);
            leaders.len() - 1
        }));
    }
    (leaders, of)
}

/// Shelves for all brightnesses, each as wide as the means of two patches that are the same can differ: no mean
/// differs more than the root of the mean square.
const SHELVES: usize = (256.0 / SAME) as usize + 1;

fn shelf(patch: &Patch) -> usize {
    let mean = patch.iter().sum::<f32>() / patch.len() as f32;
    ((mean / SAME).max(0.0) as usize).min(SHELVES - 1)
}

/// The shortest links that connect all, the shortest first (Prim).
fn spanning_tree(leaders: &[Patch]) -> Vec<(usize, usize, f32)> {
    let mut links = Vec::new();
    let mut nearest: Vec<(usize, f32)> = vec![(0, f32::INFINITY); leaders.len()];
    let mut outside: Vec<usize> = (1..leaders.len()).collect();
    let mut last = 0;
    while !outside.is_empty() {
        for &other in &outside {
            let far = distance(&leaders[last], &leaders[other]);
            if far < nearest[other].1 {
                nearest[other] = (last, far);
            }
        }
        let next =
            outside.iter().enumerate().min_by(|(_, a), (_, b)| nearest[**a].1.total_cmp(&nearest[**b].1));
        let Some((position, &found)) = next else { break };
        links.push((nearest[found].0, found, nearest[found].1));
        outside.swap_remove(position);
        last = found;
    }
    links.sort_by(|a, b| a.2.total_cmp(&b.2));
    links
}
