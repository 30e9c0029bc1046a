"""Uniform over the legal actions: the floor of every ladder."""

from __future__ import annotations

from channel_tunnel_env.envs.opponents import RandomOpponent


class RandomAgent(RandomOpponent):
    """A random legal action for every row.

    It sees no observation that a choice could be drawn from, so it draws one number after the other: no two
    decisions share one, but a game depends on which others are played beside it.
    """

    name = "random"
    blind = True
