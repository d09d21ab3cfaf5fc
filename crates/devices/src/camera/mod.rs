//! Cameras: an HTTP stream of JPEG pictures, a camera on USB, raw video from another program, or a folder of pictures.
//!
//! A thread of its own reads the camera, so that reading and seeing go on side
//! by side; whoever looks gets the newest frame, never one that has waited. A
//! camera that is lost is opened again, with growing pauses, until the eye is
//! dropped.

mod address;
mod folder;
#[cfg(any(test, all(feature = "v4l2", target_os = "linux")))]
mod format;
mod http;
mod jpeg;
mod program;
#[cfg(all(feature = "v4l2", target_os = "linux"))]
mod v4l2;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use engine::{Clock, Eye, EyePace, Fault, Focus, Frame, Latency, Picture, Time};
use thiserror::Error;

pub use address::{Address, AddressError};

/// A camera far away needs time to be connected to, however impatient its user.
const LEAST_CONNECTION: Duration = Duration::from_secs(2);

/// What the camera is called in faults.
const PART: &str = "camera";
/// The first pause before a lost camera is opened again, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(8);

/// How a camera is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraSettings {
    /// Width that raw video has, and that a camera on USB is asked for; others say it themselves.
    pub width: u32,
    /// Its height.
    pub height: u32,
    /// Frames a second: how fast a folder is shown, what a camera on USB is asked for, and what the player is told to
    /// expect.
    pub fps: f64,
    /// Whether frames are turned by 180°.
    pub rotate: bool,
    /// From a moment on the screen to the frame that shows it.
    pub latency: Latency,
    /// How long a look waits for a frame.
    pub patience: Duration,
    /// Whether exposure and focus of a camera on USB are locked once they have settled.
    pub locks: bool,
}

impl Default for CameraSettings {
    fn default() -> CameraSettings {
        let ms = Duration::from_millis;
        CameraSettings {
            width: 640,
            height: 480,
            fps: 30.0,
            rotate: false,
            latency: Latency { typical: ms(50), spread: ms(20) },
            patience: ms(2_000),
            locks: true,
        }
    }
}

/// Why a camera gives no more frames.
#[derive(Debug, Error)]
pub enum CameraError {
    /// It cannot be reached, or went away.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// What came is not a picture.
    #[error("{0}")]
    NoPicture(String),
    /// It answered with something else.
    #[error("{0}")]
    Refused(String),
    /// It ended: the program stopped, the folder was shown.
    #[error("{0}")]
    Ended(String),
}

/// Something that gives one picture after the other.
trait Source: Send {
    /// Waits for the next picture.
    fn next(&mut self) -> Result<Picture, CameraError>;
}

/// What the thread and the eye share.
#[derive(Debug, Default)]
struct Shelf {
    newest: Option<(Picture, Time)>,
    /// Pictures that came, looked at or not.
    count: u64,
    /// Why there are none at the moment.
    trouble: Option<String>,
    is_closed: bool,
}

type Shared = Arc<(Mutex<Shelf>, Condvar)>;

fn lock(shared: &Shared) -> MutexGuard<'_, Shelf> {
    shared.0.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The eye of a camera.
#[derive(Debug)]
pub struct CameraEye {
    settings: CameraSettings,
    shared: Shared,
    frame: Frame,
}

impl CameraEye {
    /// Starts to read a camera; it need not be there yet.
    pub fn open<C: Clock>(
        address: Address,
        settings: CameraSettings,
        clock: &C,
    ) -> Result<CameraEye, CameraError> {
        let shared = Shared::default();
        let (of_thread, clock) = (Arc::clone(&shared), clock.clone());
        thread::Builder::new()
            .name("camera".to_owned())
            .spawn(move || read(&address, &settings, &clock, &of_thread))?;
        let frame = Frame::blank(settings.width, settings.height, engine::PixelFormat::Gray8);
        Ok(CameraEye { settings, shared, frame })
    }

    /// Pictures that came so far, looked at or not.
    pub fn count(&self) -> u64 {
        lock(&self.shared).count
    }
}

impl Drop for CameraEye {
    fn drop(&mut self) {
        lock(&self.shared).is_closed = true;
        self.shared.1.notify_all();
    }
}

