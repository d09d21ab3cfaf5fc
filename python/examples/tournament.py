"""A PettingZoo tournament: our levels of Connect Four, everyone against everyone."""

from __future__ import annotations

from itertools import permutations

from gamebot.connect_four import Opponent
from gamebot.pettingzoo import connect_four_v0

LEVELS = ["random", "easy", "medium", "perfect"]


def play(first: Opponent, second: Opponent, seed: int) -> float:
    """What the first player gets."""
    env = connect_four_v0.env()
    env.reset(seed=seed)
    players = {"player_0": first, "player_1": second}
    rewards = {"player_0": 0.0, "player_1": 0.0}
    for agent in env.agent_iter():
        _, reward, over, cut, _ = env.last()
        rewards[agent] += reward
        if over or cut:
            env.step(None)
            continue
        position = env.unwrapped.position
        env.step(players[agent].choose(position, seed=seed + position.discs)["column"] - 1)
    return rewards["player_0"]


def main() -> None:
    players = {level: Opponent(level) for level in LEVELS}
    points = dict.fromkeys(LEVELS, 0.0)
    for first, second in permutations(LEVELS, 2):
        for seed in range(3):
            reward = play(players[first], players[second], seed=1000 * seed)
            points[first] += reward
            points[second] -= reward
    for level, total in sorted(points.items(), key=lambda entry: -entry[1]):
        print(f"{level:10} {total:+.0f}")


if __name__ == "__main__":
    main()
