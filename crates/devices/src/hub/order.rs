//! What the program on the hub can be told, and what it answers: the codes of `hub/remote_body.py`.

use serde::{Deserialize, Serialize};

/// What the hub's program and this driver must agree on; it is told in the program's first words.
pub const PROTOCOL: u8 = 1;
/// Lights of the hub's matrix.
pub const LIGHTS: usize = 25;

/// One order to the robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// Set a number of the geometry; see [`Geometry`].
    Set {
        /// Which number.
        key: u8,
        /// Its value.
        value: i16,
    },
    /// Lower the sensor, leave to the right and find the stop there: the zero of all columns.
    Home,
    /// Drive to a column, counted from the near side.
    Drive {
        /// Which one.
        column: u8,
    },
    /// Raise the sensor to a row, counted from the bottom.
    Raise {
        /// Which one.
        row: u8,
    },
    /// Read the colour in front of the sensor.
    Read,
    /// Drive, raise and read in one go, both motors at once.
    Look {
        /// Which column.
        column: u8,
        /// Which row.
        row: u8,
    },
    /// Push one disc out of the magazine.
    Drop,
    /// Ask the force sensor.
    Force,
    /// Make a sound and wait for its end.
    Beep {
        /// How high.
        hertz: u16,
        /// How long.
        milliseconds: u16,
    },
    /// Show a picture on the light matrix, top row first, 0 to 100.
    Show {
        /// The lights.
        lights: [u8; LIGHTS],
    },
    /// Stop all motors at once, whatever else is being done.
    Stop,
}

impl Order {
    /// Its code and arguments.
    pub fn to_code(self) -> (u8, Vec<u8>) {
        match self {
            Self::Set { key, value } => (1, [[key].as_slice(), &value.to_le_bytes()].concat()),
            Self::Home => (2, vec![]),
            Self::Drive { column } => (3, vec![column]),
            Self::Raise { row } => (4, vec![row]),
            Self::Read => (5, vec![]),
            Self::Look { column, row } => (6, vec![column, row]),
            Self::Drop => (7, vec![]),
            Self::Force => (8, vec![]),
            Self::Beep { hertz, milliseconds } => {
                (9, [hertz.to_le_bytes(), milliseconds.to_le_bytes()].concat())
            }
            Self::Show { lights } => (10, lights.to_vec()),
            Self::Stop => (11, vec![]),
        }
    }

    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Set { .. } => "set",
            Self::Home => "home",
            Self::Drive { .. } => "drive",
            Self::Raise { .. } => "raise",
            Self::Read => "read",
            Self::Look { .. } => "look",
            Self::Drop => "drop",
            Self::Force => "force",
            Self::Beep { .. } => "beep",
            Self::Show { .. } => "show",
            Self::Stop => "stop",
        }
    }
}

/// What came of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was done.
    Done,
    /// The colour in front of the sensor.
    Color(ColorReading),
    /// The force on the sensor.
    Force {
        /// Tenths of a newton, 0 to 100.
        decinewtons: u8,
    },
    /// The stop was found.
    Home {
        /// Where the wheels thought it was, in degrees: what they had slipped.
        slip_degrees: i16,
    },
}

/// What the colour sensor says about one spot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColorReading {
    /// The sensor's own name for it, −1 for none.
    pub color: i8,
    /// Red, green, blue and all light, 0 to 1023.
    pub rgbi: [u16; 4],
}

impl Outcome {
    /// Reads the values that belong to an order; `None` if they do not.
    pub fn from_values(order: Order, values: &[u8]) -> Option<Self> {
        match (order, values) {
            (Order::Read | Order::Look { .. }, [color, light @ ..]) => {
                let (pairs, []) = light.as_chunks::<2>() else { return None };
                let rgbi: [[u8; 2]; 4] = pairs.try_into().ok()?;
                Some(Self::Color(ColorReading {
                    color: color.cast_signed(),
                    rgbi: rgbi.map(u16::from_le_bytes),
                }))
            }
            (Order::Force, [decinewtons]) => Some(Self::Force { decinewtons: *decinewtons }),
            (Order::Home, [low, high]) => {
                Some(Self::Home { slip_degrees: i16::from_le_bytes([*low, *high]) })
            }
            (
                Order::Set { .. }
                | Order::Drive { .. }
                | Order::Raise { .. }
                | Order::Drop
                | Order::Beep { .. }
                | Order::Show { .. }
                | Order::Stop,
                [],
            ) => Some(Self::Done),
            _ => None,
        }
    }
}

