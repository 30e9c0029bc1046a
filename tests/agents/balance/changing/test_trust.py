"""Whether a player that reads the rules may judge them: tested before it speaks, and mended by a copy tuned on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from channel_tunnel_agents.balance.changing import trust
from channel_tunnel_agents.balance.changing.trust import (
    Speaker,
    doubts,
    find_speakers,
    readers_of,
    speaking,
    strong_share,
    trusted_share,
)
from channel_tunnel_agents.balance.changing.tuned import MINUTES, TunedCopy
from channel_tunnel_agents.balance.measuring.footing import Footing
from channel_tunnel_agents.balance.report.plain.careful import DISPUTED, DOUBT, verdict
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.learning.guards import TrainingStopped
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset

STANDARD = load_ruleset("standard")
TRUSTED = trusted_share(STANDARD)
COPY = TunedCopy("tuned:adept-1-standard-2", Path("runs/tuned/adept-1-standard-2"), 6.0)


@pytest.fixture
def shares(monkeypatch):
    """Name -> what it wins against the scripted player, in place of games."""
    found: dict[str, float] = {}

    def measure(pairs, deals, workers=None, progress=None):
        return [Footing(name, "heuristic", rules.name, Estimate(found[name], 0.0, 1.0), deals) for name, rules in pairs]

    monkeypatch.setattr(trust, "measure_footings", measure)
    monkeypatch.setattr(trust, "find_copy", lambda parent, ruleset: None)
    monkeypatch.setattr(trust, "measure_apart", lambda asked, workers: [0.07 for _ in asked])
    return found


@pytest.fixture
def disputed(shares, monkeypatch) -> list[tuple[str, str, str]]:
    """A second policy judges every position otherwise; who was asked about which rules."""
    asked: list[tuple[str, str, str]] = []

    def measure(pairs, workers):
        asked.extend((name, second, rules.name) for name, second, rules in pairs)
        return [0.27 for _ in pairs]

    monkeypatch.setattr(trust, "measure_apart", measure)
    return asked


def speaker(minutes: float = 6.0) -> Speaker:
    (found,) = find_speakers(["random", "adept", "heuristic"], STANDARD, minutes)
    return found


def test_only_players_that_read_the_rules_and_do_not_look_ahead_are_tested() -> None:
    names = ["random", "heuristic", "club", "adept", "adept-search", "frozen:master"]
    assert readers_of(names, STANDARD) == ["adept"]
    assert readers_of(["random"], load_ruleset("eurotunnel")) == []


def test_a_player_that_wins_clearly_speaks_for_itself(shares) -> None:
    shares["adept"] = TRUSTED
    found = speaker()
    assert found.is_trusted and found.name == "adept"
    (line,) = found.lines
    assert line.startswith("adept is a good player of standard: it wins 85.0 % [0.0, 100.0]")


def test_what_a_copy_might_add_is_said_below_the_share_from_which_it_hardly_adds_anything(shares) -> None:
    shares["adept"] = strong_share(STANDARD) - 0.01
    (line,) = speaker().lines
    assert line.endswith(trust.BETTER_COPY) and f"for {MINUTES:g} minutes" in line
    assert "may play somewhat better" in verdict(speaker(), STANDARD)[-1]
    shares["adept"] = strong_share(STANDARD)
    (line,) = speaker().lines
    assert line.startswith("adept is a strong player of standard") and "copy" not in line
    assert verdict(speaker(), STANDARD)[-1] == "It plays these rules well."


def test_nobody_is_called_strong_in_a_game_where_it_was_not_measured() -> None:
    rules = load_ruleset("carcassonne")
    assert strong_share(rules) is None
    found = Footing("adept", "greedy", rules.name, Estimate(0.95, 0.9, 1.0), 100)
    (line,) = Speaker("adept", found, trusted_share(rules)).lines
    assert line.startswith("adept is a good player of carcassonne") and "copy" not in line


def test_one_that_does_not_is_replaced_by_its_copy(shares, monkeypatch) -> None:
    asked = []
    monkeypatch.setattr(trust, "tune_copy", lambda parent, rules, minutes, *more: asked.append(minutes) or COPY)
    shares |= {"adept": 0.4, COPY.name: 0.85}
    found = speaker(3.0)
    assert asked == [3.0] and found.is_trusted
    assert speaking(["random", "adept"], [found]) == ("random", COPY.name)
    (line,) = found.lines
    assert "adept is out of its depth on standard: it wins 40.0 %" in line
    assert "a copy trained on these rules alone for 6 minutes, which wins 85.0 %" in line
    assert line.endswith("can still be several points off.")
    assert verdict(found, STANDARD)[-1] == trust.STILL_OFF


def test_a_copy_that_there_is_speaks_where_it_is_better_whether_or_not_it_was_needed(shares, monkeypatch) -> None:
    monkeypatch.setattr(trust, "find_copy", lambda parent, ruleset: COPY)
    monkeypatch.setattr(trust, "tune_copy", None)
    shares |= {"adept": 0.9, COPY.name: 0.95}
    found = speaker()
    assert found.name == COPY.name and found.is_trusted
    (line,) = found.lines
    assert "adept is a strong player of standard" in line
    assert "a copy trained on these rules alone for 6 minutes, which wins 95.0 %" in line
    shares[COPY.name] = 0.85
    assert speaker().name == "adept"


def test_a_copy_that_still_loses_is_said_to(shares, monkeypatch) -> None:
    monkeypatch.setattr(trust, "tune_copy", lambda *more: COPY)
    shares |= {"adept": 0.4, COPY.name: 0.5}
    assert "still less than 85 %: take them with care" in speaker().lines[0]
    assert not speaker().is_trusted


def test_a_copy_that_is_no_better_does_not_speak(shares, monkeypatch) -> None:
    monkeypatch.setattr(trust, "tune_copy", lambda *more: COPY)
    shares |= {"adept": 0.4, COPY.name: 0.39}
    found = speaker()
    assert found.name == "adept" and "wins no more (39.0 %" in found.lines[0]


def test_a_player_whose_values_a_second_policy_disputes_is_doubted_though_it_wins(
    shares, disputed, monkeypatch
) -> None:
    """On one ruleset adept won 88 % and its copy 99: the two policies' chances lay 27 points apart there."""
    monkeypatch.setattr(trust, "tune_copy", lambda *more: COPY)
    shares |= {"adept": 0.88, COPY.name: 0.99}
    found = speaker()
    assert disputed == [("adept", "frozen:master", "standard")]
    assert found.name == COPY.name and found.is_trusted and not found.is_strong
    (line,) = found.lines
    assert line.startswith("adept may be out of its depth on standard: it wins 88.0 % [")
    assert "but frozen:master judges its positions otherwise" in line and "27 points apart" in line
    assert "a copy trained on these rules alone for 6 minutes, which wins 99.0 %" in line
    assert found.to_dict()["apart"] == 0.27
    shares[COPY.name] = 0.86
    (line,) = speaker().lines
    assert line.startswith("adept is a good player of standard: it wins") and "no more" in line


