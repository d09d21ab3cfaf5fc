//! Settings of engine, recording and games.

#![allow(
    clippy::struct_field_names,
    reason = "a setting's name ends with its unit, even if all of a section do"
)]

use std::time::Duration;

use configuration::{Section, choices, settings};
use engine::{Latency, Limits, Patience, RunSettings, Thinking, Verification};

use crate::eyes::{RobotCameraSettings, SimulatedCameraSettings};
use crate::gameboy::AgentSettings;
use crate::hands::settings::{RelaySettings, SimulatedFingersSettings};
use crate::samegame::settings::{SamegameSettings, SamegameWindowSettings};

/// Every section, in the order in which they are explained.
pub const SECTIONS: &[Section] = &[
    EngineSettings::SECTION,
    RecordingSettings::SECTION,
    CatchSettings::SECTION,
    TetrisSettings::SECTION,
    LegoSettings::SECTION,
    SimulatedLegoSettings::SECTION,
    AgentSettings::SECTION,
    RelaySettings::SECTION,
    SimulatedFingersSettings::SECTION,
    RobotCameraSettings::SECTION,
    SimulatedCameraSettings::SECTION,
    SamegameSettings::SECTION,
    SamegameWindowSettings::SECTION,
];

choices! {
    /// When a plan is checked.
    pub enum VerificationWord {
        /// After the whole plan.
        Optimistic = "optimistic",
        /// After every step.
        Pessimistic = "pessimistic",
    }
}

settings! {
    /// How the engine checks what it does and what it tries when that fails.
    pub struct EngineSettings in "engine" {
        /// When a plan is checked: after the whole plan (optimistic) or after every step (pessimistic).
        verification: VerificationWord = VerificationWord::Optimistic;
        /// How long a plan's effect may stay invisible before it counts as failed.
        visible_within_ms: u32 = 400, range 10..=60_000, unit "milliseconds";
        /// How often a failed plan is repeated before the player starts afresh.
        repeat_limit: u32 = 3, range 0..=100, unit "times";
        /// How many unclear screens in a row are simply looked at again.
        unclear_limit: u32 = 10, range 0..=10_000, unit "looks";
        /// How often the player starts afresh before the first pause.
        resynchronise_limit: u32 = 2, range 0..=100, unit "times";
        /// Length of the first pause; each further one is twice as long, up to 32 times.
        pause_ms: u32 = 500, range 0..=60_000, unit "milliseconds";
        /// How many pauses are made before the run is given up.
        pause_limit: u32 = 8, range 0..=1_000_000, unit "times";
    }
}

impl EngineSettings {
    /// As the engine takes them.
    pub fn to_engine(&self, thinking: Thinking, limits: Limits) -> RunSettings {
        RunSettings {
            verification: match self.verification {
                VerificationWord::Optimistic => Verification::Optimistic,
                VerificationWord::Pessimistic => Verification::Pessimistic,
            },
            visible_within: milliseconds(self.visible_within_ms),
            thinking,
            patience: Patience {
                repeats: self.repeat_limit,
                unclear_looks: self.unclear_limit,
                resynchronisations: self.resynchronise_limit,
                pauses: self.pause_limit,
                pause: milliseconds(self.pause_ms),
            },
            limits,
        }
    }
}

settings! {
    /// What a recording contains.
    pub struct RecordingSettings in "recording" {
        /// Whether the date and the measured times of this machine are recorded; without them equal runs give equal files.
        wall_clock: bool = true;
    }
}