/// Where things are plugged in and how far they turn (L2). The defaults are those of the robot in the study
/// "Realisierung eines Vier-Gewinnt-Roboters" (DHBW Ravensburg, 2025).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Geometry {
    /// Socket of the motor that drives along the board, 0 for A.
    pub drive_port: u8,
    /// Socket of the motor that raises the sensor.
    pub lift_port: u8,
    /// Socket of the motor that pushes discs.
    pub push_port: u8,
    /// Socket of the colour sensor.
    pub color_port: u8,
    /// Socket of the force sensor.
    pub force_port: u8,
    /// From the stop on the right to the near column.
    pub approach_degrees: i16,
    /// From one column to the next.
    pub column_degrees: i16,
    /// From one row to the next.
    pub row_degrees: i16,
    /// One disc.
    pub push_degrees: i16,
    /// Speeds in degrees a second.
    pub drive_speed: i16,
    /// Speed of the sensor's motor.
    pub lift_speed: i16,
    /// Speed of the pushing motor.
    pub push_speed: i16,
    /// Rest between a movement and a reading.
    pub settle_ms: i16,
    /// Motors stop when the computer is silent for this long.
    pub watchdog_ms: i16,
    /// How long a disc falls.
    pub fall_ms: i16,
}

impl Default for Geometry {
    fn default() -> Self {
        Self {
            drive_port: 3,
            lift_port: 4,
            push_port: 0,
            color_port: 1,
            force_port: 2,
            approach_degrees: 198,
            column_degrees: 73,
            row_degrees: 97,
            push_degrees: -360,
            drive_speed: 230,
            lift_speed: 600,
            push_speed: 500,
            settle_ms: 150,
            watchdog_ms: 3000,
            fall_ms: 1000,
        }
    }
}

impl Geometry {
    /// The orders that tell the hub, in the order of the fields.
    pub fn orders(&self) -> impl Iterator<Item = Order> + use<> {
        let values = [
            self.drive_port.into(),
            self.lift_port.into(),
            self.push_port.into(),
            self.color_port.into(),
            self.force_port.into(),
            self.approach_degrees,
            self.column_degrees,
            self.row_degrees,
            self.push_degrees,
            self.drive_speed,
            self.lift_speed,
            self.push_speed,
            self.settle_ms,
            self.watchdog_ms,
            self.fall_ms,
        ];
        values.into_iter().zip(0..).map(|(value, key)| Order::Set { key, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_belong_to_their_order() {
        let color = Outcome::from_values(Order::Read, &[255, 1, 2, 3, 0, 255, 3, 9, 0]);
        assert_eq!(color, Some(Outcome::Color(ColorReading { color: -1, rgbi: [513, 3, 1023, 9] })));
        assert_eq!(Outcome::from_values(Order::Read, &[]), None);
        assert_eq!(Outcome::from_values(Order::Read, &[1, 2]), None);
        assert_eq!(Outcome::from_values(Order::Drop, &[]), Some(Outcome::Done));
        assert_eq!(Outcome::from_values(Order::Drop, &[1]), None);
        assert_eq!(
            Outcome::from_values(Order::Home, &[0xfe, 0xff]),
            Some(Outcome::Home { slip_degrees: -2 })
        );
    }

    #[test]
    fn geometry_is_told_in_the_order_of_its_fields() {
        let orders: Vec<_> = Geometry::default().orders().collect();
        assert_eq!(orders[6], Order::Set { key: 6, value: 73 });
        assert_eq!(Order::Set { key: 8, value: -360 }.to_code(), (1, vec![8, 0x98, 0xfe]));
    }
}