def test_without_a_copy_a_disputed_player_is_not_believed(shares, disputed) -> None:
    shares["adept"] = 0.95
    found = speaker(0)
    assert not found.is_trusted and not found.is_strong and found.lines[0].endswith("with care.")
    assert verdict(found, STANDARD)[-1] == DISPUTED
    (line,) = doubts("adept", [STANDARD])
    assert "27 points apart" in line and line.endswith("with care.") and "  " not in line


def test_who_loses_anyway_and_who_is_no_shipped_reader_is_not_asked_about(shares, disputed) -> None:
    shares |= {"adept": 0.5}
    assert not speaker(0).is_trusted and disputed == []
    rules = load_ruleset("carcassonne")
    footing = Footing("adept", "greedy", rules.name, Estimate(0.9, 0.8, 1.0), 100)
    other = replace(footing, learner="ppo:mine", ruleset="standard")
    assert trust.find_apart([footing, other], [rules, STANDARD]) == [None, None]


@pytest.fixture
def steep(shares, monkeypatch):
    """Seven games of ten go to one seat, whoever plays it: a share of 72 % may be all that there is to win."""
    monkeypatch.setattr(
        trust,
        "measure_footings",
        lambda pairs, *more: [
            Footing(name, "heuristic", "steep", Estimate(shares[name], 0.0, 1.0), 100, 0.0, 0.7) for name, _ in pairs
        ],
    )
    shares["adept"] = 0.72
    return shares


