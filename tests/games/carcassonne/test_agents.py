"""Carcassonne's players: what each wants, on positions laid by hand; legality, and what no choice depends on."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import channel_tunnel_env
from channel_tunnel_agents import AgentError, AgentName, make_agent
from channel_tunnel_agents.base import choose_actions
from channel_tunnel_agents.games.carcassonne import players as carcassonne
from channel_tunnel_agents.matches.arena import by_seat, play_out, play_pair
from channel_tunnel_agents.players.scripted import PLAYERS
from channel_tunnel_env import BatchGame, Ruleset, VersionError
from channel_tunnel_env.core import kernels
from channel_tunnel_env.errors import GameOverError
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.engine.legality import PAIR
from channel_tunnel_env.games.carcassonne.positions import cell_at, opening_names
from tests.games.carcassonne.records import ruleset_with
from tests.games.carcassonne.table import Table
from tests.interpreted import interpreted

SCRIPTED_HERE = carcassonne.NAMES
WEIGHED = [name for name in SCRIPTED_HERE if name != carcassonne.EXPECTIMAX]
SETTINGS: list[dict[str, Any]] = [
    {"players": 2, "tunnel_variant": "none"},
    {"players": 3, "tunnel_variant": "follower", "token_window": "before_meeple"},
    {"players": 4, "tunnel_variant": "steal", "robber_baron": True, "farm_scoring": "first"},
    {"players": 5, "tunnel_variant": "paired", "farm_scoring": "second", "small_city": 2},
    {"players": 6, "tunnel_variant": "no_block"},
    {"players": 2, "tunnel": False, "auto_forced": False, "table": 8},
]


def agent_of(name: str, seed: int = 0) -> carcassonne.TurnAgent:
    return carcassonne.make_scripted(name, seed=seed)


def batch_of(table: Table) -> BatchGame:
    """A batch of one game that stands as a table does."""
    batch = one_game(table.ruleset)
    batch._put(table.states, batch.work)
    return batch


@cache
def one_game(ruleset: Ruleset) -> BatchGame:
    """The same batch for all positions of a ruleset, because its tables take a while to fill."""
    return BatchGame(1, ruleset, observe=False)


def laid(*tiles: str, seat: int = 0, draw: str, tokens: dict[str, str] | None = None, **switches: Any):
    """A table on which a seat has drawn a tile; A to F is a follower's seat."""
    table = Table(**switches)
    table.lay("D 0 0 0")
    for tile in tiles:
        table.lay(tile)
    for opening, owner in (tokens or {}).items():
        table.lay_token(opening, owner)
    table.draw(seat, draw)
    return table


def turn_of(agent: Any, table: Table) -> tuple[int, int, int, int]:
    """The whole turn of an agent: cell, rotation, place of its follower, token id."""
    batch, taken = batch_of(table), {}
    turn = int(table.state.turn)
    while batch.states["turn"][0] == turn and batch.states["end_cause"][0] == 0:
        phase = int(batch.states["phase"][0])
        action = agent.search(batch, np.array([0]))
        taken[phase] = int(action[0])
        batch.step(action)
    return tuple(taken.get(phase, c.NONE) for phase in (c.CELL, c.ROTATE, c.CLAIM, c.TOKEN))


def value_of(agent: carcassonne.TurnAgent, table: Table) -> np.ndarray:
    return agent.values(batch_of(table), 0)


def best_of(name: str, table: Table) -> float:
    """What the best turn is worth to a scripted player."""
    return float(value_of(agent_of(name), table).max())


def cell(x: int, y: int) -> int:
    return c.FIRST_CELL + cell_at(x, y)


# --- what each wants ----------------------------------------------------------------------------------


def test_points_counts_what_is_scored_in_the_turn_and_greedy_what_stands() -> None:
    """An open city of two tiles and a shield: 3 points if the game ended now, less 2 for the knight."""
    table = laid(draw="C")
    assert best_of("points", table) == 0
    assert best_of("greedy", table) == 3 - 2
    for seed in range(4):
        assert c.FIRST_CLAIM <= turn_of(agent_of("greedy", seed), table)[2] < c.CLAIM_CLOISTER
    claims = {turn_of(agent_of("points", seed), table)[2] for seed in range(12)}
    assert len(claims) > 1  # it is all the same to it


