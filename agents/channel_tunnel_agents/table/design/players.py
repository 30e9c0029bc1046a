"""Who plays a draft best: the strongest player that fits, a copy of it that was tuned, and whether it may be believed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

from channel_tunnel_agents.balance.changing.trust import Speaker, find_speakers, readers_of
from channel_tunnel_agents.balance.changing.tuned import TunedCopy, find_copy
from channel_tunnel_agents.balance.report.plain.careful import verdict
from channel_tunnel_agents.balance.report.plain.players import player_name
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.players import shipped
from channel_tunnel_env import Ruleset

MOST_KNOWN = 200  # verdicts that are remembered


def tunable_player(ruleset: Ruleset) -> str | None:
    """The player that fits best, if copies of it can be tuned on the ruleset."""
    best = shipped.best_for(ruleset)
    return best if best == agents_of(ruleset.spec.name).reader and readers_of([best], ruleset) else None


class Judges:
    """Who plays each draft best, as far as it is known. Every method may be called from several threads at once."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, float], Speaker] = OrderedDict()
        self._lock = threading.Lock()  # held while a player is tested: one at a time

    def best(self, ruleset: Ruleset) -> str:
        """The strongest agent that plays a ruleset: a tuned copy, unless a test has shown that it is no better."""
        return self._best(ruleset, _copy_of(tunable_player(ruleset), ruleset))

    def _best(self, ruleset: Ruleset, copy: TunedCopy | None) -> str:
        if copy is None:
            return shipped.best_for(ruleset)
        tested = self._known.get(_key(ruleset, copy))
        return copy.name if tested is None else tested.name

    def tell(self, ruleset: Ruleset) -> dict[str, Any]:
        """Who plays a ruleset best, what its copy is, and what a test found, JSON-serialisable.

        `tested` is None before the test, else the words of `verdict` and whether the player may be believed.
        """
        parent = tunable_player(ruleset)
        copy = _copy_of(parent, ruleset)  # found once: its parent's files are read for it
        best = self._best(ruleset, copy)
        tested = self._known.get(_key(ruleset, copy))
        return {
            "agent": best,
            "name": player_name(best, ruleset),
            "tunable": None if parent is None else player_name(parent, ruleset),
            "minutes": None if copy is None else copy.minutes,
            "tested": None if tested is None else _told(tested, ruleset),
        }

    def test(self, ruleset: Ruleset) -> dict[str, Any]:
        """Let the player that fits, and its copy, play against the scripted one; then `tell`.

        Costs 200 games for each and at most 50 of the player with itself, once for a ruleset.
        """
        parent = tunable_player(ruleset)
        if parent is not None:
            with self._lock:
                key = _key(ruleset, find_copy(parent, ruleset))
                if key not in self._known:
                    (self._known[key],) = find_speakers([parent], ruleset, 0, workers=1)
                    while len(self._known) > MOST_KNOWN:
                        self._known.popitem(last=False)
        return self.tell(ruleset)


def _copy_of(parent: str | None, ruleset: Ruleset) -> TunedCopy | None:
    return None if parent is None else find_copy(parent, ruleset)


def _key(ruleset: Ruleset, copy: TunedCopy | None) -> tuple[str, float]:
    return ruleset.digest, 0.0 if copy is None else copy.minutes


def _told(found: Speaker, ruleset: Ruleset) -> dict[str, Any]:
    return {"words": verdict(found, ruleset), "trusted": found.is_trusted}
