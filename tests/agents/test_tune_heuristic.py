"""The tuner: a small run writes weights that can be played, and keeps what it cannot beat."""

from __future__ import annotations

from dataclasses import asdict

import pytest
import yaml

from channel_tunnel_agents.games.tunnel_1987 import tune_heuristic
from channel_tunnel_agents.games.tunnel_1987.players.weights import HEURISTIC, Weights
from channel_tunnel_agents.games.tunnel_1987.tune_heuristic import FIXED, Options, blocks, main


@pytest.fixture
def options(tmp_path) -> Options:
    return Options(trials=2, rounds=1, block=40, deals=4, finalists=1, rivals=("random",), out=tmp_path / "tune")


@pytest.mark.heavy
def test_a_run_writes_weights_and_studies(options: Options) -> None:
    best = main(options)
    assert Weights(**yaml.safe_load((options.out / "best.yaml").read_text())) == best
    assert best.finish == HEURISTIC.finish
    assert (options.out / "studies.db").stat().st_size > 0


def test_weights_that_nothing_beats_are_kept(options: Options, monkeypatch) -> None:
    monkeypatch.setattr(tune_heuristic, "win_rate", lambda weights, *_: 1.0 if weights == HEURISTIC else 0.5)
    assert main(options) == HEURISTIC


@pytest.mark.heavy
def test_a_better_weight_is_found(options: Options, monkeypatch) -> None:
    options.trials = 12
    monkeypatch.setattr(tune_heuristic, "win_rate", lambda weights, *_: weights.tunnel / 100)
    assert main(options).tunnel > HEURISTIC.tunnel


def test_blocks_hold_every_free_weight_once() -> None:
    names = [name for block in blocks(8) for name in block]
    assert sorted((*names, *FIXED)) == sorted(asdict(HEURISTIC))


def test_an_earlier_run_is_not_overwritten(options: Options) -> None:
    options.out.mkdir()
    (options.out / "studies.db").touch()
    with pytest.raises(FileExistsError, match="give another --out"):
        main(options)
