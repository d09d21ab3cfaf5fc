//! A person at a run under way: what may be asked of it (G17), and the faults of a simulated robot that may be
//! switched on and off. The hall's operator and the keys of the terminal use the same commands.

use engine::operator::{Corners, Operator, Order, OrderLine, RunEnded, operator};
use gameboy::Button;
use players::tetris::TetrisOrder;
use serde::{Deserialize, Serialize};
pub use simulators::hub::{DropError, GuestSeat};
use simulators::switches::{FaultSwitches, Faults};

use crate::deal::Deal;

/// A command of appendix E.2, or a fault of a simulator.
///
/// ```
/// use runs::operator::OperatorCommand;
///
/// let command: OperatorCommand = serde_json::from_str(r#"{"press": "a"}"#)?;
/// assert_eq!(command, OperatorCommand::Press(gameboy::Button::A));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OperatorCommand {
    /// The player plays.
    Start,
    /// It presses nothing any more.
    Stop,
    /// It forgets what it believed and looks again.
    Reset,
    /// One button is pressed, now.
    Press(Button),
    /// This level, 0 to 9, is chosen in the menu.
    Level(u8),
    /// Heart mode on or off.
    Heart(bool),
    /// This name, up to six letters, is entered in the table of best scores.
    Initials(String),
    /// A game is started after the last one.
    NewGame,
    /// The screen's corners in the camera's frame: top left, top right, bottom right, bottom left.
    KeyPoints(Corners),
    /// The screen is searched for again.
    ForgetKeyPoints,
    /// All faults of the simulated robot; those not named are mended.
    Faults(Faults),
}

/// What a person holds: clone it for everybody who may give commands.
#[derive(Clone, Debug)]
pub struct Controls {
    operator: Operator,
    switches: FaultSwitches,
    deal: Deal,
}

/// The run's end, for its [`Request`](crate::Request).
#[derive(Debug)]
pub struct ControlLine {
    pub(crate) orders: OrderLine,
    pub(crate) switches: FaultSwitches,
    pub(crate) deal: Deal,
    pub(crate) guests: Option<GuestSeat>,
}

/// Controls for one run.
pub fn controls() -> (Controls, ControlLine) {
    let (operator, orders) = operator();
    let (switches, deal) = (FaultSwitches::default(), Deal::default());
    let line = ControlLine { orders, switches: switches.clone(), deal: deal.clone(), guests: None };
    (Controls { operator, switches, deal }, line)
}

impl ControlLine {
    /// Lends the person's seat at a simulated table to guests.
    #[must_use]
    pub fn with_seat_for_guests(self, seat: GuestSeat) -> Self {
        Self { guests: Some(seat), ..self }
    }

    /// The faults of simulated devices, for those that are switched on before the run.
    pub fn switches(&self) -> &FaultSwitches {
        &self.switches
    }
}

impl Controls {
    /// Passes a command on. What came of it is a note of the run, topic `order`; faults take effect at once.
    pub fn give(&self, command: OperatorCommand) -> Result<(), RunEnded> {
        use OperatorCommand as Command;
        let order = match command {
            Command::Start => player(&TetrisOrder::Start),
            Command::Stop => player(&TetrisOrder::Stop),
            Command::Reset => player(&TetrisOrder::Reset),
            Command::Press(button) => player(&TetrisOrder::Press(button)),
            Command::Level(level) => player(&TetrisOrder::Level(level)),
            Command::Heart(heart) => player(&TetrisOrder::Heart(heart)),
            Command::Initials(name) => player(&TetrisOrder::Initials(name)),
            Command::NewGame => player(&TetrisOrder::NewGame),
            Command::KeyPoints(corners) => Order::SetCorners(corners),
            Command::ForgetKeyPoints => Order::ForgetCorners,
            Command::Faults(faults) => {
                self.switches.set(faults);
                return Ok(());
            }
        };
        self.operator.tell(order)
    }

    /// The pieces of a run of Tetris.
    pub fn deal(&self) -> &Deal {
        &self.deal
    }

    /// The faults that are switched on.
    pub fn faults(&self) -> Faults {
        self.switches.now()
    }
}

fn player(order: &TetrisOrder) -> Order {
    // An enum of strings and small numbers is always JSON.
    Order::Player(serde_json::to_value(order).unwrap_or_default())
}
