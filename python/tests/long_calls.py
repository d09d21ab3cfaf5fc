"""Calls that take longer than a person waits for Ctrl-C: tests end them, and the bench measures how soon that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gamebot import connect_four, gameboy, samegame, tetris
from gamebot.connect_four import Solver
from gamebot.environments import ConnectFourVectorEnv, TetrisScreenVectorEnv, TetrisVectorEnv

Call = Callable[[], Any]


def stepped(make: Callable[[], Any]) -> Call:
    """A step of all games, after they were begun."""
    env = make()
    env.reset(seed=1)
    actions = env.sample_actions()
    return lambda: env.step(actions)


def learned(moves: int) -> Call:
    lesson = tetris.Learner(moves=moves).lessons()[0]
    return lambda: tetris.study(lesson)


ROBOT_LINES = '{"RobotLines":{"pieces":100}}'

LONG: dict[str, Callable[[], Call]] = {
    "score": lambda: lambda: Solver(book=False).score(""),
    "scores": lambda: lambda: Solver(book=False, threads=2).scores(""),
    "best": lambda: lambda: Solver(book=False).best("4"),
    "line": lambda: lambda: Solver(book=False).line("4"),
    "score_many": lambda: lambda: Solver(book=False).score_many(["", "4", "44"], threads=2),
    "book_solve": lambda: lambda: connect_four.book_solve([0]),
    "book_open": lambda: lambda: connect_four.book_open(11),
    "clear": lambda: lambda: samegame.clear(samegame.random_board(40, 40, 9), threads=2),
    "points": lambda: lambda: samegame.points(samegame.random_board(15, 15, 5), nodes=None),
    "play": lambda: lambda: tetris.play("lee", lines=20_000, until="death"),
    "compare": lambda: lambda: tetris.compare(["clever"], games=100_000, lines=50),
    "fitness": lambda: lambda: tetris.fitness(ROBOT_LINES, [-0.5, 0.5, -0.5, -0.5], 1, 1_000_000),
    "Tuner.step": lambda: tetris.Tuner("lines", rows=12, pieces=20_000, population=4, games=1).step,
    "Learner.step": lambda: tetris.Learner(moves=8_000).step,
    "study": lambda: learned(30_000),
    "frame": lambda: lambda: gameboy.Console().frame(2**31),
    "Player.play": lambda: lambda: gameboy.Player(gameboy.Console(), until="death").play(games=100),
    "consoles": lambda: lambda: TetrisScreenVectorEnv(1_000),
    "reset of consoles": lambda: lambda: TetrisScreenVectorEnv(200).reset(seed=1),
    "step against perfect": lambda: stepped(lambda: ConnectFourVectorEnv(2_000, opponent="perfect", first=True)),
    "step of 200,000": lambda: stepped(lambda: TetrisVectorEnv(200_000, threads=2)),
}
"""What makes each call ready, and the call."""
