"""Many machines: the same bytes with one worker, two workers, two nodes, and a node that is lost (X5)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# Ray's workers give way to everything else by default; on a busy machine tests would wait for ever.
os.environ.setdefault("RAY_worker_niceness", "0")

import pytest
import ray
from ray.cluster_utils import Cluster

from gamebot import connect_four, samegame, tetris
from gamebot.cluster.__main__ import main
from gamebot.cluster.workers import Workers

LEFT_OPEN = {6: slice(2000, 2048), 8: slice(-48, None)}
"""Positions of each ply's book that the cluster has to solve; the rest is in the checkpoint it goes on from."""


PATIENCE_S = 300
"""A busy machine takes its time to miss a node."""


def almost_solved(ply: int) -> str:
    """The checkpoint of a run that has solved all but some positions of a ply, as the embedded book knows them."""
    keys = connect_four.book_open(ply).tolist()
    left = set(keys[LEFT_OPEN[ply]])
    known = [key for key in keys if key not in left]
    scores = connect_four.Solver().score_many([connect_four.Position.from_key(key) for key in known])
    return "".join(f"{key} {score} 0\n" for key, score in zip(known, scores, strict=True))


def commands(folder: Path, checkpoints: dict[int, str]) -> dict[str, tuple[list[str], list[Path]]]:
    """Small runs of every command, and the files that each leaves."""
    for ply, checkpoint in checkpoints.items():
        (folder / f"{ply}.checkpoint").write_text(checkpoint)
    tune = ["tune", "tetris", "--rows", "6", "--pieces", "200", "--population", "6", "--games", "3"]
    learn = ["learn", "tetris", "--rounds", "2", "--moves", "1500"]
    return {
        "tune": (
            [*tune, "--generations", "3", "--checkpoint", str(folder / "tune.json"), "--plot", str(folder / "t.svg")],
            [folder / "tune.json", folder / "t.svg"],
        ),
        "learn": (
            [*learn, "--checkpoint", str(folder / "learn.json"), "--values", str(folder / "learn.values")],
            [folder / "learn.json", folder / "learn.values"],
        ),
        **{
            f"book {ply}": (
                ["book", "connect-four", "--ply", str(ply), "--checkpoint", str(folder / f"{ply}.checkpoint")]
                + ["--out", str(folder / f"{ply}.book")],
                [folder / f"{ply}.checkpoint", folder / f"{ply}.book"],
            )
            for ply in checkpoints
        },
        "records": (
            ["records", "samegame", "--nodes", "2000", "--turns", "2", "--file", str(folder / "records.md")],
            [folder / "records.md"],
        ),
    }


def run_all(folder: Path, checkpoints: dict[int, str]) -> dict[str, list[bytes]]:
    """Runs every command on the Ray that is there."""
    folder.mkdir()
    left = {}
    for name, (arguments, files) in commands(folder, checkpoints).items():
        assert main(arguments) == 0
        left[name] = [file.read_bytes() for file in files]
    return left


def on_workers(count: int, folder: Path, checkpoints: dict[int, str]) -> dict[str, list[bytes]]:
    ray.init(num_cpus=count, include_dashboard=False, log_to_driver=False)
    try:
        return run_all(folder, checkpoints)
    finally:
        ray.shutdown()


@pytest.fixture(scope="module")
def checkpoints() -> dict[int, str]:
    return {ply: almost_solved(ply) for ply in LEFT_OPEN}


@pytest.fixture(scope="module")
def one_worker(tmp_path_factory: pytest.TempPathFactory, checkpoints: dict[int, str]) -> dict[str, list[bytes]]:
    return on_workers(1, tmp_path_factory.mktemp("one") / "run", checkpoints)


def test_one_worker_writes_what_one_machine_writes(one_worker: dict[str, list[bytes]], checkpoints: dict[int, str]) -> None:
    tuner = tetris.Tuner("lines", rows=6, pieces=200, population=6, games=3)
    for _ in range(3):
        tuner.step(2)
    assert one_worker["tune"][0] == tuner.to_json().encode()
    learner = tetris.Learner(moves=1500)
    learner.step(1)
    learner.step(2)
    assert one_worker["learn"] == [learner.to_json().encode(), learner.values()]
    for ply in checkpoints:
        checkpoint, book = one_worker[f"book {ply}"]
        assert book == connect_four.book_write(ply, checkpoint.decode(), lines=14)
        for line in checkpoint.decode().removeprefix(checkpoints[ply]).splitlines():
            key, score, _ = map(int, line.split())
            assert connect_four.Solver().score(connect_four.Position.from_key(key)) == score
    shipped = Path(__file__).parents[2] / "crates/connect-four/book/openings.book"
    assert one_worker["book 8"][1] == shipped.read_bytes(), "the shipped book is made of the same answers"
    boards = samegame.standard_boards()
    for number, score, moves in samegame.read_records(one_worker["records"][0].decode()):
        assert samegame.replay(boards[number - 1], moves)[0] == score


def test_the_rust_command_writes_the_same_and_goes_on_from_it(
    one_worker: dict[str, list[bytes]], tmp_path: Path
) -> None:
    gamebot = os.environ.get("GAMEBOT_BINARY")
    if gamebot is None:
        pytest.skip("`cargo xtask wheel` alone does not build the command line; `cargo xtask test` does")
    tune = [gamebot, "tune", "tetris", "--objective", "lines", "--rows", "6", "--pieces", "200"]
    tune += ["--population", "6", "--games", "3", "--checkpoint", str(tmp_path / "rust.json")]
    subprocess.run([*tune, "--generations", "2"], check=True, capture_output=True)
    arguments = ["tune", "tetris", "--generations", "3", "--checkpoint", str(tmp_path / "rust.json"), "--workers", "1"]
    assert main(arguments) == 0
    assert (tmp_path / "rust.json").read_bytes() == one_worker["tune"][0]
    # The other way round: what the cluster has begun.
    checkpoint = str(tmp_path / "learn.json")
    learn = ["learn", "tetris", "--rounds", "1", "--moves", "1500", "--checkpoint", checkpoint, "--workers", "1"]
    assert main(learn) == 0
    on = [gamebot, "tune", "tetris", "--objective", "score", "--rounds", "2", "--checkpoint", checkpoint]
    subprocess.run(on, check=True, capture_output=True)
    assert Path(checkpoint).read_bytes() == one_worker["learn"][0]


