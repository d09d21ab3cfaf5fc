//! Standard output is for data; the emulator writes its warnings there.

use std::os::fd::OwnedFd;

use anyhow::Context;

/// Sends standard output to standard error until it is dropped.
#[derive(Debug)]
pub struct QuietOutput {
    kept: OwnedFd,
}

impl QuietOutput {
    /// From now on.
    pub fn begin() -> anyhow::Result<QuietOutput> {
        let kept = rustix::io::dup(rustix::stdio::stdout()).context("cannot set standard output aside")?;
        rustix::stdio::dup2_stdout(rustix::stdio::stderr()).context("cannot redirect standard output")?;
        Ok(QuietOutput { kept })
    }
}

impl Drop for QuietOutput {
    fn drop(&mut self) {
        // The emulator's last words must not come out after the switch back.
        drop(std::io::Write::flush(&mut std::io::stdout()));
        let _ = rustix::stdio::dup2_stdout(&self.kept);
    }
}
