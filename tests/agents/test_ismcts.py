"""Tree search: it finds what is there, sees only what its seat sees, and touches nothing."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, RandomAgent, make_agent
from channel_tunnel_agents.matches.arena import play_pair
from channel_tunnel_agents.search.ismcts import CHUNK, IsmctsAgent, SearchTree
from channel_tunnel_agents.search.ismcts_tree import NONE, ROOT
from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.errors import GameOverError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES
from tests.games.tunnel_1987.positions import position
from tests.interpreted import interpreted
from tests.random_games import walk

SIDES = pytest.mark.parametrize(("me", "rival"), [("britain", "france"), ("france", "britain")])


def batch_of(*games: Game) -> BatchGame:
    """A batch whose rows are copies of games of one ruleset."""
    batch = BatchGame(len(games), games[0].ruleset)
    batch.restore(np.concatenate([game._states for game in games]))
    return batch


def choice(agent: IsmctsAgent, game: Game) -> str:
    """The name of what an agent does in a game."""
    return ACTION_NAMES[int(agent.search(batch_of(game), np.array([0]))[0])]


def grown(game: Game, simulations: int, seed: int = 1, capacity: int | None = None) -> SearchTree:
    """A tree of `simulations` simulations from a game."""
    batch = batch_of(game)
    tree = SearchTree(simulations if capacity is None else capacity, batch.machine)
    tree.plant(seed)
    tree.grow(batch, 0, simulations, 0.7)
    return tree


def children(tree: SearchTree, node: int) -> list[int]:
    """The nodes right below a node."""
    found, child = [], int(tree.nodes["child"][node])
    while child != NONE:
        found.append(child)
        child = int(tree.nodes["sibling"][child])
    return found


def midgames(ruleset: str = "standard", games: int = 3, every: int = 17) -> list[Game]:
    """Positions of random games in which there is a choice."""
    found = []
    for seed in range(games):
        game = Game(ruleset, seed)
        found += [
            game.clone()
            for number in walk(game, seed, eager=True, most=160)
            if number % every == 0 and len(game.legal_ids()) > 1
        ]
    return found


AT_THE_CENTRE = """
    to_play: {me}
    {me}: {{discs: {{white: 2, black: 1}}, tbm: 8, route: [white], storage: []}}
    {rival}: {{discs: {{blue: 2, orange: 1}}, tbm: 8, route: [blue], storage: []}}
    """


def test_it_beats_random_play_in_both_seats() -> None:
    home, away = play_pair(IsmctsAgent(100), RandomAgent(2), 10, seed=1)
    # Nine of ten are expected; a coin would reach 16 of 20 once in 170 tests.
    assert home.wins("britain") + away.wins("france") >= 16


def test_a_time_budget_ends_a_search() -> None:
    """However short, it holds one chunk; with iterations, what is reached first counts."""
    game = Game(seed=1)
    hasty = IsmctsAgent(None, 0.001)
    choice(hasty, game)
    assert hasty._trees[0].simulations == CHUNK
    both = IsmctsAgent(40, 60_000)
    choice(both, game)
    assert both._trees[0].simulations == 40
    assert choice(make_agent("ismcts:5ms"), game) in game.legal_actions()


def test_a_phase_that_all_seats_answer_unseen_is_searched_from_the_question_asked() -> None:
    batch, agent = BatchGame(1, "eurotunnel", 0), IsmctsAgent(5)
    while batch.to_play[0] < 2:
        chosen = agent.search(batch, np.array([0]))
        assert batch.masks[0, chosen[0]]
        batch.step(chosen)


def test_a_decision_with_one_answer_is_not_searched() -> None:
    agent = IsmctsAgent(100)
    ruleset = Game().ruleset.with_values({"switches.auto_forced": False})
    game = Game(ruleset, 1)
    for _ in walk(game, 1):
        if len(game.legal_ids()) == 1:
            break
    assert choice(agent, game) == game.legal_actions()[0]
    assert agent._trees[0].simulations == 0


@pytest.mark.parametrize("ruleset", ["standard", "agenda", "tiny"])
def test_the_visits_in_a_tree_add_up(ruleset: str) -> None:
    for game in midgames(ruleset, games=1, every=40):
        tree = grown(game, 700)
        nodes = tree.nodes[: tree.size]
        assert nodes["visits"][ROOT] == tree.simulations == 700
        assert (nodes["availability"] >= nodes["visits"])[1:].all()  # the root is not chosen
        assert (nodes["visits"] >= 1).all()
        assert (nodes["result"].sum(axis=1) == 0).all()
        assert (abs(nodes["result"][:, c.BRITAIN]) <= nodes["visits"]).all()
        top = children(tree, ROOT)
        assert {int(nodes["action"][i]) for i in top} == set(game.legal_ids())
        assert sum(nodes["visits"][i] for i in top) == 700
        assert (sum(nodes["result"][i] for i in top) == nodes["result"][ROOT]).all()
        for node in range(tree.size):
            below = children(tree, node)
            assert len({int(nodes["action"][i]) for i in below}) == len(below)
            assert all(nodes["parent"][i] == node for i in below)
            # The visit that added a node ends there; a game that is over has nothing below.
            if below and node != ROOT:
                assert sum(nodes["visits"][i] for i in below) <= nodes["visits"][node] - 1
            assert all(nodes["availability"][i] <= nodes["visits"][node] for i in below)


def test_a_full_tree_goes_on_without_new_nodes() -> None:
    game = Game(seed=2)
    tree = grown(game, 400, capacity=100)
    assert tree.size == 101 and tree.nodes["visits"][ROOT] == tree.simulations == 400


def test_the_most_visited_action_wins_and_ties_go_by_mean_then_by_id() -> None:
    game = Game(seed=2)
    tree = grown(game, len(game.legal_ids()))  # every action once
    top = children(tree, ROOT)
    nodes = tree.nodes
    nodes["result"][top] = 0
    low, other = sorted(top, key=lambda i: int(nodes["action"][i]))[:2]
    assert tree.best_action(c.BRITAIN) == nodes["action"][low]
    nodes["result"][other] = 1, -1
    assert tree.best_action(c.BRITAIN) == nodes["action"][other]
    nodes["result"][other] = -1, 1
    assert tree.best_action(1 - c.BRITAIN) == nodes["action"][other]
    nodes["visits"][top[0]] = 2
    nodes["result"][top[0]] = -2, 2
    assert tree.best_action(c.BRITAIN) == nodes["action"][top[0]]


@pytest.mark.parametrize(("stalemate", "result"), [("score", 1), ("draw", 0)])
@pytest.mark.parametrize("ahead", c.SEATS)
def test_a_stopped_game_counts_as_the_rules_score_it(ahead: str, stalemate: str, result: int) -> None:
    """The last round, in which nobody can get to the centre: who is ahead has won, or nobody."""
    rival = c.SEATS[1 - c.SEATS.index(ahead)]
    ruleset = Game().ruleset.with_values({"switches.stalemate_result": stalemate, "limits.max_rounds": 1})
    game = Game.from_position(
        {
            "to_play": ahead,
            "passed": [rival],
            ahead: {"technology": [5, 5], "discs": {"blue": 2}},
            rival: {"discs": {"white": 1}},
        },
        ruleset,
    )
    tree = grown(game, 200)
    sign = 1 if ahead == "britain" else -1
    assert tree.nodes["result"][ROOT].tolist() == [200 * sign * result, -200 * sign * result]


@pytest.mark.heavy
def test_without_a_compiler_it_finds_the_same_tree() -> None:
    """The interpreted search: a few decisions of a small game, number by number."""
    assert interpreted(small_searches) == small_searches()


def small_searches() -> list[list[list[int]]]:
    """Choices in two games of `tiny`, and the actions, visits and results of every node."""
    batch = BatchGame(2, "tiny", seed=6)
    agent = IsmctsAgent(20)
    found = []
    for row in range(2):
        chosen = agent.search(batch, np.array([row])).tolist()
        nodes = agent._trees[0].nodes[: agent._trees[0].size]
        found.append([chosen, *(nodes[f].tolist() for f in ("action", "visits", "result"))])
    return found


def test_it_needs_no_observations_of_the_batch() -> None:
    rows = np.arange(5)
    seen, unseen = BatchGame(5, seed=1), BatchGame(5, seed=1, observe=False)
    agent = IsmctsAgent(40)
    assert (agent.search(seen, rows) == agent.search(unseen, rows)).all()


def test_a_game_that_is_over_is_refused() -> None:
    game = position(AT_THE_CENTRE.format(me="britain", rival="france"))
    game.play("place black plan_tunnel tunnel")
    with pytest.raises(GameOverError, match="row 1: the game is over"):
        IsmctsAgent(10).search(batch_of(Game(seed=1), game), np.array([0, 1]))


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        ("ismcts", "expected a number of iterations, 1 to 100000"),
        ("ismcts:", "expected a number of iterations"),
        ("ismcts:many", "ismcts:1000, ismcts:50ms"),
        ("ismcts:10.5", "expected a number of iterations"),
        ("ismcts:5s", "or a time up to 60000ms"),
        ("ismcts:0", "0 iterations; allowed: 1 to 100000"),
        ("ismcts:100001", "100001 iterations; allowed: 1 to 100000"),
        ("ismcts:-5ms", "-5 ms per decision: more than 0, at most 60000"),
        ("ismcts:nanms", "nan ms per decision"),
        ("ismcts:60001ms", "60001 ms per decision"),
        ("ismct:100", "No module named 'ismct'"),
        ("ismctss", "did you mean 'ismcts:"),
    ],
)
def test_a_wrong_budget_is_refused_with_what_is_allowed(spec: str, reason: str) -> None:
    with pytest.raises(AgentError, match=reason):
        make_agent(spec)


def test_wrong_settings_are_refused() -> None:
    for settings, reason in (
        ({"iterations": None}, "iterations or milliseconds must be given"),
        ({"exploration": -0.1}, "exploration -0.1; allowed: 0 or more"),
        ({"exploration": float("nan")}, "exploration nan"),
        ({"seed": -1}, "seed -1"),
        ({"threads": 0}, "threads 0"),
    ):
        with pytest.raises(AgentError, match=reason):
            IsmctsAgent(**settings)
    assert make_agent("ismcts:250").name == "ismcts:250"
    assert make_agent("ismcts:50ms").name == "ismcts:50ms"
