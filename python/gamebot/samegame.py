"""SameGame: boards, moves, clearing with proof, points.

A move is the number of a group, counted from 1 in the order of ``Board.groups``.
"""

from ._native.samegame import (
    Board,
    clear,
    points,
    random_board,
    read_records,
    replay,
    standard_boards,
    write_records,
)

__all__ = [
    "Board",
    "clear",
    "points",
    "random_board",
    "read_records",
    "replay",
    "standard_boards",
    "write_records",
]
