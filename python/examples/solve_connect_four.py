"""Solves a Connect Four position, shows it, and lets the levels say what they would play."""

from __future__ import annotations

from gamebot.connect_four import LEVELS, Opponent, Position, Solver


def main() -> None:
    position = Position("44444")
    print(position, "\n")
    scores = Solver().scores(position)
    for column, score in enumerate(scores, start=1):
        print(f"column {column}: {'full' if score is None else score}")
    for level in LEVELS:
        decision = Opponent(level).choose(position)
        print(f"{level:9} plays {decision['column']}: {decision['reason']['en']}")


if __name__ == "__main__":
    main()
