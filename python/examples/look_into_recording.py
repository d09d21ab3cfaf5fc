"""Looks into a recording: what was played, how many notes of each kind, and how bright the frames are."""

from __future__ import annotations

import sys
from collections import Counter

from gamebot.recording import Recording


def main() -> None:
    recording = Recording(sys.argv[1])
    print(f"{recording.run['game']} with the body {recording.run['body']}, seed {recording.run['seed']}")
    topics: Counter[str] = Counter()
    brightness = []
    for note in recording:
        topics[note.topic] += 1
        if note.frame is not None:
            brightness.append(float(note.frame.mean()))
    for topic, count in sorted(topics.items()):
        print(f"{count:6} {topic}")
    if brightness:
        print(f"brightness of frames {min(brightness):.1f} to {max(brightness):.1f}")


if __name__ == "__main__":
    main()
