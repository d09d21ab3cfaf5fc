//! The settings of the LEGO robot and of the simulated one.

use configuration::{choices, settings};

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
    /// An end of the board.
    pub enum NearWord {
        /// The left one.
        Left = "left",
        /// The right one.
        Right = "right",
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
        /// The hub's serial port, as a path; empty for the only hub that is plugged in; bluetooth or bluetooth:NAME if built in.
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
        /// At the arcade's table: which end of the board, as visitors see it, is near the robot's stop.
        near_column: NearWord = NearWord::Left;
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
        /// How many discs the person thinks ahead; 0 for 2 to 6, chosen at random for every game.
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
