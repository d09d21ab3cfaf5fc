//! What bytes travel on: TCP, or whatever a simulation gives us.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use engine::{Clock, Time};

/// A stream of bytes in both directions.
pub trait Wire {
    /// Sends all of it.
    fn send(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Waits for bytes until the given moment and appends them; false if none came. An end is an error.
    fn receive(&mut self, buffer: &mut Vec<u8>, until: Time) -> io::Result<bool>;
}

/// Makes a wire, again and again if it must.
pub trait Dial {
    /// What it makes.
    type Wire: Wire;

    /// Connects.
    fn dial(&mut self) -> io::Result<Self::Wire>;
}

/// Dials a Brick Daemon over TCP.
#[derive(Clone, Debug)]
pub struct TcpDial<C> {
    /// Host name or address.
    pub host: String,
    /// Port; 4223 unless somebody changed it.
    pub port: u16,
    /// How long connecting may take.
    pub patience: Duration,
    /// What waiting is measured by; must be real, as the network is.
    pub clock: C,
}

impl<C: Clock> Dial for TcpDial<C> {
    type Wire = TcpWire<C>;

    fn dial(&mut self) -> io::Result<TcpWire<C>> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the name has no address");
        for address in (self.host.as_str(), self.port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, self.patience) {
                Ok(stream) => {
                    // A press is one small packet, and must not wait for others.
                    stream.set_nodelay(true)?;
                    stream.set_write_timeout(Some(self.patience))?;
                    return Ok(TcpWire { stream, clock: self.clock.clone() });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// A TCP connection.
#[derive(Debug)]
pub struct TcpWire<C> {
    stream: TcpStream,
    clock: C,
}

impl<C: Clock> Wire for TcpWire<C> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)
    }

    fn receive(&mut self, buffer: &mut Vec<u8>, until: Time) -> io::Result<bool> {
        // A timeout of zero would mean "for ever".
        let patience = until.since(self.clock.now()).max(Duration::from_micros(1));
        self.stream.set_read_timeout(Some(patience))?;
        let mut bytes = [0; 1024];
        match self.stream.read(&mut bytes) {
            Ok(0) => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the daemon hung up")),
            Ok(count) => {
                buffer.extend(&bytes[..count]);
                Ok(true)
            }
            Err(error) => match error.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted => Ok(false),
                _ => Err(error),
            },
        }
    }
}
