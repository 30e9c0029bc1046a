"""Luck: what the estimator finds where the truth is known, and that it deals what it says."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.balance.measuring import luck
from channel_tunnel_agents.balance.measuring.luck import deal_spread, luck_sources, measure_luck, mixed_seeds
from channel_tunnel_env import BatchGame, Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.engine import constants as c

TINY = load_ruleset("tiny")
NAMES = ("one", "two", "three")


def spread_of(outcome, deals: int = 4000, dice: float = 0.0) -> luck.Spread:
    """The shares of a function of three numbers, uniform in -1..1, with dice of that deviation."""
    rng = np.random.default_rng(2)
    a, b = rng.uniform(-1, 1, (2, 3, deals))
    mixed = [np.where(np.arange(3)[:, None] == s, a, b) for s in range(3)]
    y = [outcome(*x) + dice * rng.normal(size=deals) for x in (a, b, b, *mixed)]
    return deal_spread(np.array(y), NAMES)


@pytest.mark.parametrize(
    ("outcome", "dice", "alone", "total", "together"),
    [
        (lambda one, two, three: np.sign(two), 0.0, [0, 1, 0], [0, 1, 0], 0),
        (lambda one, two, three: one + 2 * two, 0.0, [0.2, 0.8, 0], [0.2, 0.8, 0], 0),
        (lambda one, two, three: one * two, 0.0, [0, 0, 0], [1, 1, 0], 1),
        (lambda one, two, three: one, np.sqrt(1 / 3), [0.5, 0, 0], [0.5, 0, 0], 0.5),
    ],
    ids=[
        "one alone",
        "variances 1 : 4 : 0, no combination",
        "two only together",
        "dice, which are no source of the deal",
    ],
)
def test_planted_sources_have_their_shares(outcome, dice: float, alone, total, together: float) -> None:
    found = spread_of(outcome, dice=dice)
    for source, own, whole in zip(found.sources, alone, total, strict=True):
        for share, truth in ((source.alone, own), (source.total, whole)):
            assert share.low <= truth <= share.high
            assert share.value == pytest.approx(truth, abs=0.05)
    assert found.together.value == pytest.approx(together, abs=0.08)
    assert found.agents.value == pytest.approx(0.5 if dice else 0, abs=0.05)


def test_the_variance_is_that_of_the_outcome() -> None:
    variance = spread_of(lambda one, two, three: one + 2 * two).variance
    assert variance.low <= 5 / 3 <= variance.high


def test_the_intervals_hold_the_truth_as_often_as_promised() -> None:
    rng, held, rounds = np.random.default_rng(2), 0, 100
    for _ in range(rounds):
        a, b = rng.normal(size=(2, 2, 150))
        y = [x[0] + x[1] for x in (a, b, b, np.array([a[0], b[1]]), np.array([b[0], a[1]]))]
        found = deal_spread(np.array(y), ("one", "two")).sources[0].alone
        held += found.low <= 0.5 <= found.high
    assert held >= 0.88 * rounds


def test_without_any_variance_there_is_no_share() -> None:
    found = deal_spread(np.ones((4, 10)), ("one",))
    assert np.isnan([found.sources[0].alone.value, found.sources[0].total.low]).all()
    assert found.variance.value == 0


# --- the engine's streams ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_a_game_keyed_stream_by_stream_with_its_own_seed_is_the_same_game(name: str) -> None:
    seeds = np.arange(50)
    batch = BatchGame(50, name, observe=False)
    batch.reset(seeds=seeds)
    states = batch.states.tobytes()
    batch.reset(seeds=np.repeat(seeds[:, None], c.NUM_STREAMS, axis=1))
    assert batch.states.tobytes() == states
    game = batch.game(7)
    assert game.state.tobytes() == Game(name, 7).state.tobytes()


@pytest.mark.parametrize("stream", c.STREAMS)
def test_another_seed_for_one_stream_changes_at_set_up_what_it_deals_and_nothing_else(stream: str) -> None:
    dealt = {
        "rubble": ["route_colour", "route_symbol", "storage"],
        "cards": ["deck", "slots"],
        "deviation": ["deviation_deck"],
        "agenda": ["agenda_deck"],
        "discs": ["discs", "bag"],
    }
    own, other = np.arange(50), np.arange(50) + 1000
    seeds = np.repeat(own[:, None], c.NUM_STREAMS, axis=1)
    seeds[:, c.STREAMS.index(stream)] = other
    before, after = BatchGame(50, "agenda", observe=False), BatchGame(50, "agenda", observe=False)
    before.reset(seeds=own)
    after.reset(seeds=seeds)
    for name, fields in dealt.items():
        same = all((before.states[f] == after.states[f]).all() for f in fields)
        assert same == (name != stream), name
    whole = BatchGame(50, "agenda", observe=False)
    whole.reset(seeds=other)
    for field in dealt[stream]:
        if stream != "discs":  # whose draws of a round start go on from the same place
            assert (whole.states[field] == after.states[field]).all()


def test_the_scores_of_a_batch_are_those_of_its_games() -> None:
    batch = BatchGame(20, "standard", 3)
    for _ in range(60):
        actions = batch.masks.argmax(axis=1)
        batch.step(np.where(batch.masks.any(axis=1), actions, -1))
    scores = batch.scores()
    for row in range(20):
        told = batch.spec.outcome.by_source(scores[row])
        for seat, found in enumerate(batch.game(row).scores().values()):
            assert found == {name: points[seat] for name, points in told.items()}


def test_the_games_of_a_deal_share_the_luck_they_should() -> None:
    one, other = np.array([1, 2]), np.array([11, 12])
    games = mixed_seeds(one, other, ("cards", "discs"), c.STREAMS)
    assert games.shape == (5, 2, c.NUM_STREAMS)
    assert (one == games[0].T).all() and (games[1:3].transpose(0, 2, 1) == other).all()
    assert games[3, 0].tolist() == [11, 1, 11, 11, 11]
    assert games[4, 1].tolist() == [12, 12, 12, 12, 2]


# --- whole measurements ---------------------------------------------------------------------------


def test_an_agent_without_dice_leaves_nothing_over_and_one_that_is_all_dice_does() -> None:
    seen: list[int] = []
    found = measure_luck("heuristic", TINY, 100, 1, workers=1, progress=seen.append)
    assert (found.points.agents.value, found.margin.agents.value) == (0, 0)
    assert all(0 < s.total.value <= 1.3 for s in found.points.sources)
    assert (found.games, found.britain.n) == (700, 200) and sum(seen) == 700
    dice = measure_luck("random", TINY, 200, 1, workers=1).points.agents
    assert dice.low > 0.6


def test_a_ruleset_has_the_agenda_as_a_source_only_where_it_plays_it() -> None:
    assert luck_sources(TINY) == ("rubble", "cards", "deviation", "discs")
    assert luck_sources(load_ruleset("agenda")) == c.STREAMS


@pytest.mark.filterwarnings("error")
def test_where_deals_are_too_few_for_an_interval_there_is_none() -> None:
    """Of two deals one is the same with either luck; drawn twice it has no variance to share."""
    one, other = np.array([1.0, 1.0]), np.array([0.0, 1.0])
    found = deal_spread(np.stack([one, other, other, one]), ("one",)).sources[0].alone
    assert found.value == 1 and np.isnan([found.low, found.high]).all()


def test_too_few_deals_and_unknown_agents_are_refused_before_a_game() -> None:
    with pytest.raises(ValueError, match="deals 1: 2 or more is needed"):
        measure_luck("heuristic", TINY, 1, 0)
    with pytest.raises(AgentError, match="did you mean 'heuristic'"):
        measure_luck("heuristik", TINY, 10, 0)
