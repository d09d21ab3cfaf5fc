"""Checkpoints, progress and plots."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

__all__ = ["Progress", "append", "plot", "read", "replace"]


def read(path: Path | None) -> str:
    """A file's text; nothing if there is no file."""
    return path.read_text(encoding="utf-8") if path is not None and path.exists() else ""


def replace(path: Path | None, content: str | bytes) -> None:
    """Writes a new file and renames it, so that an interruption never leaves half a file."""
    if path is None:
        return
    beside = path.with_suffix(".part")
    beside.write_bytes(content.encode() if isinstance(content, str) else content)
    beside.replace(path)


def append(path: Path | None, text: str) -> None:
    """Adds whole lines, after a half one that an interruption may have left."""
    if path is None:
        return
    with path.open("a+b") as file:
        if file.tell() > 0:
            file.seek(-1, 2)
            if file.read(1) != b"\n":
                file.write(b"\n")
        file.write(text.encode())


class Progress:
    """A bar on the terminal; quiet when it is none."""

    _WIDTH = 30

    def __init__(self, total: int, unit: str, done: int = 0) -> None:
        self._total, self._unit, self._done = max(total, 1), unit, done
        self._shown = sys.stderr.isatty()
        self._start, self._first = time.monotonic(), done

    def advance(self, message: str = "") -> None:
        """One more is done."""
        self._done += 1
        if not self._shown:
            return
        filled = self._WIDTH * self._done // self._total
        seconds = (time.monotonic() - self._start) / max(self._done - self._first, 1)
        left = seconds * (self._total - self._done)
        bar = "█" * filled + "·" * (self._WIDTH - filled)
        text = f"\r{bar} {self._done}/{self._total} {self._unit}, {left:.0f} s left  {message}\x1b[K"
        print(text, end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Takes the bar away."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


_COLOURS = ("#d1495b", "#00798c", "#edae49", "#30638e", "#6a4c93")
_SIZE = (720, 420)
_MARGIN = 56


def plot(path: Path | None, title: str, x: str, y: str, curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    """Draws curves as an SVG picture."""
    points = [point for curve in curves.values() for point in curve]
    if path is None or not points:
        return
    (width, height), margin = _SIZE, _MARGIN
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    (left, right), (low, high) = (min(xs), max(xs)), (min(ys), max(ys))
    spread, lift = (right - left) or 1.0, (high - low) or 1.0

    def place(point: tuple[float, float]) -> str:
        across = margin + (point[0] - left) / spread * (width - 2 * margin)
        up = height - margin - (point[1] - low) / lift * (height - 2 * margin)
        return f"{across:.1f},{up:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
        f'<text x="{width / 2}" y="24" text-anchor="middle" font-size="16">{escape(title)}</text>',
        f'<text x="{width / 2}" y="{height - 12}" text-anchor="middle" font-size="13">{escape(x)}</text>',
        f'<text x="14" y="{height / 2}" text-anchor="middle" font-size="13" '
        f'transform="rotate(-90 14 {height / 2})">{escape(y)}</text>',
        f'<path d="M{margin},{margin} V{height - margin} H{width - margin}" stroke="#444" fill="none"/>',
    ]
    for value, at in ((low, height - margin), (high, margin)):
        parts.append(f'<text x="{margin - 6}" y="{at + 4}" text-anchor="end" font-size="11">{value:.4g}</text>')
    for value, at in ((left, margin), (right, width - margin)):
        parts.append(
            f'<text x="{at}" y="{height - margin + 16}" text-anchor="middle" font-size="11">{value:.4g}</text>'
        )
    for index, (name, curve) in enumerate(curves.items()):
        colour = _COLOURS[index % len(_COLOURS)]
        line = " ".join(place(point) for point in curve)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(
            f'<text x="{width - margin}" y="{margin + 16 * index}" text-anchor="end" font-size="12" '
            f'fill="{colour}">{escape(name)}</text>'
        )
    replace(path, "\n".join([*parts, "</svg>\n"]))