@pytest.mark.parametrize("name", [name for name in WEIGHED if name != "farmer"])
def test_everybody_closes_a_city_for_four_points(name: str) -> None:
    """A city of two tiles, claimed and complete in the same turn; the knight comes back at once.

    To a farmer, the city's field is worth the same.
    """
    table = laid(draw="E", tunnel=False)
    assert best_of(name, table) == 4
    where, turned, claim, _ = turn_of(agent_of(name), table)
    assert (where, turned, claim) == (cell(0, -1), c.FIRST_ROTATE + 2, c.FIRST_CLAIM + 2)


def test_a_monk_wants_a_cloister_that_is_all_the_same_to_greedy() -> None:
    """Beside one tile: 2 points less 2 for the monk; twice 2 to the player of that name."""
    table = laid(draw="B", tunnel=False)
    assert best_of("greedy", table) == 0
    assert best_of("monk", table) == 2 * 2 - 2
    assert turn_of(agent_of("monk"), table)[2] == c.CLAIM_CLOISTER
    assert best_of("builder", table) == best_of("farmer", table) == 0


def test_a_farmer_wants_the_field_of_a_complete_city_twice() -> None:
    """E closed the city of D; a field beside it feeds a farmer 3 points at the end."""
    table = laid("E 0 -1 2", draw="B", tunnel=False)
    assert best_of("greedy", table) == 3 - 2
    assert best_of("farmer", table) == 2 * 3 - 2
    claim = turn_of(agent_of("farmer"), table)[2]
    assert c.FIRST_CLAIM_FIELD <= claim < c.CLAIM_NONE


def test_a_builder_wants_roads_and_cities_twice() -> None:
    """A road of three tiles, open at both ends."""
    table = laid("U 1 0 1", draw="U", tunnel=False)
    assert best_of("greedy", table) == 3 - 2
    assert best_of("builder", table) == 2 * 3 - 2
    assert best_of("monk", table) == best_of("farmer", table) == 1


BLOCKED = ("A -1 0 3 B@r0", "TU3 1 0 1")  # the road of seat B runs from a cloister to the mouth TU3.S


def test_a_blocker_lays_its_first_token_on_a_rivals_road_and_greedy_does_not_care() -> None:
    table = laid(*BLOCKED, draw="E")
    mouth = c.FIRST_TOKEN + opening_names(table.types)["TU3.S"]
    tokens = {turn_of(agent_of("greedy", seed), table)[3] for seed in range(12)}
    for seed in range(4):
        assert turn_of(agent_of("blocker", seed), table)[3] == mouth
    assert len(tokens) > 1
    assert best_of("blocker", table) == best_of("greedy", table) + 0.5 * 3  # tiles of the road


def test_a_blocker_never_finishes_a_tunnel_and_a_tunneller_always_does() -> None:
    """It would complete the road of the rival, so greedy leaves it alone as well."""
    table = laid(*BLOCKED, "X 1 1 0", draw="E", tokens={"TU3.S": "A1"})
    names = opening_names(table.types)
    join = c.FIRST_TUNNEL + int(PAIR[names["TU3.S"], names["TU3.E"]])
    for seed in range(4):
        assert turn_of(agent_of("tunneller", seed), table)[3] == join
        assert turn_of(agent_of("blocker", seed), table)[3] != join
        assert turn_of(agent_of("greedy", seed), table)[3] != join


def test_a_follower_behind_a_rivals_half_tunnel_is_worth_one_less() -> None:
    road = ("A -1 0 3 A@r0", "TU3 1 0 1")
    free, stuck = laid(*road, draw="E"), laid(*road, draw="E", tokens={"TU3.S": "B1"})
    own = laid(*road, draw="E", tokens={"TU3.S": "A1"})
    assert best_of("greedy", stuck) == best_of("greedy", free) - 1 == best_of("greedy", own) - 1
    assert best_of("points", stuck) == best_of("points", free)


def test_the_best_rival_counts_and_no_other() -> None:
    """Seat C is ahead of seat B; what C has lying counts as well."""
    table = laid("U 1 0 1 C@r0", draw="B", players=3, tunnel=False)
    table.state.score[:3] = 0, 6, 5
    assert best_of("greedy", table) == (3 - 2) - (5 + 2)  # a cloister beside two tiles
    assert best_of("points", table) == -6


def test_at_the_end_of_the_game_followers_cost_nothing() -> None:
    table = laid(draw="B", tunnel=False)
    table.state.drawn, table.state.unseen = table.state.deck_size, 0
    assert best_of("greedy", table) == 2
    assert turn_of(agent_of("greedy"), table)[2] == c.CLAIM_CLOISTER


