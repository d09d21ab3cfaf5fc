//! The settings of the table: its times, its robot, its machine.

use std::time::Duration;

use configuration::{Values, choices, settings};
use connect_four::exhibition::{self, Evaluation};
use connect_four::{Level, SearchLevel};
use runs::connect_four::settings::{LegoSettings, SimulatedLegoSettings};
use simulators::robot::Habit;

use super::table::TableSettings;
use crate::settings::ArcadeSettings;

choices! {
    /// A machine's strength.
    pub enum LevelWord {
        /// Looks two turns ahead and slips.
        Easy = "easy",
        /// Looks five turns ahead.
        Medium = "medium",
        /// Looks eight turns ahead.
        Hard = "hard",
        /// Never makes a mistake.
        Perfect = "perfect",
        /// Plays so that the visitor wins about half of the games.
        Adaptive = "adaptive",
    }
}

impl LevelWord {
    fn level(self) -> Level {
        match self {
            LevelWord::Easy => Level::Easy,
            LevelWord::Medium => Level::Medium,
            LevelWord::Hard => Level::Hard,
            LevelWord::Perfect => Level::Perfect,
            LevelWord::Adaptive => Level::Adaptive,
        }
    }
}

impl ArcadeSettings {
    /// As the table wants them.
    pub fn table(&self) -> TableSettings {
        let seconds = |s: u32| Duration::from_secs(u64::from(s));
        TableSettings {
            question_after: seconds(self.question_after_s),
            drop_after: seconds(self.drop_after_s),
            waiting_question_after: seconds(self.waiting_question_after_s),
            turn_at_most: seconds(self.turn_at_most_s),
            line_at_most: self.line_at_most as usize,
            reconnect_within: seconds(self.reconnect_within_s),
            result_for: seconds(self.result_for_s),
            robot_patience: seconds(self.robot_patience_s),
            robot_faults_at_most: self.robot_faults_at_most,
            demo: self.demo,
            demo_after: seconds(self.demo_after_s),
            demo_pace: Duration::from_millis(u64::from(self.demo_pace_ms)),
            demo_levels: (self.demo_red.level(), self.demo_yellow.level()),
        }
    }
}

choices! {
    /// How the robot is connected (C4).
    pub enum RobotKind {
        /// No robot: games are played on screens alone.
        None = "none",
        /// A simulated robot inside this program, on the real protocol.
        Simulated = "simulated",
        /// The real robot, or its simulator as a program of its own, on a serial line.
        Serial = "serial",
        /// The LEGO arm on its hub; section lego describes it.
        Lego = "lego",
        /// A simulated LEGO arm inside this program, on the real protocol; its program runs on MicroPython.
        SimulatedLego = "simulated-lego",
    }
}

choices! {
    /// A bad habit of the simulated robot.
    pub enum HabitWord {
        /// None.
        None = "none",
        /// The third disc always gets stuck.
        JamsAtThird = "jams-at-third",
        /// Every received character is answered twice.
        AnswersTwice = "answers-twice",
        /// It says busy for ever.
        NeverReady = "never-ready",
        /// It takes every disc without moving.
        NeverDrops = "never-drops",
    }
}

impl HabitWord {
    /// As the simulator wants it.
    pub fn habit(self) -> Option<Habit> {
        match self {
            HabitWord::None => None,
            HabitWord::JamsAtThird => Some(Habit::JamsAtThird),
            HabitWord::AnswersTwice => Some(Habit::AnswersTwice),
            HabitWord::NeverReady => Some(Habit::NeverReady),
            HabitWord::NeverDrops => Some(Habit::NeverDrops),
        }
    }
}

/// Which robot stands at the table, and how it is run.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotChoice {
    /// Every robot's settings.
    pub robot: RobotSettings,
    /// Those of the LEGO arm alone.
    pub lego: LegoSettings,
    /// Those of the simulated one.
    pub simulated_lego: SimulatedLegoSettings,
}

impl RobotChoice {
    /// As the settings say.
    pub fn from_values(values: &Values) -> Self {
        Self {
            robot: RobotSettings::from_values(values),
            lego: LegoSettings::from_values(values),
            simulated_lego: SimulatedLegoSettings::from_values(values),
        }
    }
}

