//! The LEGO arm with its line: connects when need be, finds its place after a fault, watches its battery.

use devices::hub::{Arm, ArmError, ColorReading, HubError, Order, Outcome, Transport};
use engine::{Clock, Fault};
use players::connect_four::scan;

use super::arm_settings;
use super::settings::{ColorsWord, LegoSettings};
use crate::error::RunError;

/// There is one arm: eye and hand share it.
#[derive(Debug)]
pub(super) struct Robot<T: Transport, C: Clock> {
    pub(super) arm: Arm<T, C>,
    pub(super) clock: C,
    pub(super) is_connected: bool,
    /// Its place is not known: the stop must be found before anything else.
    is_lost: bool,
    low_battery: u8,
    battery_warned: bool,
    pub(super) orders: Vec<Order>,
    /// The last push was blocked.
    pub(super) was_blocked: bool,
}

impl<T: Transport, C: Clock> Robot<T, C> {
    /// A robot that is not connected yet.
    pub(super) fn new(transport: T, clock: &C, settings: &LegoSettings) -> Result<Self, RunError> {
        Ok(Self {
            arm: Arm::new(transport, clock.clone(), arm_settings(settings)?),
            clock: clock.clone(),
            is_connected: false,
            is_lost: true,
            low_battery: settings.low_battery_percent as u8,
            battery_warned: false,
            orders: Vec::new(),
            was_blocked: false,
        })
    }

    /// Connects if need be, and finds the stop if the robot's place is not known.
    pub(super) fn make_ready(&mut self) -> Result<(), Fault> {
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

    pub(super) fn carry_out(&mut self, order: Order) -> Result<Outcome, Fault> {
        self.make_ready()?;
        self.arm.carry_out(order).map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&mut self, error: &ArmError) -> Fault {
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

    /// Stops, leaves the board to the right and gives the hub back, as far as that is possible.
    pub(super) fn park(&mut self) {
        if !std::mem::take(&mut self.is_connected) {
            return;
        }
        let parked =
            [Order::Stop, Order::Home].into_iter().try_for_each(|order| self.arm.carry_out(order).map(drop));
        // A blocked arm is no reason to leave its program running.
        if let Err(error) = parked.and(self.arm.disconnect()) {
            tracing::warn!(%error, "the arm could not be parked");
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

/// However a run ends, by its last game or by Ctrl-C in the middle of a turn: the arm does not stay in front of the board.
impl<T: Transport, C: Clock> Drop for Robot<T, C> {
    fn drop(&mut self) {
        // Time may stand still while a simulation breaks.
        if !std::thread::panicking() {
            self.park();
        }
    }
}

/// Light of 0 to 1023 as a pixel.
pub(super) fn to_pixel(light: u16) -> u8 {
    (light.min(1023) / 4) as u8
}

pub(super) fn light_of(reading: ColorReading, colors: ColorsWord) -> [u8; 3] {
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
