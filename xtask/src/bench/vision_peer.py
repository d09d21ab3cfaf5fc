"""OpenCV's processor time on the frames that crates/vision/benches/speed.rs left, and how its results differ from ours."""

import json
import sys
import time
from pathlib import Path

import cv2
import numpy as np

ROUNDS = 100
folder = Path(sys.argv[1])
cv2.setNumThreads(1)


def read(name, width, height):
    return np.fromfile(folder / name, dtype=np.uint8).reshape(-1, height, width)


frames = read("frames.raw", 640, 480)
corners = np.loadtxt(folder / "corners.txt", dtype=np.float32)
# Pixel centres are whole numbers in OpenCV, halves in ours.
screen = np.array([(0, 0), (160, 0), (160, 144), (0, 144)], dtype=np.float32)
matrix = cv2.getPerspectiveTransform(corners - 0.5, screen - 0.5)
kernel = np.ones((7, 7), np.uint8)


def warp(frame):
    return cv2.warpPerspective(frame, matrix, (160, 144), flags=cv2.INTER_LINEAR)


def threshold(image):
    return cv2.adaptiveThreshold(image, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 17, 13)


def opening(image):
    return cv2.morphologyEx(image, cv2.MORPH_OPEN, kernel)


def micros(step, inputs):
    """Best of the rounds: other work on the machine only ever slows down."""
    inputs = list(inputs)
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        for image in inputs:
            step(image)
        best = min(best, (time.process_time_ns() - start) / 1000 / len(inputs))
    return best


# Each of its steps gets what our step before it made, so that differences do not add up.
screens, bitmaps, opened = (read(name, 160, 144) for name in ("screens.raw", "bitmaps.raw", "opened.raw"))
grey_levels = max(int(np.abs(warp(f).astype(int) - s).max()) for f, s in zip(frames, screens))
print(
    json.dumps(
        {
            "version": cv2.__version__,
            "warp_us": micros(warp, frames),
            "adaptive_threshold_us": micros(threshold, screens),
            "opening_us": micros(opening, bitmaps),
            "warp_grey_levels": grey_levels,
            "threshold_pixels": sum(int((threshold(s) != b).sum()) for s, b in zip(screens, bitmaps)),
            "opening_pixels": sum(int((opening(b) != o).sum()) for b, o in zip(bitmaps, opened)),
        }
    )
)
