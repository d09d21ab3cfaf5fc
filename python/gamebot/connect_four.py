"""Connect Four: positions, the perfect solver, and opponents that say why.

Columns are 1 to 7 from the left. A score is n for a win with the n-th last disc of the player to move, 0 for a
draw, −n for a loss.
"""

from ._native.connect_four import (
    LEVELS,
    Opponent,
    Position,
    Solver,
    book_open,
    book_solve,
    book_write,
    play_game,
)

__all__ = [
    "LEVELS",
    "Opponent",
    "Position",
    "Solver",
    "book_open",
    "book_solve",
    "book_write",
    "play_game",
]
