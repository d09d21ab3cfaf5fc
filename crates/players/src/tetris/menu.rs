//! The way through the menus, one press after the other, each decided on what is seen.

use engine::Choice;
use gameboy::Button;
use schemars::JsonSchema;
use serde::Serialize;
use tetris::gameboy::FRAMES_PER_SECOND;

use super::see::{Entry, Eyes, Observation, TableLine, View};
use super::{Company, TetrisDecision, TetrisPlayer};

/// Buttons pressed together in a menu, and why.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct MenuMove {
    /// Pressed at once.
    pub buttons: Vec<Button>,
    /// What for.
    pub why: &'static str,
}

/// Rounds that decide a match of two.
const ROUNDS: u8 = 4;
/// Display periods an unknown screen is looked at before Start is pressed blindly.
const BLIND: u64 = 150;
/// Display periods, some 28 seconds, after which a cartridge that shows no word and no figure we know is given up.
const FOREIGN: u64 = 1_700;

impl TetrisPlayer {
    /// Why it makes no sense to go on: for too long nothing was read, so that nobody could say when a game ends or how
    /// fast it is. Through a camera, words may be unreadable for other reasons.
    pub(super) fn cannot_read(&mut self, observation: &Observation) -> Option<String> {
        if self.resting || observation.view.is_read() || !matches!(self.eyes, Eyes::Exact(_)) {
            self.last_read = observation.period;
            return None;
        }
        let unread = observation.period.saturating_sub(self.last_read);
        (unread >= FOREIGN).then(|| {
            let shown = match observation.view {
                View::Empty => "the screen is empty",
                View::Playing(_) | View::Curtain(_) => "a field is seen, but no figures beside it",
                _ => "something is drawn, but no word that we know",
            };
            format!(
                "nothing on the screen could be read for {:.0} s: {shown}. The cartridge hangs, or its letters and \
                 digits are not those of Stackfall",
                unread as f64 / FRAMES_PER_SECOND
            )
        })
    }

    pub(super) fn decide_in_menu(&mut self, period: u64, view: &View) -> Choice<TetrisDecision> {
        match view {
            View::Title { two_players } => self.on_title(period, *two_players),
            View::GameType { b_type } => match (self.wishes.rubble.is_some(), b_type) {
                (false, true) => press(Button::Left, "A-type"),
                (true, false) => press(Button::Right, "B-type"),
                (_, true) => press(Button::Start, "B-type is chosen"),
                (_, false) => press(Button::Start, "A-type is chosen"),
            },
            View::Levels { entry: Some(entry), .. } => self.enter_name(*entry),
            View::Levels { .. } if self.wishes.rubble.is_some() => press(Button::B, "back to B-type"),
            View::Levels { level: Some(level), heart, table, .. } => self.on_levels(*level, *heart, table),
            View::Levels { level: None, .. } => Choice::Wait,
            View::BType { level, height, heart } => match self.wishes.rubble {
                Some(wanted) => self.on_b_type(*level, *height, *heart, wanted),
                None => press(Button::B, "back to A-type"),
            },
            View::Over => {
                self.logs.over(period);
                press(Button::Start, "after the game")
            }
            View::Rocket => press(Button::Start, "after the rocket"),
            View::Demo => self.on_demo(period),
            View::Curtain(figures) => {
                self.logs.figures(figures);
                self.logs.over(period);
                Choice::Wait
            }
            View::TwoPlayers => self.starts_rounds("both are there"),
            View::Round { wins, losses } => self.on_round(period, *wins, *losses),
            View::Account { total } => {
                self.logs.account(period, *total);
                press(Button::Start, "after the account")
            }
            // What is not a menu.
            View::GetReady | View::Empty | View::Paused | View::Playing(_) => Choice::Wait,
            View::Unknown => self.on_unknown(period),
        }
    }

    pub(super) fn on_title(&mut self, period: u64, two_players: bool) -> Choice<TetrisDecision> {
        if period < self.wishes.idle {
            return Choice::Wait;
        }
        match (self.wishes.company, two_players) {
            (Company::Alone, true) => press(Button::Left, "one player"),
            (Company::Alone, false) if self.wishes.heart => {
                together(vec![Button::Down, Button::Start], "heart mode")
            }
            (Company::Alone, false) => press(Button::Start, "one player is chosen"),
            (Company::Calls, false) => press(Button::Right, "two players"),
            (Company::Calls, true) => press(Button::Start, "calls the other player"),
            (Company::Listens, _) => Choice::Wait,
        }
    }

    /// Start ends a demo and shows the title again; whoever waits for a call can wait here as well.
    fn on_demo(&self, period: u64) -> Choice<TetrisDecision> {
        match self.wishes.company {
            Company::Alone | Company::Calls if period >= self.wishes.idle => {
                press(Button::Start, "back to the title")
            }
            Company::Alone | Company::Calls | Company::Listens => Choice::Wait,
        }
    }

