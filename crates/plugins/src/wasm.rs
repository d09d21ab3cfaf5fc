//! Evaluators from WebAssembly modules, run in a sandbox.
//!
//! A module exports its memory as `memory` and these functions:
//!
//! | export | meaning |
//! |---|---|
//! | `board() -> i32` | address of ten 32-bit words; before each evaluation they hold the columns, left to right, bit `r` being row `r` from the bottom |
//! | `evaluate() -> f32` | the value of the board, higher is better |
//! | `evaluate_move(lines: i32, landing_height_doubled: i32) -> f32` | optional: the value of the last move itself |
//!
//! A module gets no imports, so it can only compute, and the fuel of every
//! evaluation, its memory and its tables are limited. `fixtures/tetris/plugins` has examples in C and in the
//! text format.

use std::sync::{Arc, Mutex};

use tetris::Board;
use tetris::evaluate::Evaluator;
use tetris::features::Placed;
use wasmi::{Config, Engine, Linker, Memory, Module, Store, StoreLimits, StoreLimitsBuilder, TypedFunc};

use crate::words::screenful;

/// Fuel per evaluation: about a hundred times what a thorough evaluator needs.
const FUEL: u64 = 200_000;
/// Ten columns of 32 bits.
const BOARD_BYTES: usize = 40;
/// The most memory a module may use.
const MEMORY_BYTES: usize = 16 << 20;
/// The most entries of one of its tables, and how many tables it may have: together as much as its memory.
const TABLE_ENTRIES: usize = 1 << 17;
const TABLES: usize = 8;
/// The value of a board on which the module failed: lower than any sensible value.
const FAILED: f32 = -1.0e5;

/// An evaluator loaded from a WebAssembly module.
///
/// Copies share the module's one instance.
#[derive(Clone, Debug)]
pub struct WasmEvaluator {
    name: String,
    instance: Arc<Mutex<Instance>>,
}

#[derive(Debug)]
struct Instance {
    store: Store<StoreLimits>,
    memory: Memory,
    address: usize,
    evaluate: TypedFunc<(), f32>,
    evaluate_move: Option<TypedFunc<(i32, i32), f32>>,
    failure: Option<String>,
}

/// Why a module cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WasmError {
    /// Not a WebAssembly module, or one that has imports.
    #[error("not a runnable WebAssembly module: {reason}")]
    Module {
        /// What is wrong with it.
        reason: String,
    },
    /// A missing export.
    #[error("the module does not export {export}")]
    Export {
        /// What is missing.
        export: &'static str,
    },
    /// `board` points outside the memory.
    #[error(
        "board() returned address {address}, but {BOARD_BYTES} bytes from there do not fit into the memory of {size} bytes"
    )]
    Address {
        /// The address that `board` returned.
        address: i32,
        /// Size of the memory.
        size: usize,
    },
}

impl WasmEvaluator {
    /// Loads a module from its binary or text form.
    pub fn new(name: &str, bytes: &[u8]) -> Result<WasmEvaluator, WasmError> {
        let mut config = Config::default();
        config.consume_fuel(true);
        let engine = Engine::new(&config);
        let module = Module::new(&engine, bytes)
            .map_err(|error| WasmError::Module { reason: screenful(&error.to_string()) })?;
        let instance = Arc::new(Mutex::new(instantiate(&engine, &module)?));
        Ok(WasmEvaluator { name: name.to_owned(), instance })
    }

    /// The plug-in's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What went wrong in an evaluation, if anything did; a failed module is not called again.
    pub fn failure(&self) -> Option<String> {
        self.instance.lock().ok()?.failure.clone()
    }
}

impl Instance {
    fn board_value(&mut self, board: &Board) -> f32 {
        if self.failure.is_some() {
            return FAILED;
        }
        let mut bytes = [0; BOARD_BYTES];
        for (x, word) in bytes.chunks_exact_mut(4).enumerate() {
            word.copy_from_slice(&board.column(x).to_le_bytes());
        }
        let result = self
            .memory
            .write(&mut self.store, self.address, &bytes)
            .map_err(|error| error.to_string())
            .and_then(|()| self.store.set_fuel(FUEL).map_err(|error| error.to_string()))
            .and_then(|()| self.evaluate.call(&mut self.store, ()).map_err(|error| error.to_string()));
        self.checked(result)
    }

    fn move_value(&mut self, placed: &Placed) -> f32 {
        let Some(evaluate_move) = self.evaluate_move.filter(|_| self.failure.is_none()) else { return 0.0 };
        let arguments = (placed.lines as i32, placed.landing_height_doubled);
        let result =
            self.store.set_fuel(FUEL).map_err(|error| error.to_string()).and_then(|()| {
                evaluate_move.call(&mut self.store, arguments).map_err(|error| error.to_string())
            });
        self.checked(result)
    }

    fn checked(&mut self, result: Result<f32, String>) -> f32 {
        let reason = match result {
            Ok(value) if value.is_finite() => return value,
            Ok(value) => format!("it returned {value}"),
            Err(reason) => reason,
        };
        self.failure = Some(reason);
        FAILED
    }
}

fn instantiate(engine: &Engine, module: &Module) -> Result<Instance, WasmError> {
    let broken = |error: wasmi::Error| WasmError::Module { reason: screenful(&error.to_string()) };
    let limits = StoreLimitsBuilder::new()
        .memory_size(MEMORY_BYTES)
        .memories(1)
        .table_elements(TABLE_ENTRIES)
        .tables(TABLES)
        .instances(1)
        .build();
    let mut store = Store::new(engine, limits);
    store.limiter(|limits| limits);
    store.set_fuel(FUEL).map_err(broken)?;
    let instance = Linker::new(engine).instantiate_and_start(&mut store, module).map_err(broken)?;
    let memory = instance.get_memory(&store, "memory").ok_or(WasmError::Export { export: "memory" })?;
    let board = instance
        .get_typed_func::<(), i32>(&store, "board")
        .map_err(|_| WasmError::Export { export: "board() -> i32" })?;
    let evaluate = instance
        .get_typed_func::<(), f32>(&store, "evaluate")
        .map_err(|_| WasmError::Export { export: "evaluate() -> f32" })?;
    let evaluate_move = instance.get_typed_func::<(i32, i32), f32>(&store, "evaluate_move").ok();
    let address = board.call(&mut store, ()).map_err(broken)?;
    let size = memory.data(&store).len();
    let inside = usize::try_from(address)
        .ok()
        .filter(|start| start.checked_add(BOARD_BYTES).is_some_and(|end| end <= size));
    let Some(start) = inside else { return Err(WasmError::Address { address, size }) };
    Ok(Instance { store, memory, address: start, evaluate, evaluate_move, failure: None })
}

impl Evaluator for WasmEvaluator {
    fn board_value(&self, board: &Board) -> f32 {
        self.instance.lock().map_or(FAILED, |mut instance| instance.board_value(board))
    }

    fn move_value(&self, placed: &Placed) -> f32 {
        self.instance.lock().map_or(FAILED, |mut instance| instance.move_value(placed))
    }
}
