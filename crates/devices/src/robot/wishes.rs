//! What the robot should show, what it shows, and who waits for it.
//!
//! Callers never send characters; they change the board that is *wanted*. The
//! driver compares it with the board that *stands* and carries out the next
//! [`Step`] between the two. A fault therefore needs no undo: whatever it
//! leaves behind, the next step follows from the same comparison.

use tokio::sync::oneshot;

use super::RobotBoard;
use super::fault::RobotError;
use super::parts::{Cell, DISCS_PER_COLOUR, Disc, DiscDrop, ROWS};

/// The answer to one command.
pub(super) type Outcome = Result<(), RobotError>;

/// The wanted board and the standing board.
#[derive(Debug)]
pub(super) struct Wishes {
    wanted: Vec<DiscDrop>,
    standing: Standing,
    announcement: Option<Announcement>,
    announced: bool,
    init_wanted: bool,
    waiting: Vec<(Awaited, oneshot::Sender<Outcome>)>,
    /// Counts new games, so that a step of an earlier one is not counted in this one.
    game: u64,
    stopped: bool,
}

/// What stands on the robot's board. The protocol cannot ask, so this is what we know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// The first n discs of the wanted board, and nothing else.
    Known(usize),
    /// Anything: the board must be emptied first.
    Unknown,
}

/// What is announced at the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announcement {
    /// This colour won with these four.
    Win(Disc, [Cell; 4]),
    /// Nobody won.
    Draw,
}

/// What the robot must do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Initialise.
    Init,
    /// Empty the board.
    Clear,
    /// Drop a disc.
    Drop(DiscDrop),
    /// Announce the end.
    Announce(Announcement),
}

/// What a caller waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Awaited {
    Initialised,
    Cleared,
    Standing(usize),
    Announced,
}

impl Wishes {
    /// Before the first game: nobody knows what stands on the board, and nothing is wanted yet.
    pub(super) fn new() -> Self {
        Self {
            wanted: Vec::new(),
            standing: Standing::Unknown,
            announcement: None,
            announced: false,
            init_wanted: false,
            waiting: Vec::new(),
            game: 0,
            stopped: false,
        }
    }

    /// The next step towards the wanted board, with the game it belongs to.
    pub(super) fn next_step(&self) -> Option<(u64, Step)> {
        let step = match self.standing {
            _ if self.init_wanted => Step::Init,
            Standing::Unknown if self.game > 0 => Step::Clear,
            // Nobody has asked for anything yet: the robot is left alone.
            Standing::Unknown => return None,
            Standing::Known(count) => match (self.wanted.get(count), self.announcement) {
                (Some(drop), _) => Step::Drop(*drop),
                (None, Some(announcement)) if !self.announced => Step::Announce(announcement),
                (None, _) => return None,
            },
        };
        Some((self.game, step))
    }

    /// Notes a step that the robot has carried out.
    pub(super) fn done(&mut self, game: u64, step: Step) {
        match step {
            Step::Init => self.init_wanted = false,
            // An empty board is an empty board, whichever game asked for it.
            Step::Clear => self.standing = Standing::Known(0),
            Step::Drop(_) | Step::Announce(_) if game != self.game => {}
            Step::Drop(_) => {
                if let Standing::Known(count) = &mut self.standing {
                    *count += 1;
                }
            }
            Step::Announce(_) => self.announced = true,
        }
        self.answer_those_met();
    }

    /// After a fault nobody knows what stands on the board: a disc may be stuck, or somebody has emptied it.
    /// Only a finished game is left as it is: no further disc depends on it.
    pub(super) fn doubt(&mut self) {
        let finished = self.announcement.is_some() && self.standing == Standing::Known(self.wanted.len());
        if !finished {
            self.standing = Standing::Unknown;
        }
    }

    /// Wants one more disc.
    pub(super) fn drop_disc(&mut self, drop: DiscDrop) -> Result<oneshot::Receiver<Outcome>, RobotError> {
        if self.announcement.is_some() {
            return Err(RobotError::GameOver);
        }
        if self.height(drop) == usize::from(ROWS) {
            return Err(RobotError::ColumnFull { column: drop.column });
        }
        if self.discs_left(drop.disc) == 0 {
            return Err(RobotError::NoDiscLeft { disc: drop.disc });
        }
        if self.game == 0 {
            // The very first wish clears whatever stands on the board.
            self.game = 1;
        }
        self.wanted.push(drop);
        Ok(self.wait_for(Awaited::Standing(self.wanted.len())))
    }

