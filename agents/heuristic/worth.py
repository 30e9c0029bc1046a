"""What each kind of action is worth now, before the discs it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.heuristic.sight import Floats, Sight
from agents.heuristic.weights import Weights
from channel_tunnel_env.engine.constants import (
    BLUE,
    CONTROL_ROOM_1,
    CONTROL_ROOM_2,
    CONTROL_ROOM_3,
    CONTROL_ROOM_4,
    CONTROL_ROOM_5,
    EUROPEAN_SPEECH,
    EXCHANGE,
    EXTRA_FINANCE,
    FREE,
    HEAVY_MACHINERY,
    IMPROVE_TECHNOLOGY,
    MEDIA_RELATIONS,
    NEW_MATERIALS,
    NEW_WORKERS,
    NUM_CARD_KINDS,
    NUM_TRACKS,
    PLACE_1_OR_2,
    POLITICAL_DUEL,
    TOPOGRAPHICAL_ANALYSIS,
)

# Figures of the standard ruleset, which the observation does not show.
CENTRE_BONUS = 2
DUEL_POINTS, MEDIA_POINTS = 3, 2
DEVIATION_LIMIT = 4
EXTRA_FINANCE_MILLIONS = 3
STEP_POINTS = np.array([1, 1, 2, 2, 3, 0, 0, 0], np.float32)  # of the step from space 0, 1, ...
TRACK_LENGTH = 5
EXTRA_DISC_STEP = np.array([2, 3])  # track a's, track b's step that gains a disc
STORAGE_TRACK, STORAGE_STEP = 1, 1  # Britain's step that gains a storage space

DISC_ABILITIES = (NEW_WORKERS, EXCHANGE, NEW_MATERIALS, CONTROL_ROOM_1, CONTROL_ROOM_2)
ACTION_ABILITIES = (
    CONTROL_ROOM_3,
    CONTROL_ROOM_4,
    CONTROL_ROOM_5,
    IMPROVE_TECHNOLOGY,
    HEAVY_MACHINERY,
)


NO_STEP = np.float32(-5)  # worth of a track that cannot be moved on
MAX_LEVEL = 11  # past the limit by the worst two cards, in a game that is over


@dataclass(frozen=True)
class Worth:
    """Worths of one batch, float32; n rows."""

    plan: Floats  # (n,)
    tunnel: Floats  # (n,)
    tracks: Floats  # (n, 2) a Technology on each track
    technology: Floats  # (n,) on the better one
    million: Floats  # (n, 3) each slot's card as money
    take: Floats  # (n, 3) the same, less what the card is missed for
    finance: Floats  # (n,) the best to take
    develop: Floats  # (n, 3) each slot's card developed
    threat: Floats  # (n,) 1 if the rival would win with a Tunnel
    repair: Floats  # (n, 4) lowering the deviation by 0, 1, 2, 3


def appraise(seen: Sight, w: Weights) -> Worth:
    """The worths of a batch."""
    early = np.minimum(np.minimum(seen.left, seen.rival_left) / 6, 1)
    threat = _threat(seen)
    levels = _level_costs(seen, w, threat)
    tracks = _tracks(seen, w, early, levels)
    million = _millions(seen, w, early)
    develop = _development(seen, w, early)
    take: Floats = (million - w.taken * np.maximum(develop, 0)).astype(np.float32)
    return Worth(
        plan=_plan(seen, w),
        tunnel=_tunnel(seen, w, levels),
        tracks=tracks,
        technology=tracks.max(axis=1),
        million=million,
        take=take,
        finance=take.max(axis=1),
        develop=develop,
        threat=threat,
        repair=_fall(seen, levels, np.arange(4, dtype=np.float32)[None, :]),
    )


def _plan(seen: Sight, w: Weights) -> Floats:
    worths = np.array([w.plan_first, w.plan_second, w.plan_more], np.float32)
    worth: Floats = worths[np.minimum(seen.open, 2).astype(np.intp)]
    return worth


def _level_costs(seen: Sight, w: Weights, threat: Floats) -> Floats:
    """Cost of standing on each deviation level (n, 12); past the limit the game is lost."""
    level = np.arange(MAX_LEVEL + 1, dtype=np.float32)
    checks = np.clip(seen.left - 1, 0, 4) / 4  # the last Tunnel is not checked
    costs = w.level * level + w.level_squared * checks[:, None] * level**2
    costs[:, DEVIATION_LIMIT + 1 :] = (w.bust * (1 - w.despair * threat))[:, None]
    return np.asarray(costs, np.float32)


def _fall(seen: Sight, levels: Floats, by: Floats) -> Floats:
    """Gain of lowering the deviation `by` levels (n, k), not below 0."""
    here = seen.deviation[:, None]
    below = np.maximum(here - by, 0).astype(np.intp)
    now: Floats = levels[seen.index, here.astype(np.intp)]
    gain: Floats = now - levels[seen.index, below]
    return gain


def _drift(seen: Sight, levels: Floats) -> Floats:
    """Expected cost of the deviation check after a Tunnel (n,); blue rubble is water."""
    cards = seen.deviation_cards
    zero, one, two = cards[:, 0], cards[:, 1], cards[:, 2]
    total = np.maximum(cards.sum(axis=1), 2)
    pairs = total * (total - 1)
    water = seen.front[:, BLUE]
    single = (1 - water) / total
    double = water * (1 - seen.is_france) / pairs
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


def _tunnel(seen: Sight, w: Weights, levels: Floats) -> Floats:
    margin = seen.lead + CENTRE_BONUS + seen.rival_left  # at the end, were this the last Tunnel
    outlook = np.clip((margin - seen.left) / 10, -1, 1)
    on_the_way = (
        w.tunnel
        + w.tunnel_rush * outlook
        + w.tunnel_late * (1 - seen.left / 9)
        + w.tunnel_race * np.clip((seen.left - seen.rival_left) / 4, -1, 1)
        - w.tunnel_full * (seen.room == 1)
        - _drift(seen, levels)
    )
    ending = np.where(margin >= 0, w.finish, -w.finish)
    return np.asarray(np.where(seen.left == 1, ending, on_the_way), np.float32)


def _threat(seen: Sight) -> Floats:
    wins = CENTRE_BONUS + seen.left - seen.lead >= 0
    return np.asarray((seen.rival_left == 1) & (seen.rival_open > 0) & wins, np.float32)


def _tracks(seen: Sight, w: Weights, early: Floats, levels: Floats) -> Floats:
    """A step on each track, the money it takes and the deviation it corrects (n, 2)."""
    steps = seen.counters
    worth = w.technology + w.technology_point * STEP_POINTS[steps]
    worth += w.extra_disc * early[:, None] * (steps == EXTRA_DISC_STEP)
    storage = (steps[:, STORAGE_TRACK] == STORAGE_STEP) & (seen.is_france == 0)
    worth[:, STORAGE_TRACK] += w.storage_space * early * storage
    steps_left = np.maximum(NUM_TRACKS * TRACK_LENGTH - steps.sum(axis=1), 1)
    worth -= (w.reserve * np.maximum(seen.left - 1, 0) / steps_left)[:, None]
    purse = seen.purse[:, None]
    barrier = seen.price > 0
    surplus = np.maximum(purse - seen.price, 0)
    corrected = np.where(barrier, surplus, np.minimum(purse, seen.deviation[:, None]))
    spent = np.where(barrier, purse, corrected)
    gain = _fall(seen, levels, corrected) - w.million * spent * early[:, None]
    worth += np.where(barrier, gain, np.maximum(gain, 0))  # correcting without a barrier is free
    return np.where(seen.can_move > 0, worth, NO_STEP)


def _millions(seen: Sight, w: Weights, early: Floats) -> Floats:
    needed = np.maximum(seen.price.max(axis=1), seen.deviation) - seen.purse
    used = np.minimum(seen.money, np.maximum(needed, 0)[:, None])
    worth: Floats = w.million * early[:, None] * seen.money + w.million_needed * used
    return worth


def _development(seen: Sight, w: Weights, early: Floats) -> Floats:
    """Points the card brings, what its ability does, and the tokens it takes (n, 3)."""
    worth = w.point * seen.points + (seen.kind @ _ability_worths(w)) * early[:, None]
    ahead = seen.influence - seen.rival_influence
    duel = DUEL_POINTS * np.clip(0.4 + 0.3 * ahead, 0, 1)
    speech = seen.influence / 2 + early
    media = MEDIA_POINTS * np.clip(0.5 + 0.25 * seen.more_cards, 0, 1)
    kind = seen.kind
    worth += w.conditional * (
        kind[:, :, POLITICAL_DUEL] * duel[:, None]
        + kind[:, :, EUROPEAN_SPEECH] * speech[:, None]
        + kind[:, :, MEDIA_RELATIONS] * media[:, None]
    )
    new = ((seen.stored > 0) & (seen.on_cards == 0)).any(axis=1)
    collected = seen.on_cards.sum(axis=1)
    analysis = new * (w.conditional * (collected + 1) + w.collection * early)
    worth += kind[:, :, TOPOGRAPHICAL_ANALYSIS] * analysis[:, None]
    takes = 1 - seen.cost[:, :, FREE]
    two = seen.cost[:, :, PLACE_1_OR_2] * (seen.stored.sum(axis=1) >= 2)[:, None]
    worth += takes * (np.where(seen.room == 0, w.room, 0) - w.token)[:, None]
    worth += two * (w.second_token * early)[:, None]
    return np.asarray(worth, np.float32)


def _ability_worths(w: Weights) -> Floats:
    worths = np.zeros(NUM_CARD_KINDS, np.float32)
    worths[list(DISC_ABILITIES)] = w.ability_disc
    worths[list(ACTION_ABILITIES)] = w.ability_action
    worths[EXTRA_FINANCE] = w.ability_money
    return worths
