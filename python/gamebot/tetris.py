"""Tetris: boards, placements that keys can reach, players, games, comparisons, tuning and learning.

Pieces are the letters L, J, I, O, Z, S and T. Rows count from the bottom; arrays begin with the top row.
"""

from ._native.tetris import (
    PIECES,
    PLAYERS,
    Board,
    Game,
    Learner,
    Placement,
    Tuner,
    Versus,
    compare,
    decide,
    drops,
    fitness,
    plan,
    play,
    reachable,
    study,
    summary,
    value,
)

__all__ = [
    "PIECES",
    "PLAYERS",
    "Board",
    "Game",
    "Learner",
    "Placement",
    "Tuner",
    "Versus",
    "compare",
    "decide",
    "drops",
    "fitness",
    "plan",
    "play",
    "reachable",
    "study",
    "summary",
    "value",
]