settings! {
    /// Catch, the smallest game: how it is played and what goes wrong with its simulated body.
    pub struct CatchSettings in "catch" {
        /// Balls a game.
        balls: u32 = 20, range 1..=1_000_000, unit "balls";
        /// Time in which a ball falls one row.
        fall_ms: u32 = 250, range 20..=10_000, unit "milliseconds";
        /// How long a button is held.
        press_ms: u32 = 35, range 1..=1_000, unit "milliseconds";
        /// How long it is left alone afterwards.
        pause_ms: u32 = 40, range 0..=1_000, unit "milliseconds";
        /// Time from a command to its effect.
        hand_latency_ms: u32 = 0, range 0..=1_000, unit "milliseconds";
        /// The most that time deviates, either way.
        hand_latency_spread_ms: u32 = 0, range 0..=1_000, unit "milliseconds";
        /// Time from a moment to the frame that shows it.
        eye_latency_ms: u32 = 0, range 0..=1_000, unit "milliseconds";
        /// The most that time deviates, either way.
        eye_latency_spread_ms: u32 = 0, range 0..=1_000, unit "milliseconds";
        /// Share of presses that are lost.
        lost_presses: f64 = 0.0, range 0.0..=1.0;
        /// Share of frames that show two moments at once.
        torn_frames: f64 = 0.0, range 0.0..=1.0;
        /// Share of looks that fail.
        failed_looks: f64 = 0.0, range 0.0..=1.0;
        /// Share of commands that the hand refuses.
        refused_commands: f64 = 0.0, range 0.0..=1.0;
        /// Time between two knocks against the camera of the body simulated-camera; 0 for none.
        knock_every_ms: u32 = 0, range 0..=3_600_000, unit "milliseconds";
        /// Share of drives in which the motor of the body simulated-motor stalls.
        stalled_drives: f64 = 0.0, range 0.0..=1.0;
        /// The longest a drive of that motor may take before it counts as a fault.
        drive_at_most_ms: u32 = 2_000, range 1..=60_000, unit "milliseconds";
    }
}

settings! {
    /// The player of the Game Boy's Tetris: what it chooses in the menus and how fast it presses.
    pub struct TetrisSettings in "tetris" {
        /// Start level.
        level: u32 = 9, range 0..=9;
        /// Whether it plays in heart mode, ten levels faster than shown.
        heart: bool = false;
        /// Name for the table of best scores, up to six letters A to Z.
        initials: String = "BOT".to_owned();
        /// Time from one press to the next.
        press_ms: f64 = 33.0, range 10.0..=1_000.0, unit "milliseconds";
        /// A cartridge image of your own, as a path; empty for the embedded one.
        rom: String = String::new();
        /// Display periods to leave the title screen alone; they decide which pieces come. 0 to let the seed decide.
        idle_periods: u32 = 0, range 0..=1_000_000, unit "periods";
        /// Most display periods it waits, at random, before the first press for a piece.
        dawdle_periods: u32 = 0, range 0..=60, unit "periods";
        /// Pieces after which it lets the others fall; 0 for no such end.
        pieces: u32 = 0, range 0..=10_000_000, unit "pieces";
        /// Whether it stops trying at 999,999 points.
        stop_at_max_out: bool = true;
    }
}

choices! {
    /// A disc's colour.
    pub enum DiscWord {
        /// Red discs.
        Red = "red",
        /// Yellow discs.
        Yellow = "yellow",
    }
}

choices! {
    /// Who plays the first disc.
    pub enum BeginnerWord {
        /// The board tells.
        Look = "look",
        /// The robot.
        Robot = "robot",
        /// The other.
        Other = "other",
    }
}

choices! {
    /// What colours are told by.
    pub enum ColorsWord {
        /// Red, green and blue light against the calibration.
        Light = "light",
        /// The sensor's own names: red, purple and magenta; yellow, white and green; anything else is empty.
        Names = "names",
    }
}

