"""What a playing card is worth: the same deals with the card given to a side, or withheld.

Winners may hold a card without winning because of it: a strong position may leave time for a card.
Here nobody takes the card. In one arm of a deal it lies in Britain's area from the start, in one in
France's, in one it is not in the game (`arms`); everything else, luck included, is the same. Any
difference between the results is caused by the card, as used by the agent that plays both sides.

The two games with the card say how much it is worth to both sides together: the game without it cancels out
there, so it is left out where the sides need not be told apart.

The effect is that of a card that is free and there from the start; in a game it costs a turn and
rubble.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.measuring.deals import check_count
from channel_tunnel_agents.balance.measuring.significance import holm, paired_p
from channel_tunnel_agents.base import AgentError, agent_seed, choose_actions
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.games.tunnel_1987.measuring.arms import (
    ARMS,
    BRITAIN_ARM,
    FRANCE_ARM,
    GIVEN,
    WITHHELD,
    deal_arms,
)
from channel_tunnel_agents.matches.arena import MAX_BATCH, deal_seeds, first_margin, first_points, play_out
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import Estimate, estimate_change
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.hints import did_you_mean

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
