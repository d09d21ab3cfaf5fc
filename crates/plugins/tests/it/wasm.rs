//! WebAssembly evaluators.

use std::fs;
use std::process::Command;

use plugins::folder::find;
use plugins::wasm::{WasmError, WasmEvaluator};
use tetris::Board;
use tetris::evaluate::learned::Tables;
use tetris::evaluate::{Evaluator, Lee};
use tetris::features::Placed;

const LOW: &[u8] = include_bytes!("../../../../fixtures/tetris/plugins/low.wat");

fn board() -> Board {
    Board::parse("#.........\n..........\n##.......#").unwrap()
}

#[test]
fn the_example_in_text_form_evaluates() {
    let evaluator = WasmEvaluator::new("low", LOW).unwrap();
    // Heights 3 + 1 + 1, one hole.
    assert!((evaluator.board_value(&board()) + 9.0).abs() < 1e-6);
    assert_eq!(evaluator.failure(), None);
}

/// Builds the example in C with the command its first lines give.
#[test]
fn the_example_in_c_is_built_by_its_own_notes_and_agrees_with_ours() {
    let source =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/tetris/plugins/lee.c"))
            .unwrap();
    let notes: String = source
        .lines()
        .skip_while(|line| !line.contains("clang --target"))
        .take_while(|line| !line.contains("Then drop"))
        .map(|line| line.trim_start_matches(" *").trim_end_matches('\\'))
        .collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lee.c"), &source).unwrap();
    let built = Command::new("sh").args(["-c", &notes]).current_dir(&folder).output().unwrap();
    assert!(built.status.success(), "{notes}\n{}", String::from_utf8_lossy(&built.stderr));
    let found = find(folder.path());
    assert!(found.broken.is_empty(), "{:?}", found.broken);
    let (theirs, ours) = (&found.evaluators[0], Lee::PUBLISHED);
    assert_eq!(theirs.name(), "lee");
    assert!((theirs.board_value(&board()) - ours.board_value(&board())).abs() < 1e-5);
    let placed = Placed { lines: 3, ..Placed::default() };
    assert!((theirs.move_value(&placed) - ours.move_value(&placed)).abs() < 1e-5);
}

#[test]
fn a_module_that_never_returns_runs_out_of_fuel_and_is_not_asked_again() {
    let endless = r#"(module (memory (export "memory") 1)
        (func (export "board") (result i32) (i32.const 0))
        (func (export "evaluate") (result f32) (loop (br 0)) (unreachable)))"#;
    let evaluator = WasmEvaluator::new("endless", endless.as_bytes()).unwrap();
    assert!(evaluator.board_value(&board()) < -1.0e4);
    assert!(evaluator.failure().unwrap().contains("fuel"), "{:?}", evaluator.failure());
    assert!(evaluator.board_value(&board()) < -1.0e4);
}

#[test]
fn modules_that_trap_or_answer_nonsense_are_caught() {
    for body in ["(unreachable)", "(f32.const nan)", "(f32.load (i32.const 100000000))"] {
        let module = format!(
            r#"(module (memory (export "memory") 1)
            (func (export "board") (result i32) (i32.const 0)) (func (export "evaluate") (result f32) {body}))"#
        );
        let evaluator = WasmEvaluator::new("broken", module.as_bytes()).unwrap();
        assert!(evaluator.board_value(&board()) < -1.0e4);
        assert!(evaluator.failure().is_some(), "{body}");
    }
}

#[test]
fn tables_and_memories_are_limited() {
    let module = |contents: &str| {
        format!(
            r#"(module (memory (export "memory") 1) {contents} (func (export "board") (result i32) (i32.const 0)))"#
        )
    };
    let evaluate = r#"(func (export "evaluate") (result f32)"#;
    for greedy in ["(table 200000000 funcref)".to_owned(), "(table 100000 funcref)".repeat(50)] {
        let text = module(&format!("{greedy} {evaluate} (f32.const 0))"));
        let error = WasmEvaluator::new("greedy", text.as_bytes()).unwrap_err();
        assert!(matches!(error, WasmError::Module { .. }), "{error}");
    }
    // One that grows while it plays is told that it cannot.
    let grows = module(&format!(
        "(table 1 funcref) {evaluate} (f32.convert_i32_s (table.grow 0 (ref.null func) (i32.const 200000000))))"
    ));
    let evaluator = WasmEvaluator::new("grows", grows.as_bytes()).unwrap();
    let value = evaluator.board_value(&board());
    assert!((value + 1.0).abs() < 1e-6 || evaluator.failure().is_some(), "{value}");
}

#[test]
fn what_is_missing_is_named() {
    let reason = |text: &str| WasmEvaluator::new("x", text.as_bytes()).unwrap_err();
    assert!(matches!(reason("not wasm"), WasmError::Module { .. }));
    assert!(matches!(reason("(module)"), WasmError::Export { export: "memory" }));
    let without_evaluate =
        r#"(module (memory (export "memory") 1) (func (export "board") (result i32) (i32.const 0)))"#;
    assert!(reason(without_evaluate).to_string().contains("evaluate() -> f32"));
    let outside = r#"(module (memory (export "memory") 1) (func (export "board") (result i32) (i32.const 65530))
        (func (export "evaluate") (result f32) (f32.const 0)))"#;
    assert!(matches!(reason(outside), WasmError::Address { address: 65530, size: 65536 }));
    let imports = r#"(module (import "env" "f" (func)) (memory (export "memory") 1))"#;
    assert!(matches!(reason(imports), WasmError::Module { .. }));
}

#[test]
fn a_folder_is_searched_and_broken_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("good.wat"), LOW).unwrap();
    fs::write(folder.path().join("bad.wasm"), b"nonsense").unwrap();
    fs::write(folder.path().join("empty.tbp"), b"\n").unwrap();
    fs::write(folder.path().join("cold.tbp"), b"cold-clear-2 --threads 1\n").unwrap();
    fs::write(folder.path().join("mine.values"), Tables::ours().to_bytes()).unwrap();
    fs::write(folder.path().join("short.values"), b"gamebot values 1\n").unwrap();
    fs::write(folder.path().join("notes.txt"), b"").unwrap();
    let found = find(folder.path());
    assert_eq!(found.evaluators.iter().map(WasmEvaluator::name).collect::<Vec<_>>(), ["good"]);
    assert_eq!(found.programs[0].1, ["cold-clear-2", "--threads", "1"]);
    let broken: Vec<_> = found.broken.iter().map(|(path, _)| path.file_name().unwrap().to_owned()).collect();
    assert_eq!(broken, ["bad.wasm", "empty.tbp", "short.values"]);
    assert_eq!(found.learned, [("mine".to_owned(), Tables::ours())]);
    assert!(find(&folder.path().join("nowhere")).evaluators.is_empty());
}
