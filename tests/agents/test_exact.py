"""Small games solved exactly: the published values, and best responses to agents."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from sb3_contrib import MaskablePPO

from channel_tunnel_agents import AgentError, Sb3Agent
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.exact import tree as trees
from channel_tunnel_agents.exact.solving import answer
from channel_tunnel_agents.exact.tree import GameTree, TooLargeError, grow_tree
from channel_tunnel_agents.learning.config import make_config
from channel_tunnel_agents.learning.exploit import measure_gain
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.search.worlds import NO_MOVE, Worlds
from channel_tunnel_env import BatchGame, load_ruleset, tracks
from channel_tunnel_env.envs.sb3 import SeatVecEnv
from tests.sites import exact_games

RULESETS = tracks.FOLDER / "exact"


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The games of docs/examples on the path."""
    with exact_games(tmp_path_factory.mktemp("site")):
        yield


def tree_of(ruleset: str, agent: str = "random") -> GameTree:
    rules = load_ruleset(ruleset)
    return grow_tree(rules, make_agent(agent, rules))


@pytest.mark.parametrize(
    ("game", "positions", "sets", "value", "nash_conv"),
    [
        ("kuhn", 54, 12, -1 / 18, 11 / 12),  # Kuhn 1950; NashConv of uniform play: OpenSpiel
        ("leduc", 1890, 288, -0.0856064, 4.747222),  # OpenSpiel: value, NashConv of uniform play
        ("liars_dice", 855, 96, -1 / 9, None),
    ],
)
def test_games_with_hidden_information_have_their_published_values(game, positions, sets, value, nash_conv) -> None:
    tree = tree_of(game)
    found = answer(tree)
    assert not tree.open
    assert (len(tree.seat), len(tree.actions)) == (positions, sets)
    assert found.value == pytest.approx(value, abs=1e-6)
    if nash_conv is not None:
        assert found.nash_conv == pytest.approx(nash_conv, abs=1e-6)


class Even:
    """Plays at random, and says so."""

    name = "even"

    def __call__(self, observations, masks):
        return masks.argmax(axis=1)

    def probabilities(self, observations, masks):
        return masks / masks.sum(axis=1, keepdims=True)


def test_an_agent_that_says_how_it_draws_is_judged_by_all_that_it_may_do() -> None:
    rules, agent = load_ruleset("kuhn"), Even()
    assert answer(grow_tree(rules, agent)) == answer(tree_of("kuhn"))
    agent.greedy = True  # type: ignore[attr-defined]
    assert answer(grow_tree(rules, agent)) != answer(tree_of("kuhn"))


@pytest.mark.parametrize("wrong", [lambda masks: masks[:, 1:] / 2, lambda masks: np.full(masks.shape, 0.4)])
def test_probabilities_that_are_none_are_refused(wrong) -> None:
    agent = Even()
    agent.probabilities = lambda observations, masks: wrong(masks)  # type: ignore[method-assign]
    with pytest.raises(AgentError, match="agent 'even': its probabilities have the shape"):
        grow_tree(load_ruleset("kuhn"), agent)


@pytest.mark.parametrize("greedy", [False, True])
def test_a_model_of_sb3_is_judged_by_the_distribution_that_it_draws_from(greedy) -> None:
    env = SeatVecEnv(2, "kuhn", side="both", opponent="random", seed=1)
    model = MaskablePPO("MlpPolicy", env, seed=1, device="cpu")
    played = grow_tree(load_ruleset("kuhn"), Sb3Agent(model, greedy=greedy)).play
    assert all(chances.sum() == pytest.approx(1) for chances in played)
    assert all((chances.max() == 1) == greedy for chances in played)


@pytest.mark.heavy
@pytest.mark.parametrize(
    ("ruleset", "agent", "decisions", "value", "nash_conv"),
    [
        ("exact_dig", "heuristic", 36_624, 0.2, 0.0),
        ("exact_roads", "greedy", 6_011, 1.0, 2.0),
        ("exact_four", "random", 51_676, 0.5, 1.723754),
    ],
)
def test_small_rulesets_of_the_built_in_games_are_worth_what_an_independent_program_found(
    ruleset, agent, decisions, value, nash_conv
) -> None:
    """The other program draws luck from outside and lists by hand which fields a position is made of."""
    tree = tree_of(str(RULESETS / f"{ruleset}.yaml"), agent)
    found = answer(tree)
    assert tree.open
    assert len(tree.actions) == decisions
    assert found.value == pytest.approx(value, abs=1e-9)
    assert found.nash_conv == pytest.approx(nash_conv, abs=1e-6)


