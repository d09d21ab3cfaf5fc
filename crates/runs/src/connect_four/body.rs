//! Eye and hand on the LEGO arm: a look drives the sensor to cells, an action is an order to the hub.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use devices::hub::{Arm, ArmError, ColorReading, Failure, HubError, LIGHTS, Order, Outcome, Transport};
use engine::{Body, Clock, Eye, Fault, Focus, Frame, Hand, Mapping, Progress, Time};
use players::connect_four::scan;
use players::connect_four::{GameEnd, Help, LegoAction};

use super::arm_settings;
use crate::error::RunError;
use crate::settings::{ColorsWord, LegoSettings};

/// Time between two looks at the start sensor alone.
const SENSOR_PACE: Duration = Duration::from_millis(150);
/// Sounds in hertz: a call is higher than everything else.
const CALL: u16 = 2000;
const WIN: u16 = 880;
const DRAW: u16 = 440;
const LOSS: u16 = 220;
/// How long a sound is.
const SOUND_MS: u16 = 800;

/// Shared by eye and hand: there is one arm.
#[derive(Debug)]
struct Robot<T, C> {
    arm: Arm<T, C>,
    clock: C,
    is_connected: bool,
    /// Its place is not known: the stop must be found before anything else.
    is_lost: bool,
    low_battery: u8,
    battery_warned: bool,
    orders: Vec<Order>,
}

impl<T: Transport, C: Clock> Robot<T, C> {
    /// Connects if need be, and finds the stop if the robot's place is not known.
    fn make_ready(&mut self) -> Result<(), Fault> {
        if !self.is_connected {
            self.arm.connect().map_err(|error| self.failed(&error))?;
            self.is_connected = true;
            self.is_lost = true;
            tracing::info!(battery = self.arm.battery(), "the hub is ready");
        }
        if self.is_lost {
            self.arm.carry_out(Order::Home).map_err(|error| self.failed(&error))?;
            self.is_lost = false;
        }
        self.watch_battery();
        Ok(())
    }

    fn carry_out(&mut self, order: Order) -> Result<Outcome, Fault> {
        self.make_ready()?;
        self.arm.carry_out(order).map_err(|error| self.failed(&error))
    }

    fn failed(&mut self, error: &ArmError) -> Fault {
        self.is_lost = true;
        self.orders.clear();
        if error.is_lost() {
            self.is_connected = false;
        }
        match error {
            ArmError::Hub(HubError::Silent { after, .. }) => {
                Fault::Silent { part: "hub".to_owned(), after: *after }
            }
            ArmError::Failed { .. } => Fault::Stalled { part: "arm".to_owned(), why: error.to_string() },
            ArmError::Hub(_) | ArmError::ProgramEnded { .. } | ArmError::OtherProtocol(_) => {
                Fault::Lost { part: "hub".to_owned(), why: error.to_string() }
            }
        }
    }

    fn watch_battery(&mut self) {
        let is_low = self.arm.battery().is_some_and(|percent| percent < self.low_battery);
        if is_low && !self.battery_warned {
            tracing::warn!(percent = self.arm.battery(), "the hub's battery is low: please charge it");
        }
        self.battery_warned = is_low;
    }
}

/// The colour sensor and the start sensor.
#[derive(Debug)]
struct LegoEye<T, C> {
    robot: Rc<RefCell<Robot<T, C>>>,
    colors: ColorsWord,
    frame: Frame,
    looks: u64,
}

impl<T: Transport, C: Clock> Eye for LegoEye<T, C> {
    fn look(&mut self, focus: &Focus) -> Result<&Frame, Fault> {
        let mut robot = self.robot.borrow_mut();
        self.frame.picture = scan::blank();
        let everything: Vec<(u32, u32)>;
        let cells = match focus {
            Focus::Cells(cells) => cells,
            Focus::Everything | Focus::Region(_) => {
                everything = (0..scan::WIDTH)
                    .flat_map(|x| (0..scan::SENSORS).rev().map(move |y| (x, y)))
                    .chain([(0, scan::SENSORS)])
                    .collect();
                &everything
            }
        };
        for &pixel in cells {
            let light = if let Some((column, row)) = scan::cell_at(pixel) {
                match robot.carry_out(Order::Look { column: column as u8, row: row as u8 })? {
                    Outcome::Color(reading) => light_of(reading, self.colors),
                    Outcome::Done | Outcome::Force { .. } | Outcome::Home { .. } => continue,
                }
            } else {
                let next = robot.clock.now() + SENSOR_PACE;
                let Outcome::Force { decinewtons } = robot.carry_out(Order::Force)? else { continue };
                if cells.len() == 1 {
                    robot.clock.sleep_until(next);
                }
                [(u16::from(decinewtons.min(100)) * 255 / 100) as u8; 3]
            };
            scan::put(&mut self.frame.picture, pixel, light);
        }
        self.frame.captured = robot.clock.now();
        self.frame.sequence = self.looks;
        self.looks += 1;
        Ok(&self.frame)
    }
}

/// Light of 0 to 1023 as a pixel.
pub(super) fn to_pixel(light: u16) -> u8 {
    (light.min(1023) / 4) as u8
}

fn light_of(reading: ColorReading, colors: ColorsWord) -> [u8; 3] {
    let [red, green, blue, _] = reading.rgbi;
    match colors {
        ColorsWord::Light => [red, green, blue].map(to_pixel),
        // As the study did: the light that a disc of that name would show.
        ColorsWord::Names => {
            let calibration = scan::Calibration::default();
            match reading.color {
                9 | 2 | 1 => calibration.red,
                7 | 10 | 6 => calibration.yellow,
                _ => calibration.empty,
            }
        }
    }
}

