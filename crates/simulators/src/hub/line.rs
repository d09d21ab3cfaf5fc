//! The hub's end of the line: a cable inside this process, or a pseudo terminal that looks like a USB port.

use std::collections::VecDeque;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Clock, Time};
use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, ioctl_tiocnxcl, tcgetattr, tcsetattr};

use crate::link::make_link;

/// How often a line is looked at.
const POLL: Duration = Duration::from_millis(30);

/// What a hub hangs on.
pub(super) trait Line: Send + 'static {
    /// Bytes that have come, perhaps none.
    fn try_read(&mut self, buffer: &mut [u8]) -> usize;

    /// Sends bytes; a line that nobody reads from drops them.
    fn write(&mut self, bytes: &[u8]);

    /// Pulls the cable, or plugs it in again.
    fn set_plugged(&mut self, plugged: bool) -> io::Result<()>;
}

/// Waits for bytes until a moment.
pub(super) fn receive(line: &mut impl Line, clock: &impl Clock, buffer: &mut [u8], until: Time) -> usize {
    loop {
        let count = line.try_read(buffer);
        let now = clock.now();
        if count > 0 || now >= until {
            return count;
        }
        clock.sleep_until(until.min(now + POLL));
    }
}

/// A cable inside this process. Both ends can be held by several; bytes go to whoever reads.
#[derive(Clone, Debug)]
pub struct Cable {
    wires: Arc<Mutex<Wires>>,
}

#[derive(Debug, Default)]
struct Wires {
    to_hub: VecDeque<u8>,
    to_computer: VecDeque<u8>,
    plugged: bool,
    /// A computer that was unplugged must open the line again.
    opened: bool,
}

impl Cable {
    pub(super) fn new() -> Self {
        Self { wires: Arc::new(Mutex::new(Wires { plugged: true, ..Wires::default() })) }
    }

    fn wires(&self) -> MutexGuard<'_, Wires> {
        self.wires.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The computer opens its end.
    pub fn open(&self) -> io::Result<()> {
        let mut wires = self.wires();
        if !wires.plugged {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no hub is plugged in"));
        }
        wires.to_computer.clear();
        wires.opened = true;
        Ok(())
    }

    /// The computer sends.
    pub fn send(&self, bytes: &[u8]) -> io::Result<()> {
        let mut wires = self.wires();
        wires.check()?;
        wires.to_hub.extend(bytes);
        Ok(())
    }

    /// The computer waits for bytes until a moment.
    pub fn receive(&self, buffer: &mut [u8], clock: &impl Clock, until: Time) -> io::Result<usize> {
        loop {
            let mut wires = self.wires();
            wires.check()?;
            let count = take(&mut wires.to_computer, buffer);
            drop(wires);
            let now = clock.now();
            if count > 0 || now >= until {
                return Ok(count);
            }
            clock.sleep_until(until.min(now + POLL));
        }
    }
}

impl Wires {
    fn check(&self) -> io::Result<()> {
        if self.plugged && self.opened {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::BrokenPipe, "the cable was pulled"))
        }
    }
}

impl Line for Cable {
    fn try_read(&mut self, buffer: &mut [u8]) -> usize {
        take(&mut self.wires().to_hub, buffer)
    }

    fn write(&mut self, bytes: &[u8]) {
        let mut wires = self.wires();
        if wires.check().is_ok() {
            wires.to_computer.extend(bytes);
        }
    }

    fn set_plugged(&mut self, plugged: bool) -> io::Result<()> {
        *self.wires() = Wires { plugged, ..Wires::default() };
        Ok(())
    }
}

fn take(bytes: &mut VecDeque<u8>, buffer: &mut [u8]) -> usize {
    let count = bytes.len().min(buffer.len());
    for (place, byte) in buffer.iter_mut().zip(bytes.drain(..count)) {
        *place = byte;
    }
    count
}

/// A pseudo terminal under a name of our choice.
#[derive(Debug)]
pub(super) struct Terminal {
    link: PathBuf,
    open: Option<Pair>,
}

#[derive(Debug)]
struct Pair {
    master: OwnedFd,
    /// Held open, or reading fails whenever nobody is connected.
    slave: OwnedFd,
    path: PathBuf,
}

impl Terminal {
    pub(super) fn open(link: &Path) -> io::Result<Self> {
        let mut terminal = Self { link: link.to_owned(), open: None };
        terminal.set_plugged(true)?;
        Ok(terminal)
    }
}

impl Line for Terminal {
    fn try_read(&mut self, buffer: &mut [u8]) -> usize {
        let Some(pair) = &self.open else { return 0 };
        // Nothing there, or a client that just left: both are silence.
        rustix::io::read(&pair.master, buffer).unwrap_or(0)
    }

    fn write(&mut self, bytes: &[u8]) {
        let Some(pair) = &self.open else { return };
        let mut rest = bytes;
        while !rest.is_empty() {
            match rustix::io::write(&pair.master, rest) {
                Ok(count) => rest = &rest[count..],
                Err(_) => return,
            }
        }
        // A client that died must not lock out its successor.
        let _ = ioctl_tiocnxcl(&pair.slave);
    }

    fn set_plugged(&mut self, plugged: bool) -> io::Result<()> {
        self.unplug();
        if plugged {
            let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC)?;
            rustix::io::ioctl_fionbio(&master, true)?;
            grantpt(&master)?;
            unlockpt(&master)?;
            let name = ptsname(&master, Vec::new())?;
            let path = PathBuf::from(name.to_string_lossy().into_owned());
            let slave =
                rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
            // Neither echo nor translation nor waiting for whole lines.
            let mut modes = tcgetattr(&slave)?;
            modes.make_raw();
            tcsetattr(&slave, OptionalActions::Now, &modes)?;
            make_link(&path, &self.link, "simulated hub")?;
            self.open = Some(Pair { master, slave, path });
        }
        Ok(())
    }
}

impl Terminal {
    fn unplug(&mut self) {
        let Some(pair) = self.open.take() else { return };
        if std::fs::read_link(&self.link).is_ok_and(|target| target == pair.path) {
            // Nobody is left to tell; a dangling link is replaced by the next run.
            let _ = std::fs::remove_file(&self.link);
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.unplug();
    }
}
