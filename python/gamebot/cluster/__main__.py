"""``python -m gamebot.cluster``: the command line."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import tetris
from . import commands
from .workers import Workers

_EXAMPLES = """\
examples:
  python -m gamebot.cluster compare tetris --players lee,ours --games 1000 --resume games.jsonl
  python -m gamebot.cluster tune tetris --generations 60 --checkpoint lines.json --plot lines.svg
  python -m gamebot.cluster learn tetris --rounds 160 --checkpoint score.json --values mine.values
  python -m gamebot.cluster book connect-four --ply 8 --checkpoint book.checkpoint --out openings.book
  python -m gamebot.cluster records samegame --turns 10 --file records.md --address ray://head:10001

Run the same command again to go on from its checkpoint. Guide: docs/cluster.md.
"""

Command = Callable[[argparse.Namespace, Workers], tuple[dict[str, Any], str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; the exit code is 0, 1 (failed), 2 (usage) or 130 (interrupted)."""
    options = parser().parse_args(arguments)
    command: Command = options.command
    try:
        with Workers(options.address, options.workers) as workers:
            report, text = command(options, workers)
    except KeyboardInterrupt:
        print("interrupted; what was finished is in the checkpoint", file=sys.stderr)
        return 130
    except (OSError, ValueError, RuntimeError, ConnectionError) as error:
        print(f"gamebot.cluster: error: {error}", file=sys.stderr)
        return 1
    print(json.dumps(report, ensure_ascii=False) if options.json else text)
    return 0


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    whole = argparse.ArgumentParser(
        prog="python -m gamebot.cluster",
        description="Tuning, learning, books, records and comparisons on many machines, through Ray.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    verbs = whole.add_subparsers(dest="verb", required=True)
    _tune(_command(verbs, "tune", "tetris", "Tune weights: evolution strategy or genetic algorithm.", commands.tune))
    _learn(_command(verbs, "learn", "tetris", "Learn the values of boards from games.", commands.learn))
    _book(_command(verbs, "book", "connect-four", "Solve the opening book.", commands.book))
    _records(_command(verbs, "records", "samegame", "Look for better solutions of the standard boards.", commands.records))
    _compare(_command(verbs, "compare", "tetris", "Compare players on the same piece sequences.", commands.compare))
    return whole


def _command(verbs: Any, verb: str, game: str, about: str, command: Command) -> argparse.ArgumentParser:
    games = verbs.add_parser(verb, help=about, description=about).add_subparsers(dest="game", required=True)
    defaults = argparse.ArgumentDefaultsHelpFormatter
    made: argparse.ArgumentParser = games.add_parser(game, help=about, description=about, formatter_class=defaults)
    made.set_defaults(command=command)
    made.add_argument("--address", metavar="ADDRESS", help="join this Ray cluster ('auto' or ray://HOST:PORT)")
    made.add_argument("--workers", type=_at_least(1), metavar="N", help="most tasks at once; all cores by default")
    made.add_argument("--json", action="store_true", help="print one JSON document")
    made.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the run into this file")
    return made


def _tune(command: argparse.ArgumentParser) -> None:
    command.add_argument("--objective", choices=["lines", "robot-lines"], default="lines", help="what to optimise")
    command.add_argument("--method", choices=["cma-es", "genetic"], default="cma-es", help="how candidates are bred")
    command.add_argument("--generations", type=_at_least(0), default=100, help="including those of the checkpoint")
    command.add_argument("--population", type=_at_least(4), default=16, help="candidates of a generation")
    command.add_argument("--games", type=_at_least(1), default=24, help="games of a candidate")
    command.add_argument("--sigma", type=float, default=0.15, help="first step size, as a share of each weight")
    command.add_argument("--crossover", type=float, default=0.3, help="chance that parents mix (genetic)")
    command.add_argument("--mutation", type=float, default=0.02, help="chance that a gene mutates (genetic)")
    command.add_argument("--tournament", type=_at_least(1), default=2, help="individuals of a tournament (genetic)")
    command.add_argument("--rows", type=int, default=10, help="rows of the field (lines)")
    command.add_argument("--pieces", type=_at_least(1), default=100_000, help="pieces after which a game is stopped")
    _seed_and_checkpoint(command)


def _learn(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rounds", type=_at_least(0), default=160, help="including those of the checkpoint")
    command.add_argument("--moves", type=_at_least(1), default=100_000, help="moves of a round, at each pace")
    command.add_argument("--death", type=float, default=20.0, help="cost of a death, in tetrises")
    command.add_argument("--caution", type=float, default=0.5, help="additional cost with every round")
    command.add_argument("--values", type=Path, metavar="FILE", help="write the tables here; works as a plug-in")
    _seed_and_checkpoint(command)


def _book(command: argparse.ArgumentParser) -> None:
    command.add_argument("--ply", type=_at_least(0), default=8, help="solve every position up to this ply")
    command.add_argument("--lines", type=_at_least(0), default=14, help="lines of perfect play up to this ply")
    command.add_argument("--checkpoint", type=Path, metavar="FILE", help="keep solved positions here")
    command.add_argument("--out", type=Path, metavar="FILE", required=True, help="the book")


def _records(command: argparse.ArgumentParser) -> None:
    command.add_argument("--file", type=Path, metavar="FILE", required=True, help="the table of best solutions")
    command.add_argument("--turns", type=_at_least(1), default=1, help="searches of each board")
    command.add_argument("--nodes", type=_at_least(1), default=4_000_000, help="sequences tried in a search")
    command.add_argument("--seed", type=_at_least(0), default=1, help="seed of the first turn")


def _compare(command: argparse.ArgumentParser) -> None:
    command.add_argument("--players", type=_players, default=["lee", "bergmark", "clever", "ours"], help="by commas")
    command.add_argument("--games", type=_at_least(1), default=100, help="games of each player")
    command.add_argument("--games-per-task", type=_at_least(1), default=1, help="more if games take below a second")
    command.add_argument("--seed", type=_at_least(0), default=1, help="the same seed gives the same pieces")
    command.add_argument("--rules", choices=["gameboy", "document", "classic"], default="gameboy")
    command.add_argument("--level", type=int, default=9, help="start level")
    command.add_argument("--heart", action="store_true", help="ten levels faster")
    command.add_argument("--press-ms", type=float, default=75.0, help="milliseconds of a key press")
    command.add_argument("--rows", type=int, default=20, help="rows of the classic field")
    command.add_argument("--preview", action="store_true", help="show the next piece on the classic field")
    command.add_argument("--until", choices=["max-out", "death"], help="when a game ends")
    command.add_argument("--lines", type=_at_least(1), default=1_000_000, help="lines after which a game is stopped")
    command.add_argument("--resume", type=Path, metavar="FILE", help="keep finished games here")


def _seed_and_checkpoint(command: argparse.ArgumentParser) -> None:
    command.add_argument("--seed", type=_at_least(0), default=1, help="random seed")
    command.add_argument("--checkpoint", type=Path, metavar="FILE", help="save the run here and go on from it")


def _at_least(least: int) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(f"{value}: choose {least} or more")
        return value

    return number


def _players(text: str) -> list[str]:
    names = text.split(",")
    for name in names:
        if name not in tetris.PLAYERS:
            known = ", ".join(tetris.PLAYERS)
            raise argparse.ArgumentTypeError(f"no player is named {name!r}: choose among {known}")
    return names


if __name__ == "__main__":
    sys.exit(main())
