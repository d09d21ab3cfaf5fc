"""PettingZoo environments: ``connect_four_v0`` (AEC) and ``tetris_versus_v0`` (parallel)."""
