"""A ruleset is judged step by step: whatever cannot be trained or played, what is known stays and is called what it is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from channel_tunnel_agents.balance import judging
from channel_tunnel_agents.balance.empirical.payoffs import missing_casts
from channel_tunnel_agents.balance.empirical.verdict import Doubt
from channel_tunnel_agents.balance.judging import Plan, alarms, judge, judge_change
from channel_tunnel_agents.balance.players import played, population, training
from channel_tunnel_agents.balance.players.errors import UNTRAINED, change_error, far_error, policy_error
from channel_tunnel_agents.balance.players.population import Budget
from channel_tunnel_agents.balance.players.training import Trained
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.verdict_words import change_line, doubt_lines, verdict_lines
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.tournament import Tournament, play_tournament
from channel_tunnel_agents.statistics import REACH
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.outside.progress import Progress, Stage
from tests.agents.balance.helpers import judged_of, payoffs_of, trained

TINY = load_ruleset("tiny")
STANDARD = load_ruleset("standard")
LOPSIDED = load_ruleset({"base": "standard", "name": "lopsided", "barriers": {"france": {"a": [8, 9], "b": [8, 9]}}})


@pytest.fixture(autouse=True)
def user(tmp_path, monkeypatch) -> None:
    """A user without trained policies."""
    monkeypatch.chdir(tmp_path)


def test_without_training_the_value_is_that_of_one_player_and_says_so() -> None:
    (found,) = judge(TINY, Plan(30), workers=1)
    assert found.player == "adept" and not found.is_trained
    assert Doubt.UNTRAINED in found.verdict.doubts
    (line, *_) = verdict_lines(found, "tiny")
    assert "as adept plays" in line and "no policy was trained" in line
    first = found.verdict.seats[0]
    assert first.policy_error >= UNTRAINED
    assert first.share.high - first.share.low > 2 * 1.9 * first.deals_error, "wider than that of the deals"


def test_a_bracket_without_width_is_said_as_such_and_not_as_two_equal_ends() -> None:
    policy = trained(STANDARD)
    answer = trained(STANDARD, 2, rivals=(policy.name,))
    weak = [[0.5, 0.3, 0.3, 0.5], [0.7, 0.5, 0.4, 0.6], [0.7, 0.6, 0.5, 0.6], [0.5, 0.4, 0.4, 0.5]]
    (line, *_) = verdict_lines(judged_of(STANDARD, weak, (policy, answer)), "standard")
    assert "Britain wins 50.0 % [" in line and "; no best response that was found changes that." in line
    gains = [*weak[:3], [0.5, 0.4, 0.55, 0.5]]
    (line, *_) = verdict_lines(judged_of(STANDARD, gains, (policy, answer)), "standard")
    assert "; between 50.0 % and 55.0 % if one side plays" in line


def test_on_the_deals_of_a_page_both_say_the_same_of_a_player() -> None:
    (found,) = judge(TINY, Plan(20, 7), workers=1)
    played = play_tournament(Tournament(("adept",), 20, 7, "tiny", mirror=True), None, 1)
    assert found.solved.payoffs.own()[0, 1, 1] == played.matches[0, 0].points("britain").mean()


def test_a_power_that_nobody_plays_is_judged_by_nobody() -> None:
    ruleset = load_ruleset({"base": "eurotunnel", "name": "five", "absent": ["ITALY", "GERMANY"], "max_year": 1903})
    (judged,) = judge(ruleset, Plan(8), workers=1)
    seats = judged.verdict.seats
    assert tuple(each.seat for each in seats) == ruleset.played_seats
    total = sum(each.share.value for each in seats)
    assert 0.5 < total < 1, "the two keep what nobody takes from them"
    assert judged.verdict.fairness.even == pytest.approx(total / 5)


def test_a_training_that_fails_leaves_the_verdict_that_there_was_and_is_named(monkeypatch) -> None:
    def no_room(population, budget, workers, reach):
        reach(0.4)
        raise AgentError("no room on the disk")

    shown, stages = Progress(), []
    monkeypatch.setattr(shown, "begin", lambda *told: stages.append(Stage(*told)) or stages[-1])
    monkeypatch.setattr(judging, "train_apart", no_room)
    first, last = judge(TINY, Plan(20, budget=Budget(1000, 500)), workers=1, progress=shown)
    assert len(stages) == 3 and all(stage.is_over for stage in stages), "no line goes on telling of it"
    assert last.verdict.seats == first.verdict.seats
    assert "no room on the disk" in " ".join(doubt_lines(last)) and last.is_doubted


@pytest.fixture
def trainer(monkeypatch) -> SimpleNamespace:
    """Training without any: `there` are the policies, `asked` what was trained call by call, and `played` the names that sat in new games.

    What a policy gets against another is `wins` of both names, an even share if that says nothing.
    """
    found = SimpleNamespace(there={}, asked=[], played=[], wins=lambda one, other: 0.5)

    def play(players, ruleset, deals, seed, workers, stage, known):
        found.played.append({players[p] for cast in missing_casts(players, ruleset, deals, seed, known) for p in cast})
        made = payoffs_of(players, ruleset.seats, [[found.wins(p, q) for q in players] for p in players], deals)
        return replace(made, seed=seed)

    def train(tasks, workers, reach):
        short = [
            each for each in tasks if each.name not in found.there or found.there[each.name].decisions < each.decisions
        ]
        found.asked.append([each.rivals for each in short])
        for each in short:
            found.there[each.name] = Trained(each.name, each.folder, each.decisions, each.rivals)

    monkeypatch.setattr(population, "find_trained", lambda parent, ruleset: [*found.there.values()])
    monkeypatch.setattr(judging, "play_payoffs", play)
    monkeypatch.setattr(population, "train_policies", train)
    monkeypatch.setattr(training, "identity", lambda name, ruleset: name)
    monkeypatch.setattr(played, "identity", lambda name, ruleset: f"{name} {found.there.get(name)}")
    monkeypatch.setattr(judging._Table, "_improves", lambda *args: False)
    return found


def test_every_step_of_a_training_leaves_a_whole_verdict(trainer) -> None:
    one, two, three = judge(TINY, Plan(budget=Budget(600_000, 300_000, rounds=1)), workers=1)
    assert [len(each.verdict.players) for each in (one, two, three)] == [2, 4, 6]
    assert not one.is_trained and two.is_trained and three.is_trained
    answers = {name for name, each in trainer.there.items() if each.rivals}
    assert len(answers) == 2 and three.population.answers == answers
    errors = [each.verdict.seats[0].policy_error for each in (one, two, three)]
    assert errors == sorted(errors, reverse=True), "more is known at every step"


def test_a_second_verdict_plays_only_what_a_file_of_the_policies_does_not_hold(trainer) -> None:
    """A damaged file is none; a policy that was trained further plays its games again."""
    plan, home = Plan(30, budget=Budget(600_000, 300_000, rounds=1)), training.TUNED_RUNS
    home.mkdir(parents=True)
    *_, first = judge(TINY, plan, workers=1)
    (again,) = judge(TINY, plan, workers=1)
    assert trainer.played[-1] == set() and again.verdict == first.verdict
    (kept,) = home.glob("games-*.npz")
    whole = kept.read_bytes()
    for damaged in (b"", whole[:-100], whole[:900] + bytes(64) + whole[964:]):
        kept.write_bytes(damaged)
        (anew,) = judge(TINY, plan, workers=1)
        assert trainer.played[-1] == {*first.population.names} and anew.verdict == first.verdict
    further = next(name for name, each in trainer.there.items() if not each.rivals)
    trainer.there[further] = replace(trainer.there[further], decisions=700_000)
    next(judge(TINY, Plan(30), workers=1))
    assert further in trainer.played[-1]


def test_best_responses_are_answered_in_their_turn(trainer) -> None:
    """A round more is to the equilibrium that has the first responses; a further report of the same rules trains nothing."""
    trainer.wins = lambda one, other: 0.5 + 0.1 * (("answer" in one) - ("answer" in other))
    *_, first, last = judge(TINY, Plan(budget=Budget(rounds=2)), workers=1)
    assert [len(each.verdict.players) for each in (first, last)] == [6, 8]
    assert {*trainer.asked[2][0]} <= first.population.answers, "nobody would choose another player"
    assert last.population.latest_answers == last.population.answers - first.population.answers
    (again,) = judge(TINY, Plan(budget=Budget(rounds=2)), workers=1)
    assert trainer.asked[3:] == [[], [], []] and again.verdict == last.verdict


def test_responses_that_no_seat_chooses_are_not_answered_again(trainer) -> None:
    trainer.wins = lambda one, other: 0.5 - 0.1 * (("answer" in one) - ("answer" in other))
    assert len([*judge(TINY, Plan(budget=Budget(rounds=2)), workers=1)]) == 3
    assert trainer.asked[2] == [], "the same rivals, and so the same responses"


def test_a_policy_that_was_trained_further_plays_its_games_anew(trainer) -> None:
    *_, had = judge(TINY, Plan(budget=Budget(1_000, 500, rounds=1)), workers=1)
    *_, more = judge(TINY, Plan(budget=Budget(2_000, 1_000, rounds=1)), workers=1)
    grown = {each.name for each in more.population.trained if each.decisions == 2_000}
    assert len(grown) == 2 and grown <= {each.name for each in had.population.trained}
    assert grown <= trainer.played[-2], "in the games after the training"


def test_who_plays_for_a_player_that_reads_the_rules_is_what_the_seats_choose() -> None:
    policies = [trained(TINY, 1), trained(TINY, 2), trained(TINY, 1, rivals=("adept",))]
    #  heuristic, adept, policy 1, policy 2, best response
    first = np.full((5, 5), 0.5)
    first[3], first[:, 3], first[3, 3] = 0.8, 0.2, 0.5
    first[4], first[:, 4], first[4, 4] = 0.9, 0.1, 0.5
    found = judged_of(TINY, first.tolist(), policies)
    assert found.plays_for(["random", "adept"])[1] in {policies[0].name, policies[1].name, "adept"}
    assert found.player not in found.population.answers
    better = judged_of(TINY, first[:4, :4].tolist(), policies[:2])
    assert better.plays_for(["random", "adept", "heuristic"]) == ("random", policies[1].name, "heuristic")


def test_a_report_is_repeated_by_the_command_that_was_given() -> None:
    """Whoever plays in the place of adept is found again; a command that named it would ask it alone."""
    policy = trained(TINY)
    settings = replace(
        ReportSettings("tiny"), judged=judged_of(TINY, [[0.5] * 3, [0.5, 0.5, 0.2], [0.5, 0.8, 0.5]], [policy])
    )
    assert policy.name in settings.chosen_agents(TINY) and "adept" not in settings.chosen_agents(TINY)
    assert "--agents" not in settings.command(Path("out")) and "tuned:" not in settings.command(Path("out"))


def test_a_player_that_loses_most_games_to_another_is_doubted() -> None:
    policies = [trained(TINY, 1), trained(TINY, 2)]
    rock = [[0.5, 0.5, 0.5, 0.5], [0.5, 0.5, 0.3, 0.7], [0.5, 0.7, 0.5, 0.3], [0.5, 0.3, 0.7, 0.5]]
    found = judged_of(TINY, rock, policies)
    assert Doubt.BEATEN in found.verdict.doubts and "loses most games" in " ".join(doubt_lines(found))
    alike = judged_of(TINY, [[0.5] * 4] * 4, policies)
    assert Doubt.BEATEN not in alike.verdict.doubts


def test_a_change_of_nothing_is_exactly_nothing() -> None:
    (one,) = judge(TINY, Plan(5), workers=1)
    (other,) = judge(load_ruleset(TINY.plain() | {"name": "another_name"}), Plan(5), workers=1)
    change = judge_change(one, other, 20, workers=1).change
    assert (change.value, change.low, change.high) == (0.0, 0.0, 0.0)


def test_the_same_players_play_both_sides_of_a_change() -> None:
    (one,) = judge(STANDARD, Plan(5), workers=1)
    (other,) = judge(LOPSIDED, Plan(5), workers=1)
    found = judge_change(one, other, 60, workers=1)
    assert found.players == ("heuristic", "adept"), "master, who was trained for one of them alone, plays neither"
    assert found.change.low > 0.05, "Britain gains where France has to bore through rock"
    line = change_line(found)
    assert "Britain's share changes by +" in line and "No policy was trained for either" in line


def test_an_alarm_names_the_rules_on_which_a_player_hardly_beats_the_scripted_one() -> None:
    (line,) = alarms("random", [TINY], workers=1)
    assert line.startswith("On tiny random wins only") and "channel-tunnel adapt" in line
    assert alarms("heuristic", [TINY], workers=1) == []
    (line,) = alarms("rookie", [TINY], workers=1)
    assert line.startswith("On tiny rookie wins only"), "a policy of other rules plays as it is"


def test_the_error_of_a_guess_grows_with_what_is_changed_and_with_how_unlike_the_seats_are() -> None:
    alike = STANDARD.with_values({"extra_finance": 4, "discs.hand": 12})
    guesses = [policy_error(each, False, False).of(0.0) for each in (STANDARD, alike, LOPSIDED)]
    assert guesses == sorted(guesses) and guesses[0] < guesses[1] < guesses[2]
    assert policy_error(LOPSIDED, True, True).of(0.0) < policy_error(LOPSIDED, True, False).of(0.0) < guesses[2]


def test_training_leaves_a_part_of_the_error_of_a_guess() -> None:
    """A full report on `rich_and_poor` missed its reference by 6.6 points with 1.7 as error; see verdict_controls.json."""
    rich = {f"track_points.britain.{track}": [0, 1, 1, 2, 2, 3] for track in "ab"}
    far = STANDARD.with_values(rich | {"deviation.water_draws.france": 4, "deviation.water_draws.britain": 0})
    assert policy_error(STANDARD, True, True).of(0.02) < 0.02
    assert policy_error(far, True, True).of(0.02) > 0.035


def test_a_change_of_far_rules_allows_for_what_its_players_miss() -> None:
    """Without training `compare` said -7.3 points of a bonus on `high_walls`; the references have +1.4 (verdict_controls.json)."""
    walls = {"barriers.france.a": [8, 9], "barriers.britain.a": [0, 0], "track_points.france.a": [0, 0, 8, 8, 16, 16]}
    assert change_error(0.073, far_error(STANDARD.with_values(walls), False, False)) > 0.087 / REACH
    assert change_error(0.01, far_error(STANDARD.with_values({"extra_finance": 4}), False, False)) < 0.01
