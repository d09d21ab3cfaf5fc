//! Two consoles on one cable.
//!
//! Both run in turns of a few hundred clock ticks. The console that starts a transfer
//! gets the other's byte at once, and the other gets the finished byte bit by
//! bit at the end of the turn in which it is complete, as its own clock would
//! have shifted it in.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use boytacean::serial::SerialDevice;
use tetris::gameboy::Buttons;

use crate::cartridge::{Cartridge, CartridgeError};
use crate::console::Crash;
use crate::display::PERIOD;
use crate::emulator::Emulator;

/// Clock ticks a console runs before it is the other's turn; a byte takes 4,096.
const TURN: u64 = 256;
const SERIAL_BYTE: u16 = 0xFF01;

/// Two consoles, switched on together.
pub struct LinkedConsoles {
    consoles: [Box<Emulator>; 2],
    plugs: [Arc<Mutex<Plug>>; 2],
}

/// What one console's end of the cable holds.
#[derive(Debug)]
struct Plug {
    /// What the other console would answer now.
    answer: u8,
    /// A byte this console has sent.
    sent: Option<u8>,
}

impl LinkedConsoles {
    /// The same cartridge in both.
    pub fn new(cartridge: &Cartridge) -> Result<LinkedConsoles, CartridgeError> {
        let mut consoles = [Box::new(Emulator::new(cartridge)?), Box::new(Emulator::new(cartridge)?)];
        let plugs = [(); 2].map(|()| Arc::new(Mutex::new(Plug { answer: 0xFF, sent: None })));
        for (console, plug) in consoles.iter_mut().zip(&plugs) {
            console.gb.attach_serial(Box::new(Cable(Arc::clone(plug))));
        }
        Ok(LinkedConsoles { consoles, plugs })
    }

    /// One display period with these buttons held on each.
    pub fn step(&mut self, held: [Buttons; 2]) -> Result<(), Crash> {
        for (console, held) in self.consoles.iter_mut().zip(held) {
            console.hold(held);
        }
        let end = self.consoles[0].ticks() + PERIOD;
        let mut turn_end = self.consoles[0].ticks();
        while turn_end < end {
            turn_end += TURN;
            for side in 0..2 {
                while self.consoles[side].run(turn_end)? {}
                self.exchange(side);
            }
        }
        Ok(())
    }

    fn exchange(&mut self, side: usize) {
        let other = 1 - side;
        let sent = lock(&self.plugs[side]).sent.take();
        if let Some(byte) = sent {
            for bit in (0..8).rev() {
                self.consoles[other].gb.serial().receive(byte >> bit & 1 == 1);
            }
        }
        for (mine, theirs) in [(side, other), (other, side)] {
            lock(&self.plugs[mine]).answer = self.consoles[theirs].gb.serial_i().read(SERIAL_BYTE);
        }
    }

    /// One of the two consoles.
    pub fn console(&mut self, side: usize) -> &mut Emulator {
        &mut self.consoles[side & 1]
    }
}

impl std::fmt::Debug for LinkedConsoles {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LinkedConsoles").field("consoles", &self.consoles).finish_non_exhaustive()
    }
}

fn lock(plug: &Mutex<Plug>) -> MutexGuard<'_, Plug> {
    plug.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Cable(Arc<Mutex<Plug>>);

impl SerialDevice for Cable {
    fn send(&mut self) -> u8 {
        lock(&self.0).answer
    }

    fn receive(&mut self, byte: u8) {
        lock(&self.0).sent = Some(byte);
    }

    // The other console's clock is not the emulator's to simulate; `exchange` shifts the bits in.
    fn allow_slave(&self) -> bool {
        false
    }

    fn description(&self) -> String {
        "cable".to_owned()
    }

    fn state(&self) -> String {
        String::new()
    }
}
