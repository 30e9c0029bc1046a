"""Adapters: the game behind PettingZoo, Gymnasium and Stable-Baselines3.

Each library is imported in one module only; `registration` puts the ids into both registries.
"""
