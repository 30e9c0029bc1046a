"""Adapters: the game behind PettingZoo, Gymnasium, Stable-Baselines3, RLlib and OpenSpiel.

Each library is imported in one module only; `registration` puts the ids into both registries.
"""