    fn on_levels(&mut self, level: u8, heart: bool, table: &[TableLine; 3]) -> Choice<TetrisDecision> {
        if self.logs.close(table, &self.wishes.initials) {
            return Choice::GameOver;
        }
        if heart != self.wishes.heart {
            let all = vec![Button::A, Button::B, Button::Select, Button::Start];
            return together(all, "back to the title for the other mode");
        }
        match self.step_to_level(level) {
            Some((button, why)) => press(button, why),
            None => press(Button::Start, "the level is chosen"),
        }
    }

    /// Level first, then height; only what blinks is seen to be chosen.
    fn on_b_type(
        &mut self,
        level: Option<u8>,
        height: Option<u8>,
        heart: bool,
        wanted: u8,
    ) -> Choice<TetrisDecision> {
        if self.logs.close_b_type() {
            self.level_chosen = false;
            return Choice::GameOver;
        }
        if heart != self.wishes.heart {
            let all = vec![Button::A, Button::B, Button::Select, Button::Start];
            return together(all, "back to the title for the other mode");
        }
        match (level, height) {
            (_, Some(height)) if height < wanted => press(Button::Right, "higher rubble"),
            (_, Some(height)) if height > wanted => press(Button::Left, "lower rubble"),
            (_, Some(_)) => {
                self.level_chosen = false;
                press(Button::Start, "the height is chosen")
            }
            // The level blinks: it is not chosen yet.
            (None, None) => {
                self.level_chosen = false;
                Choice::Wait
            }
            (Some(_), None) if self.level_chosen => Choice::Wait,
            (Some(level), None) => {
                let step = self.step_to_level(level);
                self.level_chosen = step.is_none();
                let (button, why) = step.unwrap_or((Button::Start, "the level is chosen"));
                press(button, why)
            }
        }
    }

    /// The next press towards the wanted level, if it is not chosen yet.
    pub(super) fn step_to_level(&self, level: u8) -> Option<(Button, &'static str)> {
        let wanted = self.wishes.level;
        if (wanted >= 5) != (level >= 5) {
            let button = if wanted >= 5 { Button::Down } else { Button::Up };
            return Some((button, "the other row of levels"));
        }
        match wanted.cmp(&level) {
            std::cmp::Ordering::Less => Some((Button::Left, "a lower level")),
            std::cmp::Ordering::Greater => Some((Button::Right, "a higher level")),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Letters turn with Up and Down; the shorter way round, dash included.
    pub(super) fn enter_name(&self, entry: Entry) -> Choice<TetrisDecision> {
        let wanted = |position: usize| self.wishes.initials.chars().nth(position);
        let position = usize::from(entry.position);
        let Some(letter) = wanted(position) else { return press(Button::Start, "no letters wanted") };
        let steps = (place_of(letter) + LETTERS - place_of(entry.letter)) % LETTERS;
        if steps == 0 {
            return match wanted(position + 1) {
                Some(_) if position < 5 => press(Button::A, "the next letter"),
                _ => press(Button::Start, "the name is complete"),
            };
        }
        if steps <= LETTERS / 2 {
            press(Button::Up, "a later letter")
        } else {
            press(Button::Down, "an earlier letter")
        }
    }

    fn on_round(&mut self, period: u64, wins: u8, losses: u8) -> Choice<TetrisDecision> {
        self.logs.round(period, wins, losses);
        if wins < ROUNDS && losses < ROUNDS {
            return self.starts_rounds("the next round");
        }
        if !std::mem::replace(&mut self.announced, true) {
            return Choice::GameOver;
        }
        press(Button::Start, "after the match")
    }

    fn starts_rounds(&self, why: &'static str) -> Choice<TetrisDecision> {
        match self.wishes.company {
            Company::Calls => press(Button::Start, why),
            Company::Alone | Company::Listens => Choice::Wait,
        }
    }

    fn on_unknown(&mut self, period: u64) -> Choice<TetrisDecision> {
        if period < self.last_blind_press + BLIND {
            return Choice::Wait;
        }
        self.last_blind_press = period;
        press(Button::Start, "a screen that cannot be read")
    }
}

/// Letters one can enter: the dash, then A to Z.
const LETTERS: usize = 27;

fn place_of(letter: char) -> usize {
    match letter {
        'A'..='Z' => letter as usize - 'A' as usize + 1,
        _ => 0,
    }
}

fn press(button: Button, why: &'static str) -> Choice<TetrisDecision> {
    together(vec![button], why)
}

fn together(buttons: Vec<Button>, why: &'static str) -> Choice<TetrisDecision> {
    Choice::Act(TetrisDecision::Menu(MenuMove { buttons, why }))
}