def test_whether_a_better_seat_leaves_no_more_to_win_is_found_out_by_a_copy(steep, monkeypatch) -> None:
    """On one held-out ruleset adept won 77 %, one seat 60 %: no fault of the seat, a copy won 95 %."""
    monkeypatch.setattr(trust, "tune_copy", lambda *more: COPY)
    steep[COPY.name] = 0.9
    found = speaker()
    assert found.name == COPY.name and found.is_trusted
    assert "adept may be out of its depth on steep: it wins 72.0 %" in found.lines[0]
    steep[COPY.name] = 0.71
    found = speaker()
    assert found.name == "adept" and found.is_trusted
    assert found.lines[0].startswith("adept is a good player of steep, where one seat is better off")
    assert "wins no more (71.0 %" in found.lines[0] and "with care" not in found.lines[0]
    assert DOUBT not in verdict(found, STANDARD)


def test_without_a_copy_a_better_seat_is_no_excuse(steep) -> None:
    found = speaker(0)
    assert not found.is_trusted and found.lines[0].endswith("with care.")
    assert found.lines[0].startswith("adept may be out of its depth on steep")
    (line,) = doubts("adept", [STANDARD])
    assert line.startswith("adept may be out of its depth on steep") and line.endswith("with care.")


@pytest.mark.parametrize("error", [AgentError("no torch"), OSError("no room on the disk")])
def test_a_copy_that_cannot_be_tuned_leaves_the_player_with_a_warning(shares, monkeypatch, error) -> None:
    def refuse(*more):
        raise error

    monkeypatch.setattr(trust, "tune_copy", refuse)
    shares["adept"] = 0.4
    found = speaker()
    assert found.name == "adept" and not found.is_trusted
    assert f"No copy could be tuned on them: {error}." in found.lines[0]
    assert "with care" in found.lines[0]


def test_without_minutes_nothing_is_trained(shares, monkeypatch) -> None:
    monkeypatch.setattr(trust, "tune_copy", None)
    shares["adept"] = 0.4
    assert "No copy was tuned on them (--adapt MINUTES does)" in speaker(0).lines[0]


def test_ctrl_c_while_a_copy_is_tuned_ends_the_command(shares, monkeypatch) -> None:
    stopped = TunedCopy(COPY.name, COPY.folder, 1.5, stopped=True)
    monkeypatch.setattr(trust, "tune_copy", lambda *more: stopped)
    shares["adept"] = 0.4
    with pytest.raises(TrainingStopped, match=r"1\.5 minutes, which are kept"):
        speaker()


def test_a_seat_that_wins_whoever_plays_it_is_no_fault_of_the_player() -> None:
    """Where one seat wins nine games of ten, the best player has 60 % over both seats."""

    def one(share: float, first: float) -> Footing:
        return Footing("adept", "heuristic", "steep", Estimate(share, 0, 1), 100, 0.0, first)

    assert trust.is_enough(one(0.58, 0.9), TRUSTED) and trust.is_enough(one(0.58, 0.1), TRUSTED)
    assert not trust.is_enough(one(0.58, 0.5), TRUSTED) and not trust.is_enough(one(0.52, 0.9), TRUSTED)
    assert trust.needs_copy(one(0.58, 0.9), TRUSTED) and not trust.needs_copy(one(0.5, 0.97), TRUSTED)
    assert one(0.6, 0.9).even_share == pytest.approx(1.0) and not one(0.58, 0.9).is_weak
    assert trust.is_enough(one(0.85, 0.6), 0.9) and not trust.is_strong(one(0.85, 0.6), 0.9)
    decided = Speaker("adept", one(0.5, 0.97), TRUSTED)
    assert decided.is_trusted and not one(0.5, 0.97).is_weak
    assert "one seat wins 97 % of the games whoever plays it" in decided.lines[0]


def test_rules_that_end_in_nothing_come_first() -> None:
    found = Speaker("adept", Footing("adept", "heuristic", "mire", Estimate(0.9, 0.8, 1), 100, 0.33), TRUSTED)
    assert found.lines[0].startswith("33 % of the games on mire ended without a result")


