"""The package is typed: strict mypy over it, and stubs that match what is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PYTHON = Path(__file__).parents[1]


def run(folder: Path, *arguments: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", *arguments], capture_output=True, text=True, check=False, cwd=folder
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_mypy_is_content_with_the_package_and_its_examples(tmp_path: Path) -> None:
    run(PYTHON, "mypy", f"--cache-dir={tmp_path}", "--config-file=pyproject.toml", "gamebot", "examples")


def test_stubs_match_the_extension(tmp_path: Path) -> None:
    run(tmp_path, "mypy.stubtest", f"--mypy-config-file={PYTHON / 'pyproject.toml'}", "gamebot._native")
