//! A client's end of a rig in the same process, on the run's clock: what TCP is to the [`Server`](super::Server).

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::{Clock, Time};

use super::daemon::ClientId;
use super::rig::Rig;

/// A rig that a hand and an eye of the same simulation use.
pub type SharedRig = Arc<Mutex<Rig>>;

/// One client's connection.
#[derive(Debug)]
pub struct Cable<C> {
    rig: SharedRig,
    client: ClientId,
    clock: C,
}

impl<C: Clock> Cable<C> {
    /// Connects.
    pub fn connect(rig: &SharedRig, clock: &C) -> Self {
        let client = lock(rig).connect();
        Self { rig: Arc::clone(rig), client, clock: clock.clone() }
    }

    /// Sends bytes to the daemon, which acts on them at once.
    pub fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rig = lock(&self.rig);
        rig.receive(self.client, self.clock.now(), bytes);
        if rig.daemon().is_open(self.client) { Ok(()) } else { Err(hung_up()) }
    }

    /// Waits for bytes until the given moment and appends them; false if none came.
    pub fn receive(&mut self, buffer: &mut Vec<u8>, until: Time) -> io::Result<bool> {
        loop {
            let now = self.clock.now();
            let mut rig = lock(&self.rig);
            rig.advance(now);
            let bytes = rig.take_output(self.client);
            if !bytes.is_empty() {
                buffer.extend(bytes);
                return Ok(true);
            }
            if !rig.daemon().is_open(self.client) {
                return Err(hung_up());
            }
            if now >= until {
                return Ok(false);
            }
            let next = rig.next_event().map_or(until, |event| event.min(until));
            drop(rig);
            self.clock.sleep_until(next);
        }
    }
}

impl<C> Drop for Cable<C> {
    fn drop(&mut self) {
        lock(&self.rig).disconnect(self.client);
    }
}

/// The rig, also after a panic of somebody else: its state is whole between calls.
fn lock(rig: &SharedRig) -> MutexGuard<'_, Rig> {
    rig.lock().unwrap_or_else(PoisonError::into_inner)
}

fn hung_up() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the daemon hung up")
}
