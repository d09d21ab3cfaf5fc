//! A camera on USB, by the kernel's own interface (V4L2). Tried on no device yet: what can be decided without
//! one is in `format.rs`, with its tests.

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::Picture;
use moq_v4l::buffer::{Flags, Type};
use moq_v4l::capability::Flags as Capabilities;
use moq_v4l::control::{Control, Value};
use moq_v4l::format::{Format, FourCC};
use moq_v4l::fraction::Fraction;
use moq_v4l::io::mmap::Stream;
use moq_v4l::io::traits::CaptureStream;
use moq_v4l::video::Capture;
use moq_v4l::video::capture::Parameters;

use super::format::{Encoding, Offer, negotiate};
use super::{CameraError, CameraSettings, Source};

/// Frames in the driver's queue: one that is read, one that is ready, and two to be filled.
const BUFFERS: u32 = 4;
/// Frames after which automatic exposure and focus have found what they want.
const SETTLED: u32 = 45;
/// Numbers of controls, and the values with which nothing is automatic, from `linux/v4l2-controls.h`.
const LOCKS: [(&str, u32, i64); 2] = [("exposure", 0x009A_0901, 1), ("focus", 0x009A_090C, 0)];

pub(super) struct Device {
    path: PathBuf,
    driver: moq_v4l::Device,
    stream: Stream<'static>,
    offer: Offer,
    /// Frames that came, up to the one with which exposure and focus are locked.
    frames: u32,
    locks: bool,
}

impl Device {
    pub(super) fn open(path: &Path, settings: &CameraSettings) -> Result<Device, CameraError> {
        let name = path.display();
        let device = moq_v4l::Device::with_path(path)
            .map_err(|error| CameraError::Refused(format!("cannot open {name}: {error}")))?;
        let can = device.query_caps()?.capabilities;
        if !can.contains(Capabilities::VIDEO_CAPTURE | Capabilities::STREAMING) {
            return Err(CameraError::Refused(format!(
                "{name} gives no video; cameras often have two numbers, try the other one"
            )));
        }
        let offered: Vec<_> = device.enum_formats()?.iter().map(|format| format.fourcc.repr).collect();
        let wanted = (settings.width, settings.height);
        let ask = |encoding| set(&device, encoding, wanted, settings.fps).ok();
        let offer = negotiate(&offered, wanted, settings.fps, ask).ok_or_else(|| {
            let names: Vec<_> = offered.iter().map(|code| String::from_utf8_lossy(code)).collect();
            CameraError::Refused(format!("{name} offers {}; YUYV, GREY or MJPG is needed", names.join(", ")))
        })?;
        // Others may have been tried after it.
        let offer = set(&device, offer.encoding, offer.size, settings.fps)?;
        if offer.size != wanted || offer.fps < settings.fps {
            let ((width, height), fps) = (offer.size, offer.fps);
            tracing::warn!("camera {name}: gives {width} × {height} at {fps:.0} frames a second at best");
        }
        let mut stream = Stream::with_buffers(&device, Type::VideoCapture, BUFFERS)?;
        stream.set_timeout(settings.patience.max(Duration::from_secs(2)));
        let (frames, locks) = (0, settings.locks);
        Ok(Device { path: path.to_owned(), driver: device, stream, offer, frames, locks })
    }

    /// Makes exposure and focus stay as they are.
    fn lock(&self) {
        for (name, id, value) in LOCKS {
            if let Err(error) = self.driver.set_control(Control { id, value: Value::Integer(value) }) {
                let camera = self.path.display();
                tracing::warn!(
                    "camera {camera}: its {name} cannot be locked ({error}); if pictures pulse, light the screen evenly"
                );
            }
        }
    }
}

/// Asks for a format; what the driver makes of it.
fn set(
    device: &moq_v4l::Device,
    encoding: Encoding,
    (width, height): (u32, u32),
    fps: f64,
) -> Result<Offer, CameraError> {
    let format = device.set_format(&Format::new(width, height, FourCC::new(&encoding.code())))?;
    if Encoding::of(format.fourcc.repr) != Some(encoding) {
        return Err(CameraError::Refused(format!("it gives {} instead", format.fourcc)));
    }
    let interval = Fraction::new(1_000, (fps * 1_000.0).round() as u32);
    // A driver that cannot choose has a rate of its own.
    let interval = device.set_params(&Parameters::new(interval)).map_or(interval, |given| given.interval);
    let fps = f64::from(interval.denominator) / f64::from(interval.numerator.max(1));
    Ok(Offer { encoding, size: (format.width, format.height), stride: format.stride as usize, fps })
}

impl Source for Device {
    fn next(&mut self) -> Result<Picture, CameraError> {
        self.frames = self.frames.saturating_add(1);
        if self.locks && self.frames == SETTLED {
            self.lock();
        }
        loop {
            let (bytes, about) = self.stream.next()?;
            // A frame that was damaged on the way is followed by a better one.
            if about.flags.contains(Flags::ERROR) {
                continue;
            }
            let used = bytes.get(..about.bytesused as usize).unwrap_or(bytes);
            match self.offer.decode(used) {
                Ok(picture) => return Ok(picture),
                // The first frame of many cameras is torn.
                Err(error) if self.frames == 1 => tracing::debug!("{error}"),
                Err(error) => return Err(error),
            }
        }
    }
}
