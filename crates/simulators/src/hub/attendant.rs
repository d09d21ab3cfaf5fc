//! Whoever is at the table: plays the person's discs, presses the robots' sensors when it is their turn, helps when one
//! calls, and clears the board between games.

use budget::Budget;
use connect_four::{Column, Machine, MachineSettings, Outcome, Player, Position, SearchLevel, exhibition};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::board::Disc;
use super::guest::GuestSeat;
use super::world::{GameSeen, TableSettings, TurnSeen, World};

/// A robot that calls for help beeps at least this high; one that wants its board emptied still higher.
const HELP_HERTZ: u32 = 1500;
const EMPTY_HERTZ: u32 = 2400;
const SECOND: u64 = 1_000_000;
/// How hard a person presses, in tenths of a newton.
const PRESS: u8 = 50;
/// Battery below which a person charges the hub before the next game, in percent.
const LOW_BATTERY: f64 = 20.0;
/// After this long a person presses again; much earlier if the robot has not even left its stop.
const IMPATIENT_AFTER: u64 = 150 * SECOND;
const UNMOVED_AFTER: u64 = 20 * SECOND;
/// How long a guest may think about a disc before the seat is somebody else's.
const GUEST_PATIENCE: u64 = 60 * SECOND;

/// Who sits on one side of the board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Seat {
    /// A robot with discs of this colour. The second robot looks at the board from the other side.
    Robot {
        /// Its discs.
        disc: Disc,
    },
    /// A robot that drops the discs of both sides: its magazine holds red and yellow in turn, red first.
    Croupier,
    /// A person who thinks a few discs ahead and slips now and then.
    Person {
        /// Discs ahead; 0 for 2 to 6, chosen for every game.
        depth: u32,
        /// Share of bad moves.
        slips: f64,
    },
    /// Nobody: tests move the discs themselves.
    Nobody,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    /// Between games.
    Begin {
        at: u64,
    },
    /// A person thinks, then drops a disc.
    Think {
        seat: usize,
        at: u64,
    },
    /// A robot is pressed at that moment.
    Press {
        seat: usize,
        at: u64,
    },
    /// A robot moves.
    Moving {
        seat: usize,
        since: u64,
        discs: usize,
        pressed: u64,
    },
    /// The loser's robot is shown the last disc.
    Show {
        seat: usize,
        since: u64,
    },
    Done,
}

/// What a robot calls for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plea {
    /// A disc that is stuck, or not where it belongs.
    Discs,
    /// An empty board and a full magazine.
    EmptyBoard,
}

/// The person at the table.
#[derive(Debug)]
pub(super) struct Attendant {
    seats: [Seat; 2],
    games_left: u32,
    state: State,
    beginner: Option<usize>,
    first: usize,
    turns: Vec<TurnSeen>,
    pub(super) games: Vec<GameSeen>,
    machine: Machine,
    rng: Xoshiro256PlusPlus,
    depth: u32,
    /// Help that was called for: when it comes, to which robot, and what for.
    help: Option<(u64, usize, Plea)>,
    help_after: u64,
    beeps_heard: [usize; 2],
    /// Where a guest may sit in the person's place.
    guests: Option<GuestSeat>,
}