/// Driving, pushing, sounds and lights.
#[derive(Debug)]
struct LegoHand<T, C> {
    robot: Rc<RefCell<Robot<T, C>>>,
}

impl<T: Transport, C: Clock> Hand for LegoHand<T, C> {
    type Action = LegoAction;

    /// Gives the first order; `wait` gives the others as they end.
    fn begin(&mut self, action: &LegoAction, _mapping: &Mapping) -> Result<(), Fault> {
        let mut robot = self.robot.borrow_mut();
        robot.make_ready()?;
        if let LegoAction::Call(help) = action {
            tracing::warn!("{help}");
        }
        robot.orders = orders(action);
        robot.orders.reverse();
        match robot.orders.pop() {
            Some(first) => robot.arm.begin(first).map_err(|error| robot.failed(&error)),
            None => Ok(()),
        }
    }

    fn wait(&mut self, _action: &LegoAction, until: Time) -> Result<Progress, Fault> {
        let mut robot = self.robot.borrow_mut();
        let ended = match robot.arm.poll(until) {
            // The arm is where it was, only the disc is not: the next look tells, and it is pushed again.
            Err(ArmError::Failed { order: "drop", failure: Failure::Stalled }) => {
                tracing::warn!("the push was blocked");
                return Ok(Progress::Done);
            }
            ended => ended.map_err(|error| robot.failed(&error))?,
        };
        if ended.is_none() {
            return Ok(Progress::Underway);
        }
        match robot.orders.pop() {
            Some(next) => {
                robot.arm.begin(next).map_err(|error| robot.failed(&error))?;
                Ok(Progress::Underway)
            }
            None => Ok(Progress::Done),
        }
    }

    fn end(&mut self, _action: &LegoAction) -> Result<(), Fault> {
        Ok(())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        let mut robot = self.robot.borrow_mut();
        robot.orders.clear();
        if !robot.is_connected {
            return Ok(());
        }
        robot.arm.carry_out(Order::Stop).map_err(|error| robot.failed(&error))?;
        Ok(())
    }
}

/// The orders of an action, one after the other.
fn orders(action: &LegoAction) -> Vec<Order> {
    let beep = |hertz: u16| Order::Beep { hertz, milliseconds: SOUND_MS };
    match action {
        LegoAction::Drop { column } => vec![Order::Drive { column: *column as u8 }, Order::Drop],
        LegoAction::Leave => vec![Order::Home],
        LegoAction::Show { lights } => {
            let mut shown = [0; LIGHTS];
            for (place, light) in shown.iter_mut().zip(lights) {
                *place = *light;
            }
            vec![Order::Show { lights: shown }]
        }
        LegoAction::Call(help) => vec![Order::Show { lights: question(*help) }, beep(CALL)],
        LegoAction::Announce(end) => {
            let (hertz, lights) = match end {
                GameEnd::Win => (WIN, SMILE),
                GameEnd::Draw => (DRAW, LINE),
                GameEnd::Loss => (LOSS, FROWN),
            };
            vec![Order::Show { lights }, beep(hertz)]
        }
    }
}

/// A picture of five rows of five lights, top row first.
const fn picture(rows: [[u8; 5]; 5]) -> [u8; LIGHTS] {
    let mut lights = [0; LIGHTS];
    let mut index = 0;
    while index < LIGHTS {
        lights[index] = rows[index / 5][index % 5] * 100;
        index += 1;
    }
    lights
}

const SMILE: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 1], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]);
const FROWN: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 1, 1, 1, 0], [1, 0, 0, 0, 1], [0, 0, 0, 0, 0]]);
const LINE: [u8; LIGHTS] =
    picture([[0, 1, 0, 1, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]]);
const EXCLAMATION: [u8; LIGHTS] =
    picture([[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 1, 0, 0]]);
const ARROW: [u8; LIGHTS] =
    picture([[0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [1, 0, 1, 0, 1], [0, 1, 1, 1, 0], [0, 0, 1, 0, 0]]);

/// An arrow down for a disc that should fall, an exclamation mark for the board.
fn question(help: Help) -> [u8; LIGHTS] {
    match help {
        Help::DiscMissing { .. } => ARROW,
        Help::NoNewDisc | Help::WrongDisc { .. } | Help::BoardChanged { .. } => EXCLAMATION,
    }
}

/// Eye and hand on the arm behind this line.
pub fn lego_body<T: Transport, C: Clock>(
    transport: T,
    clock: &C,
    settings: &LegoSettings,
) -> Result<Body<impl Eye + use<T, C>, impl Hand<Action = LegoAction> + use<T, C>>, RunError> {
    let robot = Rc::new(RefCell::new(Robot {
        arm: Arm::new(transport, clock.clone(), arm_settings(settings)?),
        clock: clock.clone(),
        is_connected: false,
        is_lost: true,
        low_battery: settings.low_battery_percent as u8,
        battery_warned: false,
        orders: Vec::new(),
    }));
    let frame = Frame::blank(scan::WIDTH, scan::HEIGHT, engine::PixelFormat::Rgb8);
    let eye = LegoEye { robot: Rc::clone(&robot), colors: settings.colors, frame, looks: 0 };
    Ok(Body { eye, hand: LegoHand { robot } })
}