def answered(table: Table, action: int) -> float:
    """What `expectimax` makes of the last decision of a turn, in plain Python over the tiles in the deck."""
    table = table.copy()
    table.states = table.states.copy()
    seat, deck = int(table.state.to_play), table.state.deck[: int(table.state.deck_size)].tolist()
    table.act("claim", action)
    own = standing(table, seat)
    gains = []
    for kind in deck:
        reply = table.copy()
        reply.draw(1 - seat, reply.names[kind])
        if reply.legal():
            best = value_of(agent_of("greedy"), reply).max()
            gains.append(float(best) - standing(table, 1 - seat))
    return own - float(np.mean(gains))


def standing(table: Table, seat: int) -> float:
    """What `greedy` makes of a position of two seats without tunnels."""
    score = table.final().state.score
    lying = int(table.rules.followers) - int(table.state.hand[seat])
    return float(score[seat] - score[1 - seat]) - 2.0 * lying


def test_expectimax_subtracts_what_the_best_answers_gain_on_average_over_the_tiles_left() -> None:
    """Three tiles are left, of types that want different places; M gains most."""
    table = laid("C 0 -1 0", "U 1 0 1", draw="E", tunnel=False)
    left = [table.names.index(name) for name in ("E", "M", "U", "U")]
    table.state.drawn, table.state.deck_size = 0, len(left)
    table.state.deck[: len(left)], table.state.unseen = left, 0
    for kind in left:
        table.state.unseen[kind] += 1
    table.act("place", cell(-1, -1))
    table.act("place", c.FIRST_ROTATE + 1)
    agent = agent_of("expectimax")
    batch = batch_of(table)
    chosen = int(agent.search(batch, np.array([0]))[0])
    values = agent.values(batch, 0)
    found = {action: float(values[action]) for action in table.legal()}
    assert len(found) > 2
    wanted = {action: answered(table, action) for action in found}
    assert found == pytest.approx(wanted)
    assert found[chosen] == max(found.values())
    assert len({round(value, 6) for value in found.values()}) > 1


# --- legality, and what no choice depends on ----------------------------------------------------------


@pytest.mark.parametrize("switches", SETTINGS, ids=str)
def test_every_player_plays_legally_under_every_variant(switches: dict[str, Any]) -> None:
    """`play_out` refuses any other answer."""
    players = int(switches["players"])
    cast = [agent_of(name) for name in WEIGHED]
    cast.append(carcassonne.TurnAgent(name="expectimax", answered=2))
    for first in range(0, len(cast), players):
        seated = [cast[(first + seat) % len(cast)] for seat in range(players)]
        batch = BatchGame(1, ruleset_with(**switches), seed=first, observe=False)
        play_out(batch, by_seat(batch, *seated))
        assert (batch.states["end_cause"] == c.LAST_TILE).all()


