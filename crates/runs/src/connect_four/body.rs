//! Eye and hand on the LEGO arm: a look drives the sensor to cells, an action is an order to the hub.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use devices::hub::{ArmError, Failure, LIGHTS, Order, Outcome, Transport};
use engine::{Body, Clock, Eye, Fault, Focus, Frame, Hand, Mapping, Progress, Time};
use players::connect_four::LegoAction;
use players::connect_four::scan;

use super::robot::{Robot, light_of};
use super::settings::{ColorsWord, LegoSettings};
use super::signs;
use crate::error::RunError;

/// Time between two looks at the start sensor alone.
const SENSOR_PACE: Duration = Duration::from_millis(150);

/// The colour sensor and the start sensor.
#[derive(Debug)]
struct LegoEye<T: Transport, C: Clock> {
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
        if robot.was_blocked {
            scan::put(&mut self.frame.picture, scan::PUSH, scan::WHITE);
        }
        self.frame.captured = robot.clock.now();
        self.frame.sequence = self.looks;
        self.looks += 1;
        Ok(&self.frame)
    }
}

/// Driving, pushing, sounds and lights.
#[derive(Debug)]
struct LegoHand<T: Transport, C: Clock> {
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
        robot.was_blocked &= !matches!(action, LegoAction::Drop { .. });
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
                robot.was_blocked = true;
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
        LegoAction::Call(help) => signs::call(*help),
        LegoAction::Announce(end) => signs::announcement(*end),
    }
}

/// Eye and hand on the arm behind this line.
pub fn lego_body<T: Transport, C: Clock>(
    transport: T,
    clock: &C,
    settings: &LegoSettings,
) -> Result<Body<impl Eye + use<T, C>, impl Hand<Action = LegoAction> + use<T, C>>, RunError> {
    let robot = Rc::new(RefCell::new(Robot::new(transport, clock, settings)?));
    let frame = Frame::blank(scan::WIDTH, scan::HEIGHT, engine::PixelFormat::Rgb8);
    let eye = LegoEye { robot: Rc::clone(&robot), colors: settings.colors, frame, looks: 0 };
    Ok(Body { eye, hand: LegoHand { robot } })
}
