"""What the scripted player reads: counts from the named sections of the observation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME
from channel_tunnel_env.games.tunnel_1987.engine.tables import NO_BARRIER
from channel_tunnel_env.games.tunnel_1987.game import tables_of

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


# --- the numbers of a ruleset that the scripted player uses and that an observation does not show -
# The observation's limits still apply: it shows a card's points only from 0 to 4, and a deviation card of more than two levels
# as one of two.


_EARLY = 2 / 3  # share of the route over which "early" values fade


@dataclass(frozen=True)
class Figures:
    """Float32 arrays unless noted; tracks are indexed by seat, track and the counter's space.

    Attributes:
        length: spaces of a side's route.
        early: number of spaces left below which "early" values fade.
        final_checks: 1 if the deviation is checked on the last space too, else 0.
        limit: last safe deviation level; `penalties` (levels,) are the points that each level
            costs.
        water_draws: (2,) deviation cards for a blue token, by seat.
        centre, rival_token: points for reaching the centre, and on reaching it for each token left
            before the rival.
        duel, speech, influence_each, media: points of the blue cards, and the influence that one award of
            European speech takes.
        analysis: (6,) points that one more colour on Topographical analysis brings, by colours so far.
        extra_finance: millions that an Extra finance card stands for.
        step_points: points that the next step brings; 0 at the end.
        price: of the barrier before the next step; 0 for none.
        gains_disc, gains_storage: the next step brings that benefit (bool).
        steps: (2,) of both tracks together, by seat.
        agenda_pays: (6,) bool, whether a completed agenda card scores.
    """

    length: int
    early: float
    final_checks: int
    limit: int
    penalties: Floats
    water_draws: Floats
    centre: int
    rival_token: int
    duel: int
    speech: int
    influence_each: int
    media: int
    analysis: Floats
    extra_finance: int
    step_points: Floats
    price: Floats
    gains_disc: NDArray[np.bool_]
    gains_storage: NDArray[np.bool_]
    steps: NDArray[np.int64]
    agenda_pays: NDArray[np.bool_]


@lru_cache(maxsize=64)
def figures_of(ruleset: Ruleset) -> Figures:
    """Read the figures from a ruleset."""
    rules: Any = tables_of(ruleset)[0]
    points, last = rules.track_points.astype(np.float32), rules.track_last.astype(np.int64)
    step_points, price = np.zeros_like(points), np.zeros_like(points)
    benefit = np.zeros(points.shape, np.int64)
    for seat in range(c.NUM_SEATS):
        for track in range(c.NUM_TRACKS):
            here, there = slice(0, last[seat, track]), slice(1, last[seat, track] + 1)
            step_points[seat, track, here] = np.diff(points[seat, track, : there.stop])
            barriers = rules.barrier[seat, track, there]
            price[seat, track, here] = np.where(barriers == NO_BARRIER, 0, barriers)
            benefit[seat, track, here] = rules.benefit[seat, track, there]
    return Figures(
        length=int(rules.route_length),
        early=float(rules.route_length) * _EARLY,
        final_checks=int(rules.final_check),
        limit=int(rules.deviation_limit),
        penalties=rules.penalties.astype(np.float32),
        water_draws=rules.water_draws.astype(np.float32),
        centre=int(rules.centre_bonus),
        rival_token=int(rules.centre_per_rival_token),
        duel=int(rules.political_duel),
        speech=int(rules.european_speech),
        influence_each=int(rules.european_speech_per),
        media=int(rules.media_relations),
        analysis=np.append(np.diff(rules.topographical), 0).astype(np.float32),
        extra_finance=int(rules.extra_finance),
        step_points=step_points,
        price=price,
        gains_disc=benefit == c.EXTRA_DISC,
        gains_storage=benefit == c.STORAGE_SPACE,
        steps=last.sum(axis=1),
        agenda_pays=np.array([int(rules.agenda_points[k]) > 0 for k in range(len(c.AGENDA_KINDS))]),
    )
