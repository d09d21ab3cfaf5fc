//! The document's system tests (§3.4.3.2) by their numbers, and its use cases UC1–UC5 (C1).

use budget::Budget;
use connect_four::{Column, Level, Machine, MachineSettings, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::json;

use crate::browser::{Device, Visitor};
use crate::stage::{Stage, robots_discs, robots_lights};

/// Columns of a game that fills the board without four in a row.
const DRAW: &str = "225344533673453576212645522737771141641166";

/// Two people sit down against each other (tests 1 and 4, UC1).
async fn two_people(stage: &Stage) -> (Visitor, Visitor) {
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.sees("#table-note[data-mood=waiting]").await;
    ben.signs_up("Ben", "human").await;
    anna.sees("body[data-view=playing][data-seat=red]").await;
    ben.sees("body[data-view=playing][data-seat=yellow]").await;
    (anna, ben)
}

async fn goes_back_to_the_lobby(visitor: &Visitor) {
    visitor.taps("#to-lobby").await;
    visitor.sees("body[data-view=lobby] #signup:not([hidden])").await;
}

/// Tests 1, 1.1, 1.1.0–1.1.3; UC1, UC3.
#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_until_one_wins() {
    // Slow enough that the lights, which go out after a while, are seen.
    let stage = Stage::open(&["robot.simulated_speed=3"]).await;
    let (anna, ben) = two_people(&stage).await;
    let robot = stage.visitor(Device::Desktop, "/robot").await;
    for _ in 0..3 {
        anna.drops(1).await;
        ben.drops(2).await;
    }
    anna.sees("body[data-view=playing] #turn[data-turn=mine]").await;
    robot.sees("[data-cell='2-3']").await;
    assert_eq!(robots_discs(&robot, "red").await, ["1-1", "1-2", "1-3"]);
    assert_eq!(robots_discs(&robot, "yellow").await, ["2-1", "2-2", "2-3"]);
    anna.taps(".column[data-column='1']").await;

    anna.sees("#result[data-mood=won] #result-title").await;
    assert_eq!(anna.reads("#result-title").await, "You win!");
    ben.sees("#result[data-mood=lost]").await;
    assert_eq!(ben.reads("#result-title").await, "You lost.");
    for visitor in [&anna, &ben] {
        let four = "return document.querySelectorAll('.board.won .disc.winning').length";
        assert_eq!(visitor.value(four).await, json!(4));
    }
    robot.sees("#robot-leds[data-count='4']").await;
    assert_eq!(robots_lights(&robot).await, ["red 1-1", "red 1-2", "red 1-3", "red 1-4"]);

    goes_back_to_the_lobby(&anna).await;
    goes_back_to_the_lobby(&ben).await;
    stage.close([anna, ben, robot]).await;
}

/// Tests 1.2, 1.2.0–1.2.2.
#[tokio::test(flavor = "multi_thread")]
async fn two_people_play_to_a_draw() {
    let stage = Stage::open(&[]).await;
    let (anna, ben) = two_people(&stage).await;
    let robot = stage.visitor(Device::Desktop, "/robot").await;
    let columns: Vec<usize> = DRAW.bytes().map(|digit| usize::from(digit - b'0')).collect();
    let (last, all_but_last) = columns.split_last().unwrap();
    for (index, column) in all_but_last.iter().enumerate() {
        let visitor = if index % 2 == 0 { &anna } else { &ben };
        visitor.drops(*column).await;
    }
    ben.sees("body[data-view=playing] #turn[data-turn=mine]").await;
    ben.taps(&format!(".column[data-column='{last}']")).await;

    for visitor in [&anna, &ben] {
        visitor.sees("#result[data-mood=draw]").await;
        assert_eq!(visitor.reads("#result-title").await, "A draw.");
    }
    robot.sees_that("return document.querySelectorAll('.board g.disc[data-cell]').length === 42").await;
    assert_eq!(robots_lights(&robot).await, Vec::<String>::new());

    goes_back_to_the_lobby(&anna).await;
    goes_back_to_the_lobby(&ben).await;
    stage.close([anna, ben, robot]).await;
}

/// Tests 2, 2.1, 2.1.0; UC2.
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_wins() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "hard").await;
    anna.sees("body[data-view=playing][data-seat=red]").await;
    // Whoever fills the board from the left loses to a machine that looks eight discs ahead.
    let free = "return Number(document.querySelector('.column:not([data-full])').dataset.column)";
    play(&anna, async |visitor| visitor.value(free).await.as_u64().unwrap() as usize).await;
    anna.sees("#result[data-mood=lost]").await;
    assert_eq!(anna.reads("#result-title").await, "You lost.");
    goes_back_to_the_lobby(&anna).await;
    stage.close([anna]).await;
}