impl Attendant {
    pub(super) fn new(settings: &TableSettings) -> Self {
        let TableSettings { seats, games, beginner, seed, .. } = *settings;
        let idle = games == 0 || seats.contains(&Seat::Nobody);
        Self {
            seats,
            games_left: games,
            state: if idle { State::Done } else { State::Begin { at: 2 * SECOND } },
            beginner,
            first: 1, // The first game is begun by the other seat than the last: seat 0.
            turns: Vec::new(),
            games: Vec::new(),
            machine: Machine::new(MachineSettings { table_bytes: 1 << 16, ..MachineSettings::default() }),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed ^ 0x5eed),
            depth: 4,
            help: None,
            help_after: settings.help_after.as_micros() as u64,
            beeps_heard: [0; 2],
            guests: None,
        }
    }

    pub(super) fn lend_seat(&mut self, seat: GuestSeat) {
        self.guests = Some(seat);
    }

    /// The person's seat, if a guest sits there.
    fn guest(&self) -> Option<&GuestSeat> {
        self.guests.as_ref().filter(|seat| seat.is_taken())
    }

    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Whether it may do something at this moment.
    pub(super) fn is_due(&self, now: u64) -> bool {
        let at = match self.state {
            State::Think { at, .. } if self.guest().is_some_and(|guest| !guest.has_wish()) => {
                at + GUEST_PATIENCE
            }
            State::Begin { at } | State::Think { at, .. } | State::Press { at, .. } => at,
            State::Moving { .. } | State::Show { .. } => now,
            State::Done => u64::MAX,
        };
        at <= now || self.help.is_some_and(|(at, ..)| at <= now)
    }

    /// One step of time.
    pub(super) fn step(world: &mut World) {
        Self::hear(world);
        Self::help(world);
        let now = world.now;
        match world.attendant.state {
            State::Begin { at } if now >= at => Self::begin(world),
            State::Think { seat, at } if now >= at => Self::persons_turn(world, seat, at),
            State::Press { seat, at } if now >= at => {
                if let Some(robot) = world.attendant.robot(seat) {
                    world.rigs[robot].press = Some((now, now + SECOND / 2, PRESS));
                }
                let discs = world.columns.len();
                let over = Self::position(world).is_none_or(|position| position.is_over());
                world.attendant.state = if over {
                    State::Show { seat, since: now }
                } else {
                    State::Moving { seat, since: now, discs, pressed: now }
                };
            }
            State::Moving { seat, since, discs, pressed } => Self::watch(world, seat, since, discs, pressed),
            State::Show { seat, since } => Self::show(world, seat, since),
            State::Begin { .. } | State::Think { .. } | State::Press { .. } | State::Done => {}
        }
        Self::show_table(world);
    }

    /// Shows a guest how things stand.
    fn show_table(world: &World) {
        let attendant = &world.attendant;
        let Some(seats) = &attendant.guests else { return };
        let robot_began = matches!(attendant.seats[attendant.first], Seat::Robot { .. });
        let persons_turn = matches!(attendant.state, State::Think { at, .. } if at <= world.now);
        seats.show(&world.columns, robot_began, attendant.robots_disc(), persons_turn);
    }

    fn begin(world: &mut World) {
        world.clear();
        Self::charge(world);
        let attendant = &mut world.attendant;
        attendant.first = attendant.beginner.unwrap_or(1 - attendant.first);
        attendant.turns.clear();
        attendant.depth = attendant.rng.random_range(2..=6);
        let first = attendant.first;
        world.note(format!("game {} begins with seat {}", world.attendant.games.len() + 1, first + 1));
        Self::give_turn(world, first);
    }

    /// Some sixty games empty a battery; a person heeds the warning long before.
    fn charge(world: &mut World) {
        for rig in world.rigs.iter_mut().filter(|rig| rig.battery < LOW_BATTERY) {
            rig.battery = 100.0;
        }
    }

    fn give_turn(world: &mut World, seat: usize) {
        let now = world.now;
        world.attendant.state = match world.attendant.seats[seat] {
            Seat::Robot { .. } | Seat::Croupier => State::Press { seat, at: now + SECOND },
            Seat::Person { .. } | Seat::Nobody => State::Think { seat, at: now + 2 * SECOND },
        };
    }

    /// The person drops a disc; a guest in their place takes a while, but not for ever.
    fn persons_turn(world: &mut World, seat: usize, since: u64) {
        let Some(guest) = world.attendant.guest().cloned() else { return Self::think(world, seat) };
        if let Some(column) = guest.take_wish() {
            Self::drop_disc(world, seat, column);
        } else if world.now >= since + GUEST_PATIENCE {
            world.note("the guest has gone".to_owned());
            guest.clear();
        }
    }

    fn think(world: &mut World, seat: usize) {
        let Some(position) = Self::position(world) else { return Self::end(world) };
        let attendant = &mut world.attendant;
        let Seat::Person { depth, slips } = attendant.seats[seat] else { return };
        let depth = if depth == 0 { attendant.depth } else { depth };
        let level = SearchLevel { search: exhibition::SearchSettings::exhibition(depth), bad_moves: slips };
        let chosen = attendant.machine.choose_by(&position, &level, &mut attendant.rng, &Budget::unlimited());
        let Ok(decision) = chosen else { return Self::end(world) };
        let column = decision.column.index();
        Self::drop_disc(world, seat, column);
    }

    fn drop_disc(world: &mut World, seat: usize, column: usize) {
        let disc = world.attendant.disc(seat);
        if world.board.drop(column, disc) {
            world.columns.push(column);
        }
        world.note(format!("person: {disc:?} in column {}", column + 1));
        Self::after_disc(world, seat);
    }

    fn after_disc(world: &mut World, seat: usize) {
        let other = 1 - seat;
        let over = Self::position(world).is_none_or(|position| position.is_over());
        let robot_sees = matches!(world.attendant.seats[other], Seat::Robot { .. });
        match (over, robot_sees) {
            (false, _) => Self::give_turn(world, other),
            // The loser's robot must learn of it.
            (true, true) => world.attendant.state = State::Press { seat: other, at: world.now + SECOND },
            (true, false) => Self::end(world),
        }
    }

    fn watch(world: &mut World, seat: usize, since: u64, discs: usize, pressed: u64) {
        let Some(robot) = world.attendant.robot(seat) else { return };
        let now = world.now;
        let is_calling = world.attendant.help.is_some_and(|(_, calling, _)| calling == robot);
        if world.columns.len() > discs
            && !is_calling
            && !world.is_falling()
            && world.rigs[robot].is_parked_for(now, SECOND / 2)
        {
            let seconds = (now - since - SECOND / 2) as f64 / 1e6;
            world.attendant.turns.push(TurnSeen { seat, discs, seconds });
            if world.columns.len() > discs + 1 {
                world.note("more than one disc in a turn".to_owned());
            }
            Self::after_disc(world, seat);
        } else if now > pressed + IMPATIENT_AFTER || (!is_calling && Self::is_unmoved(world, robot)) {
            Self::press_again(world, robot);
            world.attendant.state = State::Moving { seat, since, discs, pressed: now };
        }
    }

    /// Waits until the robot has announced the end and left.
    fn show(world: &mut World, seat: usize, since: u64) {
        let Some(robot) = world.attendant.robot(seat) else { return Self::end(world) };
        let announced =
            world.rigs[robot].beeps.iter().any(|&(at, hertz, _)| at > since && hertz < HELP_HERTZ);
        let parked = world.rigs[robot].is_parked_for(world.now, SECOND);
        if (announced && parked) || world.now > since + IMPATIENT_AFTER {
            Self::end(world);
        } else if !announced && Self::is_unmoved(world, robot) {
            Self::press_again(world, robot);
        }
    }

    /// Whether a robot that was pressed has not left its stop: the press was lost.
    fn is_unmoved(world: &World, robot: usize) -> bool {
        let rig = &world.rigs[robot];
        let is_waited_for = rig.press.is_some_and(|(pressed, ..)| world.now > pressed + UNMOVED_AFTER);
        is_waited_for && rig.is_parked_for(world.now, UNMOVED_AFTER)
    }

    fn press_again(world: &mut World, robot: usize) {
        world.note("the person presses again".to_owned());
        Self::charge(world);
        world.rigs[robot].press = Some((world.now, world.now + SECOND / 2, PRESS));
    }

    fn end(world: &mut World) {
        let winner = Self::position(world).and_then(|position| match position.outcome() {
            Outcome::Won { winner, .. } => Some(match winner {
                Player::First => world.attendant.first,
                Player::Second => 1 - world.attendant.first,
            }),
            Outcome::Draw | Outcome::Open => None,
        });
        let columns = world.columns.clone();
        let attendant = &mut world.attendant;
        let turns = std::mem::take(&mut attendant.turns);
        attendant.games.push(GameSeen { columns, first: attendant.first, winner, turns });
        attendant.games_left -= 1;
        attendant.state = if attendant.games_left == 0 {
            State::Done
        } else {
            State::Begin { at: world.now + 10 * SECOND }
        };
        world.note(match winner {
            Some(seat) => format!("seat {} has won", seat + 1),
            None => "a draw".to_owned(),
        });
    }

    /// Notices a robot that calls.
    fn hear(world: &mut World) {
        for robot in 0..world.rigs.len() {
            let heard = world.attendant.beeps_heard[robot];
            let highest = world.rigs[robot].beeps[heard..].iter().map(|&(_, hertz, _)| hertz).max();
            world.attendant.beeps_heard[robot] = world.rigs[robot].beeps.len();
            let plea = match highest {
                Some(EMPTY_HERTZ..) => Plea::EmptyBoard,
                Some(HELP_HERTZ..) => Plea::Discs,
                Some(_) | None => continue,
            };
            if world.attendant.help.is_none() {
                world.attendant.help = Some((world.now + world.attendant.help_after, robot, plea));
            }
        }
    }

    /// Helps a robot that has called, in its time.
    fn help(world: &mut World) {
        let due = world.attendant.help.take_if(|&mut (at, ..)| world.now >= at);
        if let Some((_, robot, plea)) = due {
            Self::give_help(world, robot, plea);
        }
    }

    /// Helps without waiting, even if the robot has not called.
    pub(super) fn help_now(world: &mut World, robot: usize) {
        let called = world.attendant.help.take_if(|&mut (_, calling, _)| calling == robot);
        Self::give_help(world, robot, called.map_or(Plea::Discs, |(_, _, plea)| plea));
    }

    /// Frees the slide, puts a disc that missed back into the magazine, and presses; or empties the board first.
    fn give_help(world: &mut World, robot: usize, plea: Plea) {
        world.note("the person helps".to_owned());
        match plea {
            Plea::Discs => world.free_slide(robot),
            Plea::EmptyBoard => world.clear(),
        }
        let missed = std::mem::take(&mut world.missed);
        let now = world.now;
        let Some(rig) = world.rigs.get_mut(robot) else { return };
        rig.put_back(missed);
        rig.press = Some((now + SECOND, now + SECOND * 3 / 2, PRESS));
        rig.is_asked_to_go_on(now + 3 * SECOND);
    }

    /// The game so far; `None` if no game leads to the discs on the board.
    fn position(world: &World) -> Option<Position> {
        world.columns.iter().try_fold(Position::default(), |position, &column| {
            position.play(Column::from_index(column)?).ok()
        })
    }

    fn robot(&self, seat: usize) -> Option<usize> {
        let is_robot = |seat: &Seat| matches!(seat, Seat::Robot { .. } | Seat::Croupier);
        let robots = self.seats[..=seat].iter().filter(|seat| is_robot(seat)).count();
        is_robot(&self.seats[seat]).then(|| robots - 1)
    }

    /// The colour of the robot that a person plays against.
    fn robots_disc(&self) -> Disc {
        let robots = self.seats.iter().find_map(|seat| match seat {
            Seat::Robot { disc } => Some(*disc),
            Seat::Croupier | Seat::Person { .. } | Seat::Nobody => None,
        });
        robots.unwrap_or(Disc::Red)
    }

    fn disc(&self, seat: usize) -> Disc {
        match (self.seats[seat], self.seats[1 - seat]) {
            (Seat::Robot { disc }, _) => disc,
            (_, Seat::Robot { disc }) => disc.other(),
            _ => Disc::Red,
        }
    }
}
