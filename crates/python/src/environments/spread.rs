//! Divides work among threads, this one included.

use std::sync::{Mutex, PoisonError};

use rayon::ThreadPool;

/// Does every part of some work, on the pool's threads and on this one, whoever is free first.
pub fn spread<T: Send>(pool: Option<&ThreadPool>, parts: Vec<T>, work: impl Fn(T) + Sync) {
    let Some(pool) = pool.filter(|_| parts.len() > 1) else {
        return parts.into_iter().for_each(work);
    };
    let others = pool.current_num_threads().min(parts.len() - 1);
    let queue = Mutex::new(parts.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    let labour = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    pool.in_place_scope(|scope| {
        for _ in 0..others {
            scope.spawn(|_| labour());
        }
        labour();
    });
}
