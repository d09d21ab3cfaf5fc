"""The pure tasks: what workers run, and nothing else."""

from __future__ import annotations

import time
from typing import Any

from .. import connect_four, samegame, tetris

__all__ = ["best_points", "fitness", "games", "solve", "study"]


def fitness(objective: str, weights: list[float], first_seed: int, count: int) -> float:
    """The fitness of one candidate."""
    return tetris.fitness(objective, weights, first_seed, count)


def study(lesson: str) -> str:
    """One round of learning at one pace."""
    return tetris.study(lesson)


def solve(keys: list[int]) -> str:
    """The checkpoint's lines of some positions."""
    return connect_four.book_solve(keys)


def best_points(board: str, nodes: int, seed: int) -> tuple[int, list[int]]:
    """Score and moves of the best game found on a board."""
    answer = samegame.points(samegame.Board(board), nodes=nodes, seed=seed)
    return answer["score"], answer["moves"]


def games(contest: dict[str, Any], player: str, indexes: list[int]) -> list[tuple[float, dict[str, Any]]]:
    """Some games of a player, each with the seconds it took."""
    played = []
    for index in indexes:
        start = time.perf_counter()
        game = tetris.play(player, index, **contest)
        played.append((time.perf_counter() - start, game))
    return played
