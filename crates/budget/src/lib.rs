//! Limits how long a solver may think.
//!
//! A [`Budget`] is given to a solver from outside: a number of nodes, a stop
//! condition (a deadline, a cancelled run), both, or neither. Solvers never
//! read a clock; each of their threads spends nodes through a [`Meter`]:
//!
//! ```
//! use budget::Budget;
//!
//! let budget = Budget::nodes(1_000);
//! let mut meter = budget.meter();
//! let mut visited = 0;
//! while meter.spend_node() {
//!     visited += 1;
//! }
//! assert_eq!(visited, 1_000);
//! assert!(budget.is_exhausted());
//! ```

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Nodes between two checks of the shared state: rare enough to cost nothing in a
/// loop of nanoseconds, often enough to meet a deadline within a millisecond.
const BATCH: u64 = 1024;

type StopCondition = Arc<dyn Fn() -> bool + Send + Sync>;

/// The limit of one search, shared by all of its threads.
pub struct Budget {
    nodes: Option<u64>,
    reserved: AtomicU64,
    exhausted: AtomicBool,
    stop: Option<StopCondition>,
    /// Nodes between two checks.
    batch: u64,
}

impl Budget {
    /// No limit: the solver runs until it has its answer.
    pub fn unlimited() -> Self {
        let (reserved, exhausted) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { nodes: None, reserved, exhausted, stop: None, batch: BATCH }
    }

    /// At most this many nodes over all threads.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::unlimited() }
    }

    /// Until `stop` returns true; it is called about once per thousand nodes.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use budget::Budget;
    ///
    /// let deadline = Instant::now() + Duration::from_millis(5);
    /// let budget = Budget::until(move || Instant::now() >= deadline);
    /// let mut meter = budget.meter();
    /// while meter.spend_node() {}
    /// assert_eq!(budget.granted(), meter.spent());
    /// ```
    pub fn until(stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self::unlimited().or_until(stop)
    }

    /// This budget, ended early when `stop` returns true.
    #[must_use]
    pub fn or_until(mut self, stop: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        let earlier = self.stop.take();
        self.stop = Some(Arc::new(move || earlier.as_ref().is_some_and(|s| s()) || stop()));
        self
    }

    /// This budget, which calls its stop condition about once in so many nodes: for nodes that take long.
    #[must_use]
    pub fn in_batches(self, nodes: u64) -> Self {
        Self { batch: nodes.max(1), ..self }
    }

    /// `parts` budgets that share the stop condition and divide the nodes, so that
    /// the answer of several threads does not depend on scheduling.
    pub fn split(&self, parts: u64) -> impl Iterator<Item = Budget> + '_ {
        (0..parts).map(move |part| Budget {
            // The first parts take one more each until the remainder is used up.
            nodes: self.nodes.map(|n| n / parts + u64::from(part < n % parts)),
            stop: self.stop.clone(),
            batch: self.batch,
            ..Budget::unlimited()
        })
    }

    /// A counter for one thread.
    pub fn meter(&self) -> Meter<'_> {
        Meter { budget: self, left: 0, spent: 0 }
    }

    /// Nodes handed out so far, in batches: a search by one thread that was
    /// stopped early stops at the same node again under `Budget::nodes(granted)`.
    pub fn granted(&self) -> u64 {
        let reserved = self.reserved.load(Ordering::Relaxed);
        self.nodes.map_or(reserved, |limit| reserved.min(limit))
    }

    /// Whether any thread has been refused a node.
    pub fn is_exhausted(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    /// Takes the next batch of nodes; 0 when none are left or the search must stop.
    fn reserve(&self) -> u64 {
        if self.is_exhausted() {
            return 0;
        }
        if self.stop.as_ref().is_some_and(|stop| stop()) {
            self.exhausted.store(true, Ordering::Relaxed);
            return 0;
        }
        let before = self.reserved.fetch_add(self.batch, Ordering::Relaxed);
        let granted = self.nodes.map_or(self.batch, |limit| limit.saturating_sub(before).min(self.batch));
        if granted == 0 {
            self.exhausted.store(true, Ordering::Relaxed);
        }
        granted
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget")
            .field("nodes", &self.nodes)
            .field("stops_early", &self.stop.is_some())
            .field("exhausted", &self.is_exhausted())
            .finish_non_exhaustive()
    }
}

/// One thread's share of a [`Budget`].
#[derive(Debug)]
pub struct Meter<'a> {
    budget: &'a Budget,
    left: u64,
    spent: u64,
}

impl Meter<'_> {
    /// Takes one node; false when the search must end now.
    #[inline]
    pub fn spend_node(&mut self) -> bool {
        if self.left == 0 {
            self.left = self.budget.reserve();
            if self.left == 0 {
                return false;
            }
        }
        self.left -= 1;
        self.spent += 1;
        true
    }

    /// Nodes this thread has spent.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_budget_is_met_exactly() {
        for limit in [0, 1, 1023, 1024, 1025, 10_000] {
            let budget = Budget::nodes(limit);
            let mut meter = budget.meter();
            while meter.spend_node() {}
            assert_eq!(meter.spent(), limit);
            assert!(budget.is_exhausted());
        }
    }

    #[test]
    fn threads_share_one_budget() {
        let budget = Budget::nodes(100_000);
        let spend_all = || {
            let mut meter = budget.meter();
            while meter.spend_node() {}
            meter.spent()
        };
        let total: u64 = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|_| scope.spawn(spend_all)).collect();
            threads.into_iter().map(|t| t.join().unwrap()).sum()
        });
        assert_eq!(total, 100_000);
    }

    #[test]
    fn split_parts_add_up() {
        let parts: Vec<_> = Budget::nodes(10).split(3).map(|b| b.nodes).collect();
        assert_eq!(parts, [Some(4), Some(3), Some(3)]);
    }

    #[test]
    fn small_batches_stop_sooner_and_count_the_same() {
        let budget = Budget::nodes(1_000).in_batches(64);
        let mut meter = budget.meter();
        while meter.spend_node() {}
        assert_eq!(meter.spent(), 1_000);
        assert!(budget.split(2).all(|part| part.batch == 64));

        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let budget = Budget::until(move || flag.load(Ordering::Relaxed)).in_batches(64);
        let mut meter = budget.meter();
        assert!(meter.spend_node());
        stop.store(true, Ordering::Relaxed);
        while meter.spend_node() {}
        assert_eq!(meter.spent(), 64);
    }

    #[test]
    fn either_stop_condition_ends_the_search() {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        let budget = Budget::until(|| false).or_until(move || flag.load(Ordering::Relaxed));
        let mut meter = budget.meter();
        assert!(meter.spend_node());
        stop.store(true, Ordering::Relaxed);
        while meter.spend_node() {}
        assert_eq!(meter.spent(), BATCH);

        let again = Budget::nodes(budget.granted());
        let mut meter = again.meter();
        while meter.spend_node() {}
        assert_eq!(meter.spent(), BATCH, "a stopped search can be repeated by its nodes");
    }
}
