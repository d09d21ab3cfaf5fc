"""The examples run and say something sensible."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(name: str, *arguments: str) -> str:
    file = ROOT / "python/examples" / name
    ended = subprocess.run([sys.executable, str(file), *arguments], capture_output=True, text=True, check=True)
    return ended.stdout


def test_solving() -> None:
    assert "column 4: -" in run("solve_connect_four.py") or "perfect" in run("solve_connect_four.py")


def test_training_helps() -> None:
    line = run("train_tetris.py", "25").splitlines()[-1]
    untrained, trained = (float(part.split()[-1]) for part in line.split(":")[1].split(","))
    assert trained > untrained


def test_the_perfect_level_wins_the_tournament() -> None:
    lines = run("tournament.py").splitlines()
    assert lines[0].startswith("perfect") and lines[-1].startswith("random")


def test_looking_into_a_recording() -> None:
    text = run("look_into_recording.py", str(ROOT / "fixtures/recordings/catch-0.1.0.mcap"))
    assert text.startswith("catch with the body") and "frame" in text
