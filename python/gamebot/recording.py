"""Recordings of runs: frames as arrays, everything else as dictionaries.

>>> from gamebot.recording import Recording
>>> for note in Recording("run.mcap"):                              # doctest: +SKIP
...     if note.frame is not None:
...         print(note.time_s, note.frame.shape)
"""

from ._native.recording import Note, Notes, Recording

__all__ = ["Note", "Notes", "Recording"]
