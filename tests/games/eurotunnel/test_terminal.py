"""Eurotunnel in the terminal: orders by typing, a phase in a few lines, and nothing that the viewer may not know."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from channel_tunnel_agents.commands.play import TerminalPlay, find_opponent, number_names
from channel_tunnel_env.cli import main
from channel_tunnel_env.games.eurotunnel.board_positions import write_position
from channel_tunnel_env.games.eurotunnel.faces import terminal
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.random_games import play_on

from .arena import ruleset_with
from .table import by_power, read_tunnel, units_of
from .test_secrecy import UNITS

AT = ("--ruleset", "eurotunnel")
CENTRES = {"ENGLAND": ["LON"], "FRANCE": ["PAR"], "GERMANY": ["MUN"], "RUSSIA": ["MOS"]}
CROWD = "BEL PIC PAR GAS MAR MUN RUH HOL KIE BER TYR BOH SIL PIE BRE SPA VEN"


def passive(game: Any) -> str:
    """Hold, disband, change nothing."""
    names = game.legal_actions()
    return next((n for n in ("* H", "* D", "PERMIT DONE", "WAIVE") if n in names), names[0])


def transcript(tunnels: list[str], lines: list[str], monkeypatch, capsys) -> tuple[Game, str]:
    """What France is shown in a game against passive powers."""
    position = {
        "phase": "F1901M",
        "units": units_of(UNITS),
        "centres": CENTRES,
        "tunnels": [read_tunnel(line) for line in tunnels],
    }
    game = Game.from_position(position, ruleset_with(max_year=1902))
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    table = TerminalPlay(game, "france", passive)  # type: ignore[arg-type]
    with pytest.raises(EOFError):
        table.play()
    return table.game, capsys.readouterr().out


# --- playing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["france", "turkey"])
def test_a_whole_game_against_an_agent(side: str, tmp_path: Path, played) -> None:
    path = tmp_path / "two_years.yaml"
    path.write_text("base: eurotunnel\nname: two_years\nmax_year: 1902\n")
    words = ["--side", side, "--opponent", "dumb", "--seed", "3"]
    shown = played(["1"] * 200, "--ruleset", str(path), *words)
    assert "Good-bye" not in shown and "The game is over (max_year); shares: " in shown
    assert shown.count("Report of S190") == 2 and shown.count("Report of F190") == 2
    text = shown.replace(f"{side.capitalize()}> ", "")
    assert max(map(len, text.splitlines())) <= 100


def test_an_opponent_computes_with_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six powers answer unit by unit; threads that wait for each other would make a phase take half a minute."""
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    find_opponent("hold", ruleset_with(), 1)
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_persons_play_all_powers_by_the_orders_that_are_shown(played) -> None:
    rng, game = np.random.default_rng(1), Game(seed=1)
    typed = []
    for _ in range(60):
        choice = rng.choice(np.array(terminal.choices(game), object))
        typed.append(choice.name.lower() if rng.random() < 0.5 else choice.name)
        game.play(choice.action)
    shown = played([*typed, "quit"], *AT, "--opponent", "person", "--seed", "1")
    asked = game.render(game.to_play).splitlines()[-1]
    assert shown.count(asked) >= 1 and f"{str(game.to_play).capitalize()}> Good-bye." in shown


def test_sixty_supports_do_not_scroll_the_question_away() -> None:
    around = {"GERMANY": [f"A {place}" for place in CROWD.split()]}
    position = {"phase": "F1901M", "units": units_of({"FRANCE": ["A BUR"]} | around)}
    game = Game.from_position(position)
    choices = terminal.choices(game)
    rows = [(choice.row, choice.cell) for choice in choices]
    shown = number_names([choice.name for choice in choices], rows).splitlines()
    assert sum(choice.row.startswith("support") for choice in choices) >= 30
    assert max(map(len, shown)) <= 100 and len(shown) <= 22


@pytest.mark.parametrize("seed", range(2))
def test_an_order_is_understood_as_it_is_shown_and_in_other_words(seed: int) -> None:
    game = Game(ruleset_with(max_year=1903), seed)
    while not game.is_over:
        for choice in terminal.choices(game):
            name = game.spec.actions.names[choice.action]
            unit = game.asked_unit
            texts = [choice.name, choice.name.lower()]
            texts += [choice.name.removeprefix(f"{unit} ")] if unit else []
            assert {terminal.meant(game, text) for text in texts} == {name}
        play_on(game, seed, 1)
    other = Game(seed=0)
    assert other.asked_unit == "A BUD"
    for text in ("a bud s a vie - gal", "BUD supports Austrian army Vienna to Galicia", "S VIE-GAL"):
        assert terminal.meant(other, text) == "* S VIE - GAL"
    for text in ("A BUD\N{EN DASH}SER", "bud -> serbia", "- Ser", "A BUD ~ SER"):
        assert terminal.meant(other, text)[-3:] == "SER"


