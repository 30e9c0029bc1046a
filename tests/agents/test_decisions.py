"""Single decisions and records of a tournament's games."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.matches.store import StoreError
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_env import Game
from channel_tunnel_env.records.record import read_records

KEPT = Tournament(("random", "heuristic"), deals=6, seed=3, decisions=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("decisions")


@pytest.fixture(scope="module")
def played(folder: Path) -> Results:
    return play_tournament(KEPT, folder=folder)


def test_every_decision_of_every_game_has_a_row(played: Results) -> None:
    decisions, games = played.store.read("decisions"), played.store.read("games")
    keys = ["britain", "france", "deal"]
    counted = decisions.groupby(keys, observed=True).decision.agg(["count", "max"])
    assert (counted["count"] == counted["max"] + 1).all()
    assert len(counted) == len(games)
    ends = decisions.groupby(keys, observed=True)["round"].last()
    assert ends.le(games.set_index(keys).rounds.sort_index()).all()


def test_decisions_add_up_to_the_table_of_actions(played: Results) -> None:
    keys = ["britain", "france", "side", "action"]
    counted = played.store.read("decisions").groupby(keys, observed=True).size()
    taken = played.store.read("actions").set_index(keys).taken
    taken = taken[taken > 0]
    assert counted.to_dict() == taken.to_dict()


def test_a_decision_had_as_many_options_as_the_table_of_options_counts(played: Results) -> None:
    keys = ["britain", "france", "side", "options"]
    counted = played.store.read("decisions").groupby(keys, observed=True).size()
    told = played.store.read("options").set_index(keys).decisions
    assert counted.to_dict() == told.to_dict()


def test_every_record_replays_to_the_result_of_its_game(played: Results, folder: Path) -> None:
    winners = []
    for path in sorted((folder / "records").glob("*.jsonl")):
        winners += [Game.from_record(record).winner or "draw" for record in read_records(path)]
    assert winners == played.store.read("games").winner.tolist()


def test_the_games_are_those_of_a_tournament_that_keeps_less(played: Results) -> None:
    plain = play_tournament(Tournament(KEPT.agents, deals=6, seed=3)).store
    pd.testing.assert_frame_equal(plain.read("games"), played.store.read("games"))
    with pytest.raises(StoreError, match="known: cards, series, actions, options, games"):
        plain.read("decisions")


def test_decisions_without_a_folder_are_refused() -> None:
    with pytest.raises(AgentError, match="a folder is needed"):
        play_tournament(KEPT)
