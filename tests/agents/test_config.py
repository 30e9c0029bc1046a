"""Configs and targets: wrong shapes and absurd sizes are refused by name, with the line, before anything runs."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.changing.targets import TargetError, load_targets
from channel_tunnel_agents.commands import train
from channel_tunnel_agents.learning.config import ConfigError, load_config, make_config
from channel_tunnel_agents.learning.exploit import response_config
from channel_tunnel_agents.matches.tournament import Tournament
from channel_tunnel_agents.players.shipped import FOLDER
from channel_tunnel_env import BatchGame
from channel_tunnel_env.testing import check_ruleset

WRONG = "epochs: 0\nwitdh: 3\nclip: 7"  # every error is named


def written(folder: Path, text: str) -> Path:
    path = folder / "my.yaml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("width: 100000", "line 1, column 1: width: 100000: Input should be less than or equal to"),
        ("seed: 1\nseed: 2", "line 2, column 1: duplicate key 'seed', first in line 1"),
        ("a: &a [1]\nb: *a", "line 2, column 4: alias *a"),
        ("seed: 012", "YAML 1.1 and 1.2 read this number differently"),
        ("\nseed: 4294967296", "line 2, column 1: seed: 4294967296: Input should be less"),
        ("seed: true", "seed: True: true and false are allowed only where"),
        ("rivals: [random, 3]", "line 1, column 18: rivals.1: 3: Input should be a valid string"),
        ("[]", "my.yaml: []: a config must be a mapping of keys to values"),
        ("0", "my.yaml: 0: a config must be a mapping"),
        (WRONG, "epochs: 0: Input should be greater than or equal to 1"),
        (WRONG, "witdh: unknown key; did you mean 'width'?"),
        (WRONG, "clip: 7"),
        ("1: 3", "1: "),
        ("run: ''", "run: '': String should have at least 1 character"),
        ("num_games: 65536\nsteps: 128", "num_games * steps = 8,388,608: at most 4,194,304 rows"),
        ("depth: 1000", "depth: 1000: Input should be less than or equal to 16"),
        ("value_weight: .inf", "a number must be finite"),
        ("ruleset: " + "x" * 100_000, "ruleset: 'xxx"),
    ],
)
def test_a_wrong_config_is_refused_in_few_words(tmp_path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    found = str(caught.value)
    assert message in found and "my.yaml" in found
    assert "http" not in found and len(found) < 600


def test_options_are_refused_as_fields_are(capsys) -> None:
    for words in (["--width", "100000"], ["--seed", str(2**32)], ["--num-games", "100000000"]):
        assert train.main(["smoke", *words]) == 2
        said = capsys.readouterr().err
        assert words[1] in said and "http" not in said and "Traceback" not in said
    with pytest.raises(ConfigError, match="decisions: 0: Input should be greater"):
        response_config(FOLDER / "rookie", Path("x"), 0)
    with pytest.raises(ConfigError, match="did you mean 'demo'"):
        load_config("demoo")
    with pytest.raises(ConfigError, match="seed"):
        make_config({"seed": 2**40})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targets: {rounds: [5, 8]}\ndeals: 3", "line 2, column 1: deals: "),
        ("targets: {rounds: 5}", "line 1, column 11: targets.rounds: "),
        ("targets: {rounds: [.nan, 8]}", "a number must be finite"),
        ("targets: {runds: [5, 8]}", "did you mean 'rounds'"),
        ("[1]", "[1]: a targets file must be a mapping"),
        ("", "targets: Field required"),
        ("targets: {rounds: [5, 8]}\ndeals: 10000000000", "deals: Input should be less"),
        ("targets:\n  rounds: [5, 8]\n  rounds: [1, 2]", "line 3, column 3: duplicate key 'rounds'"),
        ("targets: {rounds: [3, 2]}", "from 3 is above to 2"),
        ("targets: {rounds: [null, null]}", "at least one bound"),
        ("targets: {}", "at least 1"),
        ("targets: [", "not valid YAML"),
    ],
)  # fmt: skip
def test_wrong_targets_are_refused_with_their_line(tmp_path, text: str, message: str) -> None:
    with pytest.raises(TargetError) as caught:
        load_targets(written(tmp_path, text))
    assert message in str(caught.value) and "http" not in str(caught.value)
    with pytest.raises(TargetError, match="cannot be read"):
        load_targets(tmp_path / "none.yaml")


def test_absurd_numbers_of_games_are_refused_before_memory_is_taken() -> None:
    tracemalloc.start()
    with pytest.raises(AgentError, match="deals: 1,000,000,000,000; allowed: 1 to 10,000,000"):
        Tournament(("random", "heuristic"), deals=10**12)
    with pytest.raises(AgentError, match="seed "):
        Tournament(("random", "heuristic"), seed=2**63)
    with pytest.raises(ValueError, match="num_games 1000000000000, num_threads 1: allowed"):
        BatchGame(10**12)
    with pytest.raises(ValueError, match="num_threads 1000000: allowed"):
        BatchGame(4, num_threads=10**6)
    with pytest.raises(ValueError, match=r"^games 1000000000000: allowed"):
        check_ruleset("tiny", 10**12)
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
