"""Agents that enter: they import next to nothing, because a card names a digest of all that they import."""

from __future__ import annotations

import numpy as np


class Stubborn:
    """Always the same action, whether or not it is legal."""

    name = "stubborn"

    def __call__(self, observations, masks):
        return np.zeros(len(masks), np.int64)


class Dreamer:
    """Fails."""

    name = "dreamer"

    def __call__(self, observations, masks):
        raise KeyError("a dream")


class Lucky:
    """A legal action by a stream of its own, which goes on whatever seed it is given."""

    name = "lucky"
    rng = np.random.default_rng(1)

    def __call__(self, observations, masks):
        return (masks * self.rng.random(masks.shape)).argmax(axis=1)


class Tired:
    """The first legal action, until it has answered often enough."""

    name = "tired"
    answers_left = 0

    def __call__(self, observations, masks):
        if Tired.answers_left == 0:
            raise RuntimeError("asleep")
        Tired.answers_left -= 1
        return masks.argmax(axis=1)


class Weighted:
    """The first legal action; without a name, and with weights that its source does not show."""

    digest = "before"

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)


class Quitter:
    """Ends the program."""

    name = "quitter"

    def __call__(self, observations, masks):
        raise SystemExit(0)
