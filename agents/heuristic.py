"""A scripted player: it races, keeps its deviation safe, and develops cards that pay.

It scores every legal action from the named sections of the observation and takes the best one. All
rows are scored at once. Weights stand in one dataclass, so that archetypes and tuning change numbers,
not code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.engine.actions import ACTION_IDS, NUM_ACTIONS
from channel_tunnel_env.engine.constants import (
    AGENDA_KINDS,
    COLOURS,
    FIRST_ABILITY,
    NUM_CARD_KINDS,
    NUM_COLOURS,
    NUM_SLOTS,
    SPACES,
)
from channel_tunnel_env.engine.observation import SECTION_BY_NAME

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Weights:
    """What the player cares about, in points of its own scale; a pass is worth 0."""

    tunnel: float = 3.0
    tunnel_risk: float = 40.0  # times the chance that the next deviation card loses
    tunnel_drift: float = 0.5  # times the deviation, once it is high
    last_tunnel_ahead: float = 60.0  # ending the game while ahead
    last_tunnel_behind: float = -8.0
    plan_first: float = 2.6  # no token ahead is face up
    plan_more: float = 0.7
    technology: float = 2.0
    technology_repair: float = 0.9  # a deviation level that money in hand could correct
    finance: float = 0.55  # a million
    finance_needed: float = 0.5  # a million, when deviation is high or a barrier waits
    develop: float = 1.1  # a printed point
    develop_ability: float = 1.2
    develop_bonus: float = 1.4  # a conditional card: duel, speech, media, topographical
    develop_full: float = 1.5  # storage is full
    disc: float = 0.35  # a disc spent
    pass_threshold: float = 0.0


RACER = Weights(tunnel=4.5, plan_first=3.4, develop=0.7, technology=1.2)
ENGINEER = Weights(technology=3.4, finance=0.8, tunnel=2.4)
POLITICIAN = Weights(develop=2.0, develop_bonus=2.2, tunnel=2.2)
ARCHETYPES = {
    "heuristic": Weights(),
    "racer": RACER,
    "engineer": ENGINEER,
    "politician": POLITICIAN,
}


class HeuristicAgent:
    """The scripted player; a small seeded noise breaks ties."""

    def __init__(
        self, seed: int = 0, weights: Weights | None = None, name: str = "heuristic"
    ) -> None:
        self.name = name
        self.weights = weights or Weights()
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Start the stream of tie-breaks anew."""
        self._rng = np.random.default_rng(seed)

    def __call__(self, observations: Floats, masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """The best-scored legal action of every row."""
        scores = self._rng.random(masks.shape, dtype=np.float32) * np.float32(0.05)
        scores += _score_actions(_Seen(observations), self.weights)
        scores[~masks] = -np.inf
        return np.asarray(scores.argmax(axis=1), dtype=np.int64)


class _Seen:
    """The sections the player reads, as arrays with one row a game."""

    def __init__(self, observations: Floats) -> None:
        self.rows = observations

    def __getitem__(self, name: str) -> Floats:
        section: Floats = self.rows[:, SECTION_BY_NAME[name].slice]
        return section

    def discs(self) -> Floats:
        """Own discs of each colour (n, 5)."""
        counts: Floats = self["own_discs"].reshape(-1, NUM_COLOURS, 5).sum(axis=2)
        return counts

    def slots(self) -> Floats:
        """Display cards (n, 3, kinds + costs + secondaries + points, money)."""
        return self["display"].reshape(len(self.rows), NUM_SLOTS, -1)


def _score_actions(seen: _Seen, w: Weights) -> Floats:
    scores = np.zeros((len(seen.rows), NUM_ACTIONS), np.float32)
    kinds = _score_kinds(seen, w)
    develop = _score_development(seen, w)
    _score_placements(scores, seen, w, kinds, develop)
    _score_keeping(scores, seen)
    _score_payments(scores, seen)
    _score_choices(scores, seen, kinds, develop)
    return scores


def _score_kinds(seen: _Seen, w: Weights) -> dict[str, Floats]:
    """Worth of each kind of action, (n,)."""
    deviation = seen["own_deviation"].sum(axis=1)
    risk = seen["deviation_risk"][:, 0]
    ahead = seen["score"][:, 2] - 0.5
    left = np.rint(seen["route_left"] * 9)
    last = left[:, 0] == 1
    ending = (ahead * 60 + 2 + left[:, 1]) > 0
    tunnel = w.tunnel - w.tunnel_risk * risk - w.tunnel_drift * np.maximum(deviation - 1, 0)
    tunnel = np.where(last, np.where(ending, w.last_tunnel_ahead, w.last_tunnel_behind), tunnel)
    plan = np.where(left[:, 2] == 0, w.plan_first, w.plan_more / (1 + left[:, 2]))
    money = np.rint(seen["purse"][:, 0] * 12)
    repair = np.minimum(deviation, money)
    technology = w.technology + w.technology_repair * repair * np.where(deviation >= 2, 2, 1)
    price = seen["barriers"][:, [0, 2]].max(axis=1) * 8
    needed = w.finance_needed * ((deviation > money) | (price > money))
    return {"tunnel": tunnel, "plan": plan, "technology": technology, "finance": w.finance + needed}


def _score_development(seen: _Seen, w: Weights) -> Floats:
    """Worth of developing the card on each slot, (n, 3)."""
    slots = seen.slots()
    kind = slots[:, :, :NUM_CARD_KINDS]
    worth = w.develop * slots[:, :, NUM_CARD_KINDS + 8] * 4
    worth = worth + w.develop_ability * kind[:, :, FIRST_ABILITY:].sum(axis=2)
    worth = worth + w.develop_bonus * kind[:, :, 1:FIRST_ABILITY].sum(axis=2)
    full = seen["storage_room"][:, 0] == 0
    costs = 1 - slots[:, :, NUM_CARD_KINDS]  # any cost but `free`
    return np.asarray(worth + w.develop_full * full[:, None] * costs, dtype=np.float32)


def _score_placements(
    scores: Floats, seen: _Seen, w: Weights, kinds: dict[str, Floats], develop: Floats
) -> None:
    discs = seen.discs()
    stacks = seen["spaces"].reshape(-1, len(SPACES), 10)
    secondary = seen.slots()[:, :, NUM_CARD_KINDS + 4 : NUM_CARD_KINDS + 8]
    million = seen.slots()[:, :, NUM_CARD_KINDS + 9] * 3
    best_money = million.max(axis=1)
    for s, space in enumerate(SPACES):
        height = stacks[:, s, 5:].sum(axis=1)
        cost = w.disc * (discs - height[:, None])
        if space == "plan_tunnel":
            options = (kinds["plan"], kinds["tunnel"])
        elif space == "finance_technology":
            options = (kinds["finance"] * best_money, kinds["technology"])
        else:
            slot = s - 2
            worth = (
                secondary[:, slot, 0] * kinds["plan"]
                + secondary[:, slot, 1] * kinds["tunnel"]
                + secondary[:, slot, 2] * kinds["finance"] * million[:, slot]
                + secondary[:, slot, 3] * kinds["technology"]
            )
            options = (worth, develop[:, slot])
        for option, worth in enumerate(options):
            at = s * 10 + option * 5
            scores[:, at : at + 5] += worth[:, None] - cost
    scores[:, ACTION_IDS["pass"]] += w.pass_threshold


def _score_keeping(scores: Floats, seen: _Seen) -> None:
    """Keep stacks and the colours of the next tokens; single discs of no use go back."""
    discs = seen.discs()
    route = seen["own_route"].reshape(len(seen.rows), -1, NUM_COLOURS + 1)
    wanted = route[:, :2, :NUM_COLOURS].max(axis=1)
    for c, colour in enumerate(COLOURS):
        useful = np.where((discs[:, c] >= 2) | (wanted[:, c] > 0), 1.0, -1.0)
        for n in range(6):
            scores[:, ACTION_IDS[f"keep {n} {colour}"]] += useful * n


def _score_payments(scores: Floats, seen: _Seen) -> None:
    """Pay a Tunnel with discs of small stacks; spend the smallest money that helps."""
    discs = seen.discs()
    for a, first in enumerate(COLOURS):
        for b, second in enumerate(COLOURS[a:], a):
            scores[:, ACTION_IDS[f"pay {first} {second}"]] -= discs[:, a] + discs[:, b]
    deviation = seen["own_deviation"].sum(axis=1)
    for millions in (1, 2, 3):
        waste = np.maximum(millions - deviation, 0)
        scores[:, ACTION_IDS[f"spend {millions}"]] += 2.0 - 0.1 * millions - waste
    scores[:, ACTION_IDS["spend extra_finance"]] += np.where(deviation >= 3, 1.5, -1)


def _score_choices(scores: Floats, seen: _Seen, kinds: dict[str, Floats], develop: Floats) -> None:
    million = seen.slots()[:, :, NUM_CARD_KINDS + 9] * 3
    for slot in range(NUM_SLOTS):
        scores[:, ACTION_IDS[f"take slot_{slot + 1}"]] += million[:, slot] - 0.2 * develop[:, slot]
        scores[:, ACTION_IDS[f"develop slot_{slot + 1}"]] += develop[:, slot]
    placed = seen["topographical"][:, :NUM_COLOURS]
    stored = seen["storage"][:, :NUM_COLOURS] * 3
    for c, colour in enumerate(COLOURS):
        scores[:, ACTION_IDS[f"rubble {colour}"]] += 1 - placed[:, c] + 0.2 * stored[:, c]
    prices = seen["barriers"].reshape(len(seen.rows), 4, 2)[:, :2, 0]
    scores[:, ACTION_IDS["track a"]] -= prices[:, 0] * 4
    scores[:, ACTION_IDS["track b"]] -= prices[:, 1] * 4
    for name, action in ACTION_IDS.items():
        if name.startswith("use ") and name != "use stop":
            scores[:, action] += 1
        elif name.startswith("exchange"):
            scores[:, action] -= 1
    for name in ("plan", "tunnel", "technology"):
        scores[:, ACTION_IDS[f"use heavy_machinery {name}"]] += kinds[name] - 1
    scores[:, ACTION_IDS["use heavy_machinery develop"]] += develop.max(axis=1) - 1
    scores[:, ACTION_IDS["use control_room_4"]] += kinds["tunnel"] - 1
    safe = seen["deviation_risk"][:, 0] == 0
    drawn = seen["agenda_drawn"]
    likes = {"training": 1, "repairs": 1, "supervision": 1, "promotion": 0, "check_up": 0}
    wish = sum(likes.get(k, -1) * drawn[:, i] for i, k in enumerate(AGENDA_KINDS))
    wish = wish + drawn[:, AGENDA_KINDS.index("check_up")] * np.where(safe, 1, -1)
    rich = seen["purse"][:, 0] * 12 >= 3
    wish = wish + drawn[:, AGENDA_KINDS.index("promotion")] * np.where(rich, 1, -1)
    scores[:, ACTION_IDS["agenda keep"]] += wish
