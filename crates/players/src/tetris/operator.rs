//! What a person may ask of the player while it plays or rests (G17, appendix E.2 of the robot's document).
//!
//! Stopped, the player presses nothing by itself. An *errand* is one thing that it is then asked to do in a menu:
//! choose the level, enter its name, switch heart mode on, start a new game. While it plays by itself, the same
//! orders change what it wants, and it does them when their screen comes.

use engine::{Choice, Plan, Player};
use gameboy::Button;
use serde::{Deserialize, Serialize};

use super::see::View;
use super::{Expectation, MENU_REST, MenuMove, TetrisDecision, TetrisPlayer};

/// Display periods without anything to do after which an errand is over.
const ERRAND_PATIENCE: u64 = 150;

/// An order to the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TetrisOrder {
    /// Play.
    Start,
    /// Press nothing any more.
    Stop,
    /// Forget what is believed of the game and look again.
    Reset,
    /// Press one button, now.
    Press(Button),
    /// Choose this level, 0 to 9, in the menu.
    Level(u8),
    /// Play in heart mode, or no longer.
    Heart(bool),
    /// Enter this name, up to six letters, in the table of best scores.
    Initials(String),
    /// Start a game.
    NewGame,
}

/// What a player that rests was asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Errand {
    goal: Goal,
    /// The last period in which there was something to do for it.
    busy: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    Level,
    Heart,
    Initials,
    NewGame,
}

type Reaction = Result<Option<Plan<Button, Expectation>>, String>;

impl TetrisPlayer {
    pub(super) fn obey(&mut self, words: &serde_json::Value) -> Reaction {
        let order =
            TetrisOrder::deserialize(words).map_err(|error| format!("{words} is no order: {error}"))?;
        match order {
            TetrisOrder::Start => {
                (self.resting, self.errand) = (false, None);
                self.trust_only_the_next_look();
            }
            TetrisOrder::Stop => {
                (self.resting, self.errand) = (true, None);
                self.trust_only_the_next_look();
            }
            TetrisOrder::Reset => {
                self.errand = None;
                self.trust_only_the_next_look();
            }
            TetrisOrder::Press(button) => return Ok(Some(self.press_for_a_person(button))),
            TetrisOrder::Level(level) if level > 9 => {
                return Err(format!("level {level}: levels 0 to 9 can be chosen"));
            }
            TetrisOrder::Level(level) => {
                self.wishes.level = level;
                self.run_errand(Goal::Level);
            }
            TetrisOrder::Heart(heart) => {
                self.wishes.heart = heart;
                self.run_errand(Goal::Heart);
            }
            TetrisOrder::Initials(name) => {
                self.wishes.initials = initials(&name)?;
                self.run_errand(Goal::Initials);
            }
            TetrisOrder::NewGame if !self.resting => {
                return Err("the player starts games by itself; stop it first".to_owned());
            }
            TetrisOrder::NewGame => self.run_errand(Goal::NewGame),
        }
        Ok(None)
    }

    fn trust_only_the_next_look(&mut self) {
        self.track.forget();
        self.pilot.forget();
        self.menu = None;
    }

    /// A player that plays does it by itself when its screen comes.
    fn run_errand(&mut self, goal: Goal) {
        self.errand = self.resting.then_some(Errand { goal, busy: None });
    }

    fn press_for_a_person(&mut self, button: Button) -> Plan<Button, Expectation> {
        // The piece may be anywhere afterwards; what stands still stands.
        self.track.forget();
        self.pilot.stood_still();
        self.plan(&TetrisDecision::Menu(MenuMove { buttons: vec![button], why: "a person wants it" }))
    }

    /// What a player that rests does on this screen. Through a camera one look may be wrong; two in a row are not.
    pub(super) fn rest(&mut self, period: u64, view: &View) -> Choice<TetrisDecision> {
        let seen = Some(view.choice());
        let is_sure = self.menu == seen || !self.clock.is_late();
        self.menu = seen;
        if is_sure { self.on_errand(period, view) } else { Choice::Wait }
    }

    fn on_errand(&mut self, period: u64, view: &View) -> Choice<TetrisDecision> {
        let Some(errand) = self.errand else { return Choice::Wait };
        let choice = match (errand.goal, view) {
            (Goal::NewGame, View::Playing(_)) => {
                self.errand = None;
                return Choice::Wait;
            }
            (Goal::NewGame, view) => self.decide_in_menu(period, view),
            (Goal::Level, View::Levels { level: Some(level), entry: None, .. }) => self.towards_level(*level),
            (Goal::Initials, View::Levels { entry: Some(entry), .. }) => self.enter_name(*entry),
            (Goal::Heart, View::Title { two_players }) => self.on_title(period, *two_players),
            _ => Choice::Wait,
        };
        let busy = errand.busy.unwrap_or(period);
        let is_over = choice == Choice::Wait && period > busy + ERRAND_PATIENCE;
        let busy = if choice == Choice::Wait { busy } else { period + u64::from(MENU_REST) };
        self.errand = (!is_over).then_some(Errand { busy: Some(busy), ..errand });
        choice
    }

    fn towards_level(&self, level: u8) -> Choice<TetrisDecision> {
        match self.step_to_level(level) {
            Some((button, why)) => Choice::Act(TetrisDecision::Menu(MenuMove { buttons: vec![button], why })),
            None => Choice::Wait,
        }
    }
}

/// Up to six letters, as the table holds them.
pub fn initials(name: &str) -> Result<String, String> {
    let letters = name.to_ascii_uppercase();
    if letters.len() > 6 || !letters.chars().all(|letter| letter.is_ascii_uppercase()) {
        return Err(format!("{name:?}: up to six letters A to Z are allowed"));
    }
    Ok(letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn orders_are_short_json() {
        let read = |value: serde_json::Value| serde_json::from_value::<TetrisOrder>(value).unwrap();
        assert_eq!(read(json!("start")), TetrisOrder::Start);
        assert_eq!(read(json!({"press": "select"})), TetrisOrder::Press(Button::Select));
        assert_eq!(read(json!({"level": 3})), TetrisOrder::Level(3));
        assert_eq!(read(json!("new_game")), TetrisOrder::NewGame);
    }

    #[test]
    fn a_name_has_up_to_six_letters() {
        assert_eq!(initials("bot").unwrap(), "BOT");
        assert_eq!(initials("").unwrap(), "");
        for wrong in ["SEVENTH", "A1", "Ä", "A B"] {
            assert!(initials(wrong).unwrap_err().contains("six letters"), "{wrong}");
        }
    }
}