impl Eye for CameraEye {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        let shelf = lock(&self.shared);
        let is_waiting = |shelf: &mut Shelf| shelf.newest.is_none() && shelf.trouble.is_none();
        let (mut shelf, _) = self
            .shared
            .1
            .wait_timeout_while(shelf, self.settings.patience, is_waiting)
            .unwrap_or_else(PoisonError::into_inner);
        if let Some((picture, captured)) = shelf.newest.take() {
            let sequence = shelf.count.saturating_sub(1);
            self.frame = Frame { sequence, captured, origin: (0, 0), picture };
            return Ok(&self.frame);
        }
        let part = PART.to_owned();
        // Trouble is told once; the next look waits for the camera to come back.
        Err(match shelf.trouble.take() {
            Some(why) => Fault::Lost { part, why },
            None => Fault::Silent { part, after: self.settings.patience },
        })
    }

    fn pace(&self) -> EyePace {
        let frame_period = Duration::try_from_secs_f64(1.0 / self.settings.fps).ok();
        EyePace { frame_period, latency: self.settings.latency }
    }
}

/// Reads the camera until the eye is dropped.
fn read<C: Clock>(address: &Address, settings: &CameraSettings, clock: &C, shared: &Shared) {
    let mut pause = FIRST_PAUSE;
    while !lock(shared).is_closed {
        let ended = read_once(address, settings, clock, shared, &mut pause);
        tracing::warn!("camera {address}: {ended}; trying again in {pause:?}");
        let mut shelf = lock(shared);
        shelf.trouble = Some(ended.to_string());
        shared.1.notify_all();
        // Woken early when the eye is dropped.
        let closed = shared.1.wait_timeout_while(shelf, pause, |shelf| !shelf.is_closed);
        drop(closed);
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

fn read_once<C: Clock>(
    address: &Address,
    settings: &CameraSettings,
    clock: &C,
    shared: &Shared,
    pause: &mut Duration,
) -> CameraError {
    let mut source = match open(address, settings, clock) {
        Ok(source) => source,
        Err(error) => return error,
    };
    loop {
        let mut picture = match source.next() {
            Ok(picture) => picture,
            Err(error) => return error,
        };
        let captured = clock.now();
        if settings.rotate {
            turn(&mut picture);
        }
        *pause = FIRST_PAUSE;
        let mut shelf = lock(shared);
        if shelf.is_closed {
            return CameraError::Ended("closed".to_owned());
        }
        shelf.newest = Some((picture, captured));
        shelf.count += 1;
        shelf.trouble = None;
        shared.1.notify_all();
    }
}

fn open<C: Clock>(
    address: &Address,
    settings: &CameraSettings,
    clock: &C,
) -> Result<Box<dyn Source>, CameraError> {
    Ok(match address {
        Address::Http { host, port, path } => {
            Box::new(http::Stream::open(host, *port, path, settings.patience.max(LEAST_CONNECTION))?)
        }
        Address::Program { command } => Box::new(program::Program::start(command, settings)?),
        #[cfg(all(feature = "v4l2", target_os = "linux"))]
        Address::Device { path } => Box::new(v4l2::Device::open(path, settings)?),
        #[cfg(not(all(feature = "v4l2", target_os = "linux")))]
        Address::Device { path } => {
            let path = path.display();
            return Err(CameraError::Refused(format!(
                "this program was built without cameras on USB; read {path} by \
                 `cmd:ffmpeg -f v4l2 -i {path} -pix_fmt gray -f rawvideo -`"
            )));
        }
        Address::Folder { path } => Box::new(folder::Folder::open(path, settings.fps, clock.clone())?),
    })
}

/// Turns a picture by 180°.
fn turn(picture: &mut Picture) {
    let bytes = picture.format.bytes();
    picture.pixels.reverse();
    for pixel in picture.pixels.chunks_exact_mut(bytes) {
        pixel.reverse();
    }
}

#[cfg(test)]
mod tests {
    use engine::PixelFormat;

    use super::*;

    #[test]
    fn a_turned_picture_keeps_its_colours() {
        let mut picture =
            Picture { width: 2, height: 1, format: PixelFormat::Rgb8, pixels: vec![1, 2, 3, 4, 5, 6] };
        turn(&mut picture);
        assert_eq!(picture.pixels, [4, 5, 6, 1, 2, 3]);
    }
}
