"""How many boards a second tetris-gymnasium makes: every placement of the piece in play is one board."""

import random
import time

from tetris_gymnasium.envs.tetris import Tetris
from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

random.seed(1)
env = GroupedActionsObservations(Tetris())
_, info = env.reset(seed=1)
boards = 0
start = time.thread_time_ns()
while time.thread_time_ns() - start < 5_000_000_000:
    legal = [action for action, allowed in enumerate(info["action_mask"]) if allowed]
    _, _, terminated, truncated, info = env.step(random.choice(legal))
    boards += sum(info["action_mask"])
    if terminated or truncated:
        _, info = env.reset()
print(boards * 1e9 / (time.thread_time_ns() - start))