    /// Wants an empty board.
    pub(super) fn new_game(&mut self) -> oneshot::Receiver<Outcome> {
        self.begin(Vec::new());
        self.wait_for(Awaited::Cleared)
    }

    /// Wants exactly these discs, on a board that is emptied first.
    pub(super) fn restore(&mut self, discs: &[DiscDrop]) -> Result<oneshot::Receiver<Outcome>, RobotError> {
        let mut whole = Self::new();
        for drop in discs {
            whole.drop_disc(*drop)?;
        }
        self.begin(whole.wanted);
        Ok(self.wait_for(Awaited::Standing(self.wanted.len())))
    }

    /// Wants the end of the game announced.
    pub(super) fn announce(
        &mut self,
        announcement: Announcement,
    ) -> Result<oneshot::Receiver<Outcome>, RobotError> {
        if self.announcement.is_some() {
            return Err(RobotError::GameOver);
        }
        if let Announcement::Win(disc, cells) = announcement {
            self.check_four(disc, cells)?;
        }
        self.announcement = Some(announcement);
        Ok(self.wait_for(Awaited::Announced))
    }

    /// Wants the robot initialised.
    pub(super) fn init(&mut self) -> oneshot::Receiver<Outcome> {
        self.init_wanted = true;
        self.wait_for(Awaited::Initialised)
    }

    /// Carries everything out at once, on paper: there is no robot.
    pub(super) fn pretend(&mut self) {
        while let Some((game, step)) = self.next_step() {
            self.done(game, step);
        }
    }

    /// Answers everyone who still waits, and from now on everyone who comes.
    pub(super) fn stop(&mut self) {
        self.stopped = true;
        for (_, caller) in self.waiting.drain(..) {
            let _ = caller.send(Err(RobotError::Stopped));
        }
    }

    /// What the world may know of all this.
    pub(super) fn board(&self) -> RobotBoard {
        RobotBoard {
            wanted: self.wanted.clone(),
            standing: self.standing(),
            red_left: self.discs_left(Disc::Red),
            yellow_left: self.discs_left(Disc::Yellow),
        }
    }

    fn standing(&self) -> Option<usize> {
        match self.standing {
            Standing::Known(count) => Some(count),
            Standing::Unknown => None,
        }
    }

    /// How many discs of a colour are left in the magazine once the wanted board stands.
    fn discs_left(&self, disc: Disc) -> u8 {
        let used = self.wanted.iter().filter(|drop| drop.disc == disc).count();
        DISCS_PER_COLOUR.saturating_sub(used as u8)
    }

    fn begin(&mut self, wanted: Vec<DiscDrop>) {
        self.wanted = wanted;
        self.standing = Standing::Unknown;
        self.announcement = None;
        self.announced = false;
        self.game += 1;
        let (kept, superseded): (Vec<_>, _) =
            self.waiting.drain(..).partition(|(awaited, _)| *awaited == Awaited::Initialised);
        self.waiting = kept;
        for (_, caller) in superseded {
            // A caller that has gone does not wait for an answer.
            let _ = caller.send(Err(RobotError::Superseded));
        }
    }

    fn wait_for(&mut self, awaited: Awaited) -> oneshot::Receiver<Outcome> {
        let (caller, answer) = oneshot::channel();
        if self.stopped {
            let _ = caller.send(Err(RobotError::Stopped));
        } else {
            self.waiting.push((awaited, caller));
        }
        answer
    }

    fn answer_those_met(&mut self) {
        let standing = self.standing();
        let (init_wanted, announced) = (self.init_wanted, self.announced);
        let (met, open): (Vec<_>, _) = self.waiting.drain(..).partition(|(awaited, _)| match awaited {
            Awaited::Initialised => !init_wanted,
            Awaited::Cleared => standing.is_some(),
            Awaited::Standing(count) => standing.is_some_and(|standing| standing >= *count),
            Awaited::Announced => announced,
        });
        self.waiting = open;
        for (_, caller) in met {
            let _ = caller.send(Ok(()));
        }
    }

    fn height(&self, drop: DiscDrop) -> usize {
        self.wanted.iter().filter(|other| other.column == drop.column).count()
    }

    fn check_four(&self, disc: Disc, cells: [Cell; 4]) -> Result<(), RobotError> {
        for (position, cell) in cells.iter().enumerate() {
            let mut column = self.wanted.iter().filter(|drop| drop.column == cell.column());
            let holds = column.nth(usize::from(cell.row())).map(|drop| drop.disc);
            if holds != Some(disc) || cells[..position].contains(cell) {
                return Err(RobotError::NotAFour { disc, cell: *cell });
            }
        }
        Ok(())
    }
}