settings! {
    /// The LEGO robot that plays Connect Four: its hub, its geometry and how it plays.
    pub struct LegoSettings in "lego" {
        /// The hub's serial port, as a path; empty for the only hub that is plugged in.
        port: String = String::new();
        /// The hub's memory slot for our program.
        slot: u32 = 0, range 0..=19;
        /// Colour of the discs in its magazine.
        color: DiscWord = DiscWord::Red;
        /// Who plays the first disc.
        beginner: BeginnerWord = BeginnerWord::Look;
        /// How strong it plays: easy, medium, hard, perfect, adaptive, lego.
        level: String = "perfect".to_owned();
        /// What colours are told by: light, or names of the sensor.
        colors: ColorsWord = ColorsWord::Light;
        /// What the sensor shows of a red disc: red, green and blue, 0 to 1023.
        red: String = "520 90 80".to_owned();
        /// What the sensor shows of a yellow disc.
        yellow: String = "700 520 110".to_owned();
        /// What the sensor shows of an empty cell.
        empty: String = "40 50 60".to_owned();
        /// Sockets of driving, lifting and pushing motor, colour and force sensor.
        sockets: String = "D E A B C".to_owned();
        /// Turn of the driving motor from the stop on the right to the near column.
        approach_degrees: u32 = 198, range 0..=2_000, unit "degrees";
        /// Turn of the driving motor from column to column.
        column_degrees: u32 = 73, range 1..=1_000, unit "degrees";
        /// Turn of the lifting motor from row to row.
        row_degrees: u32 = 97, range 1..=1_000, unit "degrees";
        /// Turn of the pushing motor for one disc, backwards.
        push_degrees: u32 = 360, range 1..=2_000, unit "degrees";
        /// Speed of the driving motor.
        drive_speed: u32 = 230, range 10..=1_000, unit "degrees a second";
        /// Speed of the lifting motor.
        lift_speed: u32 = 600, range 10..=1_000, unit "degrees a second";
        /// Speed of the pushing motor.
        push_speed: u32 = 500, range 10..=1_000, unit "degrees a second";
        /// Rest between a movement and a reading.
        settle_ms: u32 = 150, range 0..=5_000, unit "milliseconds";
        /// How long a disc falls.
        fall_ms: u32 = 1_000, range 0..=10_000, unit "milliseconds";
        /// Motors stop when the computer is silent for this long.
        watchdog_ms: u32 = 3_000, range 500..=30_000, unit "milliseconds";
        /// Battery below which it warns.
        low_battery_percent: u32 = 20, range 0..=100, unit "percent";
    }
}

settings! {
    /// The simulated LEGO robot, its table, and the person who plays against it.
    pub struct SimulatedLegoSettings in "simulated_lego" {
        /// Discs that the person thinks ahead; 0 for 2 to 6, by chance for every game.
        depth: u32 = 0, range 0..=8, unit "discs";
        /// Share of the person's moves that are bad.
        slips: f64 = 0.1, range 0.0..=1.0;
        /// Share of looks that show the wrong colour.
        misread: f64 = 0.0, range 0.0..=1.0;
        /// Share of discs that jam in the slide.
        jam: f64 = 0.0, range 0.0..=1.0;
        /// Share of drives on which the wheels slip by 5 to 25 degrees.
        slip: f64 = 0.0, range 0.0..=1.0;
        /// Share of the hub's messages that are damaged on their way.
        damage: f64 = 0.0, range 0.0..=1.0;
        /// When the cable is pulled, to be plugged in 10 s later; 0 for never.
        unplug_at_s: u32 = 0, range 0..=1_000_000, unit "seconds";
        /// When the hub restarts; 0 for never.
        reboot_at_s: u32 = 0, range 0..=1_000_000, unit "seconds";
        /// When its battery is flat, to be charged 30 s later; 0 for never.
        flat_at_s: u32 = 0, range 0..=1_000_000, unit "seconds";
    }
}

/// A setting in milliseconds as a duration.
pub fn milliseconds(ms: u32) -> Duration {
    Duration::from_millis(u64::from(ms))
}

/// Two settings in milliseconds as a latency with its spread.
pub fn latency(typical_ms: u32, spread_ms: u32) -> Latency {
    Latency { typical: milliseconds(typical_ms), spread: milliseconds(spread_ms) }
}
