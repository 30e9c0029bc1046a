"""Uniform over the legal actions: the floor of every ladder."""

from __future__ import annotations

from channel_tunnel_env.envs.opponents import RandomOpponent


class RandomAgent(RandomOpponent):
    """A random legal action for every row."""

    name = "random"
    blind = True
