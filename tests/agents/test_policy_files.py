"""A policy is looked at when it is loaded, and knows itself: a changed bit is refused, and a pair is written together or not at all."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.base import AgentError, choose_actions
from channel_tunnel_agents.players.policy.saved_policy import KNOWN_FILES, load_policy, policy_card, read_policy
from channel_tunnel_agents.players.shipped import FOLDER
from channel_tunnel_env import BatchGame, IllegalActionError, VersionError, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine.observation import OBSERVATION_VERSION
from tests.agents.saving import save_untrained
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
    (
        tiny_card() | {"observation_version": [2]},
        weights(),
        rf"observation version \[2\], this is {OBSERVATION_VERSION}",
    ),
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
    def agent(observations: Any, masks: Any) -> Any:
        return answers

    agent.name = "stubborn"  # type: ignore[attr-defined]
    with pytest.raises(error, match=message):
        choose_actions(agent, BatchGame(4, "tiny", 1), np.array([1, 2]))  # type: ignore[arg-type]


# --- digests ----------------------------------------------------------------------------------------


def test_no_changed_bit_of_a_policy_is_believed(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, decisions=5)
    path, rng = tmp_path / "britain.safetensors", np.random.default_rng(1)
    whole, (weights, card) = path.read_bytes(), read_policy(path)
    size = int.from_bytes(whole[:8], "little") + 8
    parts = [range(len(whole)), range(size)]
    for number in range(300):
        at = int(rng.choice(parts[number % 2]))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << int(rng.integers(8))]) + whole[at + 1 :])
        try:
            read, told = read_policy(path)
        except VersionError as error:
            assert "\n" not in str(error)
            continue
        assert told == card  # padding of the header
        assert all(np.array_equal(read[name], weights[name]) for name in weights)


def test_a_changed_card_is_not_read_either(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, decisions=5)
    path = tmp_path / "britain.safetensors"
    path.write_bytes(path.read_bytes().replace(b'\\"decisions\\": 5', b'\\"decisions\\": 6'))
    with pytest.raises(VersionError, match=r"britain\.safetensors: .*its digest"):
        policy_card(path)


@pytest.mark.parametrize("name", ["master", "rookie"])
def test_a_copy_of_a_shipped_policy_that_was_changed_is_refused(name: str, tmp_path: Path) -> None:
    path, rng = tmp_path / "france.safetensors", np.random.default_rng(2)
    shutil.copy(FOLDER / name / path.name, path)
    whole = path.read_bytes()
    read_policy(path)
    for _ in range(20):
        at = int(rng.integers(len(whole)))
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << int(rng.integers(8))]) + whole[at + 1 :])
        with pytest.raises(VersionError):
            read_policy(path)


def test_every_shipped_policy_without_a_digest_of_its_own_is_listed() -> None:
    files_of_ours = sorted(FOLDER.rglob("*.safetensors"))
    listed = dict(line.split()[::-1] for line in KNOWN_FILES.read_text().splitlines())
    assert {*listed} == {path.relative_to(FOLDER).as_posix() for path in files_of_ours}
    for path in files_of_ours:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert listed[path.relative_to(FOLDER).as_posix()] == digest


def test_a_full_disk_leaves_the_pair_that_there_was(tmp_path: Path, disk_full_for: Any) -> None:
    save_untrained(tmp_path, 8, 1, seed=1, decisions=1)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    words = r"france\.safetensors .* not written: .*; nothing has changed"
    with disk_full_for("france.safetensors"), pytest.raises(OSError, match=words):
        save_untrained(tmp_path, 8, 1, seed=2, decisions=2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_in_the_place_of_the_second_file_leaves_the_first(tmp_path: Path) -> None:
    save_untrained(tmp_path, 8, 1, seed=1, decisions=1)
    before = (tmp_path / "britain.safetensors").read_bytes()
    (tmp_path / "france.safetensors").unlink()
    (tmp_path / "france.safetensors").mkdir()
    with pytest.raises(IsADirectoryError, match=r"france\.safetensors.*nothing has changed"):
        save_untrained(tmp_path, 8, 1, seed=2, decisions=2)
    assert (tmp_path / "britain.safetensors").read_bytes() == before
