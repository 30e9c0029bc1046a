"""A game decision by decision: who is asked what, and that nothing is read before all have answered."""

from __future__ import annotations

import numpy as np
import pytest

from channel_tunnel_env.games.eurotunnel.actions import ACTION_NAMES, action_id
from channel_tunnel_env.games.eurotunnel.board_positions import read_position
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.engine import kernels
from channel_tunnel_env.games.eurotunnel.provinces import load_board

from .arena import Arena, ruleset_with
from .table import read_tunnel, units_of

BOARD = load_board()


def _at(position: dict[str, object], **switches: object) -> Arena:
    """A game at the first question of a position, in which nothing answers itself."""
    arena = Arena(ruleset_with(auto_forced=False, **switches))
    arena.states[:1] = read_position(position, arena.tables)
    kernels.ask_in_game(arena.states, 0, arena.tables)
    return arena


def _names(arena: Arena) -> list[str]:
    return [ACTION_NAMES[action] for action in arena.legal()]


def _asked(arena: Arena) -> str:
    power = BOARD.powers[int(arena.state.to_play)]
    place = int(arena.state.cursor)
    return f"{power} {BOARD.provinces[place]}" if place >= 0 else power


def test_powers_are_asked_in_order_and_units_in_the_order_of_their_provinces() -> None:
    arena = Arena()
    arena.start()
    asked = []
    for _ in range(22):
        asked.append(_asked(arena))
        arena.act(c.ID_HOLD)
    assert asked[:4] == ["AUSTRIA BUD", "AUSTRIA TRI", "AUSTRIA VIE", "ENGLAND EDI"]
    assert asked[-1] == "TURKEY SMY"
    assert (int(arena.state.season), _asked(arena)) == (c.FALL, "AUSTRIA BUD")


def test_an_opening_order_has_the_choices_of_the_rules() -> None:
    arena = Arena()
    arena.start()
    for _ in range(5):
        arena.act(c.ID_HOLD)
    assert _asked(arena) == "ENGLAND LVP"
    wanted = "H|- CLY|- EDI|- WAL|- YOR|BT LON|S EDI|S EDI - CLY|S EDI - YOR|S LON - WAL|S LON - YOR"
    assert _names(arena) == [f"* {name}" for name in wanted.split("|")]


def test_what_others_have_written_changes_no_choice() -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR"], "GERMANY": ["A MUN"]})}
    choices = []
    for order in ("* H", "* - BUR", "* S MUN - BUR"):
        arena = _at(position)
        arena.act(action_id(order))
        choices.append(_names(arena))
    assert choices[0] == choices[1] == choices[2]


def test_nothing_moves_before_the_last_power_has_answered() -> None:
    position = {"phase": "S1901M", "units": units_of({"FRANCE": ["A PAR"], "TURKEY": ["A CON"]})}
    arena = _at(position)
    arena.act(action_id("* - BUR"))
    assert arena.state.unit_power[BOARD.index["PAR"]] == 2
    assert (arena.state.told_order == c.NONE).all()
    arena.act(c.ID_HOLD)
    assert arena.state.unit_power[BOARD.index["BUR"]] == 2
    assert ACTION_NAMES[arena.state.told_order[BOARD.index["PAR"]]] == "* - BUR"


def test_only_one_unit_of_a_power_is_offered_to_build_in_a_phase() -> None:
    units = units_of({"ENGLAND": ["A LON", "A YOR"], "FRANCE": ["A PAR"]})
    arena = _at({"phase": "S1901M", "units": units})
    arena.act(action_id("* BT PIC"))
    assert not any(" BT " in name for name in _names(arena))
    arena.act(c.ID_HOLD)
    assert any(" BT " in name for name in _names(arena))
    arena.act(c.ID_HOLD)
    assert arena.state.built[1] == 1 and arena.state.built[2] == 0
    assert ACTION_NAMES[arena.state.told_order[BOARD.index["LON"]]] == "* H"


def _with_tunnel(**switches: object) -> Arena:
    position = {
        "phase": "S1901M",
        "units": units_of({"ENGLAND": ["A LON"], "FRANCE": ["A PIC"]}),
        "tunnels": [read_tunnel("ENGLAND LON-PIC hidden")],
        "eliminated": ["ITALY"],
    }
    return _at(position, **switches)


def test_an_owner_changes_permissions_until_it_is_done_each_once() -> None:
    arena = _with_tunnel()
    arena.act(c.ID_HOLD)
    offered = [name for name in _names(arena) if name != "PERMIT DONE"]
    assert offered == [f"PERMIT 0 {name}" for name in ("AUSTRIA", "FRANCE", "GERMANY", "RUSSIA", "TURKEY")]
    arena.act(action_id("PERMIT 0 FRANCE"))
    assert _asked(arena) == "ENGLAND" and "PERMIT 0 FRANCE" not in _names(arena)
    arena.act(c.ID_PERMIT_DONE)
    assert _asked(arena) == "FRANCE PIC"
    assert "* ~ LON" not in _names(arena)  # not told yet
    arena.act(c.ID_HOLD)
    arena.act(c.ID_HOLD)
    arena.act(c.ID_PERMIT_DONE)
    assert "* ~ LON" in _names(arena)


def test_armies_that_are_reported_holding_are_counted_for_everybody() -> None:
    """E47: one that builds among them; no fleet and none that moves."""
    units = units_of({"ENGLAND": ["A LON", "A YOR", "F EDI"], "FRANCE": ["A PIC"]})
    arena = _at({"phase": "S1901M", "units": units})
    for order in ("* H", "* BT BEL", "* - LVP", "* H"):
        arena.act(action_id(order))
    held = {(int(power), BOARD.provinces[place]): 1 for power, place in np.argwhere(arena.state.held == 1)}
    assert held == {(1, "LON"): 1, (2, "PIC"): 1} and arena.state.held.sum() == 2


