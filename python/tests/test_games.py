"""The games' modules against the facts that the Rust tests pin (C7, S4, G11, G5, X3)."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import gamebot
from gamebot import connect_four, environments, gameboy, recording, samegame, tetris
from gamebot.connect_four import Opponent, Position, Solver
from gamebot.pettingzoo import connect_four_v0, tetris_versus_v0

ROOT = Path(__file__).parents[2]
MODULES = [connect_four, environments, gameboy, recording, samegame, tetris, connect_four_v0, tetris_versus_v0]


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_examples_in_docstrings_run(module: ModuleType) -> None:
    runner = doctest.DocTestRunner(verbose=False)
    documented: list[tuple[str, object]] = [(module.__name__, module)]
    for name in module.__all__:
        thing = getattr(module, name)
        documented.append((name, thing))
        if isinstance(thing, type):
            documented += [(f"{name}.{key}", part) for key, part in vars(thing).items() if not key.startswith("_")]
    for name, thing in documented:
        text = getattr(thing, "__doc__", None) or ""
        if ">>>" in text:
            runner.run(doctest.DocTestParser().get_doctest(text, dict(vars(module)), name, None, 0))
    assert runner.summarize().failed == 0


def test_positions_go_there_and_back() -> None:
    position = Position("44455554221")
    assert Position.from_array(position.to_array()) == position
    assert Position.from_picture(repr(position)) == position
    assert Position.from_key(position.key) == position
    assert position.undo(1).play(1) == position
    assert position.mirrored().mirrored() == position
    assert position.to_array().dtype == np.int8
    assert (position.discs, position.to_move, position.is_over) == (11, 2, False)


def test_a_won_game_is_over() -> None:
    won = Position("1212121")
    assert (won.outcome, won.is_over, won.legal()) == ("first", True, [])
    assert won.winning_cells == [(1, 1), (1, 2), (1, 3), (1, 4)]
    with pytest.raises(ValueError, match="game is over"):
        won.play(3)


def test_solver_agrees_with_and_without_book_and_threads() -> None:
    positions = ["444444", "4453", "35333571", "23763416", "1234567", "32164625"]
    with_book = Solver().score_many(positions)
    assert with_book.dtype == np.int8
    deep = [moves + "77" for moves in ("274552224131661", "5455174361263362", "52753311433677442422121")]
    one = Solver(book=False).score_many(deep)
    two = Solver(book=False, threads=2).score_many(deep, threads=2)
    assert one.tolist() == two.tolist() == [Solver(book=False).score(moves) for moves in deep]
    assert Solver().score_many([]).tolist() == []


def test_scores_best_and_line_belong_together() -> None:
    solver = Solver()
    for moves in ("", "4", "444444", "52753311433677442422121"):
        score, column = solver.best(moves)
        scores = solver.scores(moves)
        assert column is not None and scores[column - 1] == score == max(s for s in scores if s is not None)
        line = solver.line(moves)
        assert line[0] in [index + 1 for index, value in enumerate(scores) if value == score]
        end = Position(moves + "".join(map(str, line)))
        assert end.is_over
    assert solver.scores("444444")[3] is None


def test_a_small_budget_is_said_to_be_exhausted() -> None:
    with pytest.raises(gamebot.BudgetExhausted, match="ran out"):
        Solver(book=False).score("4", nodes=1000)


def test_levels_choose_and_say_why() -> None:
    for level in connect_four.LEVELS:
        decision = Opponent(level).choose("4453", seed=3)
        assert 1 <= decision["column"] <= 7 and decision["reason"]["en"] and decision["reason"]["de"]
    moves, winner = connect_four.play_game("perfect", "random", seed=1)
    assert winner == 1 and Position(moves).outcome == "first"
    assert connect_four.play_game("easy", "hard", seed=5) == connect_four.play_game("easy", "hard", seed=5)


def test_tetris_boards_and_placements() -> None:
    board = tetris.Board("##........\n..........\n..........")
    assert tetris.Board.from_array(board.to_array()) == board
    assert board.mirrored().heights == list(reversed(board.heights))
    corner = tetris.Placement(0, -1, 0)
    assert corner in tetris.reachable(board, "O") and corner not in tetris.drops(board, "O")
    keys = tetris.plan(board, "O", corner)
    assert keys is not None and all("left" in names for _, names in keys["presses"])
    assert tetris.plan(board, "O", tetris.Placement(0, 0, 9)) is None
    after, lines = tetris.Board("#########.\n" * 4).place("I", tetris.Placement(1, 8, 0)).settled()
    assert (after.cells, lines) == (0, 4)


def test_games_and_comparisons_repeat() -> None:
    for rules in ("gameboy", "classic"):
        games = [tetris.Game(rules=rules, seed=7) for _ in range(2)]
        for _ in range(40):
            for game in games:
                best = tetris.decide(game.board, game.active, game.preview, player="lee", rules=rules)
                assert best is not None
                game.place(best[0])
        assert repr(games[0]) == repr(games[1]) and games[0].lines > 5
        assert tetris.value(games[0].board, player="lee", rules=rules) < 0
    one = tetris.compare(["clever", "lee"], games=3, lines=15, threads=1)
    assert one == tetris.compare(["clever", "lee"], games=3, lines=15, threads=2)
    single = [tetris.play("clever", index, lines=15) for index in range(3)]
    assert tetris.summary(single)["lines_mean"] == one["players"][0]["lines_mean"]


def test_samegame_clears_proves_and_scores() -> None:
    board = samegame.random_board(10, 8, 3, seed=4)
    assert samegame.Board.from_array(board.to_array()) == board
    answer = samegame.clear(board, nodes=2_000_000)
    assert answer["proof"] == "cleared" and samegame.replay(board, answer["moves"])[1] == 0
    assert samegame.clear(samegame.Board("[[2,1],[1,2]]"))["proof"] == "impossible"
    scored = samegame.points(board, nodes=100_000, threads=2)
    assert samegame.replay(board, scored["moves"])[0] == scored["score"] >= 1000
    assert len(samegame.standard_boards()) == 20


def test_our_player_watches_a_console() -> None:
    player = gameboy.Player(gameboy.Console(), level=0, pieces=12)
    passed = player.play(300)
    # Without a display, as between two scenes, there is a period but no picture.
    assert 300 <= passed < 600 and passed - 60 < player.console.frames <= passed
    assert player.console.referee()[3], "a game is under way"
    player.play(games=1)
    (game,) = player.games
    score, lines, level, playing, _ = player.console.referee()
    assert (game["score"], game["lines"], game["level"]) == (score, lines, level) and not playing
    assert game["pieces"] >= 12 and game["presses"] > game["pieces"]
    passed = player.console.frames
    assert player.play(games=0) == 0 and player.console.frames == passed


def test_the_console_runs_saves_and_shows_its_own_memory() -> None:
    console = gameboy.Console()
    console.frame(70)
    screen = console.screen
    assert screen.shape == (144, 160) and not screen.flags.writeable and np.shares_memory(screen, console.screen)
    before = screen.copy()
    for _ in range(4):
        console.press("start")
        console.frame(2)
        console.press()
        console.frame(20)
    assert not np.array_equal(before, screen), "the array shows what the console shows"
    assert console.referee()[3], "a game is under way"
    state = console.save()
    console.frame(30)
    later = console.screen.copy()
    console.load(state)
    console.frame(30)
    assert np.array_equal(later, console.screen)
    with pytest.raises(ValueError, match="not a cartridge image"):
        gameboy.Console(b"nothing")


def test_a_recording_is_read_note_by_note() -> None:
    tape = recording.Recording(ROOT / "fixtures/recordings/catch-0.1.0.mcap")
    assert tape.run["game"] == "catch"
    notes = list(tape)
    assert [note.topic for note in tape] == [note.topic for note in notes], "it can be read again"
    frames = [note for note in notes if note.topic == "frame"]
    assert frames and frames[0].frame is not None and frames[0].frame.dtype == np.uint8
    assert frames[0].content is None
    decisions = [note.content for note in notes if note.topic == "decision"]
    assert decisions and all(isinstance(content, dict) for content in decisions)
    assert [note.time_s for note in notes] == sorted(note.time_s for note in notes)
    with pytest.raises(OSError):
        recording.Recording("no/such/file.mcap")
    with pytest.raises(ValueError, match="MCAP"):
        recording.Recording(__file__)
