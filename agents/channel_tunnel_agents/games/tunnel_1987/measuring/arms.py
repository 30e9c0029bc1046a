"""Deals in which one playing card is given to a side, or withheld from the game.

All arms of a deal have the same tokens, discs, decks and random streams. In all of them the card is
removed from deck and display, so the other cards come in the same order; the arms differ only in
whether it lies in Britain's area, in France's, or nowhere.

A given card lies there as if just developed, at no cost to its side: an ability card holds as many
tokens as its cost can lay on it. Those tokens come from outside the game: every token of the game
has a place in the deal, and taking one away would change the deal. The game's tables include these
tokens and exclude a withheld card, so that the invariants hold and no seat believes that a withheld
card is still in the deck.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.scoring import NUM_SCORE_SOURCES
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.game import BLANK

ARMS = ("britain", "france", "withheld")
BRITAIN_ARM, FRANCE_ARM, WITHHELD = range(3)
GIVEN = ARMS[:WITHHELD]
Ints = NDArray[np.int64]


def deal_arms(ruleset: Ruleset, cards: Sequence[int], seeds: Sequence[int], arms: Sequence[str] = ARMS) -> BatchGame:
    """Deal every card in every arm of every deal, up to the first decision.

    Args:
        cards: ids, (C,).
        seeds: game seeds, (D,).
        arms: `ARMS`, or only `GIVEN`.

    Returns:
        A batch of D x C x arms games; the arm varies fastest.

    Raises:
        AgentError: the ruleset has too many tokens to add two more.
    """
    shape = (len(seeds), len(cards), len(arms))
    batch = BatchGame(int(np.prod(shape)), ruleset)
    batch.reset(seeds=np.repeat(np.asarray(seeds, np.int64), shape[1] * shape[2]))
    card = np.broadcast_to(np.asarray(cards, np.int64)[None, :, None], shape).ravel()
    arm = np.broadcast_to(np.arange(len(arms)), shape).ravel()
    states = new_states(batch.num_games)
    states[:] = batch.states
    withhold(states, card)
    for seat, own_arm in ((c.BRITAIN, BRITAIN_ARM), (c.FRANCE, FRANCE_ARM)):
        rows = np.flatnonzero(arm == own_arm)
        give(states, rows, card[rows], seat, batch.tables[0])
    states["ruleset"] = np.arange(len(states)) % (shape[1] * shape[2])
    batch.tables = _tables_of_arms(ruleset, batch.tables[0], cards, len(arms))
    _start_again(states, batch)
    batch.restore(states)
    return batch


def withhold(states: NDArray[Any], cards: Ints) -> None:
    """Take card `cards[i]` out of the deck or display of game i of freshly dealt records.

    The next card of the deck takes its slot; the others keep their order.
    """
    size = states["deck_size"].astype(np.int64)
    top = np.where(size > 0, states["deck"][np.arange(len(states)), size - 1], -1)
    in_slot = states["slots"] == cards[:, None]
    shown = in_slot.any(axis=1)
    states["slots"] = np.where(in_slot, top[:, None], states["slots"])
    leaves_deck = np.where(shown, top, cards)
    place = (states["deck"] == leaves_deck[:, None]).argmax(axis=1)
    closed_up = np.concatenate([states["deck"][:, 1:], np.zeros((len(states), 1), np.int8)], axis=1)
    behind = np.arange(c.MAX_CARDS) >= place[:, None]
    inside = np.arange(c.MAX_CARDS) < size[:, None]
    states["deck"] = np.where(behind & inside, closed_up, states["deck"])
    states["deck_size"] = np.maximum(size - 1, 0)
    rows = np.flatnonzero(shown)
    states["card_shown"][rows, cards[rows]] -= 1
    rows = np.flatnonzero(shown & (top >= 0))
    states["card_shown"][rows, top[rows]] += 1


def give(states: NDArray[Any], rows: NDArray[np.intp], cards: Ints, seat: int, rules: Any) -> None:
    """Put card `cards[k]`, which lies nowhere else, developed into a seat's area in row
    `rows[k]`."""
    bits = np.int64(1) << cards
    kind, tokens = rules["card_kind"][cards].astype(np.int64), _tokens_on(rules)[cards]
    colours = np.array([colour + 1 for colour in outside_colours(rules)], np.int8)
    states["area"][rows, seat] |= bits
    states["kind_count"][rows, seat, kind] += 1
    states["printed_points"][rows, seat] += rules["card_points"][cards]
    states["card_rubble"][rows, cards, 0] = np.where(tokens >= 1, colours[0], 0)
    states["card_rubble"][rows, cards, 1] = np.where(tokens == 2, colours[1], 0)
    ability = kind >= c.FIRST_ABILITY
    states["charged"][rows] |= np.where(ability, bits, 0)
    states["charged_twice"][rows] |= np.where(ability & (tokens == 2), bits, 0)
    analysed = np.where(kind == c.TOPOGRAPHICAL_ANALYSIS, 1 << (int(colours[0]) - 1), 0)
    states["topographical"][rows, seat] |= analysed.astype(np.int8)
    states["card_developed"][rows, cards] = states["round_no"][rows]


def outside_colours(rules: Any) -> tuple[int, int]:
    """Colours of the first and second token on a given card: the two most frequent in the game.

    Ties go to the lower colour. The colours of an ability card's tokens change nothing; the colour on
    Topographical analysis should be one that a side can also meet while it bores.
    """
    tokens = rules["token_colour"][: int(rules["num_tokens"])]
    common = np.argsort(-np.bincount(tokens, minlength=c.NUM_COLOURS), kind="stable")
    return int(common[0]), int(common[1])


def _tokens_on(rules: Any) -> NDArray[np.int64]:
    """The most tokens that the cost of each card lays on it: (MAX_CARDS,)."""
    cost = rules["card_cost"]
    return np.where(cost == c.PLACE_1_OR_2, 2, np.where(cost == c.PLACE_1, 1, 0))


def totals(states: NDArray[Any], tables: Any) -> NDArray[np.int64]:
    """Current victory points of both sides: (n, 2)."""
    points = np.empty((len(states), c.NUM_SEATS, NUM_SCORE_SOURCES + 1), np.int16)
    kernels.score_batch(states, tables, points)
    return points[:, :, -1].astype(np.int64)


def _start_again(states: NDArray[Any], batch: BatchGame) -> None:
    """Back to the round-start window, which a given card may open, then on to the first
    decision."""
    points = totals(states, batch.tables)
    leader = np.where(points[:, c.BRITAIN] > points[:, c.FRANCE], c.BRITAIN, c.FRANCE)
    states["leader"] = np.where(points[:, c.BRITAIN] == points[:, c.FRANCE], c.DRAW, leader)
    states["phase"] = c.WINDOW
    states["to_play"] = states["first_player"]
    states["ply"] = 0
    masks = np.zeros(batch.masks.shape, np.int8)
    for row in range(len(states)):
        kernels.run_game(states, row, batch.tables, kernels.SETTLE, 0, BLANK, batch.work, masks)


def _tables_of_arms(ruleset: Ruleset, rules: Any, cards: Sequence[int], arms: int) -> np.recarray:
    """The ruleset tables of every card's arms, C x arms: read-only, as the kernels expect."""
    tables = np.repeat(np.array([rules], rules.dtype), len(cards) * arms)
    for i, card in enumerate(cards):
        of_card = tables[i * arms : (i + 1) * arms]
        colours = outside_colours(rules)[: _tokens_on(rules)[card]]
        for given in of_card[:WITHHELD]:
            _count_in(given, colours, ruleset)
        for withheld in of_card[WITHHELD:]:
            withheld["all_cards"] &= ~(np.int64(1) << card)
    found = tables.view(np.recarray)
    found.flags.writeable = False
    return found


def _count_in(rules: Any, colours: Sequence[int], ruleset: Ruleset) -> None:
    """Add tokens of these colours to the ruleset tables."""
    first = int(rules["num_tokens"])
    if first + len(colours) > c.MAX_TOKENS:
        raise AgentError(
            f"card effects: ruleset {ruleset.name!r} has {first} rubble tokens; expected at most "
            f"{c.MAX_TOKENS - 2}, so that a given card can hold two more"
        )
    rules["token_colour"][first : first + len(colours)] = colours
    rules["num_tokens"] = first + len(colours)