def test_doubts_name_the_rules_and_leave_other_players_alone(shares) -> None:
    shares["adept"] = 0.4
    (line,) = doubts("adept", [STANDARD])
    assert "adept is out of its depth on standard: it wins 40.0 %" in line
    assert doubts("heuristic", [STANDARD]) == []
    shares["adept"] = 0.9
    assert doubts("adept", [STANDARD]) == []


def test_a_copy_is_doubted_too_on_rules_that_it_was_not_tuned_on(shares, monkeypatch) -> None:
    monkeypatch.setattr(trust, "make_agent", lambda name, ruleset: SimpleNamespace(reads_rules=True))
    shares[COPY.name] = 0.6
    (line,) = doubts(COPY.name, [STANDARD])
    assert line.startswith(f"{COPY.name} is out of its depth on standard: it wins 60.0 %")
    assert readers_of([COPY.name], STANDARD) == []  # and yet nobody tunes a copy of a copy


SWEPT = ["sweep", "--param", "storage.britain=3", "--ruleset", "tiny"]
TUNED_FOR = ["tune", "--targets", "targets.yaml", "--param", "storage.britain=3"]
TUNED_FOR += ["--ruleset", "tiny"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["report", "--seed", "-1"], "seed -1: seeds are whole numbers"),
        (["report", "--workers", "0"], "workers 0: 1 or more"),
        (["report", "--base", "eurotunnel"], "base eurotunnel: game eurotunnel"),
        (["report", "--base", "nope"], "nope: no such file"),
        (["report", "--deals", "10000001"], "deals: 10,000,001; allowed"),
        (["report", "--out", "a_file"], "a_file: it is no folder"),
        (["report", "--out", "a_file/below"], "a_file"),
        (["report", "--adapt", "-5"], "--adapt -5: 0 to 10,000 minutes"),
        (["report", "--adapt", "nan"], "--adapt nan: 0 to 10,000 minutes"),
        (["compare", "tiny", "standard", "--agent", "adept", "--adapt", "-1"], "--adapt -1: 0 to"),
        (["compare", "tiny", "standard", "--agent", "adept", "--workers", "0"], "workers 0"),
        (["compare", "tiny", "standard", "--agent", "adept", "--agent", "club"], "club"),
        (["compare", "tiny", "standard", "--agent", "adept", "--out", "a_file"], "it is no folder"),
        (["gate", "targets.yaml", "--ruleset", "tiny", "--adapt", "-1"], "--adapt -1: 0 to"),
        (["gate", "targets.yaml", "--ruleset", "tiny", "--workers", "0"], "workers 0: 1 or more"),
        ([*SWEPT, "--adapt", "-1"], "--adapt -1: 0 to 10,000 minutes"),
        ([*SWEPT, "--workers", "0"], "workers 0: 1 or more"),
        ([*SWEPT, "--out", "a_file"], "it is no folder"),
        ([*SWEPT, "--decisions", "5000"], "decisions: 5,000, and nothing is trained"),
        ([*SWEPT, "--measures", "roundz"], "did you mean 'rounds'"),
        ([*TUNED_FOR, "--adapt", "nan"], "--adapt nan: 0 to 10,000 minutes"),
        ([*TUNED_FOR, "--workers", "0"], "workers 0: 1 or more"),
        ([*TUNED_FOR, "--out", "a_file"], "it is no folder"),
        ([*TUNED_FOR, "--param", "discs.hand=40"], "allowed: whole numbers 1..25"),
    ],
)
def test_whatever_is_refused_is_refused_before_a_copy_is_tuned(words, why, tmp_path: Path, monkeypatch, capsys) -> None:
    def find(*given, **more):
        raise AssertionError("minutes are spent")

    monkeypatch.setattr(evaluate, "find_speakers", find)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a_file").touch()
    (tmp_path / "targets.yaml").write_text("agent: adept\ntargets: {rounds: [1, 2]}\n")
    rules = ["--ruleset", "tiny"] if words[0] == "report" else []
    assert evaluate.main([*words, *rules]) == 2
    told = capsys.readouterr().err
    assert why in told and len(told.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a_file", "targets.yaml"]
