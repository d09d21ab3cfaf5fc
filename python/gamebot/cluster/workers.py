"""Runs pure tasks on Ray's workers; results come in the order of the tasks."""

from __future__ import annotations

import logging
import math
import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

import ray

__all__ = ["Workers"]

_AHEAD = 4
"""Tasks under way for each worker: enough that none waits, few enough that a lost driver loses little."""

_SECONDS_BETWEEN_COUNTS = 1.0
"""How often the cluster is asked for its size."""


class Workers:
    """Ray on this machine, or a cluster that is joined.

    Ray repeats a task whose worker or machine is lost; tasks are pure, so that is all the recovery there is.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address = address
        self._workers = workers
        self._owns = False

    def __enter__(self) -> Workers:
        if not ray.is_initialized():
            os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
            settings: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
            if self._address is None:
                # Also beside a cluster that runs here already.
                settings |= {"address": "local", "num_cpus": self._workers or os.cpu_count()}
                settings |= {"include_dashboard": False}
            else:
                settings |= {"address": self._address}
            ray.init(**settings)
            self._owns = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._owns:
            ray.shutdown()

    def count(self) -> int:
        """Cores of the cluster, as of now."""
        cores = int(ray.cluster_resources().get("CPU", 1))
        return max(1, min(cores, self._workers) if self._workers else cores)

    def map(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """The results of ``function(*task)``, in the order of the tasks, as soon as they are there."""
        remote = ray.remote(num_cpus=1, max_retries=-1)(function)
        under_way: deque[Any] = deque()
        most, asked = 0, -math.inf
        for task in tasks:
            # Machines may join; asking for each task would cost the driver more than the task does.
            if time.monotonic() - asked > _SECONDS_BETWEEN_COUNTS:
                most, asked = self.count() * _AHEAD, time.monotonic()
            if len(under_way) >= most:
                yield ray.get(under_way.popleft())
            under_way.append(remote.remote(*task))
        while under_way:
            yield ray.get(under_way.popleft())
