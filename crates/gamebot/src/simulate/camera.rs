//! `gamebot simulate camera`: a camera that looks at a simulated console, as an HTTP stream.

use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use clap::Args;
use engine::{Clock, RealClock, Time};
use gameboy::display::period_start;
use gameboy::{Console, Emulator, stackfall};
use simulators::camera::stream::Server;
use simulators::camera::{Camera, Lighting, Mount, Sensor, Settings};
use tetris::gameboy::Buttons;

use crate::ending::{Ending, UsageError};
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  gamebot simulate camera                          a camera on a free port of this machine
  gamebot simulate camera --listen 127.0.0.1:8090 --tilt 25 --upside-down
                                                   aslant and upside down
  ffplay http://127.0.0.1:8090/                    look at it
  gamebot calibrate --camera http://127.0.0.1:8090/
                                                   find the screen in it";

/// Simulate a camera that looks at a console with our cartridge, as a stream of JPEG pictures over HTTP.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct SimulateCamera {
    /// Address and port to listen at; port 0 takes a free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0")]
    listen: SocketAddr,

    /// How far the screen is tilted away from the camera, in degrees.
    #[arg(long, default_value_t = 12.0, value_name = "DEGREES")]
    tilt: f64,

    /// Direction of the tilt, in degrees.
    #[arg(long, default_value_t = 0.0, value_name = "DEGREES")]
    direction: f64,

    /// The camera stands on its head.
    #[arg(long)]
    upside_down: bool,

    /// Noise of the sensor in grey levels.
    #[arg(long, default_value_t = 4.0)]
    noise: f32,

    /// Number of reflections on the screen.
    #[arg(long, default_value_t = 0)]
    reflections: usize,

    /// Quality of the JPEG pictures, 1 to 100.
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(u8).range(1..=100))]
    quality: u8,

    /// Stop after this many frames.
    #[arg(long, value_name = "N")]
    frames: Option<u64>,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs the verb.
pub fn run(simulate: &SimulateCamera, out: &mut Output) -> anyhow::Result<Ending> {
    let mount = Mount {
        tilt_degrees: simulate.tilt,
        direction_degrees: simulate.direction,
        upside_down: simulate.upside_down,
        ..Mount::default()
    };
    if !mount.is_in_view((640, 480), 1.0) || !(0.0..=60.0).contains(&simulate.tilt) {
        return Err(
            UsageError("the screen is not in view with this tilt; 0 to 35 degrees work".to_owned()).into()
        );
    }
    let settings = Settings {
        mount,
        lighting: Lighting { reflections: simulate.reflections, ..Lighting::default() },
        sensor: Sensor { noise: simulate.noise, ..Sensor::default() },
        ..Settings::default()
    };
    let server = Server::start(simulate.listen)
        .map_err(|error| UsageError(format!("cannot listen at {}: {error}", simulate.listen)))?;
    writeln!(out, "http://{}/", server.address())?;
    out.flush()?;

    let cancel = crate::interrupt::on_interrupt()?;
    let clock = RealClock::start(cancel.clone());
    let mut camera = Camera::new(settings, simulate.seed);
    let mut console = Emulator::new(&stackfall::cartridge())?;
    let (mut period, mut frame) = (0, 0);
    while simulate.frames.is_none_or(|frames| frame < frames) {
        let due = camera.taken(frame);
        clock.sleep_until(Time::START + due);
        if cancel.is_cancelled() {
            return Ok(Ending::Interrupted);
        }
        while period_start(period) <= due {
            console.step(held(period))?;
            camera.show(period_start(period), &console.screen().shades);
            period += 1;
        }
        server.show(camera.capture(due), (640, 480), simulate.quality)?;
        frame += 1;
        // After the machine was suspended, go on from now.
        if clock.now().since(Time::START) > due + Duration::from_secs(5) {
            tracing::warn!("this machine is too slow for {} frames a second", 30);
        }
    }
    Ok(Ending::Success)
}

/// Walks the menus into a game, lets pieces fall here and there, and starts again when it is over.
fn held(period: u64) -> Buttons {
    match (period % 120, period / 120 % 5) {
        (0..3, _) if period % 960 < 600 => Buttons::START,
        (20..40, 1) => Buttons::LEFT,
        (20..40, 3) => Buttons::RIGHT,
        (50..53, _) => Buttons::A,
        (70..110, _) => Buttons::DOWN,
        _ => Buttons::NONE,
    }
}
