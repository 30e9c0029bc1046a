"""What every search keeps, with a policy or without: it finds what is there, sees what its seat sees, and touches nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.base import searches
from channel_tunnel_agents.games.tunnel_1987 import tree
from channel_tunnel_agents.games.tunnel_1987.tree import PuctAgent, PuctSettings
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.search.ismcts import IsmctsAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_env import BatchGame
from tests.agents.test_ismcts import AT_THE_CENTRE, SIDES, batch_of, midgames
from tests.agents.test_policy_search import untrained
from tests.games.tunnel_1987.positions import position, record_bytes

BEHIND = AT_THE_CENTRE.replace("tbm: 8, route: [blue]", "tbm: 6, technology: [3, 3]")
THOROUGH: dict[str, Callable[[TorchAgent, int], Any]] = {
    "ismcts": lambda policy, seed: IsmctsAgent(300, seed=seed),
    "policy search": lambda policy, seed: PolicySearchAgent(policy, SearchSettings(worlds=8, depth=2, top=171)),
    "puct": lambda policy, seed: PuctAgent(policy, PuctSettings(simulations=200)),
}
QUICK: dict[str, Callable[..., Any]] = {
    "ismcts": lambda seed=0, threads=1: IsmctsAgent(60, seed=seed, threads=threads),
    "policy search": lambda seed=0: PolicySearchAgent(
        untrained(scale=3.0), SearchSettings(worlds=4, depth=3, top=4), seed
    ),
    "puct": lambda seed=0: PuctAgent(untrained(scale=3.0), PuctSettings(simulations=24, leaves=4), seed),
}
HASTY: dict[str, Callable[[], Any]] = {
    "ismcts": lambda: IsmctsAgent(5),
    "policy search": lambda: PolicySearchAgent(untrained(), SearchSettings(worlds=1, depth=1, top=3)),
    "puct": lambda: PuctAgent(untrained(), PuctSettings(simulations=4, leaves=2)),
}
every_search = pytest.mark.parametrize("name", QUICK)


@every_search
@SIDES
def test_it_takes_a_win_that_a_policy_alone_does_not_see(name: str, me: str, rival: str) -> None:
    """Whoever bores next wins, and the rival can with its next turn. Most networks of random weights do something else."""
    game = position(AT_THE_CENTRE.format(me=me, rival=rival))
    batch, missed = batch_of(game), 0
    for seed in range(4):
        policy = untrained(seed)
        missed += game.clone().play(int(policy(batch.observations, batch.masks)[0])).winner != me
        found = int(THOROUGH[name](policy, seed).search(batch, np.array([0]))[0])
        assert game.clone().play(found).winner == me
    assert missed


@every_search
@SIDES
def test_it_does_not_end_a_game_it_would_lose(name: str, me: str, rival: str) -> None:
    """The same tunnel with the rival far ahead in points, and a policy that wants to bore: 3 nats more than all else."""
    game = position(BEHIND.format(me=me, rival=rival))
    batch = batch_of(game)
    losing = [i for i in game.legal_ids() if game.clone().play(i).winner == rival]
    for seed in range(4):
        policy = untrained(seed)
        policy.policies[me].policy.bias.data[losing] += 3.0
        assert int(policy(batch.observations, batch.masks)[0]) in losing
        assert int(THOROUGH[name](policy, seed).search(batch, np.array([0]))[0]) not in losing


@every_search
@pytest.mark.parametrize("ruleset", ["standard", "agenda"])
def test_positions_equal_for_the_viewer_get_the_same_choice(name: str, ruleset: str) -> None:
    """Other hidden cards, other streams, another seed of the game."""
    agent, found = QUICK[name](), midgames(ruleset, games=3, every=9)
    rows = np.arange(len(found))
    chosen = agent.search(batch_of(*found), rows)
    assert len(found) > 30 and len(set(chosen.tolist())) > 5
    for seed in range(2):
        worlds = [game.determinize(game.mover, 1000 + seed) for game in found]
        assert all(record_bytes(world) != record_bytes(game) for world, game in zip(worlds, found, strict=True))
        assert (agent.search(batch_of(*worlds), rows) == chosen).all()


@every_search
def test_a_search_leaves_the_batch_as_it_is(name: str) -> None:
    batch = BatchGame(6, ["standard", "agenda"], seed=4)
    buffers = ("_states", "_masks", "observations", "to_play", "rewards", "final_states", "tables", "work")
    before = {buffer: getattr(batch, buffer).tobytes() for buffer in buffers}
    QUICK[name](**({"threads": 2} if name == "ismcts" else {})).search(batch, np.arange(6))
    assert {buffer: getattr(batch, buffer).tobytes() for buffer in buffers} == before


@every_search
def test_a_rows_choice_depends_neither_on_other_rows_nor_on_how_the_work_is_cut(name: str, monkeypatch) -> None:
    games = midgames(games=4, every=9)
    batch, rows, agent = batch_of(*games), np.arange(len(games)), QUICK[name]()
    chosen = agent.search(batch, rows)
    assert (agent.search(batch, rows[::-1]) == chosen[::-1]).all()
    assert [int(agent.search(batch_of(game), np.array([0]))[0]) for game in games] == chosen.tolist()
    monkeypatch.setattr("channel_tunnel_agents.search.policy_search.MAX_WORLD_ROWS", 5 * 16)
    monkeypatch.setattr(tree, "POSITIONS", 3)
    again = QUICK[name](threads=3) if name == "ismcts" else agent
    assert (again.search(batch, rows) == chosen).all()


@every_search
def test_the_seed_of_the_search_matters_and_repeats(name: str) -> None:
    batch = batch_of(*midgames(games=4, every=9))
    agents, rows = [QUICK[name](seed=seed) for seed in (0, 0, 1)], np.arange(batch.num_games)
    found = [agent.grow(batch, rows).visits if name == "puct" else agent.search(batch, rows) for agent in agents]
    assert (found[0] == found[1]).all()
    assert (found[0] != found[2]).any()


@every_search
@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_it_plays_only_legal_actions_to_the_end(name: str, ruleset: str) -> None:
    """`BatchGame.step` refuses any other."""
    agent = HASTY[name]()
    result = play_match(agent, agent, 3, 7, ruleset)
    assert result.games == 3 and (result.end_causes > 0).all()
    assert searches(agent)