def test_permissions_are_not_asked_for_where_they_are_switched_off() -> None:
    arena = _with_tunnel(permissions=False)
    arena.act(c.ID_HOLD)
    assert _asked(arena) == "FRANCE PIC"


def test_a_draw_needs_every_power_with_units() -> None:
    for votes, ended in ((["VOTE DRAW", "VOTE DRAW"], True), (["VOTE DRAW", "VOTE NO"], False)):
        arena = _with_tunnel(draw_vote=True, permissions=False)
        arena.act(action_id("* ~ PIC"))
        arena.act(action_id(votes[0]))
        arena.act(c.ID_HOLD)
        arena.act(action_id(votes[1]))
        assert (arena.state.end_cause == c.DRAW_VOTE) == ended
        if ended:  # the orders are not read
            assert arena.state.share.tolist() == [0, 0.5, 0.5, 0, 0, 0, 0]
            assert arena.state.tunnel_state[1, 0] == c.HIDDEN


def test_builds_are_chosen_in_ascending_order_until_waived() -> None:
    position = {
        "phase": "W1901A",
        "units": units_of({"RUSSIA": ["A UKR"]}),
        "centres": {"RUSSIA": ["MOS", "STP", "SEV", "WAR"]},
    }
    arena = _at(position)
    assert len(_names(arena)) == 4 + 3 + 1
    arena.act(action_id("A STP B"))
    assert _names(arena) == ["A WAR B", "F SEV B", "WAIVE"]
    arena.act(action_id("F SEV B"))
    assert _names(arena) == ["WAIVE"]
    arena.act(c.ID_WAIVE)
    assert int(arena.state.phase) == c.MOVEMENT
    assert sum(arena.state.unit_power == 5) == 3


def test_removals_always_leave_enough_to_choose_from() -> None:
    position = {
        "phase": "W1901A",
        "units": units_of({"ITALY": ["A APU", "A NAP", "A ROM"]}),
        "centres": {"ITALY": ["ROM"]},
    }
    arena = _at(position)
    assert _names(arena) == ["APU D", "NAP D"]
    arena.act(action_id("NAP D"))
    assert _names(arena) == ["ROM D"]
    arena.act(action_id("ROM D"))
    assert arena.state.unit_power[BOARD.index["APU"]] == 4
    assert sum(arena.state.unit_power >= 0) == 1


@pytest.mark.parametrize(("centres", "ended"), [(17, False), (18, True)])
def test_eighteen_centres_win_at_the_end_of_a_fall(centres: int, ended: bool) -> None:
    owned = [BOARD.provinces[place] for place in BOARD.centres if BOARD.provinces[place] != "PAR"]
    units = {"FRANCE": ["A PAR"], "ITALY": ["A APU"]}
    position = {
        "phase": "F1901M",
        "units": units_of(units),
        "centres": {"FRANCE": owned[: centres - 1], "ITALY": owned[20:21]},
    }
    arena = _at(position)
    arena.act(c.ID_HOLD)
    arena.act(c.ID_HOLD)
    assert (arena.state.end_cause == c.SOLO) == ended
    assert arena.state.winner == (2 if ended else c.NOBODY)
    assert arena.state.share[2] == (1.0 if ended else 0.0)


LIMITS = {"sos": [0, 0.1, 0.9], "dss": [0, 0.5, 0.5], "centres": [0, 0.25, 0.75], "pieces": [0, 0.5, 0.5]}


@pytest.mark.parametrize("score", LIMITS)
def test_the_last_year_is_scored_as_the_ruleset_says(score: str) -> None:
    position = {
        "phase": "F1903M",
        "units": units_of({"ENGLAND": ["A WAL"], "FRANCE": ["A GAS"]}),
        "centres": {"ENGLAND": ["LON"], "FRANCE": ["PAR", "BRE", "MAR"]},
    }
    arena = _at(position, max_year=1903, limit_score=score)
    arena.act(c.ID_HOLD)
    arena.act(c.ID_HOLD)
    assert arena.state.end_cause == c.MAX_YEAR
    assert arena.state.share[:3].tolist() == pytest.approx(LIMITS[score])


def test_an_absent_power_is_never_asked_and_loses_what_is_farthest() -> None:
    position = {
        "phase": "F1901M",
        "units": units_of({"ITALY": ["A ROM", "A BUR"], "FRANCE": ["A PAR"]}),
        "centres": {"ITALY": ["ROM"], "FRANCE": ["PAR"]},
    }
    arena = _at(position, absent=["ITALY"])
    assert _asked(arena) == "FRANCE PAR"
    arena.act(c.ID_HOLD)
    assert _asked(arena) == "FRANCE PAR"
    assert arena.state.unit_power[BOARD.index["BUR"]] == c.NOBODY
    assert arena.state.unit_power[BOARD.index["ROM"]] == 4


@pytest.mark.parametrize("forced", [True, False])
def test_a_decision_with_one_answer_answers_itself_where_the_ruleset_says(forced: bool) -> None:
    position = {
        "phase": "W1901A",
        "units": units_of({"RUSSIA": ["A MOS", "A WAR"]}),
        "centres": {"RUSSIA": ["MOS", "SEV", "STP", "WAR"]},
    }
    arena = _at(position)
    arena.tables = Arena(ruleset_with(auto_forced=forced)).tables
    arena.act(action_id("F STP/SC B"))  # no id stands behind it but to waive the second build
    assert (int(arena.state.phase) == c.MOVEMENT) == forced
    assert forced or _names(arena) == ["WAIVE"]
