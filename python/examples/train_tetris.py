"""Trains a small value function for Tetris with NumPy alone: temporal differences on four features.

Weights of column heights, holes, bumps and lines are learned from games in the vector environment's rules; the
result is compared with play by chance. Run it with a number of games: ``python train_tetris.py 200``.
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from gamebot.tetris import Board, Game

FEATURES = 4


def features(board: Board) -> NDArray[np.float64]:
    """Sum of heights, holes, bumps, and a constant, all about 1."""
    heights = np.array(board.heights)
    holes = int(heights.sum()) - board.cells
    bumps = int(np.abs(np.diff(heights)).sum())
    return np.array([heights.sum() / 100, holes / 10, bumps / 30, 1.0])


def play(weights: NDArray[np.float64], seed: int, rate: float = 0.0, most_pieces: int = 200) -> int:
    """Plays a game with these weights, learning from it if the rate is not 0; returns its lines."""
    game = Game(rules="classic", seed=seed)
    before: NDArray[np.float64] | None = None
    while not game.is_over and game.pieces < most_pieces:
        best = None
        for placement in game.placements():
            after, lines = game.board.place(game.active, placement).settled()
            seen = features(after)
            value = lines + 0.95 * float(weights @ seen)
            if best is None or value > best[0]:
                best = (value, placement, seen)
        assert best is not None
        if before is not None and rate:
            weights += rate * (best[0] - weights @ before) * before
        before = best[2]
        game.place(best[1])
    if game.is_over and before is not None and rate:
        weights += rate * (-10 - weights @ before) * before
    return game.lines


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    weights = np.zeros(FEATURES)
    untrained = np.mean([play(weights, seed) for seed in range(1000, 1010)])
    for seed in range(games):
        play(weights, seed, rate=0.02)
    trained = np.mean([play(weights, seed) for seed in range(1000, 1010)])
    print(f"weights {np.round(weights, 3).tolist()}")
    print(f"lines from 200 pieces: untrained {untrained:.1f}, trained {trained:.1f}")


if __name__ == "__main__":
    main()
