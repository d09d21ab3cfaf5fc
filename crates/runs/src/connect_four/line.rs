//! The line to the hub that the settings name: USB, or Bluetooth if it was built in.

use std::io;
use std::path::PathBuf;

use devices::hub::{Transport, Usb, plugged_in};
use engine::{Clock, Time};

use super::settings::LegoSettings;
use crate::error::RunError;

/// What `lego.port` begins with for a hub on Bluetooth; its name may follow after a colon.
const BLUETOOTH: &str = "bluetooth";

/// A line whose port is looked for whenever it is opened: a hub may be plugged in again, and elsewhere.
pub(super) struct HubLine<C> {
    port: String,
    clock: C,
    line: Option<Box<dyn Transport + Send>>,
}

impl<C: Clock> HubLine<C> {
    /// A line that is not open yet.
    pub(super) fn new(settings: &LegoSettings, clock: &C) -> Self {
        Self { port: settings.port.clone(), clock: clock.clone(), line: None }
    }

    /// An open line. One that cannot be had now is a mistake in the call; one that goes away later is waited for.
    pub(super) fn open(settings: &LegoSettings, clock: &C) -> Result<Self, RunError> {
        let mut line = Self::new(settings, clock);
        Transport::open(&mut line).map_err(|error| {
            RunError::Setting(format!("cannot open the hub's port {}: {error}", line.name()))
        })?;
        Ok(line)
    }

    fn opened(&mut self) -> io::Result<&mut Box<dyn Transport + Send>> {
        self.line.as_mut().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<C: Clock> Transport for HubLine<C> {
    fn name(&self) -> String {
        match &self.line {
            Some(line) => line.name(),
            None if self.port.is_empty() => "USB".to_owned(),
            None => self.port.clone(),
        }
    }

    fn open(&mut self) -> io::Result<()> {
        // Closed first: the port belongs to one owner at a time, even if that is us.
        self.line = None;
        let mut line: Box<dyn Transport + Send> = match self.port.strip_prefix(BLUETOOTH) {
            Some(name) => bluetooth(name.trim_start_matches(':'), &self.clock)?,
            None => Box::new(Usb::new(port(&self.port)?, self.clock.clone())),
        };
        line.open()?;
        self.line = Some(line);
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.opened()?.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        self.opened()?.receive(buffer, until)
    }
}

#[cfg(feature = "bluetooth")]
fn bluetooth<C: Clock>(name: &str, clock: &C) -> io::Result<Box<dyn Transport + Send>> {
    Ok(Box::new(devices::hub::Bluetooth::new(name, clock.clone())?))
}

#[cfg(not(feature = "bluetooth"))]
fn bluetooth<C: Clock>(_name: &str, _clock: &C) -> io::Result<Box<dyn Transport + Send>> {
    let why = "this program was built without Bluetooth; build it with `--features bluetooth`";
    Err(io::Error::new(io::ErrorKind::Unsupported, why))
}

/// The hub's serial port: the one that is named, or the only one there is.
fn port(named: &str) -> io::Result<PathBuf> {
    if !named.is_empty() {
        return Ok(PathBuf::from(named));
    }
    let hubs = plugged_in().unwrap_or_default();
    let missing = |why: String| Err(io::Error::new(io::ErrorKind::NotFound, why));
    match hubs.as_slice() {
        [hub] => Ok(hub.clone()),
        [] => missing(
            "no LEGO hub is plugged in; name its serial port with --port, or try --body simulated-lego"
                .into(),
        ),
        several => {
            let names: Vec<_> = several.iter().map(|hub| hub.display().to_string()).collect();
            missing(format!("several hubs are plugged in; choose one with --port: {}", names.join(", ")))
        }
    }
}
