"""A policy is looked at when it is loaded, and an agent's answers when they come in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.base import AgentError, choose_actions
from channel_tunnel_agents.players.policy.saved_policy import load_policy, policy_card, read_policy
from channel_tunnel_env import BatchGame, IllegalActionError, VersionError, load_ruleset
from tests.fuzz.policies import safetensors_file, tiny_card, tiny_weights


def weights(**changes: Any) -> dict[str, Any]:
    """The weights of a small policy, with one number changed in some of them."""
    found = {name: array.copy() for name, array in tiny_weights().items()}
    for name, number in changes.items():
        found[name.replace("_", ".")].reshape(-1)[0] = number
    return found


def write(path: Path, card: Any, arrays: dict[str, Any]) -> Path:
    path.write_bytes(safetensors_file(card, arrays))
    return path


def without(key: str) -> dict[str, Any]:
    return {k: v for k, v in tiny_card().items() if k != key}


REFUSED = [
    (tiny_card(), weights(policy_bias=np.nan), r"policy.bias: 1 of 171 weights are not finite"),
    (tiny_card(), weights(value_weight=np.inf), r"value.weight: 1 of 8 weights are not finite"),
    (tiny_card(), weights(value_weight=-3e38), r"not finite, or beyond 1e\+06"),
    (without("width"), weights(), r"width None; allowed: whole numbers 1 to 8192"),
    (tiny_card() | {"width": 100_000}, weights(), r"width 100000; allowed"),
    (tiny_card() | {"width": True}, weights(), r"width True; allowed"),
    (tiny_card() | {"depth": 10**9}, weights(), r"depth 1000000000; allowed: .* 1 to 32"),
    (tiny_card() | {"width": 16}, weights(), r"policy.weight: shape \[171, 8\]; .* \[171, 16\]"),
    (tiny_card(), weights() | {"more": np.zeros(1)}, r"more: shape \[1\]; .* make it None"),
    (tiny_card() | {"side": "france"}, weights(), r"says side 'france'; the file is britain's"),
    (without("side"), weights(), r"says side None; the file is britain's"),
    ([1, 2], weights(), r"card: .*a mapping of keys to values"),
    (tiny_card() | {"config": 3}, weights(), r"its card says config 3: Input should be a valid dictionary$"),
    (tiny_card() | {"observation_version": [2]}, weights(), r"observation version \[2\], this is 3"),
    (tiny_card() | {"observation_version": 99}, weights(), r"observation version 99, this is"),
    (tiny_card() | {"action_version": 99}, weights(), r"action version 99, this is"),
    (tiny_card() | {"ruleset_digest": "0" * 16}, weights(), r"ruleset digest 0{16}, this is"),
    (tiny_card() | {"network": ["game"]}, weights(), r"network \['game'\]; allowed: mlp, game"),
]


@pytest.mark.parametrize(("card", "arrays", "message"), REFUSED, ids=[m[:24] for *_, m in REFUSED])
def test_a_policy_that_cannot_be_played_is_refused(
    card: Any, arrays: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = write(tmp_path / "britain.safetensors", card, arrays)
    with pytest.raises(VersionError, match=message):
        load_policy(path, load_ruleset("tiny"))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("also_rulesets", x) for x in (None, 5, "agenda", {"a": "b"}, [5], [None], [{}], [{"ruleset": 7}])),
        ("also_rulesets", [{"ruleset": "x", "ruleset_digest": 5}]),
        *(("drawn_rulesets", x) for x in (True, 5, [], "x", {}, {"space": "x"}, {"space": 1, "apart_from": 3})),
        *(("tuned", x) for x in (True, [1], {}, {"minutes": "x"}, {"minutes": 1e300})),
        *(("tuned", {"seed": seed, "rivals": []}) for seed in ("x", -1, True)),
        ("tuned", {"seed": 1, "rivals": "adept"}),
        *(("decisions", x) for x in ("many", -1, True)),
        *(("config", x) for x in ([1], {"trunk": 5})),
        ("parent", 3),
        ("continued", {}),
    ],
)
def test_an_entry_of_another_kind_is_refused_whoever_reads_the_card(key: str, value: Any, tmp_path: Path) -> None:
    path = write(tmp_path / "britain.safetensors", tiny_card() | {key: value}, weights())
    for read in (policy_card, read_policy):
        with pytest.raises(VersionError, match=rf"britain\.safetensors: its card says {key}") as caught:
            read(path)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_a_whole_policy_is_loaded(tmp_path: Path) -> None:
    path = write(tmp_path / "britain.safetensors", tiny_card(), weights())
    for rules in (None, load_ruleset("tiny")):
        assert load_policy(path, rules)[1]["side"] == "britain"


class Answers:
    """An agent that always gives the same answers."""

    name = "stubborn"

    def __init__(self, answers: Any) -> None:
        self.answers = answers

    def __call__(self, observations: Any, masks: Any) -> Any:
        return self.answers


@pytest.mark.parametrize(
    ("answers", "error", "message"),
    [
        (np.array([-1, 0]), IllegalActionError, r"agent 'stubborn': row 1: action -1: ids run from"),
        (np.array([0, 171]), IllegalActionError, r"agent 'stubborn': row 2: action 171: ids run"),
        (np.array([170, 0]), IllegalActionError, r"agent 'stubborn': row 1: .*not legal"),
        (np.array([0]), AgentError, r"answered int64 of shape \(1,\); expected .* \(2,\)"),
        (np.array([0.0, 1.0]), AgentError, r"answered float64 of shape \(2,\)"),
        ([None, None], AgentError, r"answered object"),
    ],
)
def test_an_answer_that_is_no_legal_action_is_refused_by_name(
    answers: Any, error: type[Exception], message: str
) -> None:
    batch = BatchGame(4, "tiny", 1)
    with pytest.raises(error, match=message):
        choose_actions(Answers(answers), batch, np.array([1, 2]))
