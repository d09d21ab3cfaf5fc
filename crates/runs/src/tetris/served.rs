//! The simulated robot without its player: a console, its fingers behind a Brick Daemon on TCP, its camera as an HTTP
//! stream, all in real time on this machine. Whatever drives a real robot can drive it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use configuration::Values;
use engine::{Cancel, Eye, Focus, RealClock};
use simulators::brickd::Server as BrickDaemon;
use simulators::camera::{Camera, stream};
use simulators::console::{Fingers, filmed};
use tokio::runtime::{Builder, Runtime};

use super::console;
use super::solenoids::rig;
use crate::error::RunError;
use crate::eyes::{RobotCameraSettings, SimulatedCameraSettings};
use crate::hands::settings::RelaySettings;
use crate::pair::Setup;

/// Quality of pictures where the settings ask for raw ones: an HTTP stream has none.
const QUALITY: u8 = 90;
const LOOPBACK: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 0);

/// A rig that runs until it is dropped.
#[derive(Debug)]
pub struct ServedRig {
    daemon: BrickDaemon,
    camera: SocketAddr,
    /// How old a frame is when it is sent, and how much that varies.
    latency: engine::Latency,
    cancel: Cancel,
    filming: Option<JoinHandle<()>>,
    /// Carries the daemon; dropped last.
    _runtime: Runtime,
}

impl ServedRig {
    /// Switches everything on, at free ports of this machine.
    pub fn start(setup: &Setup<'_>) -> Result<ServedRig, RunError> {
        let broken = |what: &str, error: std::io::Error| RunError::Broken(format!("{what}: {error}"));
        let cancel = Cancel::new();
        let clock = RealClock::start(cancel.clone());
        let told = Arc::new(Mutex::new(Vec::new()));
        let tell = {
            let told = Arc::clone(&told);
            move |edge| told.lock().unwrap_or_else(PoisonError::into_inner).push(edge)
        };
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(|error| broken("the simulated daemon", error))?;
        let daemon = runtime
            .block_on(BrickDaemon::start(LOOPBACK, rig(setup)?, clock.clone(), tell))
            .map_err(|error| broken("the simulated daemon", error))?;
        let pictures =
            stream::Server::start(LOOPBACK).map_err(|error| broken("the simulated camera", error))?;
        let settings = SimulatedCameraSettings::from_values(setup.values);
        let quality = u8::try_from(settings.quality).ok().filter(|quality| *quality > 0).unwrap_or(QUALITY);
        // The stream compresses; the sensor need not as well.
        let sensor = simulators::camera::Settings { quality: None, ..settings.to_camera() };
        let size = (sensor.width, sensor.height);
        let mut eye = filmed(
            console(setup.values)?,
            Fingers::Told(told),
            &clock,
            settings.to_film(setup.seed),
            Camera::new(sensor, setup.seed),
        )
        .obeying(setup.switches());
        let (latency, camera) = (eye.pace().latency, pictures.address());
        let stop = cancel.clone();
        let film = move || {
            while !stop.is_cancelled() {
                // A camera that drops out shows nothing.
                let Ok(frame) = eye.look(&Focus::Everything) else { continue };
                if let Err(error) = pictures.show(&frame.picture.pixels, size, quality) {
                    tracing::warn!(%error, "a frame could not be compressed");
                }
            }
        };
        let filming = Some(std::thread::spawn(film));
        Ok(ServedRig { daemon, camera, latency, cancel, filming, _runtime: runtime })
    }

    /// Where its Brick Daemon listens.
    pub fn daemon(&self) -> SocketAddr {
        self.daemon.address()
    }

    /// Where its camera's pictures are.
    pub fn camera(&self) -> SocketAddr {
        self.camera
    }

    /// Points the settings of a robot at this rig.
    pub fn connect(&self, values: &mut Values) -> Result<(), RunError> {
        let size = SimulatedCameraSettings::from_values(values);
        values.update(|relays: &mut RelaySettings| {
            relays.host = self.daemon().ip().to_string();
            relays.port = u32::from(self.daemon().port());
        })?;
        values.update(|camera: &mut RobotCameraSettings| {
            camera.address = format!("http://{}/", self.camera);
            (camera.width, camera.height, camera.fps) = (size.width, size.height, size.fps);
            camera.latency_ms = self.latency.typical.as_millis() as u32 + 1;
            camera.latency_spread_ms = self.latency.spread.as_millis() as u32 + 1;
        })?;
        Ok(())
    }
}

impl Drop for ServedRig {
    fn drop(&mut self) {
        self.cancel.cancel();
        if let Some(filming) = self.filming.take() {
            // A thread that broke has said why.
            let _ = filming.join();
        }
    }
}
