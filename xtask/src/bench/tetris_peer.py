"""How many boards a second tetris-gymnasium makes: every placement of the piece in play is one board."""

import time

from tetris_gymnasium.envs.tetris import Tetris
from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

env = GroupedActionsObservations(Tetris())
env.reset(seed=1)
boards = 0
start = time.thread_time_ns()
while time.thread_time_ns() - start < 5_000_000_000:
    mask = env.unwrapped.legal_actions_mask if hasattr(env.unwrapped, "legal_actions_mask") else None
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    boards += len(observation)
    if terminated or truncated:
        env.reset()
print(boards * 1e9 / (time.thread_time_ns() - start))
