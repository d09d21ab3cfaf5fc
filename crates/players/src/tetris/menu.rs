//! The way through the menus, one press after the other, each decided on what is seen.

use engine::Choice;
use gameboy::Button;
use serde::Serialize;

use super::see::{Entry, TableLine, View};
use super::{Company, TetrisDecision, TetrisPlayer};

/// Buttons pressed together in a menu, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

impl TetrisPlayer {
    pub(super) fn decide_in_menu(&mut self, period: u64, view: &View) -> Choice<TetrisDecision> {
        match view {
            View::Title { two_players } => self.on_title(period, *two_players),
            View::GameType { b_type: true } => press(Button::Left, "A-type"),
            View::GameType { b_type: false } => press(Button::Start, "A-type is chosen"),
            View::Levels { entry: Some(entry), .. } => self.enter_name(*entry),
            View::Levels { level: Some(level), heart, table, .. } => self.on_levels(*level, *heart, table),
            View::Levels { level: None, .. } => Choice::Wait,
            View::BType => press(Button::B, "back to A-type"),
            View::Over => {
                self.logs.over(period);
                press(Button::Start, "after the game")
            }
            View::Curtain(figures) => {
                self.logs.figures(figures);
                self.logs.over(period);
                Choice::Wait
            }
            View::TwoPlayers => self.starts_rounds("both are there"),
            View::Round { wins, losses } => self.on_round(period, *wins, *losses),
            View::Account => press(Button::Start, "after the account"),
            // What is not a menu.
            View::GetReady | View::Empty | View::Paused | View::Playing(_) => Choice::Wait,
            View::Unknown => self.on_unknown(period),
        }
    }

    fn on_title(&mut self, period: u64, two_players: bool) -> Choice<TetrisDecision> {
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

    fn on_levels(&mut self, level: u8, heart: bool, table: &[TableLine; 3]) -> Choice<TetrisDecision> {
        if self.logs.close(table, &self.wishes.initials) {
            return Choice::GameOver;
        }
        let wanted = self.wishes.level;
        if heart != self.wishes.heart {
            let all = vec![Button::A, Button::B, Button::Select, Button::Start];
            return together(all, "back to the title for the other mode");
        }
        if (wanted >= 5) != (level >= 5) {
            let button = if wanted >= 5 { Button::Down } else { Button::Up };
            return press(button, "the other row of levels");
        }
        match wanted.cmp(&level) {
            std::cmp::Ordering::Less => press(Button::Left, "a lower level"),
            std::cmp::Ordering::Greater => press(Button::Right, "a higher level"),
            std::cmp::Ordering::Equal => press(Button::Start, "the level is chosen"),
        }
    }

    /// Letters turn with Up and Down; the shorter way round, dash included.
    fn enter_name(&self, entry: Entry) -> Choice<TetrisDecision> {
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
