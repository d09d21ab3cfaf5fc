"""Solves Connect Four positions with BitBully: one line of moves in, one line
`SCORE CPU_NANOSECONDS` out. No book; an empty table before each position, and
clearing it does not count."""

import sys
import time

from bitbully import bitbully_core

solver = bitbully_core.BitBullyCore()
for line in sys.stdin:
    board = bitbully_core.BoardCore()
    for column in line.strip():
        if not board.play(int(column) - 1):
            sys.exit(f"illegal move in {line.strip()}")
    solver.resetTranspositionTable()
    start = time.thread_time_ns()
    score = solver.mtdf(board, first_guess=0)
    print(score, time.thread_time_ns() - start)
