"""The commands: each cuts its work into tasks and puts the results together in order."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from .. import connect_four, samegame, tetris
from . import tasks
from .files import Progress, append, plot, read, replace
from .workers import Workers

__all__ = ["book", "compare", "learn", "records", "tune"]

_CHUNK = 16
"""Positions of a task: neighbours share much of their search."""


def tune(options: Namespace, workers: Workers) -> tuple[dict[str, Any], str]:
    """Tunes weights; the checkpoint is that of ``gamebot tune tetris --objective lines|robot-lines``."""
    text = read(options.checkpoint)
    tuner = (
        tetris.Tuner.from_json(text)
        if text
        else tetris.Tuner(
            options.objective,
            method=options.method,
            rows=options.rows,
            pieces=options.pieces,
            population=options.population,
            games=options.games,
            sigma=options.sigma,
            crossover=options.crossover,
            mutation=options.mutation,
            tournament=options.tournament,
            seed=options.seed,
        )
    )
    progress = Progress(options.generations, "generations", tuner.generation)
    while tuner.generation < options.generations:
        first, games = tuner.seeds
        work = [(tuner.objective, candidate, first, games) for candidate in tuner.candidates()]
        tuner.learn(list(workers.map(tasks.fitness, work)))
        _, best, mean = tuner.history[-1]
        progress.advance(f"best {best:.4f}, mean {mean:.4f}")
        replace(options.checkpoint, tuner.to_json())
        curves = {
            "best candidate": [(float(number), best) for number, best, _ in tuner.history],
            "mean of the candidates": [(float(number), mean) for number, _, mean in tuner.history],
        }
        plot(options.plot, f"Tuning Tetris, seed {options.seed}", "generation", "fitness", curves)
    progress.end()
    _, best, mean = tuner.history[-1] if tuner.history else (0, float("nan"), float("nan"))
    report = {
        "generations": tuner.generation,
        "best": best,
        "mean": mean,
        "weights": tuner.weights,
        "history": tuner.history,
    }
    weights = ", ".join(f"{weight:.4f}" for weight in tuner.weights)
    return report, f"generations {tuner.generation}  best {best:.4f}  mean {mean:.4f}\nweights [{weights}]"


def learn(options: Namespace, workers: Workers) -> tuple[dict[str, Any], str]:
    """Learns tables; the checkpoint is that of ``gamebot tune tetris --objective score``."""
    text = read(options.checkpoint)
    learner = (
        tetris.Learner.from_json(text)
        if text
        else tetris.Learner(
            death=options.death, caution=options.caution, seed=options.seed, moves=options.moves
        )
    )
    progress = Progress(options.rounds, "rounds", learner.rounds)
    while learner.rounds < options.rounds:
        learner.learn(list(workers.map(tasks.study, ((lesson,) for lesson in learner.lessons()))))
        shares = [_share(rounds[-1]) for rounds in learner.history]
        progress.advance("tetrises " + ", ".join(f"{100 * share:.0f} %" for share in shares))
        replace(options.checkpoint, learner.to_json())
        replace(options.values, learner.values())
        curves = {
            f"pace {pace + 1}": [(n + 1.0, 100 * _share(result)) for n, result in enumerate(rounds)]
            for pace, rounds in enumerate(learner.history)
        }
        title = f"Learning Tetris for points, seed {options.seed}"
        plot(options.plot, title, "round", "lines cleared four at once, %", curves)
    progress.end()
    paces = [
        {"tetris_share": _share(rounds[-1]), "deaths": rounds[-1]["deaths"]}
        for rounds in learner.history
        if rounds
    ]
    lines = [f"rounds {learner.rounds}"]
    for number, pace in enumerate(paces):
        lines.append(
            f"pace {number + 1}  tetrises {100 * pace['tetris_share']:.1f} %  deaths {pace['deaths']}"
        )
    return {"rounds": learner.rounds, "paces": paces}, "\n".join(lines)


def _share(result: dict[str, int]) -> float:
    return 4.0 * result["tetrises"] / max(result["lines"], 1)


def book(options: Namespace, workers: Workers) -> tuple[dict[str, Any], str]:
    """Solves a ply; the checkpoint is that of ``cargo xtask book``."""
    keys = connect_four.book_open(options.ply, read(options.checkpoint)).tolist()
    chunks = [keys[first : first + _CHUNK] for first in range(0, len(keys), _CHUNK)]
    progress = Progress(len(chunks), f"tasks of {_CHUNK} positions")
    solved = []
    curve = []
    for lines in workers.map(tasks.solve, ((chunk,) for chunk in chunks)):
        append(options.checkpoint, lines)
        solved.append(lines)
        curve.append((float(len(solved)), float(sum(text.count("\n") for text in solved))))
        progress.advance()
    progress.end()
    everything = read(options.checkpoint) if options.checkpoint else "".join(solved)
    content = connect_four.book_write(options.ply, everything, lines=options.lines)
    replace(options.out, content)
    plot(options.plot, f"Book of ply {options.ply}", "task", "positions solved", {"solved": curve})
    report = {"ply": options.ply, "solved": len(keys), "bytes": len(content)}
    return report, f"ply {options.ply}: {len(keys)} positions solved, a book of {len(content)} bytes"


def records(options: Namespace, workers: Workers) -> tuple[dict[str, Any], str]:
    """Looks for better solutions of the standard boards; the file is that of ``cargo xtask bench samegame``."""
    boards = samegame.standard_boards()
    known = samegame.read_records(read(options.file))
    for number, score, moves in known:
        if samegame.replay(boards[number - 1], moves)[0] != score:
            raise ValueError(f"{options.file}: the record of board {number} does not give {score} points")
    best = {number: (score, moves) for number, score, moves in known}
    before = sum(score for score, _ in best.values())
    work = [
        (number + 1, turn, str(board))
        for turn in range(options.turns)
        for number, board in enumerate(boards)
    ]
    found = workers.map(
        tasks.best_points, ((board, options.nodes, options.seed + turn) for _, turn, board in work)
    )
    progress = Progress(len(work), "searches")
    curve: list[tuple[float, float]] = []
    for (number, _, _), (score, moves) in zip(work, found, strict=True):
        if number not in best or score > best[number][0]:
            best[number] = (score, moves)
            replace(options.file, samegame.write_records([(n, s, m) for n, (s, m) in sorted(best.items())]))
        total = sum(score for score, _ in best.values())
        curve.append((len(curve) + 1.0, float(total)))
        progress.advance(f"total {total}")
    progress.end()
    total = sum(score for score, _ in best.values())
    plot(options.plot, "SameGame records", "search", "total", {"total": curve})
    report = {"total": total, "total_before": before, "boards": [best[n][0] for n in sorted(best)]}
    return report, f"total {total}, before {before}"


def compare(options: Namespace, workers: Workers) -> tuple[dict[str, Any], str]:
    """Compares players; finished games are those of ``gamebot compare tetris --resume``."""
    contest = {
        name: getattr(options, name)
        for name in ("seed", "rules", "level", "heart", "press_ms", "rows", "preview", "until", "lines")
    }
    key = {name: value for name, value in contest.items() if name != "until"}
    key["until_max_out"] = (options.until or ("max-out" if options.rules == "gameboy" else "death")) == "max-out"
    finished: dict[tuple[str, int], tuple[float, dict[str, Any]]] = {}
    for number, line in enumerate(read(options.resume).splitlines()):
        game = _finished_game(line)
        if game is None and not _is_half(line):
            raise ValueError(f"--resume {options.resume}: line {number + 1} is not a finished game of `compare tetris`")
        if game is not None and game["contest"] == key:
            finished[game["player"], game["index"]] = (game["seconds"], game["game"])
    open_games = [
        (player, [index for index in part if (player, index) not in finished])
        for part in _parts(options.games, options.games_per_task)
        for player in options.players
    ]
    work = [(player, indexes) for player, indexes in open_games if indexes]
    progress = Progress(len(work), "tasks")
    played = workers.map(tasks.games, ((contest, player, indexes) for player, indexes in work))
    for (player, indexes), results in zip(work, played, strict=True):
        lines = []
        for index, (seconds, game) in zip(indexes, results, strict=True):
            finished[player, index] = (seconds, game)
            entry = {"contest": key, "player": player, "index": index, "seconds": seconds, "game": game}
            lines.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")) + "\n")
        append(options.resume, "".join(lines))
        progress.advance(f"{player}: {results[-1][1]['lines']} lines")
    progress.end()
    players = []
    curves: dict[str, list[tuple[float, float]]] = {}
    for player in options.players:
        own = [finished[player, index] for index in range(options.games)]
        summary = tetris.summary([game for _, game in own])
        seconds = sum(seconds for seconds, _ in own)
        micros = 1e6 * seconds / max(summary["pieces"], 1)
        players.append({"name": player, **summary, "decision_us_mean": micros})
        lines_sorted = sorted(game["lines"] for _, game in own)
        curves[player] = [(float(n), 100.0 * (i + 1) / len(own)) for i, n in enumerate(lines_sorted)]
    title = f"Tetris, {options.games} games each, seed {options.seed}"
    plot(options.plot, title, "lines", "% of games with at most this many", curves)
    names = ("rules", "level", "heart", "press_ms", "seed")
    report = {**{name: getattr(options, name) for name in names}, "players": players}
    text = [f"{'player':14}{'games':>7}{'lines':>12}{'points':>12}{'max-outs':>10}{'deaths':>8}"]
    for row in players:
        text.append(
            f"{row['name']:14}{row['games']:>7}{row['lines_mean']:>12.1f}{row['score_mean']:>12.0f}"
            f"{row['max_outs']:>10}{row['deaths']:>8}"
        )
    return report, "\n".join(text)


def _parts(games: int, size: int) -> Iterator[range]:
    for first in range(0, games, size):
        yield range(first, min(first + size, games))


def _finished_game(line: str) -> dict[str, Any] | None:
    try:
        game = json.loads(line)
    except ValueError:
        return None
    return game if isinstance(game, dict) and {"contest", "player", "index", "seconds", "game"} <= game.keys() else None


def _is_half(line: str) -> bool:
    """Whether a killed run may have left this: the game is played again."""
    begins = '{"contest":'
    return not line.strip() or (not line.endswith("}}") and begins.startswith(line[: len(begins)]))
