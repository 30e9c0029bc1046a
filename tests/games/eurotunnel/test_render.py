"""The board as text: everything that stands, and for a viewer nothing that it does not know."""

from __future__ import annotations

import pytest

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.random_games import play_on

from .arena import ruleset_with
from .table import read_tunnel, units_of

BOARD = load_board()
START = """\
Eurotunnel Diplomacy: Spring 1901, movement

AUSTRIA   3 centres: BUD TRI VIE
          3 units:   A BUD, F TRI, A VIE"""
POSITION = {
    "phase": "S1901M",
    "units": units_of({"ENGLAND": ["A LON"], "FRANCE": ["A PAR"], "GERMANY": ["A MUN"]}),
    "centres": {"ENGLAND": ["LON"], "FRANCE": ["PAR"], "GERMANY": ["MUN"]},
    "tunnels": [
        read_tunnel("ENGLAND LON-PIC hidden +FRANCE +RUSSIA"),
        read_tunnel("GERMANY MUN-MAR open"),
        read_tunnel("FRANCE BEL-LON hidden"),
    ],
}


def test_a_game_begins_with_the_powers_and_a_question() -> None:
    text = Game(seed=3).render()
    assert text.startswith(START)
    assert "nobody   12 centres: " in text
    assert text.endswith("austria is asked for an order for A BUD")


@pytest.mark.parametrize("seed", range(2))
def test_everything_on_the_board_is_shown_at_every_decision(seed: int) -> None:
    game = Game(ruleset_with(max_year=1901), seed)
    while not game.is_over:
        play_on(game, seed, 1)
        lines = game.render().split("\n\n")[1].splitlines()
        text = " ".join(lines)
        units = [
            f"{c.UNIT_LETTERS[int(game.state.unit_type[place])]} {BOARD.locations[int(game.state.unit_location[place])]}"
            for place in range(c.NUM_PROVINCES)
            if game.state.unit_power[place] >= 0
        ]
        assert all(unit in text for unit in units)
        shown = [word for line in lines if "centres:" in line for word in line.split(": ")[1].split()]
        assert sorted(name for name in shown if name != "-") == sorted(
            BOARD.provinces[place] for place in BOARD.centres
        )
    assert "The game is over (max_year); shares: " in game.render()


def test_a_viewer_sees_the_tunnels_it_knows_and_its_own_answers() -> None:
    game = Game.from_position(POSITION, ruleset_with(auto_forced=False))
    game.play("* H").play("PERMIT 0 GERMANY").play("PERMIT DONE").play("* H")
    everything, england = game.render(), game.render("england")
    for line in (
        "  ENGLAND 0 LON-PIC hidden, permitted to FRANCE, RUSSIA",
        "  FRANCE 0 BEL-LON hidden",
        "  GERMANY 0 MAR-MUN open",
        "written by ENGLAND: A LON H; tunnel 0 permitted to GERMANY",
        "written by FRANCE: A PAR H",
    ):
        assert line in everything
    assert "FRANCE 0" not in england and "written by FRANCE" not in england
    assert "  GERMANY MAR-MUN open" in england and "england waits for others" in england
    france = game.render("france")
    assert "  ENGLAND LON-PIC hidden, permitted\n" in france and "RUSSIA," not in france
    assert "tunnel 0" not in france and "france is asked for changes of permissions" in france
    assert "LON-PIC" not in game.render("germany")
