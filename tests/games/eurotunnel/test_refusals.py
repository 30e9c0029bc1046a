"""Every illegal action has a reason in words, and no legal one has."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.engine import refusals as r
from channel_tunnel_env.games.eurotunnel.game import Game

from .arena import random_boards, ruleset_with
from .kernels import find_refusals
from .table import read_tunnel, units_of

SWITCHES = (
    {},
    {"rulebook": "datc"},
    {"tunnels": False, "draw_vote": True},
    {"tunnels_per_power": 2, "tunnels_per_turn": 2, "tunnels_per_province": 1, "draw_vote": True},
    {"permissions": False, "absent": ["ITALY"]},
)
REASONS = r.TOO_FEW_LEFT + 1


def _refusals(game: Game) -> np.ndarray:
    found = np.zeros(c.NUM_ACTIONS, np.int8)
    find_refusals(game.states, 0, game.tables, found)
    return found


def test_every_illegal_action_of_random_games_has_a_reason() -> None:
    """The reasons are those by which the rules list what is legal: they say no where the mask says no."""
    seen = np.zeros(REASONS, np.int64)
    for seed in range(2 * len(SWITCHES)):
        rules = ruleset_with(max_year=1905, **SWITCHES[seed % len(SWITCHES)])
        game, rng = Game(rules, seed), np.random.default_rng(seed)
        while not game.is_over:
            found = _refusals(game)
            assert np.array_equal(found == r.LEGAL, game.mask != 0), game
            seen += np.bincount(found, minlength=REASONS)
            ids = game.legal_ids()
            lively = [i for i in ids if 0 < i < c.FIRST_SUPPORT_HOLD] or ids
            game.play(int(rng.choice(lively if rng.random() < 0.7 else ids)))
    # Too rare in such games: all about retreats, and guests that are out of the game.
    assert set(np.flatnonzero(seen == 0)) <= {r.POWER_OUT, r.ATTACKER, r.CONTESTED, r.UNUSABLE_TUNNEL}


def test_every_illegal_retreat_has_a_reason() -> None:
    seen, found, asked = np.zeros(REASONS, np.int64), np.zeros(c.NUM_ACTIONS, np.int8), 0
    for arena in random_boards(1500, seed=21):
        arena.end_phase()
        if arena.state.phase == c.RETREATS:
            asked += kernels.ask_in_game(arena.states, 0, arena.tables)
            find_refusals(arena.states, 0, arena.tables, found)
            assert np.flatnonzero(found == r.LEGAL).tolist() == arena.legal()
            seen += np.bincount(found, minlength=REASONS)
    assert asked > 300
    assert all(seen[[r.OCCUPIED, r.ATTACKER, r.CONTESTED, r.UNUSABLE_TUNNEL, r.NOT_NOW]])


def test_a_power_that_is_out_is_no_guest() -> None:
    game = Game.from_position(POSITION | {"eliminated": ["ITALY"]}, ruleset_with(auto_forced=False))
    while game.question != "changes of permissions":
        game.play("* H")
    assert "that power is out of the game" in game.explain("PERMIT 0 ITALY")
    assert "the owner needs no permission" in game.explain("PERMIT 0 ENGLAND")


@pytest.mark.parametrize("seed", range(3))
def test_a_reason_is_one_line_that_names_action_phase_and_unit(seed: int) -> None:
    game, rng = Game(ruleset_with(max_year=1903), seed), np.random.default_rng(seed)
    while not game.is_over:
        for action in rng.choice(c.NUM_ACTIONS, 3):
            said = game.explain(int(action))
            assert bool(said) != bool(game.mask[action]) and "\n" not in said
            if said:
                assert said.startswith(repr(ACTION_NAMES[action])) and game.phase_name in said
        game.play(int(rng.choice(game.legal_ids())))


POSITION = {
    "phase": "S1901M",
    "units": units_of({"ENGLAND": ["A LON", "F ENG"], "FRANCE": ["A PIC", "F STP/SC"]}),
    "centres": {"ENGLAND": ["LON", "EDI"], "FRANCE": ["PAR", "STP"]},
    "tunnels": [read_tunnel("FRANCE LON-PIC hidden"), read_tunnel("ENGLAND BEL-LON hidden")],
}
WORDS = {
    "* - BUD": "no border that the unit can cross leads there",
    "* - PIC": "",
    "* - NWY": "the fleets at sea make up no convoy that leads there",
    "* - NTH": "an army cannot stand at sea",
    "* - LON": "the unit stands there",
    "* - STP/SC": "an army goes to a province, not to one of its coasts",
    "* - WAL via convoy": "a convoy to a neighbour is not asked for under this rule book",
    "* ~ PIC": "the power knows of no tunnel that joins them",
    "* ~ BEL": "",
    "* ~ BUD": "no tunnel may join these provinces",
    "* BT BEL": "a tunnel of the power joins them already",
    "* S ENG": "the unit could not move there itself",
    "* S LON": "a unit cannot support itself",
    "* S WAL": "no unit stands in that province",
    "* C PIC - WAL": "only a fleet at sea can convoy",
    "* R WAL": "now the game asks for an order for A LON",
    "A LON B": "now the game asks for an order for A LON",
}


@pytest.mark.parametrize("name", WORDS)
def test_the_reason_is_said_in_the_words_of_the_rules(name: str) -> None:
    game = Game.from_position(POSITION, ruleset_with(auto_forced=False))
    while game.asked_unit != "A LON":
        game.play("* H")
    said = game.explain(name)
    assert said == "" if not WORDS[name] else WORDS[name] in said
    assert not said or said.endswith("(england to play, turn 1)")
