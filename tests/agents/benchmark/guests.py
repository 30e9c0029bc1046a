"""Agents that enter: they import next to nothing, because a card names a digest of all that they import."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np


class Stubborn:
    """Always the same action, whether or not it is legal."""

    name = "stubborn"

    def __call__(self, observations, masks):
        return np.zeros(len(masks), np.int64)


class Lucky:
    """A legal action by a stream of its own, which goes on whatever seed it is given."""

    name = "lucky"
    rng = np.random.default_rng(1)

    def __call__(self, observations, masks):
        return (masks * self.rng.random(masks.shape)).argmax(axis=1)


class Tired:
    """The first legal action, until it has answered often enough: it counts in a file."""

    name = "tired"

    def __call__(self, observations, masks):
        left = int(Path("answers").read_text())
        if left == 0:
            raise RuntimeError("asleep")
        Path("answers").write_text(str(left - 1))
        return masks.argmax(axis=1)


class Weighted:
    """The first legal action; without a name, and with weights that its source does not show."""

    def __init__(self) -> None:
        self.digest = Path("weights").read_text()

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)


class Saboteur:
    """Puts a weak player in the place of the scripted one."""

    name = "saboteur"

    def __init__(self) -> None:
        from channel_tunnel_agents.games.tunnel_1987.players import HeuristicAgent

        HeuristicAgent.__call__ = Saboteur.__call__

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)


class Chatterbox:
    """Prints to where answers go, and reads where questions come from."""

    name = "chatterbox"

    def __call__(self, observations, masks):
        print("thinking", flush=True)
        os.write(1, b"aloud\n")
        assert sys.stdin.read() == ""
        return masks.argmax(axis=1)
