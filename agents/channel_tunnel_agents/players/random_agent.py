"""Uniform play over the legal actions: the baseline of every ladder."""

from __future__ import annotations

from channel_tunnel_env.envs.opponents import RandomOpponent


class RandomAgent(RandomOpponent):
    """A random legal action for every row.

    It gets no observation to derive a choice from, so it draws from one stream of random numbers:
    no two decisions share a number, but a game depends on which others are played in the same
    batch. Its seed is that of `RandomOpponent`.
    """

    name = "random"
    blind = True
