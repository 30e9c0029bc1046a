"""What a playing card is worth: the same deals with the card given to a side, or withheld.

Winners may hold a card without winning because of it: a strong position may leave time for a card.
Here nobody takes the card. In one arm of a deal it lies in Britain's area from the start, in one in
France's, in one it is not in the game; everything else, luck included, is the same. Any
difference between the results is caused by the card, as used by the agent that plays both sides.

The two games with the card say how much it is worth to both sides together: the game without it cancels out
there, so it is left out where the sides need not be told apart.

All arms of a deal have the same tokens, discs, decks and random streams. In all of them the card is
removed from deck and display, so the other cards come in the same order.

A given card lies there as if just developed, at no cost to its side: an ability card holds as many
tokens as its cost can lay on it. Those tokens come from outside the game: every token of the game
has a place in the deal, and taking one away would change the deal. The game's tables include these
tokens and exclude a withheld card, so that the invariants hold and no seat believes that a withheld
card is still in the deck.

The effect is that of a card that is free and there from the start; in a game it costs a turn and
rubble.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import check_count
from channel_tunnel_agents.balance.measuring.significance import holm, paired_p
from channel_tunnel_agents.base import AgentError, agent_seed, choose_actions
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import MAX_BATCH, deal_seeds, first_margin, first_points, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate, estimate_change
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.scoring import NUM_SCORE_SOURCES
from channel_tunnel_env.games.tunnel_1987.engine.state import new_states
from channel_tunnel_env.games.tunnel_1987.game import BLANK
from channel_tunnel_env.outside.hints import did_you_mean

ARMS = ("britain", "france", "withheld")
LEAST_TASKS = 16  # so that parallel processes finish at about the same time


@dataclass(frozen=True)
class CardEffect:
    """What one card does for the side that is given it.

    Attributes:
        key: the card's key in the ruleset.
        kind: its kind.
        britain: P(Britain wins | given to Britain) - P(Britain wins | withheld), -1 to 1.
        france: likewise for France. None, as `britain`, if the card was not withheld.
        both: the mean of the two, deal by deal: half of what Britain loses when the card goes to France.
        margin: change of the final lead in victory points, mean of both sides; a game lost by
            deviation counts with the points on the board.
        p: p-value of no effect of `both`, see `paired_p`.
        p_holm: the same, corrected for the number of cards.
        n: deals.
        by_deal: `both` of every deal (n,), for a comparison with other rules on the same deals.
    """

    key: str
    kind: str
    britain: Estimate | None
    france: Estimate | None
    both: Estimate
    margin: Estimate
    p: float
    p_holm: float
    n: int
    by_deal: tuple[float, ...] = ()


@dataclass(frozen=True)
class CardEffects:
    """The effects of all measured cards, ordered by id."""

    agent: str
    ruleset: str
    digest: str
    deals: int
    seed: int
    cards: tuple[CardEffect, ...]
    arms: tuple[str, ...] = ARMS

    @property
    def ranked(self) -> list[CardEffect]:
        """The most useful card first."""
        return sorted(self.cards, key=lambda card: -card.both.value)

    @property
    def games(self) -> int:
        """Games played."""
        return self.deals * len(self.cards) * len(self.arms)


@dataclass(frozen=True)
class _Task:
    """Some deals with all cards, and everything their results depend on."""

    agent: str
    ruleset: Ruleset
    cards: tuple[int, ...]
    seeds: tuple[int, ...]
    agent_seed: int
    first: int  # number of the first deal
    arms: tuple[str, ...]


@dataclass(frozen=True)
class _Outcome:
    """Britain's points and Britain's lead in victory points, both (deals, cards, arms)."""

    points: NDArray[np.float64]
    leads: NDArray[np.float64]


def measure_card_effects(
    agent: str,
    ruleset: Ruleset,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    cards: Sequence[str] | None = None,
    by_side: bool = True,
) -> CardEffects:
    """Play every deal with every card in every arm; the agent plays both sides.

    Args:
        agent: its name, see `agents.make_agent`.
        deals: 1 or more; a deal is three games per card.
        seed: of the deals and of the agent's own luck; 0 or more.
        workers: processes; None: as many as there are cores. The figures do not depend on it.
        progress: called with the number of games just finished.
        cards: keys of the cards to measure; None: all.
        by_side: also what the card does for each side by itself, which takes the game without it: half as many games more.

    Raises:
        AgentError: an unknown agent or card, the message gives the nearest ones; a wrong number.
        VersionError: a policy made for another ruleset or version.
    """
    check_count("deals", deals)
    agent_seed(seed)
    make_agent(agent, ruleset)
    ids = _card_ids(ruleset, cards)
    arms = ARMS if by_side else GIVEN
    tasks = _tasks(agent, ruleset, ids, deals, seed, arms)
    parts = spread_in_order(_play_task, tasks, workers, progress, lambda part: part.points.size)
    points = np.concatenate([part.points for part in parts])
    leads = np.concatenate([part.leads for part in parts])
    rows = _rows(ruleset, ids, points, leads)
    return CardEffects(agent, ruleset.name, ruleset.digest, deals, seed, rows, arms)


def _card_ids(ruleset: Ruleset, keys: Sequence[str] | None) -> tuple[int, ...]:
    known = ruleset.card_keys
    for key in keys or ():
        if key not in known:
            hint = did_you_mean(key, known, 3)
            raise AgentError(f"card {key!r}: ruleset {ruleset.name!r} has no such card{hint}")
    return tuple(i for i, key in enumerate(known) if keys is None or key in keys)


def _tasks(
    agent: str, ruleset: Ruleset, cards: tuple[int, ...], deals: int, seed: int, arms: tuple[str, ...]
) -> list[_Task]:
    """Deals in batches of at most MAX_BATCH games."""
    seeds = deal_seeds(deals, seed).tolist()
    fitting = max(1, MAX_BATCH // (len(cards) * len(arms)))
    size = min(fitting, -(-deals // LEAST_TASKS))
    starts = range(0, deals, size)
    words = np.random.SeedSequence([seed, 0xCA2D]).generate_state(len(starts))
    return [
        _Task(agent, ruleset, cards, tuple(seeds[start : start + size]), int(word), start, arms)
        for start, word in zip(starts, words, strict=True)
    ]


def _play_task(task: _Task) -> _Outcome:
    agent = make_agent(task.agent, task.ruleset, task.agent_seed)
    batch = deal_arms(task.ruleset, task.cards, task.seeds, task.arms)
    play_out(batch, partial(choose_actions, agent, batch))
    shape = (len(task.seeds), len(task.cards), len(task.arms))
    return _Outcome(first_points(batch).reshape(shape), first_margin(batch).reshape(shape))


def _rows(
    ruleset: Ruleset, ids: tuple[int, ...], points: NDArray[np.float64], leads: NDArray[np.float64]
) -> tuple[CardEffect, ...]:
    """From points and leads (deals, cards, arms) to a row for each card."""
    # France has what Britain lacks: its gain is Britain's loss.
    both = (points[:, :, BRITAIN_ARM] - points[:, :, FRANCE_ARM]) / 2
    withheld = points[:, :, WITHHELD] if points.shape[2] > WITHHELD else None
    britain = None if withheld is None else points[:, :, BRITAIN_ARM] - withheld
    france = None if withheld is None else withheld - points[:, :, FRANCE_ARM]
    margin = (leads[:, :, BRITAIN_ARM] - leads[:, :, FRANCE_ARM]) / 2
    p_values = [paired_p(column) for column in both.T]
    corrected = holm(p_values)
    return tuple(
        CardEffect(
            key=ruleset.card_keys[card],
            kind=ruleset.data.deck.cards[card].kind,
            britain=None if britain is None else estimate_change(britain[:, i]),
            france=None if france is None else estimate_change(france[:, i]),
            both=estimate_change(both[:, i]),
            margin=estimate_change(margin[:, i], float(np.ptp(leads))),
            p=p_values[i],
            p_holm=float(corrected[i]),
            n=len(points),
            by_deal=tuple(both[:, i].tolist()),
        )
        for i, card in enumerate(ids)
    )


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
