//! The settings of the hall; the operator's page changes them while it runs.

use configuration::{Allowed, Raw, Setting, Wrong, choices, settings};

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

choices! {
    /// Which page stands at `/`.
    pub enum FrontPage {
        /// All cabinets.
        Hall = "hall",
        /// The Connect Four lobby, as beside an exhibition's one robot.
        Lobby = "lobby",
    }
}

choices! {
    /// What plays in the Tetris cabinet.
    pub enum TetrisBody {
        /// Camera, fingers and console, all simulated.
        SimulatedRobot = "simulated-robot",
        /// The real robot, as the profile describes it.
        Robot = "robot",
        /// The emulated console alone.
        Emulator = "emulator",
    }
}

/// Where phones find this server: a web address, or nothing for the one that is listened on.
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct LobbyAddress(String);

impl LobbyAddress {
    /// A scheme and a host are needed; a QR code that leads nowhere is worse than none.
    fn is_web_address(text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        let rest = lower.strip_prefix("http://").or_else(|| lower.strip_prefix("https://"));
        let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
        text.parse::<axum::http::Uri>()
            .is_ok_and(|address| address.host().is_some_and(|host| !host.is_empty()))
            && !authority.is_empty()
            && !authority.ends_with(':')
    }
}

#[cfg(test)]
impl LobbyAddress {
    pub(crate) fn for_tests(text: &str) -> Self {
        assert!(Self::is_web_address(text), "{text}");
        Self(text.to_owned())
    }
}

impl std::ops::Deref for LobbyAddress {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Setting for LobbyAddress {
    fn from_raw(raw: &Raw, _allowed: &Allowed<Self>) -> Result<Self, Wrong> {
        match raw {
            Raw::Text(text) if text.is_empty() || Self::is_web_address(text) => Ok(Self(text.clone())),
            Raw::Text(_) => Err(Wrong::Range),
            Raw::Boolean(_) | Raw::Integer(_) | Raw::Float(_) | Raw::Other(_) => Err(Wrong::Type),
        }
    }

    fn to_raw(&self) -> Raw {
        Raw::Text(self.0.clone())
    }

    fn describe(_allowed: &Allowed<Self>) -> String {
        "an address that begins with http:// or https://, or nothing".to_owned()
    }
}

/// The operator's password as an Argon2 hash, or nothing.
#[derive(Clone, Debug, Default, PartialEq, PartialOrd)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Setting for PasswordHash {
    fn from_raw(raw: &Raw, _allowed: &Allowed<Self>) -> Result<Self, Wrong> {
        let is_hash = |text: &str| {
            let hash = argon2::password_hash::phc::PasswordHash::new(text);
            hash.is_ok_and(|hash| hash.algorithm.as_str().starts_with("argon2") && hash.hash.is_some())
        };
        match raw {
            Raw::Text(text) if text.is_empty() || is_hash(text) => Ok(Self(text.clone())),
            // Somebody may have written the password itself.
            Raw::Text(_) => Err(Wrong::Secret),
            Raw::Boolean(_) | Raw::Integer(_) | Raw::Float(_) | Raw::Other(_) => Err(Wrong::Type),
        }
    }

    fn to_raw(&self) -> Raw {
        Raw::Text(self.0.clone())
    }

    fn describe(_allowed: &Allowed<Self>) -> String {
        "an Argon2 hash ($argon2id$v=19$m=…,t=…,p=…$…$…), or nothing".to_owned()
    }
}

settings! {
    /// The operator's page. What stands here is neither shown nor changed there.
    pub struct OperatorSettings in "operator" {
        /// The operator's password as an Argon2 hash ($argon2id$…); empty to set it on the page at the first start.
        password_hash: PasswordHash = PasswordHash::default();
    }
}

settings! {
    /// Tetris players from outside. Their programs run on this machine, so they are not chosen on the operator's page.
    pub struct PluginSettings in "plugins" {
        /// Folder with WebAssembly evaluators (NAME.wasm) and programs that speak the Tetris Bot Protocol (NAME.tbp holds the command); read at the start, empty for none.
        folder: String = String::new();
    }
}

