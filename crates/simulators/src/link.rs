//! A name of our choice for a pseudo terminal.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

/// Points `link` at the terminal; replaces only what a killed run has left behind.
pub(crate) fn make_link(terminal: &Path, link: &Path, who: &str) -> io::Result<()> {
    // The system gives the numbers of terminals that are gone to new ones: an old link may even point to ours.
    let left_behind = fs::read_link(link).is_ok_and(|target| target == terminal || !target.exists());
    if left_behind {
        fs::remove_file(link)?;
    }
    symlink(terminal, link).map_err(|error| {
        let hint = match error.kind() {
            io::ErrorKind::AlreadyExists => format!(" (is another {who} running on it?)"),
            _ => String::new(),
        };
        io::Error::new(error.kind(), format!("cannot make the link {}: {error}{hint}", link.display()))
    })
}
