"""`evaluate.py tournament`: paired deals, limits, repeatable figures, one set of figures in every output."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_agents import AgentError
from channel_tunnel_agents.commands import evaluate
from channel_tunnel_agents.matches import tournament as tournament_module
from channel_tunnel_agents.matches.arena import list_seatings
from channel_tunnel_agents.matches.tournament import Results, Tournament, parse_limits, play_tournament
from channel_tunnel_agents.matches.tournament_report import Report, command_line
from channel_tunnel_agents.players.policy.card import policy_paths
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_env import cli, load_ruleset
from tests.agents.saving import save_policy

NUMBER = re.compile(r"[-+]?\d[\d,]*\.?\d*%?")
WIDTH = 100


class Recorder:
    """The lowest legal action; remembers what Britain sees when a game begins."""

    name = "recorder"
    openings: list[np.ndarray] = []  # noqa: RUF012 - one list for all matches

    def __init__(self) -> None:
        self.started = False

    def __call__(self, observations, masks):
        if not self.started:
            Recorder.openings.append(observations.copy())
        self.started = True
        return masks.argmax(axis=1)


class AnotherAgentWithARatherLongName(Recorder):
    """A second name for it."""


RECORDERS = tuple(f"{__name__}:{c.__name__}" for c in (Recorder, AnotherAgentWithARatherLongName))


@pytest.fixture(autouse=True)
def _terminal(monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def run(*words: str) -> int:
    return evaluate.main(["tournament", *words, "--ruleset", "tiny"])


def test_every_pairing_starts_from_the_same_deals() -> None:
    Recorder.openings.clear()
    play_tournament(Tournament(RECORDERS, 12, ruleset="tiny", limits={RECORDERS[1]: 5}))
    britains = Recorder.openings[::2]  # Britain starts, so its agent is the first asked of a match
    assert [len(seen) for seen in britains] == [12, 5, 5, 5]
    assert all((seen == britains[0][: len(seen)]).all() for seen in britains)
    Recorder.openings.clear()
    play_tournament(Tournament(RECORDERS, 12, seed=1, ruleset="tiny"))
    assert (Recorder.openings[0] != britains[0]).any()


def test_the_smaller_limit_of_two_agents_counts() -> None:
    limits = {"racer": 7, "engineer": 4, "random": 99}
    results = play_tournament(Tournament(("random", "racer", "engineer"), 10, ruleset="tiny", limits=limits))
    played = [[results.matches[i, j].games for j in range(3)] for i in range(3)]
    assert played == [[10, 7, 4], [7, 7, 4], [4, 4, 4]]
    assert results.tournament.total_games == sum(map(sum, played))
    assert results.pair(1, 0).both.n == 14


def test_a_pairing_does_not_depend_on_who_else_plays() -> None:
    two = play_tournament(Tournament(("random", "heuristic"), 40, ruleset="tiny"))
    three = play_tournament(Tournament(("racer", "heuristic", "random"), 40, ruleset="tiny"))
    assert (two.matches[0, 1].winners == three.matches[2, 1].winners).all()
    assert (two.matches[1, 1].winners == three.matches[1, 1].winners).all()


def test_a_pair_adds_up_both_seatings() -> None:
    results = play_tournament(Tournament(("random", "heuristic"), 30, ruleset="tiny"))
    home, away = results.matches[1, 0], results.matches[0, 1]
    pair = results.pair(1, 0)
    assert (pair.agent, pair.rival) == ("heuristic", "random")
    assert pair.in_first.value * 30 == pytest.approx((home.winners == 0).sum())
    assert pair.in_second.value * 30 == pytest.approx((away.winners == 1).sum())
    assert pair.both.value == pytest.approx((pair.in_first.value + pair.in_second.value) / 2)
    assert pair.rounds == pytest.approx((home.rounds.mean() + away.rounds.mean()) / 2)
    assert len(results.pairs) == 1


def test_the_command_in_the_report_plays_the_tournament_again(tmp_path: Path) -> None:
    words = ["random", "racer", "--deals", "20", "--seed", "3", "--limit", "racer=8"]
    assert run(*words, "--out", str(tmp_path / "one")) == 0
    one = json.loads((tmp_path / "one" / "results.json").read_text())
    program, *again = shlex.split(one["command"])
    assert program == "channel-tunnel"
    assert f"`{one['command']}`" in (tmp_path / "one" / "report.md").read_text()
    assert evaluate.main([*again, "--out", str(tmp_path / "two")]) == 0
    for file in ("report.md", "results.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_terminal_and_report_show_the_same_figures(tmp_path: Path, capsys) -> None:
    words = ("random", "heuristic", "racer", "engineer", "--deals", "30", "--limit", "racer=9")
    assert run(*words, "--out", str(tmp_path)) == 0
    tables, _, sentences = capsys.readouterr().out.partition("Reading:")
    report = (tmp_path / "report.md").read_text()
    head, _, sheets = report.partition("\n## ")
    assert Counter(NUMBER.findall(tables)) == Counter(NUMBER.findall(sheets))
    assert len(NUMBER.findall(sheets)) > 100
    for sentence in ("Side: ", "Cycles "):
        line = next(line for line in head.splitlines() if line.startswith(f"- {sentence}"))
        assert line[2:] in " ".join(sentences.split())


def test_results_hold_every_match_and_the_ladder(tmp_path: Path) -> None:
    assert run("random", "heuristic", "--deals", "40", "--out", str(tmp_path)) == 0
    results = json.loads((tmp_path / "results.json").read_text())
    assert len(results["matches"]) == 4
    for match in results["matches"]:
        assert match["britain_wins"] + match["france_wins"] + match["draws"] == match["games"] == 40
    assert [rung["agent"] for rung in results["ladder"]] == ["heuristic", "random"]
    top = results["ladder"][0]
    assert 0 < top["strength_elo"]["low"] < top["strength_elo"]["value"]
    assert top["above_next_elo"] == top["strength_elo"]
    assert 0.2 < results["britain_between_equals"]["value"] < 0.8
    report = (tmp_path / "report.md").read_text()
    assert "| heuristic v random | 80 |" in report
    assert f"{top['strength_elo']['value']:+.0f} [" in report


def test_nothing_is_cut_on_a_terminal_of_100_columns(capsys) -> None:
    agents = ("random", "heuristic", "racer", "engineer", "politician", *RECORDERS)
    assert run(*agents, "--deals", "3") == 0
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert "(2 of 2)" in shown
    assert "AnotherAgentWithARatherLongName" in re.sub(r"\s", "", shown)


def test_agents_that_never_scored_are_named(capsys) -> None:
    assert run("random", "heuristic", "--deals", "2") == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Separated: " in shown
    assert "random / heuristic" in shown or "heuristic / random" in shown


def test_a_time_budget_is_said_not_to_repeat() -> None:
    results = play_tournament(Tournament(("random", "ismcts:1ms"), 1, ruleset="tiny"))
    assert any("time budget" in note and "ismcts:1ms" in note for note in Report.of(results).notes)


def test_the_command_line_quotes_what_a_shell_would_split() -> None:
    tournament = Tournament(("random", "ppo:my runs/one"), limits={"ppo:my runs/one": 5})
    words = shlex.split(command_line(tournament))
    assert words[2:4] == ["random", "ppo:my runs/one"]
    assert words[-2:] == ["--limit", "ppo:my runs/one=5"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["random", "heuristc"], "did you mean 'heuristic'"),
        (["random"], "at least two"),
        (["random", "random"], "random named twice"),
        (["random", "heuristic", "--ruleset", "standrd"], "did you mean 'standard'"),
        (["random", "ppo:nowhere"], "nowhere"),
        (["random", "heuristic", "--deals", "0"], "deals: 0; allowed: 1 to"),
        (["random", "heuristic", "--seed", "-1"], "seed -1: seeds are whole numbers"),
        (["random", "heuristic", "--limit", "racer=5"], "expected one of random, heuristic"),
        (["random", "heuristic", "--limit", "random=0"], "at least 1 deal"),
        (["random", "heuristic", "--limit", "random"], "expected AGENT=DEALS"),
        (["random", "heuristic", "--limit", "random=2.5"], "expected AGENT=DEALS"),
        (["random", "heuristic", "--limit", "random=5", "random=6"], "already has the limit 5"),
    ],
)
def test_mistakes_are_answered_in_one_line(words, message, capsys) -> None:
    assert evaluate.main(["tournament", *words]) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out.strip() == ""


def test_an_agent_may_have_an_equals_sign_in_its_name() -> None:
    assert parse_limits(["ppo:a=b=5"]) == {"ppo:a=b": 5}
    with pytest.raises(AgentError, match="expected AGENT=DEALS"):
        parse_limits(["=5"])


@pytest.mark.parametrize("words", [[], ["turnament"], ["tournament", "--gmes", "5"]])
def test_an_unknown_command_or_option_exits_with_status_2(words, capsys) -> None:
    assert evaluate.main(words) == 2
    assert "channel-tunnel" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "tiny", "agenda", "--agent", "heuristc"],
        ["exploit", "heuristc"],
        ["exploit", "random", "--guide", "heuristc"],
        ["report", "--agents", "random", "heuristc", "--out", "out"],
        ["sweep", "--param", "discs.hand=3,4", "--agent", "heuristc", "--out", "out"],
        ["gate", "targets.yaml"],
        ["tune", "--targets", "targets.yaml", "--param", "discs.hand=3,4", "--out", "out"],
        ["generate", "--agents", "heuristc", "--out", "out"],
        ["play", "--opponent", "heuristc"],
        ["table", "--agent", "heuristc", "--folder", "out"],
    ],
)
def test_every_command_refuses_an_unknown_agent_before_it_begins(words, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("targets.yaml").write_text("agent: heuristc\ntargets: {rounds: [1, 9]}\n")
    main = evaluate.main if words[0] in evaluate.COMMANDS else cli.main
    assert main([str(word) for word in words]) == 2
    said = capsys.readouterr()
    assert "did you mean 'heuristic'" in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["targets.yaml"]


def test_games_of_a_stopped_tournament_are_spoken_of_in_one_line(monkeypatch, capsys) -> None:
    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluate, "play_tournaments", stop)
    assert run("random", "heuristic") == 130
    assert capsys.readouterr().err == f"channel-tunnel: {evaluate.STOPPED_WORDS}\n"


def test_what_is_found_in_the_games_is_found_once() -> None:
    """Every page of a growing report asks for it."""
    asked = []

    def count(results: Results) -> int:
        asked.append(results)
        return len(results.games)

    results = play_tournament(Tournament(("random",), 3, 1, "tiny", mirror=True), workers=1)
    assert [results.once(count), results.once(count)] == [3, 3]
    assert asked == [results]
    assert results.once(lambda found: found.played) == 3


BROKEN = {
    "fails_to_load": ("1 / 0\n", "ZeroDivisionError: division by zero (fails_to_load.py, line 1)"),
    "ends_as_it_loads": ("raise SystemExit(0)\n", "SystemExit: 0 (ends_as_it_loads.py, line 1)"),
    "cannot_be_made": (
        "class agent:\n    def __init__(self):\n        {}['a']\n",
        "KeyError: 'a' (cannot_be_made.py, line 3)",
    ),
    "fails_in_play": (
        "def agent(observations, masks):\n    raise RuntimeError('boom')\n",
        "RuntimeError: boom (fails_in_play.py, line 2)",
    ),
    "ends_in_play": (
        "def agent(observations, masks):\n    raise SystemExit(0)\n",
        "SystemExit: 0 (ends_in_play.py, line 2)",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("ruleset", ["tiny", "carcassonne"])
def test_an_agent_s_own_code_that_fails_or_ends_is_named_in_one_line(
    name: str, ruleset: str, tmp_path: Path, monkeypatch, capsys
) -> None:
    code, why = BROKEN[name]
    (tmp_path / f"{name}.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    words = ["tournament", "random", f"{name}:agent", "--deals", "2", "--ruleset", ruleset]
    assert evaluate.main(words) == 2
    said = capsys.readouterr().err
    assert said == f"channel-tunnel: agent '{name}:agent': {why}\n"
    monkeypatch.setenv("CHANNEL_TUNNEL_TRACEBACK", "1")
    sys.modules.pop(name, None)
    assert evaluate.main(words) == 2
    assert "Traceback" in capsys.readouterr().err


def test_a_policy_that_changes_while_games_are_played_is_told_and_nothing_is_mixed(
    tmp_path: Path, monkeypatch, capsys
) -> None:
    """A run that goes on training, or a copy that is tuned further, writes its policies anew."""
    folder = tmp_path / "run"
    shutil.copytree(find_policy("adept", "tunnel_1987"), folder)
    monkeypatch.setattr(tournament_module, "PART", 2)
    play, played = tournament_module.play_part, []

    def play_and_train(part):
        tables = play(part)
        played.append(part)
        for file in policy_paths(folder).values():
            network, card = load_policy(file)
            save_policy(file, network.state_dict(), {**card, "decisions": len(played)})
        return tables

    monkeypatch.setattr(tournament_module, "play_part", play_and_train)
    words = ["tournament", "random", f"ppo:{folder}", "--deals", "4", "--ruleset", "tiny"]
    assert evaluate.main([*words, "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert f"agent 'ppo:{folder}': its policy has changed since the first game" in said
    assert [part.seating for part in played] == [(0, 0), (0, 0)], "random alone"


def carcassonne(players: int):
    return load_ruleset({"base": "carcassonne", "players": players})


def test_two_seats_are_every_ordered_pair_and_a_mirror_each_agent_with_itself() -> None:
    standard = load_ruleset("standard")
    assert list_seatings(standard, 2) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list_seatings(standard, 3, mirror=True) == [(0, 0), (1, 1), (2, 2)]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("agents", [2, 3, 5, 7])
def test_at_mixed_tables_everybody_sits_equally_often_in_every_seat(players: int, agents: int) -> None:
    seatings = list_seatings(carcassonne(players), agents)
    assert len(set(seatings)) == len(seatings)
    for seating in seatings:
        assert len(seating) == players and len(set(seating)) == min(agents, players)
    counts = [Counter(seating[seat] for seating in seatings) for seat in range(players)]
    assert all(count == counts[0] for count in counts)
    assert len(set(counts[0].values())) == 1
    # Before and behind an agent sit the same ones equally often.
    before = Counter(pair for s in seatings for pair in zip(s, s[1:] + s[:1], strict=True))
    assert all(before[a, b] == before[b, a] for a, b in before)


def test_one_against_the_rest_sits_in_every_seat_and_with_itself_once() -> None:
    seatings = list_seatings(load_ruleset("eurotunnel"), 2)
    assert len(seatings) == len(set(seatings)) == 2 * 7 + 2
    assert (0, 1, 1, 1, 1, 1, 1) in seatings and (1, 1, 1, 0, 1, 1, 1) in seatings
    assert (0,) * 7 in seatings and (1,) * 7 in seatings


def test_nobody_sits_alone_at_a_power_that_the_rules_leave_absent() -> None:
    six = load_ruleset({"base": "eurotunnel", "absent": ["ITALY"]})
    italy = six.seats.index("italy")
    seatings = list_seatings(six, 2)
    assert len(seatings) == 2 * 6 + 2
    assert not [s for s in seatings if s.count(s[italy]) == 1]
