"""Tuning, learning, books, records and comparisons on many machines, through Ray.

``python -m gamebot.cluster --help`` is the way in. Every command cuts its work into pure tasks (seed in, result out)
and puts results together in the order of the tasks, so the result does not depend on how many machines there are or
which of them fail. Checkpoints are the files that the Rust commands read and write.
"""
