//! A pseudo terminal that looks like a serial port, under a name of our choice.

use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::termios::ioctl_tiocnxcl;
use tokio::io::AsyncReadExt;
use tokio_serial::{SerialPort, SerialStream};

use crate::link::make_link;

/// The robot's end of a serial line. The other end can be opened by path as long as this lives.
#[derive(Debug)]
pub(super) struct Terminal {
    master: SerialStream,
    /// Held open, or reading fails whenever nobody is connected.
    slave: OwnedFd,
    path: PathBuf,
    link: Option<PathBuf>,
}

impl Terminal {
    /// A new line, reachable under `link` as well.
    pub(super) fn open(link: Option<&Path>) -> io::Result<Self> {
        // Both ends are raw: the kernel neither echoes nor translates nor waits for whole lines.
        let (master, other) = SerialStream::pair()?;
        let path = PathBuf::from(other.name().ok_or(io::ErrorKind::NotFound)?);
        let slave = rustix::fs::open(&path, OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty())?;
        if let Some(link) = link {
            make_link(&path, link, "simulated robot")?;
        }
        Ok(Self { master, slave, path, link: link.map(Path::to_owned) })
    }

    /// Where the other end can be opened.
    pub(super) fn path(&self) -> &Path {
        self.link.as_deref().unwrap_or(&self.path)
    }

    /// Waits for the next bytes. Cancelling loses none.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.master.read(buffer).await
    }

    /// Sends a byte; a line that nobody reads from drops it, as a real one does.
    pub(super) fn write(&mut self, byte: u8) -> io::Result<()> {
        match self.master.try_write(&[byte]) {
            Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Lets somebody else open the line after a client that died: a client's claim to it (`TIOCEXCL`) outlives the
    /// client as long as we hold our end open. Two clients at once are still kept apart by their file locks.
    pub(super) fn lift_claim(&self) {
        // Cannot fail on a terminal that we hold open, and would do no harm.
        let _ = ioctl_tiocnxcl(&self.slave);
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let Some(link) = &self.link else { return };
        if fs::read_link(link).is_ok_and(|target| target == self.path) {
            // Nobody is left to tell; a dangling link is replaced by the next run.
            let _ = fs::remove_file(link);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[tokio::test]
    async fn links_are_cleaned_up_and_never_stolen() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("robot");
        let terminal = Terminal::open(Some(&link)).unwrap();
        assert!(link.exists());
        let message = Terminal::open(Some(&link)).unwrap_err().to_string();
        assert!(message.contains("another simulated robot"), "{message}");
        drop(terminal);
        assert!(!fs::exists(&link).unwrap() && fs::read_link(&link).is_err());

        // What a killed run leaves behind is replaced; a file of somebody's is not.
        symlink("/dev/pts/no-such-terminal", &link).unwrap();
        drop(Terminal::open(Some(&link)).unwrap());
        let terminal = Terminal::open(None).unwrap();
        symlink(&terminal.path, &link).unwrap();
        make_link(&terminal.path, &link, "simulated robot").unwrap();
        fs::remove_file(&link).unwrap();
        fs::write(&link, "precious").unwrap();
        assert!(Terminal::open(Some(&link)).is_err());
        assert_eq!(fs::read(&link).unwrap(), b"precious");
    }

    #[tokio::test]
    async fn bytes_pass_unchanged_both_ways() {
        let mut terminal = Terminal::open(None).unwrap();
        let every: Vec<u8> = (0..=255).collect();
        rustix::io::write(&terminal.slave, &every).unwrap();
        let mut heard = Vec::new();
        while heard.len() < every.len() {
            let mut buffer = [0; 64];
            let count = terminal.read(&mut buffer).await.unwrap();
            heard.extend_from_slice(&buffer[..count]);
        }
        assert_eq!(heard, every);

        for byte in &every {
            terminal.write(*byte).unwrap();
        }
        let mut heard = Vec::new();
        while heard.len() < every.len() {
            // The kernel hands them over in portions of its own.
            let mut buffer = [0; 64];
            let count = rustix::io::read(&terminal.slave, &mut buffer[..]).unwrap();
            heard.extend_from_slice(&buffer[..count]);
        }
        assert_eq!(heard, every);
    }
}