NOT_ASKED = {
    "A VIE - GAL": "Austria is asked for A BUD; A VIE comes later",
    "f tri holds": "Austria is asked for A BUD; F TRI comes later",
    "A MUN H": "A MUN is GERMANY's",
    "A GAL H": "AUSTRIA has no unit in GAL",
    "F BUD H": "the unit in BUD is A BUD",
    "A BUD - SERB": "no place 'SERB'; did you mean 'SER'",
    "Build A VIE": "a build is no order of movement",
    "WAIVE": "'WAIVE' is not legal for A BUD in S1901M: now the game asks for an order for A BUD",
    "A BUD S A GAL": "no army stands in GAL",
    "permit France LON-PIC": "permissions come behind the orders: Austria is asked for A BUD",
    "hello": "no place 'HELLO'",
}


@pytest.mark.parametrize("text", NOT_ASKED)
def test_a_line_that_is_no_answer_is_refused_with_what_is_asked(text: str, played) -> None:
    lines = [text, "A BUD H", "A BUD - SER", "quit"]
    shown = played(lines, *AT, "--side", "austria", "--opponent", "hold", "--seed", "3")
    assert NOT_ASKED[text] in shown and "unknown action" not in shown
    assert "Austria is asked for F TRI; A BUD has its order already" in shown


def test_a_retreat_a_winter_and_a_permission_are_typed_in_any_words() -> None:
    lost = {"power": "AUSTRIA", "type": "A", "loc": "VIE", "from": "GAL"}
    units = units_of({"RUSSIA": ["A VIE"], "AUSTRIA": ["A BUD"]})
    game = Game.from_position({"phase": "S1901R", "units": units, "dislodged": [lost]})
    for text in ("A VIE - BOH", "vie to bohemia", "R BOH", "Retreat A VIE - BOH", "- boh"):
        assert terminal.meant(game, text) == "* R BOH"
    with pytest.raises(ValueError, match="AUSTRIA has no dislodged unit in BUD"):
        terminal.meant(game, "A BUD - SER")
    position = {"phase": "W1901A", "units": [], "centres": {"RUSSIA": ["STP", "MOS"]}}
    game = Game.from_position(position)
    for text in ("Build F STP(SC)", "fleet St. Petersburg south coast builds", "F STP/SC B"):
        assert terminal.meant(game, text) == "F STP/SC B"
    with pytest.raises(ValueError, match="which coast: STP/NC or STP/SC"):
        terminal.meant(game, "build f stp")
    tunnels = [read_tunnel("RUSSIA LON-PIC hidden +FRANCE")]
    game = Game.from_position({"phase": "S1901M", "units": [], "tunnels": tunnels})
    assert terminal.meant(game, "withdraw France: Pic - Lon") == "PERMIT 0 FRANCE"
    assert terminal.meant(game, "permit Italy to use LON-PIC") == "PERMIT 0 ITALY"
    assert terminal.meant(game, "done") == "PERMIT DONE"
    for text, why in {
        "permit France LON-PIC": "FRANCE is permitted already",
        "permit France LON-WAL": "RUSSIA has no tunnel LON-WAL",
        "permit Spain LON-PIC": "it names one power and a tunnel",
        "A MOS H": "Russia is asked for changes of permissions",
    }.items():
        with pytest.raises(ValueError, match=why):
            terminal.meant(game, text)


def test_the_goal_of_another_powers_fleet_is_not_told_by_a_support_without_a_coast() -> None:
    """What others write in the running phase is hidden: the coast has to be named."""
    units = units_of({"AUSTRIA": ["F MAO"], "FRANCE": ["A MAR"]})
    game = Game.from_position({"phase": "F1901M", "units": units}).play("* - SPA/NC")
    with pytest.raises(ValueError, match="which coast"):
        terminal.meant(game, "A MAR S F MAO - SPA")
    own = units_of({"FRANCE": ["F MAO", "A MAR"]})
    game = Game.from_position({"phase": "F1901M", "units": own}).play("* - SPA/NC")
    assert terminal.meant(game, "A MAR S F MAO - SPA") == "* S MAO - SPA/NC"


