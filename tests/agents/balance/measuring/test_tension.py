"""The course of games: traces made by hand have the numbers one reckons by hand."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from channel_tunnel_agents import AgentError, make_agent
from channel_tunnel_agents.balance.measuring.judges import SCORE, make_judge
from channel_tunnel_agents.balance.measuring.tension import (
    Tension,
    calibration,
    choose_games,
    comebacks_from,
    drama,
    fan,
    lead_changes,
    loser_peak,
    read_course,
    settled,
    snowball,
    watch_games,
)
from channel_tunnel_agents.balance.measuring.traces import Traces, beside_the_table, join, judge_by_score
from channel_tunnel_agents.balance.report.tension import judge_of
from channel_tunnel_env import BatchGame, Game, load_ruleset
from channel_tunnel_env.errors import VersionError

TINY = load_ruleset("tiny")
NAN = np.nan


def traces_of(chances: list[list[float]], points: list[float], leads: list[list[float]] | None = None) -> Traces:
    """Traces of games, two turns a round; without leads they are level."""
    width = max(map(len, chances))
    leads = leads or [[0.0] * len(game) for game in chances]
    rounds = [[1.0 + turn // 2 for turn in range(len(game))] for game in chances]
    padded = (np.array([game + [NAN] * (width - len(game)) for game in kind]) for kind in (chances, leads, rounds))
    count = len(points)
    return Traces(*padded, np.array(points), np.arange(count), np.full((count, 1), -1, dtype=np.int16))


# Britain wins from behind; France wins, never behind; a draw; Britain wins, first even, then sure.
BY_HAND = traces_of(
    [[0.6, 0.3, 0.2, 0.7, 0.95], [0.4, 0.3, 0.1, 0.05], [0.6, 0.4], [0.5, 0.92, 0.95, 0.96, 0.91]], [1, 0, 0.5, 1]
)


TOUCHING = traces_of([[0.6, 0.5, 0.6], [0.6, 0.5, 0.4], [0.5, 0.4, 0.5]], [1, 0, 0])
SLACK = traces_of([[0.95, 0.97, 0.5], [0.95, 0.97, 0.99]], [1, 1])


@pytest.mark.parametrize(
    ("measured", "traces", "values"),
    [
        # The turns at which the favourite is another; an even chance makes none.
        (lead_changes, BY_HAND, [2, 0, 1, 0]),
        (lead_changes, TOUCHING, [0, 1, 0]),
        # How far the winner was behind on average when it was: in game 1 by 0.2 and 0.3; game 3 has no winner.
        (drama, BY_HAND, [0.25, 0, NAN, 0]),
        # The share of the turns after the last open one, and 0.9 is still open: of games 1 and 2 only the last turn.
        (settled, BY_HAND, [0.2, 0.25, NAN, 0.8]),
        (settled, SLACK, [0, 1]),
        # The best chance that the loser had.
        (loser_peak, BY_HAND, [0.8, 0.4, NAN, 0.5]),
    ],
)
def test_a_measure_of_a_course_is_the_one_by_hand(measured, traces: Traces, values: list[float]) -> None:
    assert measured(traces) == pytest.approx(values, nan_ok=True)


def test_the_course_says_what_the_games_say_and_on_how_many() -> None:
    course = read_course(BY_HAND)
    assert (course.turns.value, course.turns.n) == (4, 4)
    assert (course.lead_changes.value, course.lead_changes.n) == (0.75, 4)
    assert (course.winner_behind.value, course.winner_behind.n) == (pytest.approx(1 / 3), 3)
    assert (course.comebacks.value, course.comebacks.n) == (pytest.approx(1 / 3), 3)
    assert course.settled.value == pytest.approx((0.2 + 0.25 + 0.8) / 3)
    assert 0 <= course.comebacks.low < course.comebacks.value < course.comebacks.high <= 1


def test_a_comeback_from_a_deficit_is_counted_at_the_middle_turn() -> None:
    """Three of four turns in: -2 and won, +1 and won, -1 and lost, level, -9 and won."""
    leads = [[0, 0, -2, 5], [0, 0, 1, 5], [9, 9, -1, 5], [1, 1, 0, 1], [0, 0, -9, 0]]
    found = comebacks_from(
        traces_of([[0.5] * 4] * 5, [1, 1, 0, 1, 1], leads), ((1, 2), (3, 4), (5, 7), (8, 11), (12, None))
    )
    rows = [(row.least, row.most, row.win_rate.value, row.win_rate.n) for row in found]
    assert rows == [(1, 2, pytest.approx(1 / 3), 3), (8, 11, 1, 1)]


def test_snowball_reads_who_was_ahead_at_the_first_turn_of_each_round() -> None:
    """Round 2 begins with turn 3: Britain ahead twice, winning once; the third game is over by then."""
    leads = [[0, 0, 3, -9], [0, 0, 1, 9], [0, 0]]
    chances = [[0.6, 0.6, 0.7, 0.1], [0.4, 0.6, 0.2, 0.1], [0.6, 0.7]]
    first, second = snowball(traces_of(chances, [1, 0, 1], leads))
    assert (first.leader_wins.n, first.level.value, first.level.n) == (0, 1, 3)
    assert first.favourite_wins.value == 1
    assert (second.leader_wins.value, second.leader_wins.n) == (0.5, 2)
    assert (second.favourite_wins.value, second.level.value) == (1, 0)


def test_the_fan_takes_every_game_at_the_same_share_of_its_length() -> None:
    games = [[0.1, 0.2, 0.3], [0.2, 0.2, 0.3, 0.4, 0.5], [0.9, 0.8, 0.7]]
    points = fan(traces_of(games, [1, 1, 1]))
    assert [point.played for point in points] == [n / 10 for n in range(11)]
    medians = [points[n].quantiles[0.5].value for n in (0, 5, 10)]
    assert medians == pytest.approx([0.2, 0.3, 0.5])
    assert points[0].quantiles[0.5].n == 3


def test_the_interval_of_a_quantile_holds_it() -> None:
    chances = np.random.default_rng(0).random((400, 1)).tolist()
    for share, found in fan(traces_of(chances, [1.0] * 400))[0].quantiles.items():
        assert found.low <= share <= found.high
        assert found.high - found.low < 0.15


def test_calibration_sets_what_was_said_against_what_happened() -> None:
    """The judge is right about the games at 0.25 and too sure of those at 0.95."""
    chances = [[0.25, 0.25]] * 8 + [[0.95]] * 4
    low, high = calibration(traces_of(chances, [1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0]))
    assert (low.low, low.high, high.low, high.high) == (0.2, 0.3, 0.9, 1.0)
    assert (low.chance.value, low.result.value, low.result.n, low.turns) == (0.25, 0.25, 8, 16)
    assert (high.chance.value, high.result.value) == (pytest.approx(0.95), 0.5)
    assert high.result.high < 0.95 and low.result.low < 0.25 < low.result.high


def test_two_turns_of_a_game_say_no_more_than_one_about_the_judge() -> None:
    once = traces_of([[0.25]] * 8, [1, 1, 0, 0, 0, 0, 0, 0])
    often = traces_of([[0.25] * 9] * 8, [1, 1, 0, 0, 0, 0, 0, 0])
    width = [row.result.high - row.result.low for row in (*calibration(once), *calibration(often))]
    assert width[1] > 0.9 * width[0]


# --- watching -------------------------------------------------------------------------------------


def test_a_note_is_the_mean_of_what_either_seat_was_last_given() -> None:
    chance = np.array([[0.4, 0.6, 0.2, 0.8, 0.9], [0.3, NAN, NAN, NAN, NAN]])
    seat = np.array([[0, 1, 0, 1, 1], [1, NAN, NAN, NAN, NAN]])
    found = beside_the_table(chance, seat)
    assert found[0] == pytest.approx([0.4, 0.5, 0.4, 0.5, 0.55])
    assert found[1] == pytest.approx([0.3, NAN, NAN, NAN, NAN], nan_ok=True)


def test_traces_of_several_tasks_join_in_order() -> None:
    one, other = traces_of([[0.1, 0.2]], [1]), traces_of([[0.3]], [0])
    joined = join([one, other])
    assert joined.points.tolist() == [1, 0] and joined.turns.tolist() == [2, 1]
    assert joined.chance == pytest.approx(np.array([[0.1, 0.2], [0.3, NAN]]), nan_ok=True)


def test_the_judge_of_points_believes_a_lead_as_far_as_it_held() -> None:
    """Of 40 games in which a seat leads by 4, it wins 30."""
    leads = [[0.0, 4.0]] * 40 + [[0.0, -4.0]] * 40
    points = [1.0] * 30 + [0.0] * 40 + [1.0] * 10
    traces = traces_of([[NAN, NAN]] * 80, points, leads)
    chance = judge_by_score(traces, traces)
    assert chance[:40, 1] == pytest.approx(0.75, abs=0.02)
    assert chance[40:, 1] == pytest.approx(0.25, abs=0.02)
    assert chance[:, 0] == pytest.approx(0.5, abs=0.02)


@pytest.fixture(scope="module")
def watched() -> Tension:
    return watch_games("heuristic", "rollout:8", TINY, 60, 1, workers=1)


def test_playouts_of_the_players_themselves_are_calibrated(watched: Tension) -> None:
    """Two halves of the scale: what was said lies in the interval of what happened, or near it."""
    traces = watched.traces
    there = np.isfinite(traces.chance)
    result = np.where(there, traces.points[:, None], NAN)
    for half in (there & (traces.chance < 0.5), there & (traces.chance >= 0.5)):
        assert half.sum() > 50
        assert traces.chance[half].mean() == pytest.approx(result[half].mean(), abs=0.15)
    assert watched.error.value < 0.9 * watched.error_of_ignorance.value


def test_a_watched_game_ends_as_the_same_deal_played_alone(watched: Tension) -> None:
    traces = watched.traces
    assert (watched.games, traces.games, len(set(traces.seeds.tolist()))) == (60, 60, 60)
    assert ((traces.chance >= 0) & (traces.chance <= 1))[np.isfinite(traces.chance)].all()
    assert (np.isfinite(traces.chance) == np.isfinite(traces.lead)).all()
    game = Game.from_record(traces.record(5, TINY))
    assert game.is_over and game.seed == traces.seeds[5]
    assert {"britain": 1.0, "france": 0.0}.get(str(game.winner), 0.5) == traces.points[5]


def test_three_games_are_chosen_and_their_records_replay(watched: Tension) -> None:
    assert set(watched.chosen) == {"typical", "dramatic", "lopsided"}
    for chosen in watched.chosen.values():
        json.dumps(chosen.record)
        game = Game.from_record(chosen.record)
        assert game.seed == chosen.seed and game.is_over
        assert len(chosen.chance) == len(chosen.lead)
    lopsided, dramatic = watched.chosen["lopsided"], watched.chosen["dramatic"]
    assert watched.chosen["dramatic"].points in (0, 1)
    sure = np.abs(lopsided.chance - (1 - lopsided.points)).mean()
    assert sure > np.abs(dramatic.chance - (1 - dramatic.points)).mean()


def test_the_chosen_games_are_the_ones_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Traces, "record", lambda traces, row, ruleset: {"row": row})
    chosen = choose_games(BY_HAND, TINY)
    assert chosen["dramatic"].record == {"row": 0} and chosen["lopsided"].record == {"row": 3}
    drawn = traces_of([[0.6, 0.4]], [0.5])
    assert set(choose_games(drawn, TINY)) == {"typical"}


def test_games_are_judged_by_a_model_of_other_games() -> None:
    """Means of many runs lie as far from each other as their intervals say (4 times as far before)."""
    found = [watch_games("random", "score", TINY, 40, seed, workers=1).course for seed in range(12)]
    for name in ("britain_chance", "winner_behind", "lead_changes"):
        figures = [getattr(course, name) for course in found]
        spread = np.std([figure.value for figure in figures], ddof=1)
        said = np.mean([(figure.high - figure.low) / 2 / 1.96 for figure in figures])
        assert spread < 1.7 * said, name


def test_a_policy_judges_what_it_was_trained_for_and_is_refused_elsewhere() -> None:
    standard = load_ruleset("standard")
    batch = BatchGame(4, standard, 1)
    found = make_judge("rookie", standard)(batch, np.array([0, 3]))
    policy = make_agent("rookie", standard)
    values = policy.think(batch.observations[[0, 3]], batch.masks[[0, 3]])[1]  # type: ignore[union-attr]
    assert found == pytest.approx((values + 1) / 2)
    with pytest.raises(VersionError):
        watch_games("heuristic", "rookie", TINY, 10, 1)


@pytest.mark.parametrize(
    "judge, games, words",
    [
        ("heuristic", 10, "judge 'heuristic': expected a policy such as adept, rollout:N"),
        ("rollout:0", 10, "with N from 1 to 1024"),
        ("rollout:many", 10, "judge 'rollout:many': expected rollout:N"),
        ("rollout:4:ismcts:10", 10, "it searches"),
        ("mastre", 10, "did you mean 'master'"),
        ("score", 0, "games 0: 1 or more is needed"),
    ],
)
def test_what_is_no_judge_and_no_games_are_refused_before_a_game(judge: str, games: int, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        watch_games("random", judge, TINY, games, 1)


@pytest.mark.parametrize(("agent", "judge"), [("club", "club"), ("club-search@5ms", SCORE), ("club!ban=pass", SCORE)])
def test_an_agent_without_a_value_is_not_made_its_own_judge(agent: str, judge: str) -> None:
    job = SimpleNamespace(
        agent=agent, agent_digest="0" * 16, ruleset=load_ruleset(), settings=SimpleNamespace(quick=True)
    )
    assert judge_of(job) == judge


def test_a_single_game_is_read_without_a_claim() -> None:
    found = watch_games("random", "score", TINY, 1, 1, workers=1)
    assert found.course.turns.n == 1 and np.isnan(found.course.turns.low)
