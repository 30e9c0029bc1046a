"""Pools of pieces: what remains while a position is laid out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np

from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.outside.hints import did_you_mean


class Pool:
    """The pieces of one kind: how many exist, and how many remain while they are laid out."""

    def __init__(self, title: str, stock: Iterable[str] | Mapping[str, int], seed: list[int]) -> None:
        self.title = title
        self.stock = Counter(stock)
        self.left = Counter(self.stock)
        self._rng = np.random.default_rng(seed)

    def take(self, name: str, where: str, n: int = 1) -> str:
        """Lay out n pieces; `check` verifies later that there were enough."""
        if name not in self.stock:
            raise PositionError(f"{where}: {name!r}: no such {self.title} piece{did_you_mean(name, self.stock)}")
        self.left[name] -= n
        return name

    def take_all(self, names: Iterable[str], where: str) -> list[str]:
        """Lay out a list of pieces."""
        return [self.take(name, where) for name in names]

    def check(self, complete: bool = False) -> None:
        """Check that no piece was laid out too often and, if `complete`, that none remains."""
        for name, left in self.left.items():
            if left < 0 or (complete and left > 0):
                there = self.stock[name]
                raise PositionError(f"{self.title}: {name}: {there - left} placed, there are {there}")

    def draw(self, n: int | None = None) -> list[str]:
        """Lay out n of the remaining pieces, or all, in an order drawn from the seed."""
        rest = sorted(self.left.elements())
        names = [rest[i] for i in self._rng.permutation(len(rest))][:n]
        return self.take_all(names, self.title)

    def shuffle(self, names: list[str]) -> list[str]:
        """These pieces in an order drawn from the seed."""
        return [names[i] for i in self._rng.permutation(len(names))]


class RubblePool(Pool):
    """Tokens named by colour, those with the agenda symbol `yellow*`."""

    def take_colour(self, colour: str, where: str, plain_only: bool = False) -> str:
        """Take a token without symbol or, if none remains and not `plain_only`, one with it."""
        symbol = self.left[colour] <= 0 and self.left[f"{colour}*"] > 0 and not plain_only
        if colour not in self.stock and f"{colour}*" in self.stock:
            symbol = True
        return self.take(f"{colour}*" if symbol else colour, where)

    def check(self, complete: bool = False) -> None:
        """As `Pool.check`, first by colour, then by symbol."""
        for colour in c.COLOURS:
            there = self.stock[colour] + self.stock[f"{colour}*"]
            left = self.left[colour] + self.left[f"{colour}*"]
            if left < 0 or (complete and left > 0):
                raise PositionError(f"rubble: {colour}: {there - left} placed, there are {there}")
        for name, left in self.left.items():
            if left < 0:
                kind = name if name.endswith("*") else f"{name} without the agenda symbol"
                there = self.stock[name]
                raise PositionError(f"rubble: {kind}: {there - left} placed, there are {there}")
