"""Who plays a draft best, and what is known of its players."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from channel_tunnel_agents.balance.judging import Judged, Plan, judge
from channel_tunnel_agents.balance.players.population import population_of
from channel_tunnel_agents.balance.players.training import Trained, find_apart
from channel_tunnel_agents.balance.report.plain.players import judged_words, player_name
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset

MOST_KNOWN = 200  # verdicts that are remembered
PLAN = Plan(deals=100)


def trainable_player(ruleset: Ruleset) -> str | None:
    """The player that fits best, if policies for the ruleset can be trained from it."""
    reader = population_of(ruleset).reader
    return reader if reader is not None and shipped.best_for(ruleset) == reader else None


class Judges:
    """Who plays each draft best, as far as it is known. Every method may be called from several threads at once."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], Judged] = OrderedDict()
        self._lock = threading.Lock()  # held while players are tested: one draft at a time

    def best(self, ruleset: Ruleset) -> str:
        """The strongest agent that plays a ruleset: a policy trained for it, unless a test has shown another."""
        return self._best(ruleset, _trained_for(trainable_player(ruleset), ruleset))

    def _best(self, ruleset: Ruleset, trained: Trained | None) -> str:
        if trained is None:
            return shipped.best_for(ruleset)
        tested = self._known.get(_key(ruleset, trained))
        return trained.name if tested is None else tested.player

    def tell(self, ruleset: Ruleset) -> dict[str, Any]:
        """Who plays a ruleset best, what was trained for it, and what a test found, JSON-serialisable.

        `tested` is None before the test, else what it says in words, and whether nothing speaks against them.
        """
        parent = trainable_player(ruleset)
        trained = _trained_for(parent, ruleset)  # found once: its parent's files are read for it
        best = self._best(ruleset, trained)
        tested = self._known.get(_key(ruleset, trained))
        return {
            "agent": best,
            "name": player_name(best, ruleset),
            "tunable": None if parent is None else player_name(parent, ruleset),
            "decisions": None if trained is None else trained.decisions,
            "tested": None
            if tested is None
            else {"words": judged_words(tested), "trusted": tested.is_trained and not tested.is_doubted},
        }

    def test(self, ruleset: Ruleset) -> dict[str, Any]:
        """Let the players of a ruleset play each other, once; then `tell`."""
        parent = trainable_player(ruleset)
        if parent is not None:
            with self._lock:
                key = _key(ruleset, find_apart(parent, ruleset))
                if key not in self._known:
                    (self._known[key],) = judge(ruleset, PLAN, workers=1)
                    while len(self._known) > MOST_KNOWN:
                        self._known.popitem(last=False)
        return self.tell(ruleset)


def _trained_for(parent: str | None, ruleset: Ruleset) -> Trained | None:
    return None if parent is None else find_apart(parent, ruleset)


def _key(ruleset: Ruleset, trained: Trained | None) -> tuple[str, int]:
    return ruleset.digest, 0 if trained is None else trained.decisions