settings! {
    /// The Connect Four robot; a change reconnects it, with the board of the game that is under way.
    pub struct RobotSettings in "robot" {
        /// How the robot is connected.
        kind: RobotKind = RobotKind::Simulated;
        /// The serial line of a robot of kind "serial".
        line: String = "/dev/ttyUSB0".to_owned();
        /// Its speed.
        baud: u32 = 9600, range 300..=921_600, unit "bits a second";
        /// How long an answer may take.
        reply_deadline_ms: u32 = 500, range 10..=60_000, unit "milliseconds";
        /// Pause between two questions while it is busy; shorter than its shortest movement.
        poll_ms: u32 = 100, range 5..=10_000, unit "milliseconds";
        /// How long it may take from receiving a command to moving.
        start_deadline_ms: u32 = 5000, range 10..=600_000, unit "milliseconds";
        /// No movement is shorter than this. A lost answer costs the whole board unless it is longer than two reply deadlines.
        shortest_movement_ms: u32 = 2000, range 10..=600_000, unit "milliseconds";
        /// How long a movement may take.
        busy_deadline_s: u32 = 60, range 1..=3600, unit "seconds";
        /// Pause between two questions while nothing is going on.
        heartbeat_ms: u32 = 1000, range 10..=60_000, unit "milliseconds";
        /// Pause before a lost line is opened again; each further one is twice as long.
        reopen_first_ms: u32 = 200, range 10..=60_000, unit "milliseconds";
        /// The longest such pause.
        reopen_limit_ms: u32 = 5000, range 10..=600_000, unit "milliseconds";
        /// How many times as fast as a real robot the simulated one is; the times above shrink with it.
        simulated_speed: f64 = 3.0, range 0.1..=1000.0;
        /// How long passing faults of the simulated one last, at the real robot's speed: deaf, stuck in busy, unplugged.
        simulated_fault_s: u32 = 10, range 1..=3600, unit "seconds";
        /// Share of characters at which something goes wrong with the simulated one.
        simulated_fault_rate: f64 = 0.0, range 0.0..=1.0;
        /// What the simulated one always does wrong.
        simulated_habit: HabitWord = HabitWord::None;
    }
}

settings! {
    /// The machine's levels at Connect Four (C5).
    pub struct LevelSettings in "levels" {
        /// How many discs EASY looks ahead.
        easy_depth: u32 = 2, range 1..=12, unit "discs";
        /// Share of EASY's turns that are bad on purpose.
        easy_bad_share: f64 = 0.33, range 0.0..=1.0;
        /// How many discs MEDIUM looks ahead.
        medium_depth: u32 = 5, range 1..=12, unit "discs";
        /// How many discs HARD looks ahead.
        hard_depth: u32 = 8, range 1..=12, unit "discs";
        /// Points for a line of four that holds one disc of one side and none of the other.
        one_disc: u32 = 1, range 0..=100_000, unit "points";
        /// The same with two discs.
        two_discs: u32 = 10, range 0..=100_000, unit "points";
        /// The same with three discs.
        three_discs: u32 = 100, range 0..=100_000, unit "points";
        /// Points for four in a line.
        four_discs: u32 = 1000, range 0..=100_000, unit "points";
        /// How many discs deep the search tree is shown on the watch page.
        shown_depth: u32 = 3, range 1..=4, unit "discs";
        /// The longest the machine thinks about one turn.
        think_at_most_s: u32 = 10, range 1..=600, unit "seconds";
        /// The shortest time from a turn to the machine's answer, in which the disc of that turn is seen to fall.
        answer_after_ms: u32 = 100, range 0..=10_000, unit "milliseconds";
    }
}

impl LevelSettings {
    /// As the machine wants them.
    pub fn machine(&self) -> connect_four::MachineSettings {
        let lines =
            [self.one_disc, self.two_discs, self.three_discs, self.four_discs].map(|points| points as i32);
        let evaluation = Evaluation { lines, ..Evaluation::EXHIBITION };
        let level = |depth, bad_moves| {
            let search =
                exhibition::SearchSettings { evaluation, ..exhibition::SearchSettings::exhibition(depth) };
            SearchLevel { search, bad_moves }
        };
        connect_four::MachineSettings {
            easy: level(self.easy_depth, self.easy_bad_share),
            medium: level(self.medium_depth, 0.0),
            hard: level(self.hard_depth, 0.0),
            display_depth: self.shown_depth,
            ..connect_four::MachineSettings::default()
        }
    }
}
