"""What the scripted player reads: counts from the named sections of the observation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

Floats = NDArray[np.float32]
_POINTS_SPAN = 60


class Sight:
    """Counts of a batch of observations, one row per game; arrays are float32 (n, ...)."""

    def __init__(self, observations: Floats) -> None:
        self.rows = observations
        self.size = len(observations)
        self.index = np.arange(self.size)[:, None]  # row indices, to pick a column of each row
        self._read_discs()
        self._read_display()
        self._read_board()
        self._read_deviation()

    def __getitem__(self, name: str) -> Floats:
        section: Floats = self.rows[:, SECTION_BY_NAME[name].slice]
        return section

    def _read_discs(self) -> None:
        n = self.size
        self.discs: Floats = self["own_discs"].reshape(n, c.NUM_COLOURS, 5).sum(axis=2)
        rival: Floats = self["rival_discs"].reshape(n, c.NUM_COLOURS, 5).sum(axis=2)
        self.rival_discs = rival
        self.rival_tallest = rival.max(axis=1)
        spaces = self["spaces"].reshape(n, c.NUM_SPACES, 2 * c.NUM_COLOURS)
        self.stack_colour: Floats = spaces[:, :, : c.NUM_COLOURS]
        self.height: Floats = spaces[:, :, c.NUM_COLOURS :].sum(axis=2)

    def _read_display(self) -> None:
        slots = self["display"].reshape(self.size, c.NUM_SLOTS, -1)
        self.kind: Floats = slots[:, :, : c.NUM_CARD_KINDS]
        self.cost: Floats = slots[:, :, c.NUM_CARD_KINDS : c.NUM_CARD_KINDS + 4]
        self.secondary: Floats = slots[:, :, c.NUM_CARD_KINDS + 4 : c.NUM_CARD_KINDS + 8]
        self.points: Floats = slots[:, :, c.NUM_CARD_KINDS + 8] * 4
        self.money: Floats = slots[:, :, c.NUM_CARD_KINDS + 9] * 3

    def _read_board(self) -> None:
        n = self.size
        self.lead: Floats = np.rint((self["score"][:, 2] - 0.5) * _POINTS_SPAN)
        left = np.rint(self["route_left"] * 9)
        self.left, self.rival_left = left[:, 0], left[:, 1]
        self.open, self.rival_open = left[:, 2], left[:, 3]  # face-up tokens ahead
        self.front: Floats = self["own_route"][:, : c.NUM_COLOURS]
        self.seat: NDArray[np.intp] = self["side"][:, 0].astype(np.intp)
        self.rival_passed = self["passed"][:, 1]
        self.counters: NDArray[np.intp] = (
            self["own_tracks"].reshape(n, c.NUM_TRACKS, c.MAX_TRACK).sum(axis=2).astype(np.intp)
        )
        barriers = self["barriers"].reshape(n, 4, 2)[:, : c.NUM_TRACKS]
        self.can_move: Floats = barriers[:, :, 1]
        self.purse: Floats = np.rint(self["purse"][:, 0] * 12)
        self.extra_finance: Floats = np.rint(self["purse"][:, 2] * 2)
        self.stored: Floats = np.rint(self["storage"][:, : c.NUM_COLOURS] * 3)
        self.room: Floats = np.rint(self["storage_room"][:, 0] * 3)
        self.on_cards: Floats = self["topographical"][:, : c.NUM_COLOURS]
        own, rival = self["own_cards"], self["rival_cards"]
        self.influence: Floats = own[:, c.EUROPEAN_INFLUENCE] * 10
        self.rival_influence: Floats = rival[:, c.EUROPEAN_INFLUENCE] * 10
        self.more_cards: Floats = (own[:, c.FIRST_ABILITY] - rival[:, c.FIRST_ABILITY]) * 20

    def _read_deviation(self) -> None:
        self.deviation: Floats = self["own_deviation"].sum(axis=1)
        deck = self["deviation_deck"].reshape(self.size, 5, 3)
        self.deviation_cards: Floats = deck.sum(axis=1) * 2  # left in the deck, by value 0, 1, 2

    def in_phase(self, phase: str) -> NDArray[np.bool_]:
        """Rows that are in this phase."""
        return np.asarray(self["phase"][:, c.PHASES.index(phase)] > 0)