def test_a_position_and_a_history_of_a_game_without_secrets_give_the_same_answer() -> None:
    rules = load_ruleset(RULESETS / "exact_roads.yaml").with_values({"tiles.U.count": 2}, "three")
    found = [
        trees._Grower(rules, make_agent("random", rules), 10**6, lambda nodes: None, is_open).grow()
        for is_open in (True, False)
    ]
    merged, apart = (answer(tree) for tree in found)
    assert len(found[0].seat) < len(found[1].seat)
    assert (merged.own, *merged.responses) == pytest.approx((apart.own, *apart.responses))


def test_a_tree_that_is_too_large_is_refused_while_it_grows() -> None:
    with pytest.raises(TooLargeError, match="leduc: more than 1,000 positions; it is too large to be solved exactly"):
        grow_tree(load_ruleset("leduc"), most=1000)


@pytest.mark.parametrize(
    ("ruleset", "why"),
    [
        ("eurotunnel", "7 seats; a game is solved exactly for two"),
        ("carcassonne", "more than 20,000 outcomes of luck; it is too large to be solved exactly"),
    ],
)
def test_the_command_refuses_in_one_line(ruleset, why, capsys) -> None:
    assert evaluate.main(["exploit", "random", "--exact", "--ruleset", ruleset]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "channel-tunnel" in line]
    assert why in line


def test_the_command_prints_value_best_responses_and_nash_conv(capsys) -> None:
    assert evaluate.main(["exploit", "random", "--exact", "--ruleset", "kuhn"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "54 positions, hidden information, 12 information sets" in shown
    assert "value -0.0556 for first, with best play on both sides" in shown
    assert "best response +0.5000 as first, +0.4167 as second" in shown
    assert "exploitability 0.4583 a game, where 0 is perfect play (NashConv 0.9167)" in shown


def test_a_gain_is_counted_in_stakes_where_a_win_is_worth_more_than_another() -> None:
    """Against uniform play of Kuhn poker, betting always wins more than it wins games."""
    rules = load_ruleset("kuhn")

    def bets(observations, masks):
        return np.ones(len(masks), np.int64)

    bets.name = "bets"  # type: ignore[attr-defined]
    gain = measure_gain(bets, make_agent("random", rules, 3), 3000, 5, rules)
    assert gain.stakes and "a game [" in str(gain)
    low, high = (2 * end for end in gain.interval)
    assert low < 3 / 8 < high  # +1/2 as first and +1/4 as second, where uniform play has +1/8 and -1/8
    assert high - low < 0.15


def test_what_is_learned_and_searched_of_a_game_for_stakes_is_in_units_of_the_stakes(tmp_path) -> None:
    """Values are bounded by a win and a loss: of pots of thirteen a policy could not tell large ones from small ones."""
    small = {"num_games": 16, "steps": 32, "batch_size": 64, "width": 16, "depth": 1, "threads": 1, "device": "cpu"}
    training = TrainingRun(
        make_config({"run": str(tmp_path / "run"), "ruleset": "leduc", "decisions": 512, "evaluate_games": 1, **small})
    )
    training.train()
    paid = np.abs(training.model.rollout_buffer.rewards)
    assert 0 < paid[paid > 0].min() < paid.max() <= 1
    batch = BatchGame(8, "leduc", seed=3)
    moves = np.where(batch.masks[:, :1], 0, batch.masks.argmax(axis=1)[:, None])
    worlds = Worlds(batch, np.arange(8), np.arange(8, dtype=np.uint64)[:, None], moves)
    while worlds.live.any():
        worlds.step(np.where(worlds.live, worlds.masks.argmax(axis=1), NO_MOVE))
    assert 0 < np.abs(worlds.results()).max() <= 1
