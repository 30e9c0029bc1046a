"""Eurotunnel's scripted players: what each does, legality, and that no choice depends on a secret."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents import AgentName, evaluate, make_agent
from channel_tunnel_agents.base import AnyAgent, choose_action, choose_actions
from channel_tunnel_agents.games.carcassonne import players as carcassonne
from channel_tunnel_agents.games.eurotunnel import players as eurotunnel
from channel_tunnel_agents.matches.arena import by_seat, play_out
from channel_tunnel_env import BatchGame, VersionError, load_ruleset
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from tests.games.eurotunnel.arena import change_secrets, ruleset_with
from tests.games.eurotunnel.table import read_tunnel, units_of
from tests.games.eurotunnel.test_secrecy import OWNER, Twin
from tests.interpreted import interpreted

NAMES = eurotunnel.NAMES
SETTINGS: list[dict[str, Any]] = [
    {},
    {"tunnels": False, "rulebook": "datc"},
    {"draw_vote": True, "absent": ["ITALY"], "tunnels_per_turn": 4},
    {"auto_forced": False, "permissions": False},
]


def agent_of(name: str, seed: int = 0) -> AnyAgent:
    return make_agent(name, load_ruleset("eurotunnel"), seed)


def standing(units: dict[str, list[str]], **more: Any) -> Game:
    """A movement phase of the first power that has units."""
    position = {"phase": "S1902M", "units": units_of(units), **more}
    return Game.from_position(position, ruleset_with(auto_forced=False))


def orders_of(name: str, game: Game, seed: int = 0) -> dict[str, str]:
    """What a player orders the units of the power asked, by unit."""
    agent, game, power, orders = agent_of(name, seed), game.clone(), game.to_play, {}
    turn = int(game.state.turn)
    while game.to_play == power and (game.state.turn, game.phase) == (turn, "movement"):
        if not game.asked_unit:
            break
        unit, action = game.asked_unit, choose_action(agent, game)
        orders[unit] = str(game.spec.actions.names[action]).removeprefix("* ")
        game.play(action)
    return orders


# --- what each does -----------------------------------------------------------------------------------


def test_hold_changes_nothing_that_it_need_not() -> None:
    batch = BatchGame(1, ruleset_with(max_year=1903), seed=1, observe=False)
    play_out(batch, by_seat(batch, *[agent_of("hold")] * 7))
    start = Game("eurotunnel").states
    assert (batch.records["unit_power"] == start["unit_power"]).all()
    assert batch.scores()[0, :, -1].tolist() == [3, 3, 3, 3, 3, 4, 3]


@pytest.mark.parametrize("rulebook", ["1971", "datc"])
def test_hold_loses_the_units_that_a_power_in_civil_disorder_loses(rulebook: str) -> None:
    """Whoever plays for a power that was left loses what the rules take from it (8.4)."""
    position = {
        "phase": "F1902M",
        "units": units_of({"FRANCE": ["A BUR", "A PIE", "A SYR", "F ENG", "F LYO"], "ENGLAND": ["F NTH"]}),
        "centres": {"FRANCE": ["PAR", "MUN"], "ENGLAND": ["LON"]},
    }
    left = [
        units_after_the_year(Game.from_position(position, ruleset_with(rulebook=rulebook, **more)))
        for more in ({}, {"absent": ["FRANCE"]}, {"auto_forced": False})
    ]
    assert left[0] == left[1] == left[2]
    assert "A SYR" not in left[0] and len(left[0]) == 3


def units_after_the_year(game: Game) -> set[str]:
    """What stands after the winter, if everybody holds."""
    year = int(game.states["year"][0])
    while int(game.states["year"][0]) == year:
        game.play(choose_action(agent_of("hold"), game))
    units = game.to_position()["units"]
    return {f"{unit['type']} {unit['loc']}" for unit in units}


def test_hold_has_no_say_about_a_draw_like_an_absent_power() -> None:
    """Else nobody could agree to a draw any more when one person has left (8.3)."""
    game = Game(ruleset_with(draw_vote=True))
    while game.to_play == "austria":
        game.play(choose_action(agent_of("hold"), game))
    assert game.to_play == "england" and int(game.state.votes) == 1


def test_lively_moves_often_and_helps_only_its_own_moves() -> None:
    batch = BatchGame(60, "eurotunnel", seed=3, observe=False)
    agent, counted = agent_of("lively"), {"moves": 0, "helps": 0}
    while (batch.states["turn"] == 1).any():
        rows = np.flatnonzero(batch.states["turn"] == 1)
        chosen = np.full(60, -1)
        chosen[rows] = choose_actions(agent, batch, rows)
        for row in rows:
            state, rules = batch.states[row], batch.tables[0]
            kind = rules["action_kind"][chosen[row]]
            counted["moves"] += int(kind in (c.MOVE, c.TUNNEL))
            if kind == c.SUPPORT_MOVE:
                helped = rules["action_src"][chosen[row]]
                counted["helps"] += int(state["unit_power"][helped] == state["to_play"])
        batch.step(chosen)
    orders = 60 * 22
    assert 0.5 < counted["moves"] / orders < 0.8
    assert counted["helps"] > 20


def test_greedy_takes_the_shortest_way_and_two_units_do_not_want_the_same_centre() -> None:
    game = standing({"FRANCE": ["A GAS", "A MAR"]}, centres={"FRANCE": ["MAR", "PAR", "BRE"]})
    for seed in range(5):
        orders = orders_of("greedy", game, seed)
        assert orders["A GAS"] == "- SPA"
        # Spain is taken; Munich and Venice are two steps away.
        assert orders["A MAR"] in ("- BUR", "- PIE")


def test_greedy_goes_through_a_tunnel_that_it_may_use() -> None:
    units = {"ENGLAND": ["A LON"]}
    homes = {"ENGLAND": ["LON", "LVP", "EDI"]}
    assert orders_of("greedy", standing(units, centres=homes)) == {"A LON": "H"}  # no way out
    tunnel = [read_tunnel("ENGLAND LON-PIC hidden")]
    assert orders_of("greedy", standing(units, centres=homes, tunnels=tunnel)) == {"A LON": "~ PIC"}
    permitted = [read_tunnel("FRANCE LON-PIC hidden +ENGLAND")]
    game = standing(units, centres=homes, tunnels=permitted)
    assert orders_of("greedy", game) == {"A LON": "~ PIC"}


def test_dumb_supports_a_move_into_a_place_that_a_rival_can_reach() -> None:
    """Two armies beside Belgium, a German one too: one goes, the other helps."""
    units = {"FRANCE": ["A PIC", "A BUR"], "GERMANY": ["A RUH"]}
    homes = {"FRANCE": ["PAR", "MAR", "BRE"], "GERMANY": ["KIE", "MUN", "BER"]}
    homes["ENGLAND"] = ["LON", "EDI", "LVP", "NWY", "BEL"]
    game = standing(units, centres=homes, phase="F1902M")
    found = {json.dumps(orders_of("dumb", game, seed), sort_keys=True) for seed in range(30)}
    helped = [{"A PIC": "- BEL", "A BUR": "S PIC - BEL"}, {"A PIC": "S BUR - BEL", "A BUR": "- BEL"}]
    assert found & {json.dumps(orders, sort_keys=True) for orders in helped}


def test_dumb_builds_where_it_is_threatened_and_removes_what_is_far_from_everything() -> None:
    position = {
        "phase": "W1902A",
        "units": units_of({"FRANCE": ["A SPA", "A NAP", "A SYR"], "ENGLAND": ["F ENG"]}),
        "centres": {"FRANCE": ["PAR", "MAR"], "ENGLAND": ["LON"]},
    }
    game = Game.from_position(position, ruleset_with(auto_forced=False))
    assert game.spec.actions.names[choose_action(agent_of("dumb"), game)] == "SYR D"
    position["units"] = units_of({"ENGLAND": ["F ENG", "A PIC"], "FRANCE": ["A POR"]})
    position["centres"] = {"FRANCE": ["PAR", "MAR"], "ENGLAND": ["LON", "LVP"]}
    game = Game.from_position(position, ruleset_with(auto_forced=False))
    assert game.spec.actions.names[choose_action(agent_of("dumb"), game)] == "A PAR B"


def test_an_army_without_a_better_step_digs_and_goes_through() -> None:
    units, homes = {"ENGLAND": ["A LON"]}, {"ENGLAND": ["LON", "LVP", "EDI"], "FRANCE": ["BEL"]}
    dug = [orders_of("dumb_tunnel", standing(units, centres=homes), seed) for seed in range(20)]
    assert any(order["A LON"].startswith("BT ") for order in dug)
    assert not any(
        order["A LON"].startswith("BT ")
        for order in (orders_of("dumb", standing(units, centres=homes), s) for s in range(20))
    )
    tunnel = [read_tunnel("ENGLAND LON-PIC hidden")]
    through = standing(units, centres=homes, tunnels=tunnel)
    assert {orders_of("dumb_tunnel", through, seed)["A LON"] for seed in range(20)} >= {"~ PIC"}


def test_in_a_fall_no_army_digs_with_a_rival_beside_it() -> None:
    units = {"ENGLAND": ["A LON"], "GERMANY": ["F ENG"]}
    homes = {"ENGLAND": ["LON", "LVP", "EDI"], "FRANCE": ["BEL", "PAR", "BRE", "MAR"], "GERMANY": ["BER"]}
    for phase, allowed in (("S1902M", True), ("F1902M", False)):
        game = standing(units, centres=homes, phase=phase)
        digs = [orders_of("dumb_tunnel", game, s)["A LON"].startswith("BT ") for s in range(40)]
        assert any(digs) == allowed, phase


# --- legality and secrets -----------------------------------------------------------------------------


@pytest.mark.parametrize("switches", SETTINGS, ids=str)
def test_every_player_plays_legally_under_every_switch(switches: dict[str, Any]) -> None:
    """`play_out` refuses any other answer."""
    batch = BatchGame(6, ruleset_with(max_year=1904, **switches), seed=2, observe=False)
    cast = [agent_of(name, seed) for seed, name in enumerate((*NAMES, "random", "dumb_tunnel"))]
    play_out(batch, by_seat(batch, *cast))
    assert (batch.states["end_cause"] != c.PLAYING).all()


@pytest.fixture(scope="module")
def positions() -> BatchGame:
    """Games at different stages, with tunnels, at every kind of decision."""
    batch = BatchGame(48, "eurotunnel", seed=3, observe=False)
    cast = [agent_of(name) for name in ("lively", "random", "dumb_tunnel", "lively")]
    decide = by_seat(batch, *cast, *cast[:3])
    for step in range(330):
        rows = np.flatnonzero((np.arange(48) >= step // 7) & (batch.states["end_cause"] == 0))
        actions = np.full(48, -1)
        actions[rows] = decide(rows)
        batch.step_unchecked(actions)
    assert (batch.states["end_cause"] == 0).all()
    assert set(batch.states["phase"].tolist()) >= {c.MOVEMENT, c.ADJUSTMENTS}
    return batch


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_depends_on_no_other_row_and_changes_nothing(name: str, positions: BatchGame) -> None:
    before, rows = positions.records.tobytes(), np.arange(positions.num_games)
    chosen = choose_actions(agent_of(name), positions, rows)
    assert positions.records.tobytes() == before
    agent = agent_of(name)
    alone = [int(choose_actions(agent, positions, rows[[row]])[0]) for row in rows[::-1]]
    assert alone[::-1] == chosen.tolist()


@pytest.fixture(scope="module")
def with_other_secrets(positions: BatchGame) -> BatchGame:
    """The same games with other secrets of all but the power asked."""
    other, source = BatchGame(positions.num_games, positions.rulesets[0], observe=False), np.random.default_rng(5)
    states = positions.records.copy().view(np.recarray)
    for state in states:
        change_secrets(state, int(state.to_play), source)
    other._put(states.view(positions.records.dtype), other.work)
    for name in ("tunnel_state", "written"):
        assert (other.records[name] != positions.records[name]).any()
    return other


@pytest.mark.parametrize("name", NAMES)
def test_a_choice_depends_on_nothing_that_the_power_may_not_know(
    name: str, positions: BatchGame, with_other_secrets: BatchGame
) -> None:
    rows = np.arange(positions.num_games)
    for seed in range(4):
        one, two = (choose_actions(agent_of(name, seed), b, rows) for b in (positions, with_other_secrets))
        assert (one == two).all()


@pytest.mark.parametrize("name", NAMES)
def test_whole_games_with_hidden_tunnels_and_without_are_answered_alike(name: str) -> None:
    agent, answers = agent_of(name), []
    for digs in (True, False):
        twin, found = Twin(digs, seed=1), []
        while not twin.game.is_over:
            if twin.game.to_play != OWNER:
                found.append(choose_action(agent, twin.game))
            twin.game.play(twin._choose())
        answers.append(found)
    assert answers[0] == answers[1] and len(answers[0]) > 100


def test_games_of_other_seeds_are_played_otherwise_and_seeds_of_players_count() -> None:
    batch = BatchGame(2, "eurotunnel", seed=0, observe=False)
    batch.reset(seeds=[1, 2])
    taken = []
    for seed in (0, 0, 1):
        batch.reset(seeds=[1, 2])
        agent, found = agent_of("lively", seed), []
        for _ in range(22):
            actions = choose_actions(agent, batch, np.arange(2))
            found.append(actions.tolist())
            batch.step(actions)
        taken.append(np.array(found))
    assert (taken[0] == taken[1]).all()
    assert (taken[0][:, 0] != taken[0][:, 1]).any() and (taken[0] != taken[2]).any()


@pytest.mark.heavy
def test_without_a_compiler_they_choose_the_same() -> None:
    assert interpreted(first_choices) == first_choices()


def first_choices() -> list[list[int]]:
    """What everybody answers in the first turn of a game, and where the first power digs."""
    batch, found = BatchGame(1, "eurotunnel", seed=5, observe=False), []
    cast = [agent_of(name) for name in NAMES]
    for _ in range(6):
        answers = [int(choose_actions(agent, batch, np.array([0]))[0]) for agent in cast]
        found.append(answers)
        batch.step(answers[-1:])
    return found


# --- names and strength -------------------------------------------------------------------------------


def test_greedy_is_a_player_of_two_games_and_the_others_of_this_one() -> None:
    assert AgentName.read("greedy").games == ("carcassonne", "eurotunnel")
    assert AgentName.read("greedy").game is None
    for name in set(NAMES) - {"greedy"}:
        assert AgentName.read(name).game == "eurotunnel"
    assert isinstance(make_agent("greedy", load_ruleset("carcassonne")), carcassonne.TurnAgent)
    assert not isinstance(agent_of("greedy"), carcassonne.TurnAgent)
    with pytest.raises(VersionError, match="'greedy' plays the game carcassonne and eurotunnel; ruleset standard"):
        make_agent("greedy", load_ruleset("standard"))
    with pytest.raises(VersionError, match="'dumb' plays the game eurotunnel; ruleset standard"):
        make_agent("dumb").search(BatchGame(1), np.array([0]))  # type: ignore[union-attr]


@pytest.mark.parametrize("name", ["greedy", "dumb", "dumb_tunnel"])
def test_they_take_most_of_what_six_random_powers_leave(name: str) -> None:
    rules = ruleset_with(max_year=1905, permissions=False)
    (score,) = evaluate(name, ["random"], 3, ruleset=rules, seed=1)
    assert score.games == 21 and set(score.seats) == set(Game("eurotunnel").seats)
    assert score.points.value > 0.5
    assert str(score).startswith("v random ")
