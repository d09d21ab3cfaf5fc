//! What batteries, motors and sensors report, packed one after the other in one message.

use super::message::MessageError;

/// One of the hub's six sockets, A to F.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port(pub u8);

impl std::fmt::Display for Port {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            index @ 0..6 => write!(f, "{}", char::from(b'A' + index)),
            other => write!(f, "#{other}"),
        }
    }
}

/// What one device says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is named after what it holds, with its unit")]
pub enum Reading {
    /// The hub's battery.
    Battery { percent: u8 },
    /// The hub's own motion: faces, then angles, accelerations and turning rates.
    Motion { face_up: u8, yaw_face: u8, values: [i16; 9] },
    /// The hub's lights.
    Lights { intensity: [u8; 25] },
    /// A motor.
    Motor { port: Port, kind: u8, absolute_degrees: i16, power: i16, speed_percent: i8, degrees: i32 },
    /// A force sensor.
    Force { port: Port, percent: u8, pressed: bool },
    /// A colour sensor; colour −1 for none it knows.
    Color { port: Port, color: i8, rgb: [u16; 3] },
    /// A distance sensor; −1 for nothing in reach.
    Distance { port: Port, millimetres: i16 },
    /// A light matrix of its own.
    Matrix { port: Port, pixels: [u8; 9] },
}

/// All readings of a report, or the first one that cannot be read.
pub(super) fn from_bytes(mut bytes: &[u8]) -> Result<Vec<Reading>, MessageError> {
    let mut readings = Vec::new();
    while let Some(&kind) = bytes.first() {
        let size = size(kind).ok_or(MessageError::Device(kind))?;
        let (fields, rest) = bytes.split_at_checked(size).ok_or(MessageError::Short { kind: 0x3c })?;
        readings.push(reading(kind, fields).ok_or(MessageError::Device(kind))?);
        bytes = rest;
    }
    Ok(readings)
}

/// Bytes of a reading, its kind included.
const fn size(kind: u8) -> Option<usize> {
    Some(match kind {
        0 => 2,
        1 => 21,
        2 => 26,
        10 => 12,
        11 => 4,
        12 => 9,
        13 => 4,
        14 => 11,
        _ => return None,
    })
}

fn reading(kind: u8, fields: &[u8]) -> Option<Reading> {
    let u16_at = |at: usize| Some(u16::from_le_bytes(*fields.get(at..)?.first_chunk()?));
    let i16_at = |at: usize| u16_at(at).map(u16::cast_signed);
    let port = Port(*fields.get(1)?);
    Some(match kind {
        0 => Reading::Battery { percent: fields[1] },
        1 => {
            let mut values = [0; 9];
            for (index, value) in values.iter_mut().enumerate() {
                *value = i16_at(3 + 2 * index)?;
            }
            Reading::Motion { face_up: fields[1], yaw_face: fields[2], values }
        }
        2 => Reading::Lights { intensity: *fields[1..].first_chunk()? },
        10 => Reading::Motor {
            port,
            kind: fields[2],
            absolute_degrees: i16_at(3)?,
            power: i16_at(5)?,
            speed_percent: fields[7].cast_signed(),
            degrees: i32::from_le_bytes(*fields[8..].first_chunk()?),
        },
        11 => Reading::Force { port, percent: fields[2], pressed: fields[3] != 0 },
        12 => {
            Reading::Color { port, color: fields[2].cast_signed(), rgb: [u16_at(3)?, u16_at(5)?, u16_at(7)?] }
        }
        13 => Reading::Distance { port, millimetres: i16_at(2)? },
        14 => Reading::Matrix { port, pixels: *fields[2..].first_chunk()? },
        _ => return None,
    })
}

pub(super) fn to_bytes(readings: &[Reading]) -> Vec<u8> {
    let mut out = Vec::new();
    for reading in readings {
        match *reading {
            Reading::Battery { percent } => out.extend([0, percent]),
            Reading::Motion { face_up, yaw_face, values } => {
                out.extend([1, face_up, yaw_face]);
                out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
            }
            Reading::Lights { intensity } => {
                out.push(2);
                out.extend(intensity);
            }
            Reading::Motor { port, kind, absolute_degrees, power, speed_percent, degrees } => {
                out.extend([10, port.0, kind]);
                out.extend(absolute_degrees.to_le_bytes());
                out.extend(power.to_le_bytes());
                out.extend(speed_percent.to_le_bytes());
                out.extend(degrees.to_le_bytes());
            }
            Reading::Force { port, percent, pressed } => out.extend([11, port.0, percent, pressed.into()]),
            Reading::Color { port, color, rgb } => {
                out.extend([12, port.0, color.cast_unsigned()]);
                out.extend(rgb.iter().flat_map(|value| value.to_le_bytes()));
            }
            Reading::Distance { port, millimetres } => {
                out.extend([13, port.0]);
                out.extend(millimetres.to_le_bytes());
            }
            Reading::Matrix { port, pixels } => {
                out.extend([14, port.0]);
                out.extend(pixels);
            }
        }
    }
    out
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    fn port() -> impl Strategy<Value = Port> {
        (0u8..6).prop_map(Port)
    }

    pub(in crate::hub) fn reading() -> impl Strategy<Value = Reading> {
        prop_oneof![
            (0u8..=100).prop_map(|percent| Reading::Battery { percent }),
            (any::<u8>(), any::<u8>(), any::<[i16; 9]>())
                .prop_map(|(face_up, yaw_face, values)| Reading::Motion { face_up, yaw_face, values }),
            prop::array::uniform25(0u8..=100).prop_map(|intensity| Reading::Lights { intensity }),
            (port(), any::<u8>(), any::<i16>(), any::<i16>(), any::<i8>(), any::<i32>()).prop_map(
                |(port, kind, absolute_degrees, power, speed_percent, degrees)| Reading::Motor {
                    port,
                    kind,
                    absolute_degrees,
                    power,
                    speed_percent,
                    degrees
                }
            ),
            (port(), 0u8..=100, any::<bool>()).prop_map(|(port, percent, pressed)| Reading::Force {
                port,
                percent,
                pressed
            }),
            (port(), -1i8..=10, any::<[u16; 3]>()).prop_map(|(port, color, rgb)| Reading::Color {
                port,
                color,
                rgb
            }),
            (port(), any::<i16>()).prop_map(|(port, millimetres)| Reading::Distance { port, millimetres }),
            (port(), any::<[u8; 9]>()).prop_map(|(port, pixels)| Reading::Matrix { port, pixels }),
        ]
    }

    /// The layouts of LEGO's documentation, as Python's `struct` packs them.
    #[test]
    fn known_readings() {
        let bytes = b"\x00\x55\x0a\x03\x30\xa6\xff\x10\x27\x9c\x2a\x00\x00\x00\x0b\x02\x1e\x01\x0c\x01\xff\x01\x02\x03\x04\xff\x03";
        assert_eq!(
            from_bytes(bytes).unwrap(),
            [
                Reading::Battery { percent: 85 },
                Reading::Motor {
                    port: Port(3),
                    kind: 0x30,
                    absolute_degrees: -90,
                    power: 10_000,
                    speed_percent: -100,
                    degrees: 42
                },
                Reading::Force { port: Port(2), percent: 30, pressed: true },
                Reading::Color { port: Port(1), color: -1, rgb: [0x0201, 0x0403, 0x03ff] },
            ]
        );
        assert_eq!(Port(3).to_string(), "D");
    }
}
