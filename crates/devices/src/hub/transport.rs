//! The line to a hub: bytes out, bytes in. USB here; anything that carries bytes can stand in.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::{Clock, Time};
use tokio_serial::{SerialPort, SerialPortType};

/// The hub's USB vendor: LEGO.
const VENDOR: u16 = 0x0694;
/// Its product: a SPIKE Prime hub with hub OS 3.
const PRODUCT: u16 = 0x0009;
/// The hub ignores it; a serial port wants one.
const BAUD: u32 = 115_200;
/// The shortest wait that a serial port can express.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);
/// A port that takes no bytes for this long is as good as unplugged.
const WRITE_LIMIT: Duration = Duration::from_secs(2);

/// Carries bytes to a hub and back, in order, in pieces of any size.
pub trait Transport {
    /// Its name for people.
    fn name(&self) -> String;

    /// Opens the line, again if it was open. What was on its way is lost.
    fn open(&mut self) -> io::Result<()>;

    /// Sends all bytes.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes until a moment; 0 if none came. An error means that the line must be opened again.
    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize>;
}

impl<T: Transport + ?Sized> Transport for Box<T> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn open(&mut self) -> io::Result<()> {
        (**self).open()
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        (**self).receive(buffer, until)
    }
}

/// A hub on USB, or a simulated one on a pseudo terminal.
#[derive(Debug)]
pub struct Usb<C> {
    path: PathBuf,
    clock: C,
    port: Option<Box<dyn SerialPort>>,
}

impl<C: Clock> Usb<C> {
    /// The hub on this serial port, not opened yet.
    pub fn new(path: impl Into<PathBuf>, clock: C) -> Self {
        Self { path: path.into(), clock, port: None }
    }

    fn opened(&mut self) -> io::Result<&mut Box<dyn SerialPort>> {
        self.port.as_mut().ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl<C: Clock> Transport for Usb<C> {
    fn name(&self) -> String {
        self.path.display().to_string()
    }

    fn open(&mut self) -> io::Result<()> {
        // Closed first: the port belongs to one owner at a time, even if that is us.
        self.port = None;
        let builder = tokio_serial::new(self.name(), BAUD).timeout(WRITE_LIMIT);
        self.port = Some(builder.open()?);
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let port = self.opened()?;
        port.set_timeout(WRITE_LIMIT)?;
        port.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        let wait = until.since(self.clock.now()).max(SHORTEST_WAIT);
        let port = self.opened()?;
        port.set_timeout(wait)?;
        match port.read(buffer) {
            // A cable that was pulled: no error, just an end.
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(count),
            Err(error) if matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::Interrupted) => {
                Ok(0)
            }
            Err(error) => Err(error),
        }
    }
}

/// The serial ports that hubs are plugged into.
pub fn plugged_in() -> io::Result<Vec<PathBuf>> {
    let ports = tokio_serial::available_ports()?.into_iter();
    let hubs = ports.filter(|port| match &port.port_type {
        SerialPortType::UsbPort(usb) => (usb.vid, usb.pid) == (VENDOR, PRODUCT),
        SerialPortType::PciPort | SerialPortType::BluetoothPort | SerialPortType::Unknown => false,
    });
    Ok(hubs.map(|port| Path::new(&port.port_name).to_owned()).collect())
}
