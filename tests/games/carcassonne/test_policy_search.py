"""A policy that looks ahead in Carcassonne, as it does in the first game: the same search, other rules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.learning.exploit import search_response
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.search.policy_search import PolicySearchAgent, SearchSettings
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds
from channel_tunnel_env import BatchGame
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES
from channel_tunnel_env.games.carcassonne.game import Game
from tests.games.carcassonne.records import ruleset_with

PLAIN = ruleset_with(tunnel=False, name="plain")
TWO_TILES = PLAIN.with_values({f"tiles.{name}.count": int(name in "BD") for name in PLAIN.data.tiles}, "two-tiles")


def untrained(seed: int = 0) -> TorchAgent:
    """Random weights."""
    torch.manual_seed(seed)
    return TorchAgent({"player": SeatPolicy(16, 1, "game", FORMS["carcassonne"]).eval()})


def before_the_last_follower(seat: int) -> Game:
    """One point behind, with a cloister on the last tile: two points with a monk on it, else none."""
    score = [11, 12] if seat == 0 else [12, 11]
    position = {"board": ["D 0 0 0"], "score": score, "to_play": "AB"[seat], "tile": "B", "deck": []}
    game = Game.from_position(position, TWO_TILES)
    while game.phase != "claim":
        game.play(game.legal_ids()[0])
    return game


@pytest.mark.parametrize("seat", [0, 1])
def test_it_takes_a_win_that_the_policy_alone_does_not_see(seat: int) -> None:
    game = before_the_last_follower(seat)
    batch = BatchGame.from_games([game])
    missed = 0
    for seed in range(4):
        policy = untrained(seed)
        missed += ACTION_NAMES[int(policy(batch.observations, batch.masks)[0])] != "claim cloister"
        agent = PolicySearchAgent(policy, SearchSettings(worlds=2, depth=2, top=20, least_prior=0))
        action = int(agent.search(batch, np.array([0]))[0])
        assert ACTION_NAMES[action] == "claim cloister"
        assert game.clone().play(action).winner == game.seats[seat]
    assert missed


@pytest.mark.parametrize("seat", [0, 1])
def test_values_of_positions_are_taken_in_the_searchers_view(seat: int) -> None:
    """At depth 0 a move is worth what the network says of the next position, turned where the rival moves."""
    game = Game(PLAIN, 3)
    while game.mover != seat or game.phase != "claim":
        game.play(game.legal_ids()[0])
    policy, batch = untrained(1), BatchGame.from_games([game])
    moves = np.array(game.legal_ids())
    settings = SearchSettings(worlds=1, depth=0, top=len(moves))
    played = PolicySearchAgent(policy, settings).play_out(batch, 0, moves)
    for move, found, state in zip(moves, played.outcomes[0], played.states[0], strict=True):
        after = Game.from_states(np.array([state]), PLAIN)
        seen = after.observation(after.mover)[None]
        value = float(policy.think(seen, after.mask[None].astype(bool))[1][0])
        wanted = value if after.mover == seat else -value
        assert found == pytest.approx(wanted, abs=1e-5), ACTION_NAMES[move]


def test_a_search_is_the_same_whatever_the_deck_hides() -> None:
    game = Game("carcassonne", 5)
    for _ in range(40):
        game.play(game.legal_ids()[0])
    agent = PolicySearchAgent(untrained(2), SearchSettings(worlds=2, depth=2, top=3))
    games = [game, game.determinize(game.mover, 99)]
    assert games[0].states.tobytes() != games[1].states.tobytes()
    chosen = [agent.search(BatchGame.from_games([each]), np.array([0]))[0] for each in games]
    assert chosen[0] == chosen[1]


def test_worlds_without_a_move_stay_as_they_are() -> None:
    batch = BatchGame(1, "carcassonne", seed=3)
    legal = np.flatnonzero(batch.masks[0])[:1]
    seeds = np.array([[5]], np.uint64)
    worlds = Worlds(batch, np.array([0]), seeds, np.array([[legal[0], NO_MOVE]]))
    assert worlds.live.tolist() == [True, False] and worlds.results().tolist() == [0, 0]


def test_the_response_to_a_policy_knows_it_and_plays_by_the_rules() -> None:
    victim = untrained(4)
    response = search_response(victim, SearchSettings(worlds=2, depth=2, top=3))
    assert isinstance(response, PolicySearchAgent) and response.rival is victim
    batch = BatchGame(3, "carcassonne", seed=1)
    for _ in range(12):
        batch.step(response.search(batch, np.arange(3)))


def test_a_policys_search_is_for_two_and_is_made_by_name() -> None:
    for budget in ("1ms", "100ms"):  # a tree is for the first game
        agent = make_agent(f"club-search@{budget}", ruleset_with())
        assert isinstance(agent, PolicySearchAgent)
    three = BatchGame(1, ruleset_with(players=3), seed=1)
    with pytest.raises(AgentError, match="3 seats; a policy's search is for two"):
        PolicySearchAgent(untrained()).search(three, np.array([0]))
