"""The current value of each kind of action, before the cost in discs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games.tunnel_1987.players.sight import Figures, Floats, Sight
from channel_tunnel_agents.games.tunnel_1987.players.weights import Weights
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

DISC_ABILITIES = (c.NEW_WORKERS, c.EXCHANGE, c.NEW_MATERIALS, c.CONTROL_ROOM_1, c.CONTROL_ROOM_2)
ACTION_ABILITIES = (c.CONTROL_ROOM_3, c.CONTROL_ROOM_4, c.CONTROL_ROOM_5, c.IMPROVE_TECHNOLOGY, c.HEAVY_MACHINERY)


NO_STEP = np.float32(-5)  # value of a track that cannot be advanced
MAX_LEVEL = 11  # past the limit by the worst two cards, in a game that is over


@dataclass(frozen=True)
class Worth:
    """Values for one batch of n rows, float32."""

    plan: Floats  # (n,)
    tunnel: Floats  # (n,)
    tracks: Floats  # (n, 2) a Technology on each track
    technology: Floats  # (n,) on the better one
    million: Floats  # (n, 3) each slot's card as money
    take: Floats  # (n, 3) the same, minus the loss of the card
    finance: Floats  # (n,) the best to take
    develop: Floats  # (n, 3) each slot's card developed
    threat: Floats  # (n,) 1 if the rival would win with a Tunnel
    repair: Floats  # (n, k) lowering the deviation by 0, 1, 2, ... up to what one payment can


def appraise(seen: Sight, w: Weights, figures: Figures) -> Worth:
    """The values for a batch under the ruleset of `figures`."""
    early = np.minimum(np.minimum(seen.left, seen.rival_left) / figures.early, 1)
    threat = _threat(seen, figures)
    levels = _level_costs(seen, w, figures, threat)
    price = _next_step(seen, figures.price)  # of the barrier before each counter, 0 for none
    tracks = _tracks(seen, w, figures, price, early, levels)
    million = _millions(seen, w, price, early)
    develop = _development(seen, w, figures, early)
    payments = np.arange(max(c.MAX_MONEY, figures.extra_finance) + 1, dtype=np.float32)
    take: Floats = (million - w.taken * np.maximum(develop, 0)).astype(np.float32)
    return Worth(
        plan=_plan(seen, w),
        tunnel=_tunnel(seen, w, figures, levels),
        tracks=tracks,
        technology=tracks.max(axis=1),
        million=million,
        take=take,
        finance=take.max(axis=1),
        develop=develop,
        threat=threat,
        repair=_fall(seen, levels, payments[None, :]),
    )


def _plan(seen: Sight, w: Weights) -> Floats:
    worths = np.array([w.plan_first, w.plan_second, w.plan_more], np.float32)
    worth: Floats = worths[np.minimum(seen.open, 2).astype(np.intp)]
    return worth


def _checks_left(seen: Sight, figures: Figures) -> Floats:
    """Tunnels to come with a deviation check (n,); the last one usually has none."""
    left: Floats = np.maximum(seen.left - 1 + figures.final_checks, 0)
    return left


def _level_costs(seen: Sight, w: Weights, figures: Figures, threat: Floats) -> Floats:
    """Cost of being on each deviation level (n, 12); past the limit the game is lost."""
    level = np.arange(MAX_LEVEL + 1, dtype=np.float32)
    points = np.resize(figures.penalties, MAX_LEVEL + 1)  # beyond the limit they do not matter
    checks = np.minimum(_checks_left(seen, figures), 4) / 4
    costs = w.level * points + w.level_squared * checks[:, None] * level**2
    costs[:, figures.limit + 1 :] = (w.bust * (1 - w.despair * threat))[:, None]
    return np.asarray(costs, np.float32)


def _fall(seen: Sight, levels: Floats, by: Floats) -> Floats:
    """Gain of lowering the deviation `by` levels (n, k), not below 0."""
    here = seen.deviation[:, None]
    below = np.maximum(here - by, 0).astype(np.intp)
    now: Floats = levels[seen.index, here.astype(np.intp)]
    gain: Floats = now - levels[seen.index, below]
    return gain


def _drift(seen: Sight, figures: Figures, levels: Floats) -> Floats:
    """Expected cost of the deviation check after a Tunnel (n,); blue rubble is water.

    More than two cards for water are treated as two.
    """
    cards = seen.deviation_cards
    zero, one, two = cards[:, 0], cards[:, 1], cards[:, 2]
    total = np.maximum(cards.sum(axis=1), 2)
    pairs = total * (total - 1)
    water = seen.front[:, c.BLUE]
    draws = figures.water_draws[seen.seat]
    single = (1 - water * (draws != 1)) / total
    double = water * (draws >= 2) / pairs
    chance = np.empty((seen.size, 4), np.float32)  # of rising by 1 to 4 levels
    chance[:, 0] = single * one + double * 2 * zero * one
    chance[:, 1] = single * two + double * (one * (one - 1) + 2 * zero * two)
    chance[:, 2] = double * 2 * one * two
    chance[:, 3] = double * two * (two - 1)
    here = seen.deviation.astype(np.intp)[:, None]
    now: Floats = levels[seen.index, here]
    risen: Floats = levels[seen.index, here + np.arange(1, 5)]
    cost: Floats = ((risen - now) * chance).sum(axis=1)
    return cost


def _tunnel(seen: Sight, w: Weights, figures: Figures, levels: Floats) -> Floats:
    # The final lead if this were the last Tunnel.
    margin = seen.lead + figures.centre + figures.rival_token * seen.rival_left
    drift = _drift(seen, figures, levels)
    outlook = np.clip((margin - seen.left) / 10, -1, 1)
    on_the_way = (
        w.tunnel
        + w.tunnel_rush * outlook
        + w.tunnel_late * (1 - seen.left / figures.length)
        + w.tunnel_race * np.clip((seen.left - seen.rival_left) / 4, -1, 1)
        - w.tunnel_full * (seen.room == 1)
        - drift
    )
    ending = np.where(margin >= 0, w.finish, -w.finish) - figures.final_checks * drift
    return np.asarray(np.where(seen.left == 1, ending, on_the_way), np.float32)


def _threat(seen: Sight, figures: Figures) -> Floats:
    wins = figures.centre + figures.rival_token * seen.left - seen.lead >= 0
    return np.asarray((seen.rival_left == 1) & (seen.rival_open > 0) & wins, np.float32)


def _next_step(seen: Sight, by_space: NDArray[Any]) -> NDArray[Any]:
    """A per-space figure at each counter's next step (n, 2)."""
    return by_space[seen.seat[:, None], np.arange(c.NUM_TRACKS), seen.counters]


