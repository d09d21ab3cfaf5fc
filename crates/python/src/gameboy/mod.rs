//! `gamebot.gameboy`: the console with our cartridge or one's own, and the Tetris player that watches it.

mod player;

use std::sync::{Mutex, MutexGuard, PoisonError};

use ::gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use ::gameboy::{Cartridge, Console as _, Emulator, memory, stackfall};
use ::tetris::gameboy::Buttons;
use numpy::ndarray::ArrayView2;
use numpy::{PyArray2, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;

use crate::connect_four::value_error;
use crate::interrupt::with_budget;
use crate::tetris::{BUTTONS, buttons};

/// Frames between two looks for Ctrl-C: a few milliseconds of emulation.
const FRAMES_PER_LOOK: u32 = 16;

/// Adds the module's contents.
pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Console>()?;
    module.add_class::<player::Player>()?;
    module.add("BUTTONS", pyo3::types::PyTuple::new(module.py(), BUTTONS)?)
}

/// A grey Game Boy with a cartridge in it: *Stackfall*, our own free game, or an image of yours.
///
/// >>> from gamebot.gameboy import Console
/// >>> console = Console()
/// >>> console.frame(60)
/// >>> console.screen.shape, int(console.screen.max())
/// ((144, 160), 3)
#[pyclass(frozen, module = "gamebot.gameboy")]
pub struct Console {
    emulator: Mutex<Box<Emulator>>,
    held: Mutex<Buttons>,
    cartridge: Cartridge,
}

#[pymethods]
impl Console {
    #[new]
    #[pyo3(signature = (cartridge = None))]
    fn new(cartridge: Option<&[u8]>) -> PyResult<Self> {
        let cartridge = match cartridge {
            None => stackfall::cartridge(),
            Some(image) => Cartridge::new(image.to_vec()).map_err(value_error)?,
        };
        let emulator = Emulator::new(&cartridge).map_err(value_error)?;
        Ok(Self { emulator: Mutex::new(Box::new(emulator)), held: Mutex::new(Buttons::NONE), cartridge })
    }

    /// Holds these buttons from the next frame on, and lets go of all others.
    #[pyo3(signature = (*names))]
    fn press(&self, names: Vec<String>) -> PyResult<()> {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = buttons(&names)?;
        Ok(())
    }

    /// Runs display periods, 59.7 of which make a second.
    #[pyo3(signature = (count = 1))]
    fn frame(&self, py: Python<'_>, count: u32) -> PyResult<()> {
        let mut emulator = self.lock(py);
        let held = *self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let emulator = &mut *emulator;
        let step = |emulator: &mut Box<Emulator>, frames: u32| {
            (0..frames).try_for_each(|_| emulator.step(held)).map_err(|crash| crash.to_string())
        };
        if count <= FRAMES_PER_LOOK {
            return py
                .detach(|| crate::interrupt::caught(|| step(emulator, count)))?
                .map_err(PyRuntimeError::new_err);
        }
        with_budget(py, None, |budget| {
            let mut left = count;
            while left > 0 {
                // A full batch of nodes asks for Ctrl-C once.
                let mut meter = budget.meter();
                if !meter.spend_node() {
                    break;
                }
                let frames = left.min(FRAMES_PER_LOOK);
                step(emulator, frames)?;
                left -= frames;
            }
            Ok(())
        })?
        .map_err(PyRuntimeError::new_err::<String>)
    }

    /// The last complete picture, 144 × 160 shades from 0 (white) to 3 (black). It is the console's own memory:
    /// read-only, and changed by the next frame; copy it to keep it.
    #[getter]
    #[allow(unsafe_code, reason = "an array without a copy")]
    fn screen<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let emulator = this.get().lock(this.py());
        let shades = &*emulator.screen().shades;
        let view = ArrayView2::from_shape((SCREEN_HEIGHT, SCREEN_WIDTH), shades).map_err(value_error)?;
        // SAFETY: the screen is a boxed slice that the emulator writes in place and never replaces; the emulator
        // is boxed and lives as long as the console, which the array keeps alive as its base.
        let array = unsafe { PyArray2::borrow_from_array(&view, this.clone().into_any()) };
        drop(emulator);
        array.try_readwrite().map_err(value_error)?.make_nonwriteable();
        Ok(array)
    }

    /// Complete pictures since the console was switched on.
    #[getter]
    fn frames(&self, py: Python<'_>) -> u64 {
        self.lock(py).frames()
    }

    /// Everything the console is, as bytes for `load`.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = self.lock(py).save().map_err(|crash| PyRuntimeError::new_err(crash.to_string()))?;
        Ok(PyBytes::new(py, &state))
    }

    /// Goes back to what `save` gave.
    fn load(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        let mut emulator = self.lock(py);
        emulator.restore(state).map_err(|crash| value_error(format!("not a state of this console: {crash}")))
    }

    /// What Stackfall's memory says: score, lines, level and whether a game is over or under way. For referees and
    /// rewards: a player that peeks does not play.
    fn referee(&self, py: Python<'_>) -> (u32, u32, u8, bool, bool) {
        let mut emulator = self.lock(py);
        let memory = memory::read(&mut **emulator);
        let playing = memory.scene == memory::Scene::Play;
        let over = matches!(
            memory.scene,
            memory::Scene::Curtain | memory::Scene::Over | memory::Scene::Rocket | memory::Scene::Name
        );
        (memory.score, memory.lines, memory.level, playing, over)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<Console after {} frames>", self.lock(py).frames())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let again = py.get_type::<Self>().getattr("_again")?;
        let cartridge = PyBytes::new(py, self.cartridge.bytes());
        Ok((again, (cartridge, self.save(py)?)).into_pyobject(py)?.into_any())
    }

    /// The console that was pickled.
    #[staticmethod]
    fn _again(py: Python<'_>, cartridge: &[u8], state: &[u8]) -> PyResult<Self> {
        let console = Self::new(Some(cartridge))?;
        console.load(py, state)?;
        Ok(console)
    }
}

impl Console {
    fn lock(&self, py: Python<'_>) -> MutexGuard<'_, Box<Emulator>> {
        self.emulator.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }
}
