"""Positions: what play cannot go on from is refused with the reason, and what is written reads back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from channel_tunnel_env.errors import PositionError, StateError
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.random_games import play_on

from .arena import ruleset_with
from .table import read_tunnel, units_of

LOST = {"power": "FRANCE", "type": "A", "loc": "PAR", "from": "BUR"}
RETREAT: dict[str, Any] = {
    "phase": "S1901R",
    "units": units_of({"GERMANY": ["A PAR"], "FRANCE": ["A MAR", "F ENG"]}),
    "dislodged": [LOST],
    "centres": {"FRANCE": ["MAR", "BRE"], "GERMANY": ["MUN"]},
}
MOVEMENT: dict[str, Any] = {
    "phase": "F1901M",
    "units": units_of({"FRANCE": ["A MAR"], "ENGLAND": ["A LON"]}),
    "tunnels": [read_tunnel("ENGLAND LON-PIC hidden")],
    "centres": {"FRANCE": ["MAR"], "ENGLAND": ["LON"]},
}


def _lost(**change: Any) -> dict[str, Any]:
    return RETREAT | {"dislodged": [LOST | change]}


def _units(*units: tuple[str, str, str], **more: Any) -> dict[str, Any]:
    named = [dict(zip(("power", "type", "loc"), unit, strict=True)) for unit in units]
    return {"phase": "S1901M", "units": named} | more


def _tunnel(**change: Any) -> dict[str, Any]:
    return MOVEMENT | {"tunnels": [read_tunnel("ENGLAND LON-PIC hidden") | change]}


IMPOSSIBLE: dict[str, tuple[dict[str, Any], str]] = {
    "a winter's letter behind a spring": (_units(phase="S1901A"), "phase: 'S1901A'"),
    "an army at sea": (_units(("FRANCE", "A", "ADR")), "units: A ADR: no army"),
    "a fleet on no coast of two": (_units(("FRANCE", "F", "STP")), "units: F STP: no fleet"),
    "two in one province": (_units(("FRANCE", "A", "PAR"), ("ITALY", "A", "PAR")), "units: two in PAR"),
    "a power of another game": (_units(("SPAIN", "A", "PAR")), "units.0.power"),
    "an owner of no centre": (_units(centres={"ITALY": ["BUR"]}), "centres.ITALY: BUR is no supply"),
    "a centre of two": (_units(centres={"ITALY": ["PAR"], "FRANCE": ["PAR"]}), "centres: PAR has two"),
    "a tunnel between neighbours": (_units(tunnels=[read_tunnel("FRANCE LON-WAL hidden")]), "no legal tunnel joins"),
    "a tunnel twice": (
        _units(tunnels=[read_tunnel(f"FRANCE {ends} hidden") for ends in ("LON-PIC", "PIC-LON")]),
        "one standing tunnel",
    ),
    "a tunnel that was not built": (_tunnel(owner="FRANCE") | {"built": {"FRANCE": 0}}, "0 built"),
    "an unknown key": (_units(colour="red"), "colour"),
    "the last year has no winter": (
        {"phase": "W1920A", "units": [], "centres": {"FRANCE": ["PAR"]}},
        "the last has no winter",
    ),
    "no year before the first": (MOVEMENT | {"phase": "S1900M"}, "years run from 1901"),
    "full-width digits": (MOVEMENT | {"phase": "F\N{FULLWIDTH DIGIT ONE}901M"}, "phase: "),
    "digits of another script": (MOVEMENT | {"phase": "F190\N{ARABIC-INDIC DIGIT ONE}M"}, "phase: "),
    "no attacker": (
        RETREAT | {"units": units_of({"GERMANY": ["A BUR"]})},
        "no unit of another power stands there",
    ),
    "dislodged by its own power": (
        RETREAT | {"units": units_of({"FRANCE": ["A PAR"]})},
        "no unit of another power stands there",
    ),
    "an attacker from Ankara": (_lost(**{"from": "ANK"}), "cannot have come from ANK"),
    "an attacker from where it stands": (_lost(**{"from": "PAR"}), "cannot have come from PAR"),
    "two dislodged from one province": (
        RETREAT | {"dislodged": [LOST, LOST | {"power": "ITALY"}]},
        "two were dislodged from there",
    ),
    "dislodged while units move": (RETREAT | {"phase": "S1901M"}, "waits for a retreat in S1901M"),
    "nobody dislodged in retreats": (RETREAT | {"dislodged": []}, "no unit is dislodged"),
    "a stand-off where a unit is": (RETREAT | {"contested": ["MAR"]}, "contested: MAR"),
    "a stand-off in movement": (MOVEMENT | {"contested": ["BUR"]}, "contested: BUR"),
    "out, with a dislodged unit": (
        RETREAT | {"units": units_of({"GERMANY": ["A PAR"]}), "centres": {}}
        | {"eliminated": ["FRANCE"]},
        "eliminated: FRANCE has dislodged units",
    ),
    "out, with a centre": (
        MOVEMENT | {"centres": {"ITALY": ["ROM"]}, "eliminated": ["ITALY"]},
        "eliminated: ITALY has centres",
    ),
    "out, with a tunnel": (
        _tunnel(owner="ITALY") | {"eliminated": ["ITALY"]},
        "eliminated: ITALY has tunnels",
    ),
    "its own guest": (_tunnel(permits=["ENGLAND"]), "the owner needs no permission"),
    "told of its own": (_tunnel(told=["ENGLAND"]), "the owner needs no permission"),
}  # fmt: skip


@pytest.mark.parametrize("what", IMPOSSIBLE)
def test_what_play_cannot_reach_is_refused_by_a_game_and_by_adjudicate(what: str) -> None:
    position, words = IMPOSSIBLE[what]
    for read in (Game.from_position, lambda given: adjudicate(given, {})):
        with pytest.raises(PositionError, match=words) as refused:
            read(position)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("position", [None, 3, [], "S1901M", [("phase", "S1901M")]])
def test_what_is_no_position_at_all_is_refused(position: Any) -> None:
    for read in (Game.from_position, lambda given: adjudicate(given, {})):
        with pytest.raises(PositionError, match="position"):
            read(position)


def test_nobody_is_permitted_or_told_where_there_are_no_permissions() -> None:
    """E38."""
    rules = ruleset_with(permissions=False)
    for change in ({"permits": ["FRANCE"]}, {"told": ["FRANCE"]}):
        with pytest.raises(PositionError, match="the ruleset has no permissions"):
            Game.from_position(_tunnel(**change), rules)
        with pytest.raises(PositionError, match="the ruleset has no permissions"):
            adjudicate(_tunnel(**change), {}, ruleset=rules)
    assert Game.from_position(MOVEMENT, rules).to_position()["tunnels"]


@pytest.mark.parametrize(
    ("attacker", "lost", "origin", "more"),
    [
        ("A PAR", "A PAR", "BUR", {}),
        ("A BEL", "A BEL", "LON", {"units": ["F ENG"]}),  # by the fleet that convoyed it
        ("A PIC", "A PIC", "LON", {"tunnels": [read_tunnel("GERMANY LON-PIC open")]}),
        ("F SPA/SC", "A SPA", "LYO", {}),
        ("F BUL/EC", "A BUL", "RUM", {}),
        ("A PAR", "A PAR", None, {}),
    ],
)
def test_an_attacker_comes_by_land_by_convoy_or_by_tunnel(
    attacker: str, lost: str, origin: str | None, more: dict[str, Any]
) -> None:
    units = units_of({"GERMANY": [attacker], "ENGLAND": more.get("units", [])})
    letter, place = lost.split()
    unit = {"power": "FRANCE", "type": letter, "loc": place, "from": origin}
    position = {"phase": "F1901R", "units": units, "dislodged": [unit]}
    position |= {"tunnels": more.get("tunnels", []), "centres": {"GERMANY": ["MUN"]}}
    game = Game.from_position(position)
    assert game.phase == "retreats" and game.to_position()["dislodged"] == [unit]
    for other in ("ANK", "NWG"):
        with pytest.raises(PositionError, match=f"cannot have come from {other}"):
            Game.from_position(position | {"dislodged": [unit | {"from": other}]})


ENDS = {"solo": {"victory_centres": 5}, "max_year": {"max_year": 1902}, "draw_vote": {"draw_vote": True}}


@pytest.mark.parametrize("cause", ENDS)
def test_a_finished_game_reads_back(cause: str) -> None:
    rules = ruleset_with(**ENDS[cause])
    game = Game(rules, 1)
    while cause == "draw_vote" and not game.is_over:
        vote = "VOTE DRAW" in game.legal_actions()
        game.play("VOTE DRAW" if vote else game.legal_ids()[0])
    play_on(game, 1)
    assert game.end_cause == cause
    position = game.to_position()
    assert position["phase"] == "COMPLETED" and position["ended"]["cause"] == cause
    again = Game.from_position(position)
    assert again.is_over and again.to_position() == position
    assert (again.end_cause, again.winner) == (game.end_cause, game.winner)
    assert again.result() == game.result() and again.scores() == game.scores()
    assert again.record()["actions"] == []
    with pytest.raises(PositionError, match="the game is over"):
        adjudicate(position, {}, ruleset=rules)


def test_an_end_that_cannot_be_is_refused() -> None:
    board = {"units": units_of({"FRANCE": ["A PAR"]}), "centres": {"FRANCE": ["PAR"]}}
    position = {"phase": "COMPLETED"} | board
    for change, words in (
        ({}, "ended: missing"),
        ({"ended": {"turn": "F1920", "cause": "solo"}}, "no game of this ruleset ends so"),
        ({"ended": {"turn": "F1919", "cause": "max_year"}}, "no game of this ruleset ends so"),
        ({"ended": {"turn": "S1920", "cause": "max_year"}}, "no game of this ruleset ends so"),
        ({"ended": {"turn": "S1905", "cause": "draw_vote"}}, "no game of this ruleset ends so"),
        ({"ended": {"turn": "F1921", "cause": "max_year"}}, "years run from 1901 to 1920"),
        ({"ended": {"turn": "W1920", "cause": "max_year"}}, "ended.turn: 'W1920'"),
        ({"ended": {"turn": "F1920", "cause": "boredom"}}, "ended.cause"),
        ({"phase": "S1901M", "ended": {"turn": "F1920", "cause": "solo"}}, "it is COMPLETED"),
        ({"ended": {"turn": "F1920", "cause": "max_year"}, "centres": {}}, "ends so in F1920"),
    ):
        with pytest.raises(PositionError, match=words):
            Game.from_position(position | change)
    good = position | {"ended": {"turn": "F1920", "cause": "max_year"}}
    assert Game.from_position(good).result()[2] == 1.0


@pytest.mark.parametrize("seed", range(3))
def test_a_game_goes_on_the_same_from_each_of_its_positions(seed: int) -> None:
    game = Game(ruleset_with(max_year=1903), seed)
    shown = 0
    while not game.is_over:
        key = game.phase_key
        again = Game.from_position(game.to_position(), game.ruleset)
        assert again.to_position() == game.to_position()
        while not game.is_over and game.phase_key == key:
            play_on(game, seed + len(game.actions), 1)
        shown += 1
    assert shown >= 6


def test_a_state_in_winter_raises_and_removes_what_its_board_says() -> None:
    rng, game = np.random.default_rng(2), Game("eurotunnel", seed=1)
    while game.phase != "adjustments":
        game.play(int(rng.choice(game.legal_ids())))
    assert Game.from_states(game.states, game.ruleset).legal_actions() == game.legal_actions()
    for change in (1, -1):
        other = game.states.copy()
        other["quota"][0, game.mover] += change
        with pytest.raises(StateError, match="in winter what is left to raise or remove follows"):
            Game.from_states(other, game.ruleset)
