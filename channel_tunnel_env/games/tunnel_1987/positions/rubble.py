"""Laying out the rubble of a position from what remains of each kind: routes, storages, tokens on cards and out of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from channel_tunnel_env.errors import PositionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.tables import token_names
from channel_tunnel_env.games.tunnel_1987.positions.schema import Position, SidePosition
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


class RubbleLayout:
    """Lays a position's rubble into its record; the technology counters must be set already.

    Raises:
        PositionError: tokens that do not add up or do not fit.
    """

    def __init__(self, data: Position, tables: Any, state: Any) -> None:
        self.data, self.tables, self.state = data, tables, state
        self.sides: tuple[SidePosition, SidePosition] = (data.britain, data.france)
        self.pool = pool = RubblePool("rubble", token_names(tables), [data.seed, 0])
        routes = [self._route(seat) for seat in range(len(c.SEATS))]
        strict = bool(self.tables.agenda_enabled)
        for seat, route in enumerate(routes):
            for i, entry in enumerate(route):
                name = entry.lstrip("?")
                if name.endswith("*"):
                    pool.take(name, f"{c.SEATS[seat]}.route")
                elif name:
                    route[i] = entry[: entry.startswith("?")] + pool.take_colour(name, f"{c.SEATS[seat]}.route", strict)
        unseen = None
        if data.unseen_tokens is not None:
            unseen = pool.shuffle(pool.take_all(data.unseen_tokens, "unseen_tokens"))
        self._lay_loose_rubble()
        pool.check()
        self._fill_routes(routes, unseen)
        for seat, side in enumerate(self.sides):
            if side.storage is None:
                stored = pool.draw(int(self.tables.stored_at_start))
                if len(stored) < self.tables.stored_at_start:
                    raise PositionError(f"{c.SEATS[seat]}.storage: missing, and no rubble is left for it")
                self._store(seat, stored)
        if data.out_of_game is not None:
            pool.check(complete=True)
        for name in pool.draw():
            self.state.out_of_game[c.COLOURS.index(name.rstrip("*"))] += 1
        self._check_storage()

    def _route(self, seat: int) -> list[str]:
        """The tokens ahead, as many as there are spaces; sets tbm and revealed."""
        side, where, length = self.sides[seat], c.SEATS[seat], int(self.tables.route_length)
        if side.tbm > length:
            raise PositionError(f"{where}.tbm: {side.tbm}: allowed: whole numbers 0..{length}")
        ahead = length - side.tbm
        route = list(side.route) if side.route is not None else ["?"] * ahead
        if len(route) > ahead:
            raise PositionError(f"{where}.route: {len(route)} tokens, {ahead} spaces lie ahead")
        face_up = sum(not entry.startswith("?") for entry in route)
        if any(entry.startswith("?") for entry in route[:face_up]):
            raise PositionError(f"{where}.route: {route}: a face-down token before a face-up one")
        if side.route is None:
            face_up = min(1, ahead)
        if side.tbm + face_up == 0:
            raise PositionError(f"{where}.route: {route}: the first token lies face up from the start")
        self.state.tbm[seat] = side.tbm
        self.state.revealed[seat] = side.tbm + face_up
        return route + ["?"] * (ahead - len(route))

    def _lay_loose_rubble(self) -> None:
        """Tokens off the route; their symbols no longer matter."""
        data, pool = self.data, self.pool
        for seat, side in enumerate(self.sides):
            where = c.SEATS[seat]
            for entry in side.cards:
                for colour in entry.rubble:
                    pool.take_colour(colour, f"{where}.cards.{entry.card}")
            if side.storage is not None:
                self._store(seat, side.storage)
                for name in side.storage:
                    pool.take_colour(name.rstrip("*"), f"{where}.storage")
        for colour in data.turn.rubble_placed:
            pool.take_colour(colour, "turn.rubble_placed")
        for colour, n in data.out_of_game or ():
            for _ in range(n):
                pool.take_colour(colour, "out_of_game")
            self.state.out_of_game[c.COLOURS.index(colour)] = n

    def _store(self, seat: int, names: Iterable[str]) -> None:
        for name in names:
            self.state.storage[seat, c.COLOURS.index(name.rstrip("*"))] += 1

    def _fill_routes(self, routes: list[list[str]], unseen: list[str] | None) -> None:
        state, unknown = self.state, sum(route.count("?") for route in routes)
        tokens = self.pool.draw(unknown) if unseen is None else unseen
        if len(tokens) != unknown:
            what = "left" if unseen is None else "in unseen_tokens"
            raise PositionError(f"rubble: {unknown} unknown route tokens, {len(tokens)} {what}")
        rest = iter(tokens)
        for seat, route in enumerate(routes):
            for i, entry in enumerate(route):
                name = next(rest) if entry == "?" else entry.lstrip("?")
                index = int(state.tbm[seat]) + i
                state.route_colour[seat, index] = c.COLOURS.index(name.rstrip("*"))
                state.route_symbol[seat, index] = name.endswith("*")

    def _check_storage(self) -> None:
        for seat, where in enumerate(c.SEATS):
            stored = int(self.state.storage[seat].sum())
            there = int(self.tables.storage[seat]) + sum(
                int(self.tables.extra_storage[seat, track, int(place)])
                for track, place in enumerate(self.state.counter[seat])
            )
            if stored > there:
                raise PositionError(f"{where}.storage: {stored} tokens, there are {there} spaces")
