//! The console emulated by the crate `boytacean`.
//!
//! Its traps, each met here: it writes warnings to standard output (callers
//! with data there redirect it), its own frame step never returns while the
//! display is off, it panics on illegal instructions, and it wants no boot
//! ROM when it is started behind it.

use boytacean::consts::TAC_ADDR;
use boytacean::gb::{GameBoy, GameBoyMode};
use boytacean::pad::PadKey;
use boytacean::ppu::PpuMode;
use boytacean::state::{SaveStateFormat, StateManager};
use tetris::gameboy::Buttons;

use crate::cartridge::{Cartridge, CartridgeError};
use crate::console::{Console, Crash};
use crate::display::{PERIOD, Screen};
use crate::panics::caught;

const KEYS: [(Buttons, PadKey); 8] = [
    (Buttons::RIGHT, PadKey::Right),
    (Buttons::LEFT, PadKey::Left),
    (Buttons::UP, PadKey::Up),
    (Buttons::DOWN, PadKey::Down),
    (Buttons::A, PadKey::A),
    (Buttons::B, PadKey::B),
    (Buttons::SELECT, PadKey::Select),
    (Buttons::START, PadKey::Start),
];

/// Samples of sound in a second: the emulator makes one every 95 ticks of its clock.
pub const SOUND_RATE: f64 = 4_194_304.0 / 95.0;
/// Loudest the four channels can be together.
pub const LOUDEST: i16 = 60;

/// A grey Game Boy, without sound unless somebody listens.
pub struct Emulator {
    pub(crate) gb: GameBoy,
    screen: Screen,
    held: Buttons,
    /// The display's mode and line, and the clock ticks since they changed.
    place: (PpuMode, u8),
    since: u64,
    /// Whether waiting is cut short; the outcome is the same.
    skips: bool,
    /// Clock ticks since power-on.
    ticks: u64,
    /// Complete pictures since power-on.
    frames: u64,
    crash: Option<Crash>,
}

impl Emulator {
    /// Puts a cartridge in and switches on.
    pub fn new(cartridge: &Cartridge) -> Result<Emulator, CartridgeError> {
        let start = caught(|| {
            let mut gb = GameBoy::new(Some(GameBoyMode::Dmg));
            gb.load(false).map_err(|error| error.to_string())?;
            gb.load_rom(cartridge.bytes(), None).map_err(|error| error.to_string())?;
            gb.boot();
            gb.set_apu_enabled(false);
            Ok(gb)
        });
        let gb = start.and_then(|gb| gb).map_err(|why: String| CartridgeError::Refused { why })?;
        Ok(Emulator {
            gb,
            screen: Screen::white(),
            held: Buttons::NONE,
            place: (PpuMode::OamRead, 0),
            since: 0,
            skips: true,
            ticks: 0,
            frames: 0,
            crash: None,
        })
    }

    /// Complete pictures since power-on.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Writes a byte of memory. For tests, to bring about what would take long to play.
    pub fn poke(&mut self, address: u16, value: u8) {
        self.gb.write_memory(address, value);
    }

    /// Switches the sound on. Nothing else changes but the time it takes.
    pub fn listen(&mut self) {
        self.gb.set_apu_enabled(true);
        // The emulator makes at most one sample each time its clocks run on.
        self.skips = false;
    }

    /// What sounded since the last call, at [`SOUND_RATE`], within ±[`LOUDEST`]; at most the last second.
    pub fn take_sound(&mut self) -> Vec<i16> {
        let channels = usize::from(self.gb.apu_i().channels().max(1));
        let buffer = self.gb.apu().audio_buffer_mut();
        // Both sides play the same.
        buffer.drain(..).step_by(channels).collect()
    }

    /// Clock ticks since power-on.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks
    }

    pub(crate) fn hold(&mut self, held: Buttons) {
        let changed = Buttons(held.0 ^ self.held.0);
        for (button, key) in &KEYS {
            if changed.any(*button) {
                let key = key_again(key);
                if held.any(*button) { self.gb.key_press(key) } else { self.gb.key_lift(key) }
            }
        }
        self.held = held;
    }

    /// Runs until a picture is complete, or until the clock has reached `limit`; whether it was the picture.
    pub(crate) fn run(&mut self, limit: u64) -> Result<bool, Crash> {
        if let Some(crash) = &self.crash {
            return Err(crash.clone());
        }
        let Self { gb, ticks, place, since, skips, .. } = self;
        let complete = caught(|| {
            while *ticks < limit {
                // An instruction that took no time would be run for ever.
                let spent = u64::from(gb.clock().max(1));
                *ticks += spent;
                let now = (gb.ppu_i().mode(), gb.ppu_i().ly());
                if now == *place {
                    *since += spent;
                    if *skips && gb.cpu_i().halted() {
                        let skipped = skip(gb, now.0, *since, limit.saturating_sub(*ticks));
                        *ticks += skipped;
                        *since += skipped;
                    }
                } else {
                    let was_blank = place.0 == PpuMode::VBlank;
                    (*place, *since) = (now, 0);
                    if now.0 == PpuMode::VBlank && !was_blank {
                        return true;
                    }
                }
            }
            false
        });
        match complete {
            Ok(complete) => {
                if complete {
                    self.frames += 1;
                    self.take_picture();
                }
                Ok(complete)
            }
            Err(why) => Err(self.crashed(why)),
        }
    }

    fn take_picture(&mut self) {
        let pixels = self.gb.frame_buffer();
        for (shade, pixel) in self.screen.shades.iter_mut().zip(pixels.as_chunks::<3>().0) {
            *shade = SHADE_OF_LUMA[usize::from(pixel[0])];
        }
    }

    fn crashed(&mut self, why: String) -> Crash {
        let crash = Crash { frames: self.frames, why };
        self.crash = Some(crash.clone());
        crash
    }
}

