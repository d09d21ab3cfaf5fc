"""A hostile notebook: bad values, threads, processes, pickling and Ctrl-C never crash or hang the interpreter."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gamebot import _native, connect_four, gameboy, recording, samegame, tetris
from gamebot._native import environments as native
from gamebot.connect_four import Opponent, Position, Solver
from gamebot.environments import (
    ConnectFourEnv,
    ConnectFourVectorEnv,
    SameGameEnv,
    TetrisEnv,
    TetrisScreenVectorEnv,
    TetrisVectorEnv,
)
from gamebot.pettingzoo import connect_four_v0, tetris_versus_v0

from long_calls import LONG

ROOT = Path(__file__).parents[2]
EXPECTED = (TypeError, ValueError, OverflowError, OSError, RuntimeError, MemoryError)

EVIL: list[Any] = [
    None,
    True,
    -1,
    99,
    2**63,
    2**64,
    10**30,
    -(10**30),
    1.5,
    float("nan"),
    float("inf"),
    3 + 4j,
    "",
    "x",
    "\0",
    "ü" * 50,
    "9" * 500,
    "\ud800",
    b"",
    bytes(100),
    [],
    [1],
    [None],
    {},
    {"a": 1},
    object(),
    Exception,
    range(5),
    len,
    np.zeros((6, 7)),
    np.zeros((6, 7), dtype=np.int8),
    np.full((6, 7), 9, dtype=np.int64),
    np.full((6, 7), np.nan),
    np.zeros((6, 7), dtype=np.int8).T,
    np.zeros((12, 14), dtype=np.uint64)[::2, ::2],
    np.zeros((6, 7), dtype=object),
    np.zeros((6, 7), dtype="U1"),
    np.zeros((6, 7), dtype="datetime64[s]"),
    np.zeros(3, dtype=bool),
    np.zeros((0, 0), dtype=np.int32),
    np.zeros((2, 3, 4), dtype=np.int8),
    np.array(5),
    np.arange(70, dtype=np.int64).reshape(7, 10)[::-1],
    np.float32("nan"),
    np.int8(-3),
]


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    array.flags.writeable = False
    return array


EVIL.append(read_only(np.ones((6, 7), dtype=np.int8)))


def calls() -> list[tuple[Callable[..., Any], list[Any], dict[str, Any]]]:
    """Every public callable with arguments that work, quickly."""
    board = tetris.Board("#........#")
    placement = tetris.drops(board, "T")[0]
    stones = samegame.Board("[[1,2],[1,2],[1,1]]")
    console, round_, game = gameboy.Console(), tetris.Versus(), tetris.Game()
    tuner = tetris.Tuner("lines", rows=6, pieces=10, population=4, games=1)
    learner = tetris.Learner(moves=10)
    games, single = native.connect_four_games(2), native.connect_four_games(1)
    games.reset(np.zeros(2, dtype=np.uint64))
    single.reset(np.zeros(1, dtype=np.uint64))
    player = gameboy.Player(gameboy.Console(), pieces=1)
    note = next(iter(recording.Recording(ROOT / "fixtures/recordings/catch-0.1.0.mcap")))
    make_note = type(note)._again
    return [
        (Position, ["44"], {}),
        (Position.from_array, [np.zeros((6, 7), dtype=np.int8)], {}),
        (Position.from_picture, [repr(Position())], {}),
        (Position.from_key, [0], {}),
        (Position("4").play, [4], {}),
        (Position("4").undo, [4], {}),
        (Position("4").wins_with, [4], {}),
        (Solver, [], {"book": True, "threads": 1, "table_bytes": 4096}),
        (Solver().score, ["4453"], {"nodes": 1000}),
        (Solver().scores, ["4453"], {"nodes": 1000}),
        (Solver().best, ["4453"], {"nodes": 1000}),
        (Solver().line, ["52753311433677442422121"], {"nodes": 10_000_000}),
        (Solver().score_many, [["4453"]], {"threads": 1, "nodes": 1000}),
        (Opponent, ["easy"], {"table_bytes": 4096}),
        (Opponent("easy").choose, ["44"], {"seed": 1, "nodes": 1000}),
        (connect_four.play_game, ["random", "random"], {"seed": 1}),
        (connect_four.book_open, [1, ""], {}),
        (connect_four.book_write, [0, ""], {"lines": 0}),
        (tetris.Board, ["#........."], {}),
        (tetris.Board.from_array, [np.zeros((18, 10), dtype=np.uint8)], {}),
        (board.to_array, [18], {}),
        (board.place, ["T", placement], {}),
        (tetris.Placement, [0, 0, 0], {}),
        (tetris.drops, [board, "T"], {"ceiling": 18}),
        (tetris.reachable, [board, "T"], {"level": 9, "press_ms": 75.0}),
        (tetris.plan, [board, "T", placement], {"level": 9, "press_ms": 75.0}),
        (tetris.decide, [board, "T", "I"], {"player": "clever", "rules": "classic", "level": 9, "nodes": 10}),
        (tetris.value, [board], {"player": "lee", "rules": "gameboy", "level": 9, "press_ms": 75.0, "rows": 20}),
        (tetris.Game, [], {"rules": "gameboy", "level": 9, "heart": False, "press_ms": 75.0, "rows": 20, "seed": 1}),
        (game.place, [game.placements()[0]], {}),
        (tetris.Game._again, [("gameboy", 9, False, 75.0, 20, 1), []], {}),
        (tetris.play, ["clever", 0], {"seed": 1, "rules": "gameboy", "lines": 1, "press_ms": 75.0, "until": "death"}),
        (tetris.summary, [[]], {}),
        (tetris.compare, [["clever"]], {"games": 1, "lines": 1, "threads": 1, "level": 9, "rows": 20, "seed": 1}),
        (tetris.Tuner, ["lines"], {"rows": 6, "population": 4, "games": 1, "sigma": 0.1, "seed": 1, "mutation": 0.1}),
        (tetris.Tuner.from_json, [tuner.to_json()], {}),
        (tuner.learn, [[0.0] * 4], {}),
        (tetris.fitness, [tuner.objective, tuner.weights, 1, 1], {}),
        (tetris.Learner, [], {"death": 20.0, "caution": 0.5, "seed": 1, "moves": 10}),
        (tetris.Learner.from_json, [learner.to_json()], {}),
        (learner.learn, [[]], {}),
        (tetris.study, ["{}"], {}),
        (tetris.Versus, [], {"press_ms": 75.0, "seed": 1}),
        (round_.step, [0, 0], {}),
        (round_.board, [0], {}),
        (round_.mask, [0], {}),
        (samegame.Board, ["[[1,2],[1,2]]"], {}),
        (samegame.Board.from_array, [np.ones((4, 4), dtype=np.uint8)], {}),
        (stones.groups, [2], {}),
        (stones.play, [1], {"min_group": 2}),
        (samegame.random_board, [5, 5, 3], {"seed": 1}),
        (samegame.clear, [stones], {"nodes": 100, "seed": 1, "threads": 1, "min_group": 2}),
        (samegame.points, [stones], {"nodes": 100, "seed": 1, "threads": 1, "min_group": 2}),
        (samegame.replay, [stones, [1]], {"min_group": 2}),
        (samegame.read_records, [""], {}),
        (samegame.write_records, [[]], {}),
        (gameboy.Console, [None], {}),
        (console.press, ["a"], {}),
        (console.frame, [1], {}),
        (console.load, [b"state"], {}),
        (recording.Recording, [str(ROOT / "fixtures/recordings/catch-0.1.0.mcap")], {}),
        (make_note, ["/frame", 1, b"bytes"], {}),
        (native.connect_four_games, [2], {"opponent": None, "first": None, "threads": 1}),
        (native.samegame_games, [2], {"columns": 4, "rows": 4, "colours": 2, "threads": 1}),
        (native.tetris_games, [2], {"rules": "classic", "level": 9, "rows": 20, "reward": "lines", "threads": 1}),
        (native.tetris_frame_games, [2], {"level": 9, "reward": "lines", "threads": 1}),
        (native.tetris_screen_games, [1], {"frames": 4, "reward": "lines", "threads": 1}),
        (games.reset, [np.zeros(2, dtype=np.uint64), np.ones(2, dtype=bool)], {}),
        (games.step, [np.zeros(2, dtype=np.int64), "next_step", "penalty"], {}),
        (games.picture, [0], {}),
        (single.step_one, [0, "penalty"], {}),
        (gameboy.Player, [console], {"level": 9, "press_ms": 75.0, "pieces": 1, "until": "death", "idle": 60}),
        (gameboy.Player._again, [console, (9, False, 75.0, 1, "death", "BOT", 60)], {}),
        (player.play, [10], {"games": 1}),
    ]


def test_thousands_of_bad_calls_raise_clear_errors() -> None:
    dice = random.Random(1)
    refused = made = 0
    for function, arguments, keywords in calls():
        function(*arguments, **keywords) if function is not tetris.study and "load" not in str(function) else None
        places: list[int | str] = [*range(len(arguments)), *keywords]
        bent: list[tuple[list[Any], dict[str, Any]]] = []
        for evil in EVIL:
            place = dice.choice(places) if places else None
            bent.append(bend(arguments, keywords, place, evil))
        bent.append(([*arguments, 1, 2, 3, 4, 5, 6, 7, 8, 9], keywords))
        bent.append((arguments, {**keywords, "no_such_keyword": 1}))
        for bad, settings in bent:
            made += 1
            try:
                function(*bad, **settings)
            except EXPECTED as error:
                refused += 1
                assert str(error) and "defect" not in str(error), (function, bad, settings, error)
    assert made >= 2_000 and refused > made / 2, (made, refused)


def bend(
    arguments: list[Any], keywords: dict[str, Any], place: int | str | None, evil: Any
) -> tuple[list[Any], dict[str, Any]]:
    if isinstance(place, int):
        return [*arguments[:place], evil, *arguments[place + 1 :]], keywords
    # Without a limit a search would be long, not wrong.
    if place is None or (place == "nodes" and (evil is None or evil is True)):
        return [*arguments, evil], keywords
    return arguments, {**keywords, place: evil}


def test_messages_name_what_is_wrong() -> None:
    for call, message in [
        (lambda: Position.from_array(np.zeros((6, 7))), "board must be an array of integers, not of float64"),
        (lambda: Position.from_array(np.zeros((7, 6), dtype=int)), r"shape \(6, 7\), not \(7, 6\)"),
        (lambda: Position.from_array(np.full((6, 7), 5)), "board has a 5: cells are 0, 1 and 2"),
        (lambda: connect_four.book_solve([1 << 60]), "is the key of no position"),
        (lambda: Position("48"), "move 2: there is no column 8"),
        (lambda: Solver().score(3), "position must be a Position or its moves as text, not int"),  # type: ignore[arg-type]
        (lambda: Opponent("expert"), "'expert'|\"expert\" is not an opponent"),
        (lambda: tetris.drops(tetris.Board(), "X"), "is not a piece: choose one of L, J, I, O, Z, S, T"),
        (lambda: tetris.play("nobody"), "no player is named"),
        (lambda: samegame.Board("[[1,2]"), "character 7: found the end"),
        (lambda: gameboy.Console().press("jump"), "is not a button: choose among right, left"),
        (lambda: gameboy.Player(gameboy.Console(), level=10), "level is 10: choose 0 to 9"),
        (lambda: gameboy.Player(gameboy.Console(), initials="ÄÖ"), "up to six letters A to Z are allowed"),
        (lambda: TetrisEnv(rules="guideline"), "choose gameboy, document or classic"),
    ]:
        with pytest.raises((TypeError, ValueError), match=message):
            call()


def test_odd_but_right_arrays_are_taken() -> None:
    board = Position("4455").to_array()
    wide = np.zeros((12, 14), dtype=np.int64)
    wide[::2, ::2] = board
    for odd in (wide[::2, ::2], np.asfortranarray(board), read_only(board.copy()), board.astype(np.uint64)):
        assert Position.from_array(odd) == Position("4455")


def pickled() -> list[Any]:
    game = tetris.Game(seed=3)
    game.place(game.placements()[2])
    round_ = tetris.Versus(seed=3)
    round_.step(int(round_.mask(0).argmax()), int(round_.mask(1).argmax()))
    console = gameboy.Console()
    console.frame(70)
    player = gameboy.Player(gameboy.Console(), level=5, pieces=2)
    tape = recording.Recording(ROOT / "fixtures/recordings/catch-0.1.0.mcap")
    tuner = tetris.Tuner("lines", rows=6, pieces=10, population=4, games=1)
    learner = tetris.Learner(moves=20)
    tuner.step()
    return [
        Position("4453"),
        Solver(book=False, threads=2),
        Opponent("depth-4-slips"),
        tetris.Board("#........#"),
        tetris.Placement(1, 2, 3),
        game,
        round_,
        tuner,
        learner,
        samegame.Board("[[1,2],[1,2]]"),
        console,
        player,
        tape,
        next(iter(tape)),
    ]


def test_every_public_object_is_pickled() -> None:
    for thing in pickled():
        copy = pickle.loads(pickle.dumps(thing))
        assert type(copy) is type(thing)
        if not isinstance(thing, gameboy.Console | tetris.Tuner | tetris.Learner):
            assert repr(copy) == repr(thing)
        if isinstance(thing, tetris.Tuner | tetris.Learner):
            assert copy.to_json() == thing.to_json()
        if isinstance(thing, gameboy.Console):
            for console in (thing, copy):
                console.frame(30)
            assert np.array_equal(copy.screen, thing.screen)
    for env in (ConnectFourEnv("hard"), SameGameEnv(columns=6), TetrisVectorEnv(3, rules="classic")):
        copy = pickle.loads(pickle.dumps(env))
        assert np.array_equal(copy.reset(seed=4)[1]["action_mask"], env.reset(seed=4)[1]["action_mask"])
    for made in (connect_four_v0.env(), tetris_versus_v0.parallel_env()):
        made.reset(seed=1)
        assert pickle.loads(pickle.dumps(made)).agents == made.agents
    with pytest.raises(TypeError):
        pickle.dumps(iter(recording.Recording(ROOT / "fixtures/recordings/catch-0.1.0.mcap")))


def test_eight_threads_share_everything() -> None:
    solver, console, opponent = Solver(), gameboy.Console(), Opponent("medium")
    env = ConnectFourVectorEnv(64, opponent=None, threads=2)
    env.reset(seed=1)
    game = tetris.Game()
    expected = solver.scores("4453")

    def work(number: int) -> list[int | None]:
        for step in range(20):
            console.frame(1)
            assert console.screen.shape == (144, 160)
            opponent.choose("44", seed=step)
            env.step(np.random.default_rng(number).integers(0, 7, size=64))
            for placement in game.placements()[:1]:
                try:
                    game.place(placement)
                except ValueError:
                    # Another thread was faster.
                    pass
        return solver.scores("4453")

    with ThreadPoolExecutor(8) as pool:
        assert all(scores == expected for scores in pool.map(work, range(8)))
    alone = gameboy.Console()
    alone.frame(160)
    assert console.frames == alone.frames


def in_another_process(solver: Solver, results: Any) -> None:
    env = TetrisVectorEnv(200, rules="classic", threads=2)
    env.reset(seed=1)
    env.step(env.sample_actions())
    results.put((solver.score("4453"), int(env.step(env.sample_actions())[0]["board"].sum())))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_start_in_both_ways(method: str) -> None:
    context = multiprocessing.get_context(method)
    results = context.Queue()
    solver = Solver(threads=2)
    solver.score_many(["4453", "44"], threads=2)
    process = context.Process(target=in_another_process, args=(solver, results))
    process.start()
    answer = results.get(timeout=60)
    process.join(60)
    assert process.exitcode == 0
    in_another_process(solver, own := multiprocessing.get_context("spawn").SimpleQueue())
    assert own.get() == answer


def test_a_forked_process_steps_its_parents_games() -> None:
    env = TetrisVectorEnv(200, rules="classic", threads=2)
    env.reset(seed=1)
    env.step(env.sample_actions())
    child = os.fork()
    if child == 0:
        env.step(env.sample_actions())
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_every_long_call(name: str) -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        LONG[name]()()
        # A quick machine may be done before.
        threading.Event().wait(60)


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Presses Ctrl-C after a moment."""
    # A process that was started in the background ignores it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def test_games_that_ctrl_c_left_behind_want_a_reset() -> None:
    env = TetrisScreenVectorEnv(2)
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt), ctrl_c():
        while True:
            env._kind.games.reset(np.arange(2, dtype=np.uint64))
    try:
        env.step(np.zeros(2, dtype=np.int64))
    except RuntimeError as error:
        # Ctrl-C came within the call, and not between two.
        assert "reset all games first" in str(error)
        with pytest.raises(RuntimeError, match="interrupted"):
            env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    env.step(np.zeros(2, dtype=np.int64))


@pytest.mark.parametrize("way", ["here", "a thread", "threads"])
def test_a_defect_of_ours_is_an_exception(way: str) -> None:
    with pytest.raises(RuntimeError, match="defect in gamebot, please report it: on purpose"):
        _native._defect(way)