def _tracks(seen: Sight, w: Weights, figures: Figures, price: Floats, early: Floats, levels: Floats) -> Floats:
    """A step on each track, the money it takes and the deviation it corrects (n, 2)."""
    worth = w.technology + w.technology_point * _next_step(seen, figures.step_points)
    worth += w.extra_disc * early[:, None] * _next_step(seen, figures.gains_disc)
    worth += w.storage_space * early[:, None] * _next_step(seen, figures.gains_storage)
    steps_left = np.maximum(figures.steps[seen.seat] - seen.counters.sum(axis=1), 1)
    worth -= (w.reserve * _checks_left(seen, figures) / steps_left)[:, None]
    purse = seen.purse[:, None]
    barrier = price > 0
    surplus = np.maximum(purse - price, 0)
    corrected = np.where(barrier, surplus, np.minimum(purse, seen.deviation[:, None]))
    spent = np.where(barrier, purse, corrected)
    gain = _fall(seen, levels, corrected) - w.million * spent * early[:, None]
    worth += np.where(barrier, gain, np.maximum(gain, 0))  # correcting without a barrier is free
    return np.where(seen.can_move > 0, worth, NO_STEP)


def _millions(seen: Sight, w: Weights, price: Floats, early: Floats) -> Floats:
    needed = np.maximum(price.max(axis=1), seen.deviation) - seen.purse
    used = np.minimum(seen.money, np.maximum(needed, 0)[:, None])
    worth: Floats = w.million * early[:, None] * seen.money + w.million_needed * used
    return worth


def _development(seen: Sight, w: Weights, figures: Figures, early: Floats) -> Floats:
    """Points the card brings, what its ability does, and the tokens it takes (n, 3)."""
    worth = w.point * seen.points + (seen.kind @ _ability_worths(w)) * early[:, None]
    ahead = seen.influence - seen.rival_influence
    duel = figures.duel * np.clip(0.4 + 0.3 * ahead, 0, 1)
    speech = figures.speech * (seen.influence / figures.influence_each + early)
    media = figures.media * np.clip(0.5 + 0.25 * seen.more_cards, 0, 1)
    kind = seen.kind
    worth += w.conditional * (
        kind[:, :, c.POLITICAL_DUEL] * duel[:, None]
        + kind[:, :, c.EUROPEAN_SPEECH] * speech[:, None]
        + kind[:, :, c.MEDIA_RELATIONS] * media[:, None]
    )
    new = ((seen.stored > 0) & (seen.on_cards == 0)).any(axis=1)
    collected = seen.on_cards.sum(axis=1).astype(np.intp)
    analysis = new * (w.conditional * figures.analysis[collected] + w.collection * early)
    worth += kind[:, :, c.TOPOGRAPHICAL_ANALYSIS] * analysis[:, None]
    takes = 1 - seen.cost[:, :, c.FREE]
    two = seen.cost[:, :, c.PLACE_1_OR_2] * (seen.stored.sum(axis=1) >= 2)[:, None]
    worth += takes * (np.where(seen.room == 0, w.room, 0) - w.token)[:, None]
    worth += two * (w.second_token * early)[:, None]
    return np.asarray(worth, np.float32)


def _ability_worths(w: Weights) -> Floats:
    worths = np.zeros(c.NUM_CARD_KINDS, np.float32)
    worths[list(DISC_ABILITIES)] = w.ability_disc
    worths[list(ACTION_ABILITIES)] = w.ability_action
    worths[c.EXTRA_FINANCE] = w.ability_money
    return worths