impl Console for Emulator {
    fn step(&mut self, held: Buttons) -> Result<(), Crash> {
        self.hold(held);
        self.run(self.ticks + PERIOD + SLACK)?;
        Ok(())
    }

    fn screen(&self) -> &Screen {
        &self.screen
    }

    fn peek(&mut self, address: u16) -> u8 {
        self.gb.read_memory(address)
    }

    fn save(&mut self) -> Result<Vec<u8>, Crash> {
        // The interrupt of the blank that has just begun is not part of a state until it is raised.
        self.run(self.ticks + 1)?;
        let saved = caught(|| StateManager::save(&mut self.gb, Some(SaveStateFormat::Bos), None));
        match saved {
            Ok(Ok(state)) => Ok(state),
            Ok(Err(error)) => Err(Crash { frames: self.frames, why: error.to_string() }),
            Err(why) => Err(self.crashed(why)),
        }
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), Crash> {
        let loaded = caught(|| StateManager::load(state, &mut self.gb, Some(SaveStateFormat::Bos), None));
        match loaded {
            Ok(Ok(())) => {
                self.place = (self.gb.ppu_i().mode(), self.gb.ppu_i().ly());
                self.since = 0;
                self.held = Buttons::NONE;
                for (_, key) in &KEYS {
                    self.gb.key_lift(key_again(key));
                }
                Ok(())
            }
            Ok(Err(error)) => Err(Crash { frames: self.frames, why: error.to_string() }),
            Err(why) => Err(self.crashed(why)),
        }
    }
}

impl std::fmt::Debug for Emulator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Emulator")
            .field("frames", &self.frames)
            .field("crash", &self.crash)
            .finish_non_exhaustive()
    }
}

/// Ticks of a mode in which the display cannot change its mind, less the longest instruction, by which a
/// mode may have begun late.
fn quiet_ticks(mode: PpuMode) -> u64 {
    const LONGEST_INSTRUCTION: u64 = 24;
    let ticks = match mode {
        PpuMode::OamRead => 80,
        PpuMode::VramRead => 172,
        PpuMode::HBlank => 204,
        PpuMode::VBlank => 456,
    };
    ticks - LONGEST_INSTRUCTION
}

/// Lets a halted console's clocks run on to where something can happen; the ticks that took.
///
/// A halted processor only waits for an interrupt. The emulator asks it every four ticks; between two
/// changes of the display, with timer and cable at rest, the answer is always no.
fn skip(gb: &mut GameBoy, mode: PpuMode, since: u64, limit: u64) -> u64 {
    /// An interrupt that came with the change has been taken by then.
    const SETTLED: u64 = 8;
    let ticks = quiet_ticks(mode).saturating_sub(since).min(limit) & !3;
    let timer_runs = gb.timer_i().read(TAC_ADDR) & 4 != 0;
    if since < SETTLED || ticks == 0 || timer_runs || gb.serial_i().transferring() {
        return 0;
    }
    gb.ppu_clock(ticks as u16);
    gb.timer_clock(ticks as u16);
    ticks
}

/// A picture comes every period to the tick; an instruction that overlaps its end may be late by its length.
const SLACK: u64 = 64;

/// The emulator's four greys.
const SHADE_OF_LUMA: [u8; 256] = {
    let mut shades = [3; 256];
    let mut luma = 0;
    while luma < 256 {
        shades[luma] = if luma > 223 {
            0
        } else if luma > 143 {
            1
        } else if luma > 47 {
            2
        } else {
            3
        };
        luma += 1;
    }
    shades
};

/// The emulator's keys cannot be copied.
fn key_again(key: &PadKey) -> PadKey {
    match key {
        PadKey::Up => PadKey::Up,
        PadKey::Down => PadKey::Down,
        PadKey::Left => PadKey::Left,
        PadKey::Right => PadKey::Right,
        PadKey::Start => PadKey::Start,
        PadKey::Select => PadKey::Select,
        PadKey::A => PadKey::A,
        PadKey::B => PadKey::B,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{memory, stackfall};

    #[test]
    fn cutting_waiting_short_changes_nothing() {
        let mut consoles = [false, true].map(|skips| {
            let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
            console.skips = skips;
            console
        });
        for frame in 0..700u32 {
            let held = match frame {
                60..62 | 80..82 | 100..102 => Buttons::START,
                _ if frame % 50 > 20 => Buttons::DOWN,
                _ => Buttons(1 << (frame / 8 % 6)),
            };
            for console in &mut consoles {
                console.step(held).unwrap();
            }
            let [slow, fast] = &mut consoles;
            assert_eq!(slow.ticks, fast.ticks, "frame {frame}");
            assert_eq!(slow.peek(0xFF04), fast.peek(0xFF04), "the divider in frame {frame}");
            assert!(slow.screen == fast.screen, "frame {frame}");
            assert_eq!(memory::read(slow), memory::read(fast), "frame {frame}");
        }
        assert!(memory::read(&mut consoles[0]).board.cells() > 8);
    }
}