def test_finished_games_move_between_the_cluster_and_the_rust_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gamebot = os.environ.get("GAMEBOT_BINARY")
    if gamebot is None:
        pytest.skip("`cargo xtask wheel` alone does not build the command line; `cargo xtask test` does")
    games = tmp_path / "games.jsonl"
    compare = ["compare", "tetris", "--players", "clever,lee", "--lines", "15", "--resume", str(games), "--json"]
    subprocess.run([gamebot, *compare, "--games", "2"], check=True, capture_output=True)
    begun = games.read_bytes()
    assert main([*compare, "--games", "4", "--workers", "1"]) == 0
    ours = json.loads(capsys.readouterr().out)
    ended = games.read_bytes()
    assert ended.startswith(begun) and ended.count(b"\n") == 8
    ran = subprocess.run([gamebot, *compare, "--games", "4"], check=True, capture_output=True)
    assert games.read_bytes() == ended, "there was nothing left to play"
    theirs = json.loads(ran.stdout)
    for player, expected in zip(ours["players"], theirs["players"], strict=True):
        assert player["lines_mean"] == expected["lines_mean"] and player["score_mean"] == expected["score_mean"]


def test_two_workers_give_the_same_bytes(
    one_worker: dict[str, list[bytes]], tmp_path: Path, checkpoints: dict[int, str]
) -> None:
    assert on_workers(2, tmp_path / "two", checkpoints) == one_worker


def two_nodes() -> Cluster:
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes(timeout=PATIENCE_S)
    return cluster


def on_two_nodes(work: Callable[[Any, Any], None]) -> None:
    cluster = two_nodes()
    try:
        ray.init(address=cluster.address, log_to_driver=False)
        work(cluster, next(node for node in cluster.worker_nodes))
    finally:
        ray.shutdown()
        cluster.shutdown()


def test_two_nodes_and_a_lost_one_give_the_same_bytes(
    one_worker: dict[str, list[bytes]],
    tmp_path: Path,
    checkpoints: dict[int, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def work(cluster: Any, node: Any) -> None:
        assert run_all(tmp_path / "both", checkpoints) == one_worker
        whole, losses = Workers.map, 0
        nodes = [node]

        def losing(workers: Workers, function: Any, tasks: Any) -> Iterator[Any]:
            """Loses a node after the first result."""
            nonlocal losses
            for result in whole(workers, function, tasks):
                if nodes:
                    cluster.remove_node(nodes.pop(), allow_graceful=False)
                    losses += 1
                yield result

        monkeypatch.setattr(Workers, "map", losing)
        folder = tmp_path / "lost"
        folder.mkdir()
        for name, (arguments, files) in commands(folder, checkpoints).items():
            if not nodes:
                nodes.append(cluster.add_node(num_cpus=1))
                cluster.wait_for_nodes(timeout=PATIENCE_S)
            assert main(arguments) == 0
            assert [file.read_bytes() for file in files] == one_worker[name], name
        assert losses == len(one_worker)
        for _ in range(2 * PATIENCE_S):
            if ray.cluster_resources()["CPU"] == 1:
                break
            time.sleep(0.5)
        assert ray.cluster_resources()["CPU"] == 1

    on_two_nodes(work)


def test_compare_resumes_and_reports_like_the_rust_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Without --address Ray is started on this machine, whatever else is there.
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")
    games = tmp_path / "games.jsonl"
    arguments = ["compare", "tetris", "--players", "clever,lee", "--games", "3", "--lines", "15", "--json"]
    arguments += ["--resume", str(games), "--plot", str(tmp_path / "lines.svg"), "--workers", "1"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    whole = tetris.compare(["clever", "lee"], games=3, lines=15)
    for player, expected in zip(report["players"], whole["players"], strict=True):
        assert player.pop("decision_us_mean") > 0
        assert player == expected
    lines = games.read_text().splitlines()
    assert len(lines) == 6 and "<svg" in (tmp_path / "lines.svg").read_text()
    # A killed run left half a line; only that game is played again.
    games.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:40])
    assert main(arguments) == 0
    again = json.loads(capsys.readouterr().out)
    for player, expected in zip(again["players"], whole["players"], strict=True):
        player.pop("decision_us_mean")
        assert player == expected
    assert len(games.read_text().splitlines()) == 7
    # Nothing is added to a file that holds something else.
    games.write_text("notes of mine\n")
    assert main(arguments) == 1 and "is not a finished game" in capsys.readouterr().err
    assert games.read_text() == "notes of mine\n"


def test_mistakes_are_said_in_one_line() -> None:
    run = [sys.executable, "-m", "gamebot.cluster"]
    for arguments, code, message in [
        (["compare", "tetris", "--players", "nobody"], 2, "no player is named 'nobody'"),
        (["tune", "tetris", "--games", "0"], 2, "choose 1 or more"),
        (["learn"], 2, "required: game"),
    ]:
        ended = subprocess.run([*run, *arguments], capture_output=True, text=True, check=False)
        assert ended.returncode == code and message in ended.stderr
