"""The scripted player of Shaft Bluff."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from shaft_bluff import constants as c
from shaft_bluff import observation

from channel_tunnel_env import Ruleset, load_ruleset

NAMES = ("honest",)
DOUBTED = 5
"""The least depth that it checks."""


class HonestAgent:
    """Digs its deepest card, announces what it dug, and checks the deep announcements of the rival."""

    name = NAMES[0]

    def __init__(self, ruleset: Ruleset | None = None) -> None:
        rules = ruleset if ruleset is not None else load_ruleset("shaft_bluff")
        self._places = {s.name: s.slice for s in observation.sections(rules)}

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.integer[Any]]:
        """One legal action per row."""
        seen = {name: observations[:, place] for name, place in self._places.items()}
        deepest = masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)
        truth = c.FIRST_ANNOUNCE + seen["card"].argmax(axis=1)
        doubts = seen["said"].argmax(axis=1) + 1 >= DOUBTED
        phase = seen["phase"].argmax(axis=1)
        return np.select([phase == c.DIG, phase == c.ANNOUNCE], [deepest, truth], np.where(doubts, c.CHECK, c.BELIEVE))


def make_scripted(name: str, ruleset: Ruleset | None, seed: int) -> HonestAgent:
    """The player with a name of NAMES; it draws no lots, so the seed has no effect."""
    return HonestAgent(ruleset)
