"""The reviews of Carcassonne and Eurotunnel: what is judged together, what a judgement says, and who may ask for it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.base import choose_action
from channel_tunnel_agents.games.carcassonne.table import REVIEWED as CARCASSONNE
from channel_tunnel_agents.games.eurotunnel.table import REVIEWED as EUROTUNNEL
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.minds.reviewed import MARK_NAMES, Stretch, mark_of_changes
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import BatchGame, Game, load_ruleset
from channel_tunnel_env.games.carcassonne.board.excerpt import draw_compared
from tests.table.helpers import Tab, compile_agents, open_table, refused

PEOPLE = {"player_0": "person", "player_1": "person"}


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Agents have little patience at the table."""
    compile_agents("carcassonne", "greedy", "expectimax")
    compile_agents("eurotunnel", "club", "hold")


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table with both games."""
    return open_table(tmp_path / "table", Offers.of(["carcassonne", "eurotunnel"]))


# --- Carcassonne ----------------------------------------------------------------------------------


def stretch_of(game: Game, where: Callable[[Any], object], decide: Callable[[Any], int]) -> tuple[int, ...]:
    """The actions until a game is elsewhere than now, such as in another turn; the game is left as it was."""
    game, first, taken = game.clone(), where(game), []
    while not game.is_over and where(game) == first:
        taken.append(decide(game))
        game.play(taken[-1])
    return tuple(taken)


def turn_by(agent: Any, game: Game) -> tuple[int, ...]:
    """The actions of one turn."""
    return stretch_of(game, lambda at: int(at.state.turn), lambda at: choose_action(agent, at))


def a_poor_turn(game: Game) -> tuple[int, ...]:
    """The turn whose every decision the Amateur values least."""
    player = make_agent("greedy", game.ruleset)

    def worst(at: Game) -> int:
        values = player.values(BatchGame.from_games([at]), 0)  # type: ignore[union-attr]
        return min(at.legal_ids(), key=lambda action: values[action])

    return stretch_of(game, lambda at: int(at.state.turn), worst)


def later(turns: int) -> Game:
    """A game of Carcassonne after some turns of the Amateur."""
    game = Game("carcassonne", 4)
    player = make_agent("greedy", game.ruleset)
    for _ in range(turns):
        for action in turn_by(player, game):
            game.play(action)
    return game


def test_a_poor_turn_of_carcassonne_is_marked_and_the_better_one_shown() -> None:
    game = later(16)
    expert = make_agent("expectimax", game.ruleset)
    stretch = Stretch(game, a_poor_turn(game), str(game.to_play))
    judged = CARCASSONNE.weigh(expert, stretch)
    assert judged["mark"] == "blunder"
    assert judged["when"] == "Turn 17" and judged["side"] == game.to_play
    assert judged["better"]["path"][0].startswith("cell ")
    assert "Lead one round later" in judged["sentences"][0]
    assert "24 orders of the tiles" in judged["sentences"][-1], "it says what it rests on"


def test_the_expert_s_own_turn_is_not_marked_and_arouses_less_suspicion() -> None:
    game = later(16)
    expert = make_agent("expectimax", game.ruleset)
    own = Stretch(game, turn_by(expert, game), str(game.to_play))
    poor = own._replace(actions=a_poor_turn(game))
    judged = CARCASSONNE.weigh(expert, own)
    assert judged["mark"] == "" and judged["better"] is None
    assert "would have done the same" in judged["sentences"][-1]
    less, more = CARCASSONNE.suspect(expert, [own, poor])
    assert less < more


def test_a_turn_is_judged_alike_whatever_the_order_of_the_deck() -> None:
    game = later(20)
    expert, turn = make_agent("expectimax", game.ruleset), a_poor_turn(game)
    seat = str(game.to_play)
    one, two = (CARCASSONNE.weigh(expert, Stretch(world, turn, seat)) for world in (game, game.determinize(seat, 9)))
    assert one == two


@pytest.mark.parametrize("turns", [1, 9, 16, 31])
def test_the_better_turn_is_drawn_beside_the_played_one_with_its_follower(turns: int) -> None:
    game = later(turns)
    expert, seat = make_agent("expectimax", game.ruleset), str(game.to_play)
    own, poor = turn_by(expert, game), a_poor_turn(game)
    judged = CARCASSONNE.weigh(expert, Stretch(game, poor, seat))
    shapes, key = judged["drawn"]["shapes"], judged["drawn"]["key"]
    assert "played" in key and "Expert" in key
    given, _, other = shapes.partition('<g class="other">')
    for drawn, actions in ((given, poor), (other, own)):
        names = [game.spec.actions.names[action] for action in actions]
        x, y = map(int, names[0].split()[1:])
        move = f"translate({100 * x} {100 * y})" if x or y else ""
        assert 'class="frame"' in drawn and move in drawn
        claims = [name for name in names if name.startswith("claim") and name != "claim none"]
        assert drawn.count('class="place"') == len(claims)
        assert drawn.count("token-") > 0 or not any(n.startswith("tunnel") for n in names)
        quarter = [int(name.split()[1]) for name in names if name.startswith("rotate")]
        assert all(f"rotate({90 * q} 50 50)" in drawn for q in quarter if q)


def test_of_two_turns_that_differ_by_the_follower_the_tile_is_drawn_once() -> None:
    game = later(1)
    expert = make_agent("expectimax", game.ruleset)
    own = turn_by(expert, game)
    names = game.spec.actions.names
    without = tuple(names.index("claim none") if names[action].startswith("claim") else action for action in own)
    drawn = draw_compared(game, without, own, ("played", "Expert"))["shapes"]
    assert drawn.count("data-tile") == drawn.count('class="frame"') == 1
    assert drawn.count('class="place"') == 1


# --- Eurotunnel -----------------------------------------------------------------------------------


def phase_by(name: str, game: Game) -> tuple[int, ...]:
    """The answers of a phase, all by one agent; with "hold" nobody moves."""
    agent = make_agent(name, game.ruleset)
    return stretch_of(game, lambda at: at.phase_key, lambda at: choose_action(agent, at))


def test_orders_that_stay_at_home_lose_centres_against_those_of_the_club_player() -> None:
    game = Game("eurotunnel")
    for action in phase_by("hold", game):
        game.play(action)
    while game.phase != "movement":
        game.play(game.legal_ids()[-1])
    club = make_agent("club", game.ruleset)
    judged = [
        EUROTUNNEL.weigh(club, Stretch(game, phase_by("hold", game), seat)) for seat in ("turkey", "russia", "germany")
    ]
    assert any(one["mark"] in MARK_NAMES for one in judged)
    for one in judged:
        assert one["when"] == "Fall 1901"
        assert one["words"].endswith(" H")
        assert "would have ordered" in one["sentences"][0]
        assert "that the others really gave" in one["sentences"][1]
        assert "16 guesses" in one["sentences"][2]


def test_orders_like_those_of_the_club_player_are_not_marked() -> None:
    game = Game("eurotunnel")
    club = make_agent("club", game.ruleset)
    judged = EUROTUNNEL.weigh(club, Stretch(game, phase_by("club", game), "france"))
    assert judged["mark"] == "" and "the same orders" in judged["sentences"][0]


def standing(position: dict[str, Any]) -> Game:
    """A game that stands there."""
    return Game.from_position(position, load_ruleset("eurotunnel"))  # type: ignore[attr-defined,no-any-return]


def answered(game: Game, seat: str, *names: str) -> Stretch:
    """The phase of a game with some answers of a seat; the others take their first."""
    left, number = list(names), game.spec.actions.id_of

    def decide(at: Game) -> int:
        return number(left.pop(0)) if at.to_play == seat and left else at.legal_ids()[0]

    return Stretch(game, stretch_of(game, lambda at: at.phase_key, decide), seat)


WINTER = {
    "phase": "W1901A",
    "units": [{"power": "FRANCE", "type": "A", "loc": "SPA"}]
    + [{"power": "GERMANY", "type": "A", "loc": place} for place in ("BUR", "PIC")],
    "centres": {"FRANCE": ["PAR", "BRE", "SPA"], "GERMANY": ["MUN", "BER", "KIE"]},
}
LOST = {
    "phase": "S1902M",
    "units": [{"power": "FRANCE", "type": "A", "loc": "BUR"}]
    + [{"power": "GERMANY", "type": "A", "loc": place} for place in ("MUN", "RUH")],
    "centres": {"FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "BER", "KIE"]},
}


def test_builds_that_are_waived_are_judged_by_the_centres_of_the_next_fall() -> None:
    """Two German armies stand before Paris and Brest; nobody defends them if nothing is built."""
    club = make_agent("club", load_ruleset("eurotunnel"))
    judged = EUROTUNNEL.weigh(club, answered(standing(WINTER), "france", "WAIVE"))
    assert judged["when"] == "Winter 1901" and judged["words"] == "Build no more"
    assert "would have chosen: Build a" in judged["sentences"][0]
    assert "when the orders of the next fall are read" in judged["sentences"][1]
    assert judged["mark"] in MARK_NAMES and judged["better"]["words"].startswith("Build a")
    assert 'class="raised"' in judged["drawn"]["shapes"]


def test_a_unit_that_disbands_where_it_could_retreat_is_judged() -> None:
    game = standing(LOST)
    attack = {"A MUN": "* - BUR", "A RUH": "* S MUN - BUR"}
    while game.phase == "movement":
        game.play(attack.get(game.asked_unit, "* H"))  # type: ignore[attr-defined]
    assert game.phase == "retreats" and game.to_play == "france"
    club = make_agent("club", game.ruleset)
    judged = EUROTUNNEL.weigh(club, answered(game, "france", "* D"))
    assert judged["when"] == "Spring 1902, retreats" and judged["words"] == "A BUR D"
    assert "would have ordered: A BUR R " in judged["sentences"][0]
    assert judged["mark"] in MARK_NAMES


def test_every_phase_is_judged_and_alike_each_time() -> None:
    game = standing(WINTER)
    assert EUROTUNNEL.stretch is not None and EUROTUNNEL.stretch(game) is not None
    club = make_agent("club", game.ruleset)
    stretch = answered(game, "france", "A PAR B")
    assert EUROTUNNEL.weigh(club, stretch) == EUROTUNNEL.weigh(club, stretch)


def test_the_better_orders_are_drawn_apart_from_those_that_were_given() -> None:
    game = Game("eurotunnel")
    judged = EUROTUNNEL.weigh(make_agent("club", game.ruleset), Stretch(game, phase_by("hold", game), "turkey"))
    shapes, key = judged["drawn"]["shapes"], judged["drawn"]["key"]
    given, _, other = shapes.partition('<g class="other">')
    assert given.count('class="hold"') == 3 and "move6" in other and "move6" not in given
    assert "ordered" in key and "Club player" in key and 'class="other"' in key


# --- at the table ---------------------------------------------------------------------------------


def test_a_review_of_carcassonne_judges_turns_the_likeliest_fault_first(client) -> None:
    tab = Tab.new(client, ruleset="carcassonne", seed=5, seats=PEOPLE)
    tab.play_on(24)
    seat = tab.holding("player_0")
    found = seat.post("review", ply=0, judge="expectimax").json()
    assert len(found["plies"]) >= 3 and len(set(found["plies"])) == len(found["plies"])
    assert "Expert" in found["about"]
    judged = seat.post("weigh", ply=found["plies"][0], judge="expectimax").json()
    assert judged["side"] == "player_0" and judged["when"].startswith("Turn ")


def test_before_the_first_decision_there_is_nothing_to_review(client) -> None:
    tab = Tab.new(client, ruleset="carcassonne", seed=5, seats=PEOPLE)
    found = tab.holding("player_0").post("review", ply=0, judge="expectimax")
    assert found.status_code == 200 and found.json()["plies"] == []


def test_moves_of_a_seat_that_the_tab_does_not_hold_are_not_judged_before_the_end(client) -> None:
    tab = Tab.new(client, ruleset="carcassonne", seed=5, seats=PEOPLE)
    tab.play_on(12)
    seat = tab.holding("player_0")
    for what in ("review", "weigh"):
        answer = seat.post(what, ply=0, judge="expectimax", side="player_1")
        assert "only moves of the seat" in refused(answer, 403)
        assert "allowed" in refused(seat.post(what, ply=0, judge="expectimax", side="rome"), 400)
        assert "side" in refused(tab.holding().post(what, ply=0, judge="expectimax"), 400)
        assert "cannot be asked" in refused(seat.post(what, ply=0, judge="random"), 400)


def test_orders_are_judged_when_nothing_is_hidden_any_more(client) -> None:
    seats = {"austria": "person"}
    tab = Tab.new(client, ruleset="eurotunnel", seats=seats)
    assert "waits for the end" in refused(tab.post("review", ply=0, judge="club"), 403)
    assert "waits for the end" in refused(tab.post("weigh", ply=0, judge="club"), 403)
    tab.change("send")
    tab.change("step")
    tab.change("open")
    found = tab.post("review", ply=0, judge="club", side="austria").json()
    assert found["plies"] == [0] and "Club player" in found["about"]
    judged = tab.post("weigh", ply=0, judge="club", side="austria").json()
    assert judged["when"] == "Spring 1901"
    assert "not been made" in refused(tab.post("weigh", ply=1, judge="club", side="austria"), 409)


def test_a_phase_that_is_partly_answered_and_half_a_turn_are_not_judged_yet(client) -> None:
    orders, turn = Game("eurotunnel"), Game("carcassonne", 4)
    for _ in range(5):
        orders.play("* H")
    player = make_agent("greedy", turn.ruleset)
    while int(turn.state.turn) < 3 or turn.phase == "tile":
        turn.play(choose_action(player, turn))
    for game, judge, first in ((orders, "club", "austria"), (turn, "expectimax", turn.to_play)):
        key = client.post("/api/records", json={"text": json.dumps(game.record())}).json()["key"]
        tab = Tab(client, key, {})
        found = tab.post("review", ply=0, judge=judge, side=first).json()
        last = max(found["plies"], default=-1)
        assert len(found["plies"]) == (0 if game is orders else 1), found
        unended = last + 1 if game is orders else tab.view()["plies"] - 1
        answer = tab.post("weigh", ply=unended, judge=judge, side=first)
        assert "has not" in refused(answer, answer.status_code)


def test_a_mark_needs_more_than_luck() -> None:
    assert mark_of_changes(np.array([3.0] * 20 + [5.0] * 20), (5.0, 3.0, 1.0)) == "mistake"
    assert mark_of_changes(np.array([-30.0, 40.0] * 12), (5.0, 3.0, 1.0)) == ""
    assert mark_of_changes(np.zeros(24), (5.0, 3.0, 1.0)) == ""