def test_words_at_the_prompt(tmp_path: Path, played) -> None:
    position, record = tmp_path / "position.yaml", tmp_path / "games.jsonl"
    lines = [
        *("why - MUN", "A VIE - GAL", "a bre - ", "f bre - ", "legend", "- MAO", "undo"),
        *("f bre - mao", "board", f"save {position}", f"record {record}", "undo", "undo", "quit"),
    ]
    shown = played(lines, *AT, "--side", "france", "--opponent", "hold", "--seed", "3")
    for words in (
        "'* - MUN' is not legal for F BRE in S1901M: ",
        "A VIE is AUSTRIA's",
        "'f bre -' fits 4 actions",
        "BUR Burgundy",
        "written by FRANCE: F BRE - MAO",
        "Nothing to take back",
        "Good-bye.",
    ):
        assert words in shown, words
    saved = yaml.safe_load(position.read_text())
    assert Game.from_position(saved).to_position() == saved == Game(seed=0).to_position()
    out = tmp_path / "map.svg"
    assert main(["draw", str(position), str(out), "--viewer", "france"]) == 0
    assert out.read_text() == Game(seed=0).to_svg("france")
    assert record.read_text().count("\n") == 1


# --- secrecy --------------------------------------------------------------------------------------


def test_a_hidden_tunnel_changes_nothing_that_another_power_is_shown(monkeypatch, capsys) -> None:
    lines = ["board", "legend", "why ~ LON", "A PAR H", "H", "H", "H", "board", *["H"] * 9]
    hidden = ["ENGLAND LON-PIC hidden", "GERMANY MUN-PAR hidden +RUSSIA"]
    game, with_tunnels = transcript(hidden, lines, monkeypatch, capsys)
    _, without = transcript([], lines, monkeypatch, capsys)
    assert len(write_position(game.states, 0)["tunnels"]) == 2
    assert with_tunnels == without and "Report of F1901M" in without
    _, known = transcript(["FRANCE PAR-BEL hidden"], lines, monkeypatch, capsys)
    assert known != without and "FRANCE 0 BEL-PAR hidden" in known


def test_a_way_out_by_a_hidden_tunnel_is_not_told(monkeypatch, capsys) -> None:
    """England's army may retreat by its tunnel in one of the games; there and here it ends disbanded."""
    taken = {"FRANCE": ["A PAR", "A BUR", "A BEL", "A BRE"], "ENGLAND": ["A PIC"]}
    monkeypatch.setitem(UNITS, "GERMANY", ["A LVP"])
    monkeypatch.setitem(UNITS, "RUSSIA", ["A MOS"])
    assert set(taken["FRANCE"]) == set(UNITS["FRANCE"])
    orders = {"BEL": "H", "BRE": "H", "BUR": "S PAR - PIC", "PAR": "- PIC"}
    lines = [orders[place] for place in sorted(orders)]
    shown = []
    for tunnels in (["ENGLAND LON-PIC hidden"], []):
        game, text = transcript(tunnels, lines, monkeypatch, capsys)
        assert "A PIC" not in by_power(game.to_position()["units"]).get("ENGLAND", [])
        shown.append(text)
    assert shown[0] == shown[1]
    assert "A PIC H (dislodged)" in shown[0] and "A PIC D (disbanded)" in shown[0]


def test_a_position_for_a_power_has_what_it_knows() -> None:
    hidden = ["ENGLAND LON-PIC hidden +FRANCE +RUSSIA", "GERMANY MUN-MAR open", "TURKEY CON-GRE hidden"]
    position = {
        "phase": "F1901M",
        "units": units_of({"ENGLAND": ["A LON"], "FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}),
        "tunnels": [read_tunnel(line) for line in hidden],
        "built": {"GERMANY": 3},
    }
    game = Game.from_position(position)
    told = game.to_position("france")
    assert [(t["owner"], t["ends"], t["permits"], t["told"]) for t in told["tunnels"]] == [
        ("ENGLAND", ["LON", "PIC"], ["FRANCE"], ["FRANCE"]),
        ("GERMANY", ["MAR", "MUN"], [], []),
    ]
    assert told["built"] == {"ENGLAND": 1, "GERMANY": 3}
    assert game.to_position("turkey")["built"] == {"GERMANY": 3, "TURKEY": 1}
    everything = game.to_position()
    assert len(everything["tunnels"]) == 3 and everything["ruleset"] == "eurotunnel"
    assert told == Game.from_position(told).to_position()
    with pytest.raises(ValueError, match="seat 'spain'"):
        game.to_position("spain")


def test_nobody_sits_at_an_absent_power(tmp_path: Path, played, capsys) -> None:
    path = tmp_path / "six.yaml"
    path.write_text("base: eurotunnel\nabsent: [AUSTRIA]\nmax_year: 1901\n")
    assert main(["play", "--ruleset", str(path), "--side", "austria"]) == 2
    assert "side 'austria': allowed: england, france" in capsys.readouterr().err
    assert "england is asked for an order" in played([], "--ruleset", str(path), "--opponent", "hold")
