"""Scores of the actions: the value of an action minus the discs, tokens and money it takes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.games.tunnel_1987.players.sight import Figures, Floats, Sight
from channel_tunnel_agents.games.tunnel_1987.players.weights import Weights
from channel_tunnel_agents.games.tunnel_1987.players.worth import Worth, appraise
from channel_tunnel_env.core.jit import compiled, kernel
from channel_tunnel_env.core.rng import GOLDEN, mix
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

FIRST = np.array(a.PAY_FIRST)
SECOND = np.array(a.PAY_SECOND)
GIVE = np.array(a.EXCHANGE_GIVE)
TAKE = np.array(a.EXCHANGE_TAKE)
RECOVERIES = slice(a.USE_NEW_MATERIALS, a.USE_CONTROL_ROOM_3)
# Whether an Agenda card pays off; for Check-up and Promotion it depends on the position.
AGENDA_LIKED = np.zeros(c.NUM_AGENDA, np.float32)
AGENDA_LIKED[[c.TRAINING, c.REPAIRS, c.SUPERVISION]] = 1
AGENDA_LIKED[c.WAREHOUSE_INSPECTION] = -1


def score_actions(seen: Sight, w: Weights, figures: Figures) -> Floats:
    """A score for every action of every row, (n, A), under the ruleset of `figures`."""
    scores = np.zeros((seen.size, a.NUM_ACTIONS), np.float32)
    worth = appraise(seen, w, figures)
    stacks = np.array([0, w.stack_1, w.stack_2, w.stack_3, w.stack_4, w.stack_5], np.float32)
    if seen.in_phase("turn").any():
        _score_turn(scores, seen, w, worth, stacks)
    if seen.in_phase("keep").any():
        _score_keeping(scores, seen, w, stacks)
    if seen.in_phase("window").any():
        _score_window(scores, seen, w, stacks)
    _score_slots(scores, seen, w, worth)
    _score_payments(scores, seen, w, figures, worth, stacks)
    _score_uses(scores, w, worth)
    if seen.in_phase("agenda").any():
        _score_agenda(scores, seen, figures)
    return scores


def _score_turn(scores: Floats, seen: Sight, w: Weights, worth: Worth, stacks: Floats) -> None:
    """Placements: the action, minus the discs laid, plus those taken back; and passing."""
    held = seen.discs.astype(np.intp)
    colour = seen.stack_colour
    height = seen.height.astype(np.intp)
    merged = (colour * seen.discs[:, None, :]).sum(axis=2).astype(np.intp)
    taken = stacks[np.minimum(merged + height, c.MAX_DISCS_PER_COLOUR)] - stacks[merged]
    taken_alone = stacks[height]
    gain = taken[:, :, None] + colour * (taken_alone - taken)[:, :, None]
    net = gain - stacks[held][:, None, :]  # (n, space, colour)

    front = seen.front[:, None, :]
    held_front = (seen.front * seen.discs).sum(axis=1) > 0
    brought = (front * colour).sum(axis=2)  # the old stack is of that colour
    matching = np.maximum(held_front[:, None, None] * (1 - front), brought[:, :, None])
    shut = _denials(seen, w, worth)
    idle = net + shut + w.front * matching
    tunnelling = net + shut - w.pay * (2 - matching)

    place = np.repeat(idle[:, :, None, :], 2, axis=2)  # (n, space, option, colour)
    place[:, c.PLAN_TUNNEL, 1] = tunnelling[:, c.PLAN_TUNNEL]
    bores = seen.secondary[:, :, c.TUNNEL] > 0
    place[:, c.FIRST_SLOT :, 0] = np.where(bores[:, :, None], tunnelling[:, c.FIRST_SLOT :], idle[:, c.FIRST_SLOT :])
    place += _options(seen, worth)[:, :, :, None]
    scores[:, a.PLACE : a.PASS] = place.reshape(seen.size, -1)
    first = (1 - seen.rival_passed) * (1 - seen["first_player"][:, 0])
    scores[:, a.PASS] = w.pass_first * first + w.front * held_front - w.stay


def _options(seen: Sight, worth: Worth) -> Floats:
    """Worth of both options of every space (n, 5, 2)."""
    options = np.empty((seen.size, c.NUM_SPACES, 2), np.float32)
    options[:, c.PLAN_TUNNEL, 0] = worth.plan
    options[:, c.PLAN_TUNNEL, 1] = worth.tunnel
    options[:, c.FINANCE_TECHNOLOGY, 0] = worth.finance
    options[:, c.FINANCE_TECHNOLOGY, 1] = worth.technology
    secondary = seen.secondary
    options[:, c.FIRST_SLOT :, 0] = (
        secondary[:, :, c.PLAN] * worth.plan[:, None]
        + secondary[:, :, c.TUNNEL] * worth.tunnel[:, None]
        + secondary[:, :, c.FINANCE] * worth.million
        + secondary[:, :, c.TECHNOLOGY] * worth.technology[:, None]
    )
    options[:, c.FIRST_SLOT :, 1] = worth.develop
    return options


def _denials(seen: Sight, w: Weights, worth: Worth) -> Floats:
    """Worth of a stack that the rival cannot beat on a space it could have used (n, 5, 5)."""
    tallest = seen.rival_tallest[:, None]
    closes = (tallest > seen.height)[:, :, None] & (tallest <= seen.discs)[:, None, :]
    tunnels = np.zeros((seen.size, c.NUM_SPACES), np.float32)
    tunnels[:, c.PLAN_TUNNEL] = 1
    tunnels[:, c.FIRST_SLOT :] = seen.secondary[:, :, c.TUNNEL]
    denied = w.deny + w.deny_finish * worth.threat[:, None] * tunnels
    worths: Floats = closes * (denied * (1 - seen.rival_passed)[:, None])[:, :, None]
    return worths


def _score_keeping(scores: Floats, seen: Sight, w: Weights, stacks: Floats) -> None:
    """Kept discs reduce the next draw: keep those worth more than fresh discs."""
    kept = stacks - w.draw * np.arange(6, dtype=np.float32)
    wanted = w.front * seen.front[:, :, None] * (np.arange(6) > 0)
    scores[:, a.KEEP_0 : a.PAY_0] = (kept + wanted).reshape(seen.size, -1)


def _score_window(scores: Floats, seen: Sight, w: Weights, stacks: Floats) -> None:
    """Round start: an extra disc is always good, an Exchange if the disc taken is worth more."""
    held = seen.discs.astype(np.intp)
    scores[:, a.USE_NEW_WORKERS] = 1
    lost = stacks[held] - stacks[np.maximum(held - 1, 0)] + w.front * seen.front * (held == 1)
    won = stacks[np.minimum(held + 1, 5)] - stacks[held] + w.front * seen.front * (held == 0)
    scores[:, a.EXCHANGE_0 : a.EXCHANGE_0 + len(GIVE)] = won[:, TAKE] - lost[:, GIVE] - w.use


def _score_slots(scores: Floats, seen: Sight, w: Weights, worth: Worth) -> None:
    """The card to take or develop, and the token it costs: new colours go to Topographical
    analysis."""
    scores[:, a.TAKE_SLOT : a.DEVELOP_SLOT] = worth.take
    scores[:, a.DEVELOP_SLOT : a.RUBBLE_0] = worth.develop
    slot = seen["action_slot"]
    analysed = (slot * seen.kind[:, :, c.TOPOGRAPHICAL_ANALYSIS]).sum(axis=1)[:, None]
    fresh = 1 - seen.on_cards
    scores[:, a.RUBBLE_0 : a.RUBBLE_STOP] = 1 + 0.1 * seen.stored + fresh * (2 * analysed - 0.5)
    scores[:, a.RUBBLE_STOP] = 0.5 - w.second_token


def _score_payments(scores: Floats, seen: Sight, w: Weights, figures: Figures, worth: Worth, stacks: Floats) -> None:
    """The track, the money for corrections and the two discs of a Tunnel without a match."""
    scores[:, a.TRACK_A : a.TRACK_A + 2] = worth.tracks
    millions = np.arange(1, 4, dtype=np.float32)
    promotion = seen.in_phase("promotion")[:, None]
    spend = np.where(promotion, 0, worth.repair[:, 1:4]) - w.million_spent * millions
    scores[:, a.SPEND_1 : a.SPEND_EXTRA_FINANCE] = spend
    scores[:, a.SPEND_EXTRA_FINANCE] = worth.repair[:, figures.extra_finance] - w.million_spent * figures.extra_finance
    held = seen.discs.astype(np.intp)
    one = stacks[held] - stacks[np.maximum(held - 1, 0)]
    two = stacks[held] - stacks[np.maximum(held - 2, 0)]
    scores[:, a.PAY_0 : a.TAKE_SLOT] = -np.where(FIRST == SECOND, two[:, FIRST], one[:, FIRST] + one[:, SECOND])


def _score_uses(scores: Floats, w: Weights, worth: Worth) -> None:
    """After an action: always recover discs; act again if it is worth a token."""
    scores[:, RECOVERIES] = 1
    scores[:, a.USE_CONTROL_ROOM_3] = worth.plan
    scores[:, a.USE_CONTROL_ROOM_4] = worth.tunnel - w.use
    scores[:, a.USE_CONTROL_ROOM_5] = worth.technology - w.use
    scores[:, a.USE_IMPROVE_TECHNOLOGY] = worth.technology - w.use
    for kind, gain in (
        (c.PLAN, worth.plan),
        (c.TUNNEL, worth.tunnel),
        (c.FINANCE, worth.finance),
        (c.TECHNOLOGY, worth.technology),
        (c.DEVELOP, worth.develop.max(axis=1)),
    ):
        scores[:, a.USE_MACHINERY + kind] = gain - w.machinery


def _score_agenda(scores: Floats, seen: Sight, figures: Figures) -> None:
    """Keep cheap cards, a Check-up while it cannot lose, a Promotion with the money in hand.

    Cards that would score nothing are not kept.
    """
    drawn = seen["agenda_drawn"]
    safe = seen["deviation_risk"][:, 0] == 0
    wish = drawn @ AGENDA_LIKED
    wish += drawn[:, c.CHECK_UP] * np.where(safe, 1, -1)
    wish += drawn[:, c.PROMOTION] * np.where(seen.purse >= c.PROMOTION_PRICE, 1, -1)
    scores[:, a.AGENDA_KEEP] = np.where(drawn @ figures.agenda_pays > 0, wish, -1)


# --- ties: broken by a hash of the position, so that no two deals share their luck ----------------
# Three decisions in ten are between actions of equal score. A preference drawn once per agent would bias all its games in the same
# way, and intervals that treat deals as independent would be too narrow. Here each action draws a lot: a hash (SplitMix64) of the
# agent's seed, of what the mover sees and of the action. Only sections that a ruleset's numbers do not scale are hashed: the same
# position under other rules breaks its ties the same way, which keeps the noise of ties out of per-deal comparisons of rulesets.


TIE = np.float32(1e-3)  # a difference of score below any that matters
_SEEN = ("own_discs", "rival_discs", "spaces", "own_route")
_COLUMNS = np.concatenate([np.arange(SECTION_BY_NAME[n].size) + SECTION_BY_NAME[n].start for n in _SEEN])


def choose_best(
    scores: NDArray[np.float32], masks: NDArray[np.bool_], observations: NDArray[np.float32], key: np.uint64
) -> NDArray[np.int64]:
    """The legal action with the highest score in every row, ties broken by lot.

    Args:
        scores: (n, A).
        masks: (n, A), the legal actions.
        observations: (n, D); with the key they determine the lots of their row.
        key: see `keys.key_of`.

    Returns:
        Action ids (n,); each depends only on its own row and the key.
    """
    actions = np.zeros(len(masks), np.int64)
    bits = np.ascontiguousarray(observations, np.float32).view(np.uint32)
    _choose(scores, np.ascontiguousarray(masks), bits, _COLUMNS, key, actions)
    return actions


@kernel
def _choose(scores, masks, seen, columns, key, actions):  # type: ignore[no-untyped-def]
    legal = np.empty(masks.shape[1] + 1, np.int64)
    for i in range(masks.shape[0]):
        tied = _tied(scores[i], masks[i], legal)
        actions[i] = legal[0]
        if tied > 1:
            word, highest = _hash(seen[i], columns, key), np.uint64(0)
            for k in range(tied):
                lot = mix(word + np.uint64(legal[k] + 1) * GOLDEN)
                if lot >= highest:
                    actions[i], highest = legal[k], lot


@compiled
def _tied(scores, mask, found):  # type: ignore[no-untyped-def]
    """Write the legal actions that tie for best to the front of `found`; returns their number."""
    legal = 0
    for action in range(mask.shape[0]):
        found[legal] = action  # branchless: a branch would be mispredicted
        legal += mask[action]
    best = np.float32(-np.inf)
    for k in range(legal):
        best = max(best, scores[found[k]])
    tied = 0
    for k in range(legal):
        if scores[found[k]] >= best - TIE:
            found[tied] = found[k]
            tied += 1
    return tied


@compiled
def _hash(seen, columns, key):  # type: ignore[no-untyped-def]
    """Hash some columns of a row's bits into one word."""
    word = key
    for column in columns:
        word = (word + np.uint64(seen[column])) * GOLDEN
    return mix(word)