def random_positions(games: int = 24, **switches: Any) -> BatchGame:
    """Games at different stages, at every kind of decision."""
    batch = BatchGame(games, ruleset_with(**switches), seed=3, observe=False)
    random = make_agent("random", batch.rulesets[0], 1)
    for step in range(4 * games):
        rows = np.arange(games)[step // 4 :]
        actions = np.full(games, -1)
        actions[rows] = choose_actions(random, batch, rows)
        batch.step_unchecked(actions)
    assert set(batch.states["phase"].tolist()) >= {c.CELL, c.ROTATE, c.CLAIM, c.TOKEN}
    return batch


@pytest.fixture(scope="module")
def positions() -> BatchGame:
    return random_positions(players=3)


@pytest.mark.parametrize("name", SCRIPTED_HERE)
def test_a_choice_depends_neither_on_the_other_rows_nor_on_the_order_of_the_deck(
    name: str, positions: BatchGame
) -> None:
    answered = 2 if name == carcassonne.EXPECTIMAX else 0
    agent = agent_of(name)
    agent.answered = answered
    before = positions.records.tobytes()
    rows = np.arange(positions.num_games)
    chosen = agent.search(positions, rows)
    assert positions.records.tobytes() == before
    alone = [int(agent.search(positions, np.array([row]))[0]) for row in rows[::-1]]
    assert alone[::-1] == chosen.tolist()
    worlds = BatchGame(positions.num_games, positions.rulesets[0], observe=False)
    worlds._put(positions.records, worlds.work)
    for row in rows:
        kernels.determinize_game(worlds.records, int(row), worlds.tables, 0, int(row), worlds.work)
    assert (worlds.records["deck"] != positions.records["deck"]).any(axis=1).all()
    assert (agent.search(worlds, rows) == chosen).all()


def test_seeds_break_ties_differently(positions: BatchGame) -> None:
    rows = np.arange(positions.num_games)
    one, other = (agent_of("points", seed).search(positions, rows) for seed in (0, 1))
    assert (one != other).any()


def test_a_game_that_is_over_is_refused() -> None:
    batch = BatchGame(1, ruleset_with(table=3), seed=1, observe=False)
    random = make_agent("random", batch.rulesets[0])
    play_out(batch, by_seat(batch, random, random))
    with pytest.raises(GameOverError, match="row 0: the game is over"):
        agent_of("greedy").search(batch, np.array([0]))


@pytest.mark.heavy
def test_without_a_compiler_they_choose_the_same() -> None:
    assert interpreted(small_choices) == small_choices()


def small_choices() -> list[list[int]]:
    """What some players do in the four decisions of a turn, with three more tiles in the deck."""
    batch = BatchGame(1, ruleset_with(table=3), seed=5, observe=False)
    state = batch.states[0]
    place = int(state.drawn)
    batch.records["deck_size"], batch.records["unseen"] = place + 3, 0
    for kind in state.deck[place : place + 3]:
        batch.records["unseen"][0, kind] += 1
    cast = [agent_of("blocker"), carcassonne.TurnAgent(name="expectimax", answered=1)]
    random, found = make_agent("random", batch.rulesets[0], 1), []
    for _ in range(4):
        found += [agent.search(batch, np.array([0])).tolist() for agent in cast]
        batch.step(choose_actions(random, batch, np.array([0])))
    return found


# --- names and strength -------------------------------------------------------------------------------


def test_a_name_belongs_to_one_game_and_both_ways_are_told_in_one_line() -> None:
    here = channel_tunnel_env.load_ruleset("carcassonne")
    there = channel_tunnel_env.load_ruleset("standard")
    for name in SCRIPTED_HERE:
        assert make_agent(name, here).name == name
        games = AgentName.read(name).games
        assert games[0] == "carcassonne"
        with pytest.raises(VersionError, match=f"{name}' plays the game {' and '.join(games)}; ruleset standard is"):
            make_agent(name, there)
    with pytest.raises(VersionError, match="'heuristic' plays the game tunnel_1987; ruleset carc"):
        make_agent("heuristic", here)
    for name in ("random", "ismcts:5"):
        assert make_agent(name, here).name == make_agent(name, there).name == name
    assert AgentName.read("master").game == "tunnel_1987"
    assert AgentName.read("club").game is None, "both games have a club"
    assert AgentName.read("ppo:runs/mine").game is None  # its card says
    shared = {name for name in SCRIPTED_HERE if len(AgentName.read(name).games) > 1}
    assert shared == {"greedy"}, "Eurotunnel has one too"
    assert all(len(each.NAMES) == len(set(each.NAMES)) for each in PLAYERS.values())


def test_a_misspelt_name_is_answered_with_agents_of_the_game_played() -> None:
    here = channel_tunnel_env.load_ruleset("carcassonne")
    with pytest.raises(AgentError, match="did you mean 'greedy'") as told:
        make_agent("gredy", here)
    assert "heuristic" not in str(told.value)
    with pytest.raises(AgentError, match="did you mean 'heuristic'") as told:
        make_agent("heuristc", channel_tunnel_env.load_ruleset("standard"))
    assert "greedy" not in str(told.value)


def points_of(one: Any, other: Any, deals: int) -> float:
    """The share of the points that one player takes from another, both seats on the same deals."""
    home, away = play_pair(one, other, deals, 11, "carcassonne")
    return float(home.points("player_0").mean() + away.points("player_1").mean()) / 2


def test_greedy_beats_random_clearly_and_points_by_as_much_as_matters() -> None:
    assert points_of(agent_of("greedy"), make_agent("random"), 60) > 0.97
    assert points_of(agent_of("greedy"), agent_of("points"), 60) > 0.7
    assert points_of(agent_of("points"), make_agent("random"), 60) > 0.8


@pytest.mark.heavy
def test_tree_search_plays_it_for_any_number_of_seats() -> None:
    ruleset = ruleset_with(players=3, table=5)
    batch = BatchGame(1, ruleset, seed=2)
    searcher, random = make_agent("ismcts:10", ruleset), make_agent("random", ruleset)
    play_out(batch, by_seat(batch, searcher, random, searcher))
    assert (batch.states["end_cause"] == c.LAST_TILE).all()