settings! {
    /// The web hall: times, demo and language.
    pub struct ArcadeSettings in "arcade" {
        /// Address of this server for the QR codes, such as http://robot.example/; empty for the one that is listened on.
        address: LobbyAddress = LobbyAddress::default();
        /// Language that pages begin with; visitors can switch.
        language: Language = Language::Auto;
        /// A player who does not move is asked "are you still there?" after this time.
        question_after_s: u32 = 30, range 5..=3600, unit "seconds";
        /// The player loses the seat if the question is not answered within this time.
        drop_after_s: u32 = 10, range 3..=600, unit "seconds";
        /// Time between two questions "are you still there?" to whoever waits in line.
        waiting_question_after_s: u32 = 60, range 5..=3600, unit "seconds";
        /// The longest a turn may take, however often the player answers that question.
        turn_at_most_s: u32 = 120, range 10..=36_000, unit "seconds";
        /// How many visitors may wait in line.
        line_at_most: u32 = 30, range 0..=1000, unit "visitors";
        /// How long a seat, or a place in line, is kept for a visitor whose connection is lost.
        reconnect_within_s: u32 = 20, range 1..=600, unit "seconds";
        /// How long a result stays on the table before the next game.
        result_for_s: u32 = 15, range 1..=600, unit "seconds";
        /// Whether machines play against each other when nobody plays.
        demo: bool = true;
        /// Whether the hall shows other games that Gamebot plays by itself; without them the Connect Four table is alone.
        shows: bool = true;
        /// What plays in the Tetris cabinet: the simulated robot, the real one, or the emulated console alone; takes effect at the next start.
        tetris_body: TetrisBody = TetrisBody::SimulatedRobot;
        /// Whether the shows play on simulated time, as fast as the machine can, instead of for people: a trial of endurance; takes effect at the next start.
        hurry: bool = false;
        /// Whether visitors may push the fault switches of the simulated Tetris robot: slipping presses, a shaken camera, no light.
        visitors_may_disturb: bool = false;
        /// Which page stands at /: the hall with all cabinets, or the Connect Four lobby, which is always at /lobby as well.
        front: FrontPage = FrontPage::Hall;
        /// After how much quiet a demo begins.
        demo_after_s: u32 = 60, range 1..=86_400, unit "seconds";
        /// Time between two turns of a demo.
        demo_pace_ms: u32 = 2500, range 0..=60_000, unit "milliseconds";
        /// Who plays red in a demo.
        demo_red: LevelWord = LevelWord::Medium;
        /// Who plays yellow in a demo.
        demo_yellow: LevelWord = LevelWord::Hard;
        /// How long a disc may take the robot, faults and rebuilding included, before a game ends without a result.
        robot_patience_s: u32 = 120, range 1..=3600, unit "seconds";
        /// Faults of the robot in one game after which the game goes on without it.
        robot_faults_at_most: u32 = 10, range 0..=1000, unit "faults";
        /// How many pages may be connected at once.
        connections: u32 = 2000, range 1..=100_000, unit "connections";
        /// How many connections one address may have; raise it where all visitors share one address (NAT).
        connections_per_address: u32 = 500, range 1..=100_000, unit "connections";
        /// How many requests for stored games and figures one address may make a second.
        requests_per_second: u32 = 50, range 1..=100_000, unit "requests a second";
        /// How many games one address may begin a minute.
        games_per_minute: u32 = 30, range 1..=100_000, unit "games a minute";
        /// Whether a proxy on this machine passes requests on: then the visitors' addresses and TLS are those that its X-Forwarded headers tell.
        behind_proxy: bool = false;
        /// Names under which pages may be opened besides this machine's own and that of the address above, separated by commas.
        hosts: String = String::new();
        /// Demo games are forgotten after this time; 0 keeps them for ever.
        keep_demos_days: u32 = 30, range 0..=36_500, unit "days";
    }
}

impl ArcadeSettings {
    /// Whether the hall stands at `/`; an exhibition of one table has none.
    pub fn front_is_hall(&self) -> bool {
        self.shows && self.front == FrontPage::Hall
    }

    /// Where visitors find the lobby of a server that is at `own_address` unless the settings say otherwise.
    pub fn lobby_address(&self, own_address: &str) -> String {
        let base = if self.address.is_empty() { own_address } else { &*self.address };
        let has_path = base.parse::<axum::http::Uri>().is_ok_and(|base| base.path().len() > 1);
        // Whoever writes a path means a page.
        if !self.front_is_hall() || has_path {
            return base.to_owned();
        }
        format!("{}/lobby", base.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_qr_code_leads_to_the_lobby_wherever_that_is() {
        let mut settings = ArcadeSettings::default();
        let lobby = |settings: &ArcadeSettings| settings.lobby_address("http://192.0.2.7:8080/");
        assert_eq!(lobby(&settings), "http://192.0.2.7:8080/lobby");
        settings.address = LobbyAddress::for_tests("https://robot.example");
        assert_eq!(lobby(&settings), "https://robot.example/lobby");
        settings.address = LobbyAddress::for_tests("https://robot.example/watch");
        assert_eq!(lobby(&settings), "https://robot.example/watch", "a page of its own");
        settings.address = LobbyAddress::for_tests("https://robot.example/");
        settings.front = FrontPage::Lobby;
        assert_eq!(lobby(&settings), "https://robot.example/");
        settings = ArcadeSettings { shows: false, ..ArcadeSettings::default() };
        assert_eq!(lobby(&settings), "http://192.0.2.7:8080/", "the table is alone");
    }

    #[test]
    fn only_a_web_address_is_one() {
        for good in
            ["http://robot.local/", "https://192.0.2.7:8080/", "http://[2001:db8::7]:8080/", "HTTP://robot"]
        {
            assert!(LobbyAddress::is_web_address(good), "{good}");
        }
        for bad in [
            "robot",
            "robot.local:8080",
            "ftp://robot/",
            "http://",
            "http:///x",
            "http:// robot/",
            "javascript:alert(1)",
        ] {
            assert!(!LobbyAddress::is_web_address(bad), "{bad}");
        }
    }
}
