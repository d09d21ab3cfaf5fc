//! The settings of the hall; the operator's page changes them while it runs.

use configuration::{choices, settings};

use crate::cabinets::connect_four::settings::LevelWord;

choices! {
    /// Which language pages begin with.
    pub enum Language {
        /// The browser's.
        Auto = "auto",
        /// English.
        En = "en",
        /// German.
        De = "de",
    }
}

settings! {
    /// The operator's page. What stands here is neither shown nor changed there.
    pub struct OperatorSettings in "operator" {
        /// The operator's password as an Argon2 hash ($argon2id$…); empty to set it on the page at the first start.
        password_hash: String = String::new();
    }
}

settings! {
    /// The web hall: times, demo and language.
    pub struct ArcadeSettings in "arcade" {
        /// Address of the lobby for the QR code, such as http://robot.example/; empty for the one that is listened on.
        address: String = String::new();
        /// Language that pages begin with; visitors can switch.
        language: Language = Language::Auto;
        /// A player who does not move is asked "are you still there?" after this time.
        question_after_s: u32 = 30, range 5..=3600, unit "seconds";
        /// The player loses the seat if the question is not answered within this time.
        drop_after_s: u32 = 10, range 3..=600, unit "seconds";
        /// How long a seat is kept for a visitor whose connection is lost.
        reconnect_within_s: u32 = 20, range 1..=600, unit "seconds";
        /// How long a result stays on the table before the next game.
        result_for_s: u32 = 15, range 1..=600, unit "seconds";
        /// Whether machines play against each other when nobody plays.
        demo: bool = true;
        /// After how much quiet a demo begins.
        demo_after_s: u32 = 60, range 1..=86_400, unit "seconds";
        /// Time between two turns of a demo.
        demo_pace_ms: u32 = 2500, range 0..=60_000, unit "milliseconds";
        /// Who plays red in a demo.
        demo_red: LevelWord = LevelWord::Medium;
        /// Who plays yellow in a demo.
        demo_yellow: LevelWord = LevelWord::Hard;
        /// How long a broken robot is waited for before a game ends without a result.
        robot_patience_s: u32 = 120, range 1..=3600, unit "seconds";
        /// How many pages may be connected at once.
        connections: u32 = 2000, range 1..=100_000, unit "connections";
    }
}
