//! The simulated camera on the network: JPEG pictures over HTTP, as network cameras send them
//! (`multipart/x-mixed-replace`). Every viewer gets the newest picture; a slow one misses some.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use jpeg_encoder::{ColorType, Encoder};

const BOUNDARY: &str = "frame";
/// A viewer that takes longer than this for a picture is dropped.
const PATIENCE: Duration = Duration::from_secs(5);
/// Viewers at the same time; more are refused.
const MOST_VIEWERS: usize = 16;

/// A server of one stream, under every path. It stops when it is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Shared,
}

type Shared = Arc<(Mutex<Stage>, Condvar)>;

#[derive(Debug, Default)]
struct Stage {
    newest: Arc<Vec<u8>>,
    /// Pictures shown so far.
    count: u64,
    viewers: usize,
    is_closed: bool,
}

fn lock(shared: &Shared) -> MutexGuard<'_, Stage> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Server {
    /// Listens at an address; port 0 takes a free one.
    pub fn start(listen: impl ToSocketAddrs) -> io::Result<Server> {
        let listener = TcpListener::bind(listen)?;
        let address = listener.local_addr()?;
        let shared = Shared::default();
        let of_thread = Arc::clone(&shared);
        thread::Builder::new()
            .name("camera server".to_owned())
            .spawn(move || accept(&listener, &of_thread))?;
        Ok(Server { address, shared })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many look at the moment.
    pub fn viewers(&self) -> usize {
        lock(&self.shared).viewers
    }

    /// Shows a frame of grey pixels to all viewers.
    pub fn show(&self, pixels: &[u8], (width, height): (usize, usize), quality: u8) -> io::Result<()> {
        let too_large =
            |_| io::Error::new(io::ErrorKind::InvalidInput, "a frame is at most 65,535 pixels wide");
        let (width, height) =
            (u16::try_from(width).map_err(too_large)?, u16::try_from(height).map_err(too_large)?);
        let mut jpeg = Vec::new();
        Encoder::new(&mut jpeg, quality.clamp(1, 100))
            .encode(pixels, width, height, ColorType::Luma)
            .map_err(io::Error::other)?;
        let mut stage = lock(&self.shared);
        stage.newest = Arc::new(jpeg);
        stage.count += 1;
        self.shared.1.notify_all();
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        lock(&self.shared).is_closed = true;
        self.shared.1.notify_all();
        // The listener waits for a caller: be the last one.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_millis(200));
    }
}

fn accept(listener: &TcpListener, shared: &Shared) {
    for viewer in listener.incoming() {
        {
            let mut stage = lock(shared);
            if stage.is_closed {
                return;
            }
            if stage.viewers >= MOST_VIEWERS {
                continue;
            }
            stage.viewers += 1;
        }
        let of_thread = Arc::clone(shared);
        let spawned = thread::Builder::new().name("camera viewer".to_owned()).spawn(move || {
            // A viewer that goes away is nothing to report.
            let _ = viewer.and_then(|viewer| serve(viewer, &of_thread));
            lock(&of_thread).viewers -= 1;
        });
        if spawned.is_err() {
            lock(shared).viewers -= 1;
        }
    }
}

fn serve(mut viewer: TcpStream, shared: &Shared) -> io::Result<()> {
    viewer.set_read_timeout(Some(PATIENCE))?;
    viewer.set_write_timeout(Some(PATIENCE))?;
    viewer.set_nodelay(true)?;
    let mut request = BufReader::new(viewer.try_clone()?.take(16_384));
    let mut line = String::new();
    // The request does not matter; only its end does.
    while request.read_line(&mut line)? > 0 && !line.trim().is_empty() {
        line.clear();
    }
    write!(
        viewer,
        "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary={BOUNDARY}\r\n\
         Cache-Control: no-store\r\nConnection: close\r\n\r\n"
    )?;
    let mut seen = 0;
    loop {
        let stage = lock(shared);
        let is_waiting = |stage: &mut Stage| stage.count == seen && !stage.is_closed;
        let (stage, waited) =
            shared.1.wait_timeout_while(stage, PATIENCE, is_waiting).unwrap_or_else(PoisonError::into_inner);
        if stage.is_closed {
            return Ok(());
        }
        if waited.timed_out() {
            continue;
        }
        seen = stage.count;
        let jpeg = Arc::clone(&stage.newest);
        drop(stage);
        write!(viewer, "--{BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", jpeg.len())?;
        viewer.write_all(&jpeg)?;
        viewer.write_all(b"\r\n")?;
        viewer.flush()?;
    }
}
