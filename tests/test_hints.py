"""A guess at a mistyped name helps; a wild one misleads, so there is none."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.players.scripted import names_in
from channel_tunnel_env.outside.hints import did_you_mean

RULESETS = ("agenda", "standard", "tiny", "carcassonne", "eurotunnel")
AGENTS = ("random", *(name for game in AGENT_SPECS for name in names_in(game)), "adept", "master")


@pytest.mark.parametrize(
    ("word", "known", "guess"),
    [
        ("standrad", RULESETS, "standard"),
        ("Standard", RULESETS, "standard"),
        ("TINY", RULESETS, "tiny"),
        ("tniy", RULESETS, "tiny"),
        ("carc", RULESETS, "carcassonne"),
        ("euro", RULESETS, "eurotunnel"),
        ("hueristic", AGENTS, "heuristic"),
        ("mastr", AGENTS, "master"),
        ("heur", AGENTS, "heuristic"),
    ],
)
def test_a_slip_a_capital_and_a_beginning_are_understood(word: str, known: tuple[str, ...], guess: str) -> None:
    assert did_you_mean(word, known) == f"; did you mean {guess!r}?"


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("museum", AGENTS),
        ("danger", AGENTS),
        ("default", AGENTS),
        ("trained", AGENTS),
        ("none", AGENTS),
        ("mine", RULESETS),
        ("britain", RULESETS),
        ("catan", RULESETS),
        ("st", RULESETS),
    ],
)
def test_another_word_is_not_taken_for_a_name(word: str, known: tuple[str, ...]) -> None:
    assert did_you_mean(word, known) == ""
