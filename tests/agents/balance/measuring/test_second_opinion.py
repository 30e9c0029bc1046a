"""How far the values of two policies lie apart."""

from __future__ import annotations

from channel_tunnel_agents.balance.measuring.second_opinion import measure_apart, values_apart
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.rulesets.held_apart import held_rulesets
from channel_tunnel_env import load_ruleset

STANDARD = load_ruleset("standard")
SPEC = agents_of("tunnel_1987")


def test_a_policy_agrees_with_itself_and_roughly_with_the_second_one_on_the_box() -> None:
    assert values_apart(("adept", "adept", STANDARD)) == 0.0
    gap = values_apart(("adept", SPEC.second, STANDARD))
    assert 0.02 < gap < SPEC.most_apart
    assert measure_apart([("adept", SPEC.second, STANDARD)], workers=1) == [gap]


def test_on_rules_where_the_two_learned_otherwise_they_lie_far_apart() -> None:
    """Measured on a ruleset of `rules-v1` where a copy of adept gained eleven points."""
    drawn = held_rulesets("rules-v1")["near"]
    (ruleset,) = [each for each in drawn if each.name == "drawn-34201987-56"]
    assert values_apart(("adept", SPEC.second, ruleset)) > SPEC.most_apart
