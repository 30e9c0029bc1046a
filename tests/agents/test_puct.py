"""A policy with a tree: it finds what the policy alone does not, and sees only what its seat sees."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent, PuctSettings
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.search.policy_search import SearchSettings
from channel_tunnel_env import BatchGame
from tests.agents.test_ismcts import AT_THE_CENTRE, SIDES, batch_of, midgames
from tests.agents.test_policy_search import untrained
from tests.games.tunnel_1987.positions import position
from tests.interpreted import interpreted

QUICK = PuctSettings(simulations=24, leaves=4)
ONE = np.array([0])


# --- what it finds -------------------------------------------------------------------------------


@SIDES
def test_a_finished_game_counts_as_its_result_for_the_mover(me: str, rival: str) -> None:
    game = position(AT_THE_CENTRE.format(me=me, rival=rival))
    found = PuctAgent(untrained(), PuctSettings(simulations=100)).grow(batch_of(game), ONE)
    tried = 0
    for action in game.legal_ids():
        after = game.clone().play(action)
        if after.is_over and found.visits[0, action]:
            tried += 1
            mean = found.totals[0, action] / found.visits[0, action]
            assert mean == (1.0 if after.winner == me else -1.0)
    assert tried


def test_it_beats_the_policy_it_searches_with() -> None:
    """Three of four games are expected of a trained one."""
    policy = TorchAgent.load(shipped.FOLDER / "rookie")
    agent = PuctAgent(policy, PuctSettings(simulations=32, leaves=4))
    home, away = play_pair(agent, policy, 12, 7)
    assert home.wins("britain") + away.wins("france") > 14


# --- what it counts ------------------------------------------------------------------------------


def test_every_simulation_is_judged_once_at_a_legal_move_and_nothing_waits() -> None:
    games = midgames(games=4, every=9)
    batch, agent = batch_of(*games), PuctAgent(untrained(), QUICK)
    found = agent.grow(batch, np.arange(len(games)))
    assert not (found.visits.astype(bool) & ~batch.masks).any()
    undecided = [len(game.legal_ids()) > 1 for game in games]
    assert (found.visits.sum(axis=1)[undecided] == QUICK.simulations).all()
    assert (np.abs(found.totals) <= found.visits + 1e-9).all()
    nodes, used = agent._trees
    for grown, size in zip(nodes, used, strict=True):
        assert (grown["waiting"][:size] == 0).all()
        assert grown["visits"][0] == QUICK.simulations


# --- what it sees, and what it leaves alone ------------------------------------------------------


@pytest.mark.heavy
def test_without_compilation_the_visits_are_the_same() -> None:
    found = visits_of_two_games()
    assert found and interpreted(visits_of_two_games) == found


def visits_of_two_games() -> list[list[int]]:
    """The moves that a small search looks at, and how often."""
    agent = PuctAgent(untrained(), PuctSettings(simulations=12, leaves=4))
    visits = agent.grow(BatchGame(2, seed=3), np.arange(2)).visits
    return [visits.nonzero()[1].tolist(), visits[visits > 0].astype(int).tolist()]


# --- budgets -------------------------------------------------------------------------------------


def test_a_time_budget_ends_before_it_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(np.arange(0, 100, 0.0019))
    monkeypatch.setattr("channel_tunnel_agents.search.policy_search.time.perf_counter", lambda: float(next(clock)))
    agent = PuctAgent(untrained(), PuctSettings(simulations=1000, leaves=4, milliseconds=20))
    found = agent.grow(BatchGame(1, seed=1), ONE)
    assert found.visits.sum() == 40  # ten rounds of 1.9 ms


WRONG_BUDGETS = (
    (0, "0 ms per decision: more than 0, at most 60000"),
    (60_001, "60001 ms per decision"),
    (float("nan"), "nan ms per decision"),
)


@pytest.mark.parametrize(
    ("kind", "name", "value", "reason"),
    [
        (PuctSettings, "simulations", 0, "simulations 0: 1 or more"),
        (PuctSettings, "leaves", 0, "leaves 0: 1 or more"),
        (PuctSettings, "exploration", -1, "exploration -1: 0 or more"),
        (PuctSettings, "exploration", float("nan"), "exploration nan: 0 or more"),
        (SearchSettings, "worlds", 0, "worlds 0: 1 or more"),
        (SearchSettings, "depth", -1, "depth -1: 0 or more"),
        (SearchSettings, "top", 0, "top 0: 1 or more"),
        (SearchSettings, "most_worlds", 0, "most_worlds 0: 1 or more"),
        (SearchSettings, "temperature", 0, "temperature 0: more than 0"),
        (SearchSettings, "temperature", float("nan"), "temperature nan: more than 0"),
        *((kind, "milliseconds", *case) for kind in (PuctSettings, SearchSettings) for case in WRONG_BUDGETS),
    ],
)
def test_settings_out_of_range_are_refused(kind: type, name: str, value: float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        kind(**{name: value})


def test_it_is_found_by_name() -> None:
    agent = make_agent("club-puct@20ms")
    assert isinstance(agent, PuctAgent)
    assert (agent.name, agent.settings.milliseconds) == ("club-puct@20ms", 20.0)
    with pytest.raises(AgentError, match="more than 0, at most"):
        make_agent("club-puct@0ms")
    for name in ("club", "adept"):
        with pytest.raises(AgentError, match=f"did you mean '{name}-puct'"):
            make_agent(f"{name}-pukt")
