"""Adapters: the game as PettingZoo, Gymnasium, Stable-Baselines3, RLlib and OpenSpiel environments.

Each library is imported in one module only; `registration` adds the ids to both registries.
"""
