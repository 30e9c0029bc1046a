"""Tournaments of Eurotunnel: one against six from every seat, stored games that go on, honest intervals."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents import AgentError, evaluate
from channel_tunnel_agents.commands import evaluate as commands
from channel_tunnel_agents.games.eurotunnel.measures import TunnelCount, tunnels_table
from channel_tunnel_agents.games.eurotunnel.players.unthinking import LivelyAgent
from channel_tunnel_agents.matches.arena import by_seat, deal_games, play_out
from channel_tunnel_agents.matches.evaluation import climb
from channel_tunnel_agents.matches.multiplayer_report import RestReport, report_on
from channel_tunnel_agents.matches.tournament import Results, Tournament, play_tournament
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.statistics import estimate_share, rate_of
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.games.eurotunnel.arena import ruleset_with

SHORT = ruleset_with(max_year=1902, permissions=False, name="short")
PLAYED = Tournament(("lively", "dumb"), 3, seed=3, ruleset=SHORT)
SEATS = tuple(power.lower() for power in load_board().powers)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return play_tournament(PLAYED, workers=1, folder=tmp_path_factory.mktemp("games"))


def test_the_games_table_tells_what_each_power_has(results: Results) -> None:
    games = results.store.read("games")
    for name in ("share", "squares"):
        total = sum(games[f"{name}_{seat}"] for seat in SEATS)
        assert total.round(9).eq(1).all()
    centres = games[[f"score_{seat}" for seat in SEATS]].to_numpy()
    undecided = games["winner"] == "draw"
    squares = centres**2 / (centres**2).sum(axis=1, keepdims=True)
    found = games[[f"squares_{seat}" for seat in SEATS]].to_numpy()
    assert np.allclose(found[undecided], squares[undecided]) and undecided.any()
    solo = games[[f"solo_{seat}" for seat in SEATS]].to_numpy()
    assert (solo.sum(axis=1) == ~undecided).all()
    alive = games[[f"survived_{seat}" for seat in SEATS]].to_numpy() > 0
    units = games[[f"units_{seat}" for seat in SEATS]].to_numpy()
    assert (alive == ((units > 0) | (centres > 0))).all()


class Digger:
    """Orders by turn, as far as they are legal; all other units hold, and nothing is built."""

    name, blind, quick = "digger", True, True

    def __init__(self, plan: dict[int, str]) -> None:
        self.plan = plan

    def search(self, batch, rows):
        actions = np.empty(len(rows), np.int64)
        for k, row in enumerate(rows):
            wanted = self.plan.get(int(batch.states["turn"][row]), "* H")
            ids = [batch.spec.actions.id_of(name) for name in (wanted, "* H", "PERMIT DONE", "WAIVE")]
            actions[k] = next(action for action in ids if batch.masks[row, action])
        return actions


@pytest.mark.parametrize(("uses", "opened", "hidden"), [(3, 1, 2), (4, 1, 3), (7, 0, 5)], ids=["3", "4", "never"])
def test_a_tunnel_is_hidden_from_the_turn_it_is_built_to_the_turn_it_is_used(
    uses: int, opened: int, hidden: int
) -> None:
    """Built in turn 1; the game ends with turn 6."""
    absent = [power.upper() for power in SEATS if power != "england"]
    ruleset = ruleset_with(max_year=1903, absent=absent)
    agent = Digger({1: "* BT LON", 2: "* - ENG", uses: "* ~ LON"})
    batch = deal_games(np.array([1]), ruleset, agent)
    count = TunnelCount(batch)
    play_out(batch, by_seat(batch, *[agent] * 7), count)
    found = {name: values[0] for name, values in count.of_games().items()}
    assert found == {"tunnels_opened": opened, "turns_hidden": hidden}
    (tunnel,) = tunnels_table(batch, np.array([4])).to_dict("records")
    state = "open" if opened else "hidden"
    assert tunnel == {"deal": 4, "power": "england", "ends": "LON-LVP", "state": state}


def test_a_stopped_tournament_goes_on(results: Results) -> None:
    before, folder = results.store.read("games"), results.store.folder
    assert folder is not None
    (folder / "parts" / "01-00-00-00-00-00-00-0000000.json").unlink()
    again = play_tournament(PLAYED, workers=1, folder=folder)
    pd.testing.assert_frame_equal(before, again.store.read("games"))


def test_the_report_has_both_ways_each_power_and_every_measure(results: Results, tmp_path: Path) -> None:
    report = report_on(results)
    assert isinstance(report, RestReport)
    report.write(tmp_path)
    stands = json.loads((tmp_path / "results.json").read_text())["stands"]
    assert [(s["agent"], s["rest"]) for s in stands] == [*product(("lively", "dumb"), repeat=2)]
    games = results.store.read("games")
    alone = {(s["agent"], s["rest"]): s for s in stands}
    for (one, rest), stand in alone.items():
        assert set(stand["by_seat"]) == set(SEATS)
        if one == rest:
            total = sum(found["value"] for found in stand["by_seat"].values())
            assert total == pytest.approx(1) and not stand["measures"]
            continue
        assert set(stand["measures"]) == {"sum of squares", "survived", "solo", "centres"}
        assert stand["games"] == 21
        values = []
        for seat in SEATS:
            mine = (games[seat] == one) & (games[[s for s in SEATS if s != seat]] == rest).all(axis=1)
            values += games[f"score_{seat}"][mine].tolist()
        assert stand["measures"]["centres"]["value"] == pytest.approx(np.mean(values))
    assert alone["dumb", "lively"]["measures"]["sum of squares"]["low"] > 1 / 7
    text = (tmp_path / "report.md").read_text()
    assert "48 games" in text and "Turkey" in text and "1/7 = 14.3 %" in text


def test_games_that_every_deal_ends_alike_are_said_to_be_one(tmp_path: Path) -> None:
    played = play_tournament(Tournament(("hold", "lively"), 3, seed=3, ruleset=SHORT), workers=1, folder=tmp_path)
    report = report_on(played)
    assert isinstance(report, RestReport)
    found = {(stand.agent, stand.rest): stand.repeats for stand in report.stands}
    assert found == {pair: pair == ("hold", "hold") for pair in product(("hold", "lively"), repeat=2)}
    (said,) = [note for note in report.notes if "ended alike" in note]
    assert said.startswith("Every deal ended alike: hold in every seat. There n games are one game")


def test_one_deal_does_not_show_that_games_repeat(tmp_path: Path) -> None:
    played = play_tournament(Tournament(("hold",), 1, seed=3, ruleset=SHORT, mirror=True), workers=1, folder=tmp_path)
    assert not any("ended alike" in note for note in report_on(played).notes)


def test_the_command_plays_seven_seats(capsys, tmp_path: Path) -> None:
    rules = tmp_path / "mine.yaml"
    rules.write_text("base: eurotunnel\nmax_year: 1901\nname: mine\n")
    words = ["tournament", "hold", "dumb", "--deals", "1", "--workers", "1", "--ruleset"]
    assert commands.main([*words, str(rules), "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert "16 games of mine" in shown and "dumb" in shown
    assert json.loads((tmp_path / "out" / "results.json").read_text())["deals"] == 1


def test_mistakes_are_told_in_one_line(capsys) -> None:
    there = ["--ruleset", "eurotunnel"]
    assert commands.main(["tournament", "hold", "dumm", *there]) == 2
    assert "did you mean 'dumb'" in capsys.readouterr().err
    assert commands.main(["tournament", "hold", "heuristic", *there]) == 2
    shown = capsys.readouterr().err
    assert "'heuristic' plays the game tunnel_1987; ruleset eurotunnel" in " ".join(shown.split())
    with pytest.raises(AgentError, match=r"side 'britain': allowed: austria, .*, turkey, every"):
        evaluate("dumb", ["random"], 1, ruleset=SHORT, side="britain")


def test_an_agent_is_measured_from_one_seat_or_from_all() -> None:
    (every,) = evaluate("dumb", ["lively"], 2, ruleset=SHORT, seed=1)
    (turkey,) = evaluate("dumb", ["lively"], 2, ruleset=SHORT, seed=1, side="turkey")
    assert every.games == 14 and turkey.games == 2
    assert every.seats["turkey"] == turkey.seats["turkey"]


def test_the_share_against_a_yardstick_has_the_interval_of_a_mean_by_deal() -> None:
    """As narrow as its parts of games allow, not as wide as that of as many wins."""
    agent = make_agent("lively", SHORT, 1)
    for rate in climb(agent, 42, SHORT).values():
        assert rate.n == 42
        wins = rate_of(42 * rate.value, 42)
        assert rate.high - rate.low < 0.8 * (wins.high - wins.low)
        assert rate.low < rate.value < rate.high


@pytest.mark.heavy
def test_a_copy_of_an_agent_seldom_looks_different_from_an_equal() -> None:
    """160 deals as 40 tournaments of four: at most 6 leave out 1/7, which luck exceeds three times in 1000."""
    rules = ruleset_with(max_year=1901, permissions=False)
    names = ("lively", f"{__name__}:Copy")
    games = play_tournament(Tournament(names, 160, 5, rules), workers=1).store.read("games")
    copies = games[[seat for seat in SEATS]].eq(names[1]).to_numpy()
    rows, seats = np.nonzero(copies & (copies.sum(axis=1, keepdims=True) == 1))
    squares = games[[f"squares_{seat}" for seat in SEATS]].to_numpy()[rows, seats]
    deals = games["deal"].to_numpy()[rows]
    found = [estimate_share(squares[deals // 4 == k], deals[deals // 4 == k]) for k in range(40)]
    assert len(rows) == 160 * 7
    assert sum(not share.low <= 1 / 7 <= share.high for share in found) <= 6


class Copy(LivelyAgent):
    """The same player under another name."""

    name = "copy"


def test_a_tournament_asks_only_about_powers_that_somebody_plays(tmp_path: Path) -> None:
    six = ruleset_with(max_year=1901, permissions=False, absent=["ITALY"], name="six")
    found = play_tournament(Tournament(("hold", "lively"), 2, seed=3, ruleset=six), workers=1)
    report = report_on(found)
    assert isinstance(report, RestReport) and "No agent plays Italy." in " ".join(report.notes)
    assert "6 games of a deal" in " ".join(report.notes)
    assert all(len(stand.by_seat) == 6 for stand in report.stands)
    assert {stand.games for stand in report.stands if stand.measures} == {2 * 6}
    assert "italy" not in str(report.to_dict()["stands"])
    with pytest.raises(AgentError, match="side 'italy': allowed: austria"):
        evaluate("hold", ["lively"], 2, ruleset=six, side="italy")