/// Tests 2.2, 2.2.0; UC2.
#[tokio::test(flavor = "multi_thread")]
async fn the_visitor_wins() {
    let stage = Stage::open(&["levels.easy_bad_share=1.0"]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("body[data-view=playing][data-seat=red]").await;
    let mut prompter = Machine::new(MachineSettings::default());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    play(&anna, async |visitor| {
        let position = position_of(visitor).await;
        let chosen = prompter.choose(&position, Level::Hard, &mut random, &Budget::unlimited()).unwrap();
        usize::from(chosen.column.number())
    })
    .await;
    anna.sees("#result[data-mood=won]").await;
    assert_eq!(anna.reads("#result-title").await, "You win!");
    goes_back_to_the_lobby(&anna).await;
    stage.close([anna]).await;
}

/// Plays a whole game, choosing a column whenever it is the visitor's turn.
async fn play(visitor: &Visitor, mut choose: impl AsyncFnMut(&Visitor) -> usize) {
    loop {
        visitor.sees("body[data-view=result], #turn[data-turn=mine]").await;
        if visitor.value("return document.body.dataset.view").await == json!("result") {
            return;
        }
        let column = choose(visitor).await;
        let button = format!(".column[data-column='{column}']");
        let discs = "return document.querySelectorAll('.board g.disc[data-cell]').length";
        let before = visitor.value(discs).await.as_u64().unwrap();
        visitor.taps(&button).await;
        visitor.sees_that(&format!("{discs} > {before}")).await;
    }
}

/// The position that the page shows; whose turn it is follows from the number of discs.
async fn position_of(visitor: &Visitor) -> Position {
    let script = "return [...document.querySelectorAll('.board g.disc[data-cell]')]
        .map((g) => [g.dataset.cell, g.classList.contains('disc-red')])";
    let cells = visitor.value(script).await;
    let has = |column: u8, row: usize, red: bool| {
        cells.as_array().unwrap().iter().any(|cell| cell[0] == format!("{column}-{row}") && cell[1] == red)
    };
    // Any order of moves that builds this board will do.
    let discs = cells.as_array().unwrap().len();
    let mut heights = [0_usize; 7];
    build(Position::EMPTY, discs, &mut heights, &has).expect("the page shows a legal board")
}

fn build(
    position: Position,
    left: usize,
    heights: &mut [usize; 7],
    has: &impl Fn(u8, usize, bool) -> bool,
) -> Option<Position> {
    if left == 0 {
        return Some(position);
    }
    let red = position.discs().is_multiple_of(2);
    for column in Column::ALL {
        let height = heights[column.index()];
        if !has(column.number(), height + 1, red) {
            continue;
        }
        let Ok(next) = position.play(column) else { continue };
        heights[column.index()] += 1;
        if let Some(built) = build(next, left - 1, heights, has) {
            return Some(built);
        }
        heights[column.index()] -= 1;
    }
    None
}

/// Tests 3, 3.1; UC5 (C9).
#[tokio::test(flavor = "multi_thread")]
async fn every_turn_of_the_machine_is_explained() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "medium").await;
    anna.drops(4).await;
    anna.sees("#turn[data-turn=mine]").await;
    // Whoever comes now sees the latest thought at once, and from then on each new one.
    let screen = stage.visitor(Device::BigScreen, "/watch").await;
    for ply in [2, 4, 6] {
        screen.sees(&format!("#tree[data-ply='{ply}'] .node[data-chosen]")).await;
        screen.sees(&format!("#bars[data-ply='{ply}'] .bar[data-chosen]")).await;
        let column = screen.value("return Number(document.getElementById('tree').dataset.column)").await;
        let chosen = "return Number(document.querySelector('#tree .node[data-chosen]').dataset.column)";
        assert_eq!(screen.value(chosen).await, column);
        let bar = "return Number(document.querySelector('#bars .bar[data-chosen]').dataset.column)";
        assert_eq!(screen.value(bar).await, column);
        let yellow = "return document.querySelector('#tree .node[data-chosen]').dataset.disc";
        assert_eq!(screen.value(yellow).await, json!("yellow"));
        screen.sees(".board g.expected.played").await;
        screen.sees_that("return document.querySelectorAll('#log li').length > 0").await;
        if ply == 4 {
            screen.keeps_picture("watch").await;
        }
        if ply < 6 {
            anna.drops(if ply == 2 { 1 } else { 7 }).await;
            anna.sees("#turn[data-turn=mine]").await;
        }
    }
    stage.close([anna, screen]).await;
}

/// Tests 4, 4.1, 4.2; UC4.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_leaves() {
    let stage = Stage::open(&[]).await;
    let (anna, ben) = two_people(&stage).await;
    anna.drops(4).await;
    anna.leaves().await;
    anna.sees("body[data-view=lobby]").await;
    ben.sees("#result[data-mood=won]").await;
    assert_eq!(ben.reads("#result-text").await, "Anna has left the game.");
    goes_back_to_the_lobby(&ben).await;
    anna.sees("#table-note[data-mood=free]").await;
    stage.close([anna, ben]).await;
}
