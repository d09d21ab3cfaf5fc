//! Settings of engine, recording and games.

#![allow(
    clippy::struct_field_names,
    reason = "a setting's name ends with its unit, even if all of a section do"
)]

use std::time::Duration;

use configuration::{Section, choices, settings};
use engine::{Latency, Limits, Patience, RunSettings, Thinking, Verification};

use crate::connect_four::settings::{LegoSettings, SimulatedLegoSettings};
use crate::eyes::{DocumentSightSettings, RobotCameraSettings, SimulatedCameraSettings};
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
    DocumentSightSettings::SECTION,
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
        /// A recording ends when it has this size, and the run goes on without it; 0 for no such end.
        at_most_mb: u32 = 0, range 0..=1_000_000, unit "MB";
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

choices! {
    /// The type of a game.
    pub enum GameTypeWord {
        /// Endless.
        A = "a",
        /// Until 25 lines are cleared, with rubble at the beginning.
        B = "b",
    }
}

choices! {
    /// Who sits at the other end of the cable.
    pub enum CompanyWord {
        /// Nobody.
        Alone = "alone",
        /// A player; this one starts the rounds.
        Calls = "calls",
        /// A player, who starts the rounds.
        Listens = "listens",
    }
}

settings! {
    /// The player of the Game Boy's Tetris: what it chooses in the menus and how fast it presses.
    pub struct TetrisSettings in "tetris" {
        /// Who chooses the places: a built-in player, a plug-in of the folder, or tbp: and the command of a program.
        player: String = "ours".to_owned();
        /// Folder of plug-ins; empty for none.
        plugins: String = String::new();
        /// Whether it plays alone, or calls or listens to a player on the other end of the cable; set by --two-player.
        company: CompanyWord = CompanyWord::Alone;
        /// Start level.
        level: u32 = 9, range 0..=9;
        /// Whether it plays in heart mode, ten levels faster than shown.
        heart: bool = false;
        /// The type of the game: A is endless, B ends after 25 lines.
        game_type: GameTypeWord = GameTypeWord::A;
        /// Height of the rubble that a B-type game begins with.
        height: u32 = 0, range 0..=5;
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

/// A setting in milliseconds as a duration.
pub fn milliseconds(ms: u32) -> Duration {
    Duration::from_millis(u64::from(ms))
}

/// Two settings in milliseconds as a latency with its spread.
pub fn latency(typical_ms: u32, spread_ms: u32) -> Latency {
    Latency { typical: milliseconds(typical_ms), spread: milliseconds(spread_ms) }
}
