"""Placements a second of tetris-gymnasium with its grouped actions, and the boards it makes for them."""

import json
import random
import time

from tetris_gymnasium.envs.tetris import Tetris
from tetris_gymnasium.wrappers.grouped import GroupedActionsObservations

random.seed(1)
env = GroupedActionsObservations(Tetris())
_, info = env.reset(seed=1)
boards = placements = 0
start = time.perf_counter()
while time.perf_counter() - start < 5:
    legal = [action for action, allowed in enumerate(info["action_mask"]) if allowed]
    _, _, terminated, truncated, info = env.step(random.choice(legal))
    placements += 1
    boards += int(sum(info["action_mask"]))
    if terminated or truncated:
        _, info = env.reset()
spent = time.perf_counter() - start
print(json.dumps({"placements": placements / spent, "boards": boards / spent}))
