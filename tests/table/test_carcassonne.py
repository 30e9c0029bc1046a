"""Carcassonne at the table, as the server answers: a whole game, what is hidden, undo, refusals, what is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.games.carcassonne.faces.table import moves
from channel_tunnel_env.games.carcassonne.game import Game
from tests.table.helpers import Tab, check_ways, compile_agents, open_table, refused

PEOPLE = {"player_0": "person", "player_1": "person"}
SHORT = {
    "base": "carcassonne",
    "name": "short",
    "title": "Carcassonne, a dozen tiles",
    "tiles": {
        kind: {"count": 0} for kind in ("A", "C", "F", "G", "H", "I", "K", "L", "M", "N", "O", "P", "Q", "R", "S", "T")
    }
    | {"B": {"count": 1}, "D": {"count": 2}, "E": {"count": 1}, "J": {"count": 1}}
    | {"U": {"count": 1}, "V": {"count": 2}, "W": {"count": 1}, "X": {"count": 0}},
}
"""A game of thirteen tiles, the four of the tunnel among them."""


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """Agents have little patience at the table."""
    compile_agents("carcassonne", "random", "greedy", "club", "ismcts:2")


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table with Carcassonne."""
    client = open_table(tmp_path / "table", Offers.of(["carcassonne"]))
    client.rooms.offers.rulesets["short"] = load_ruleset(SHORT)
    return client


def new_tab(client: TestClient, **request: Any) -> Tab:
    return Tab.new(client, **{"ruleset": "carcassonne", "seed": 5, **request})


def played(seed: int, decisions: int, **changes: Any) -> Game:
    """A game after some random decisions."""
    rng = np.random.default_rng(seed)
    game = Game({"base": "carcassonne", "name": "c", **changes}, seed)
    for _ in range(decisions):
        if not game.is_over:
            game.play(int(rng.choice(game.legal_ids())))
    return game


def choose(view: dict[str, Any]) -> dict[str, Any]:
    return view[len(view) // 2]


# --- a whole game ---------------------------------------------------------------------------------


@pytest.mark.parametrize("rival", ["random", "greedy", "club", "ismcts:2"])
def test_an_agent_of_the_game_answers_at_the_table(tmp_path, rival) -> None:
    client = open_table(tmp_path, Offers.of(["carcassonne"], ["ismcts:2"]))
    tab = new_tab(client, seats={"player_0": rival, "player_1": "person"})
    view = tab.play_on(6, choose)
    assert view["ply"] == 6 and {entry["side"] for entry in view["log"]} == {"player_0", "player_1"}


def test_a_whole_game_ends_with_a_winner_and_is_kept_as_a_record(client) -> None:
    tab = new_tab(client, ruleset="short", seats={"player_0": "person", "player_1": "random"})
    view = tab.play_on(400, choose)
    assert view["over"]
    totals = [points["total"] for points in view["scores"].values()]
    won = {0: "You won", 1: "You lost"}.get(int(np.argmax(totals)))
    assert view["ending"]["title"].startswith(won) and str(max(totals)) in view["ending"]["title"]
    assert view["ending"]["why"] == "The last tile is laid."
    record = tab.get("record").json()
    assert record["game"] == "carcassonne" and len(record["actions"]) == view["plies"]
    shown = Tab.at(client, client.post("/api/records", json={"text": tab.get("record").text})).view(ply=view["plies"])
    assert shown["replay"] and shown["svg"] == view["svg"]
    client.rooms._awake.clear()
    assert tab.view()["svg"] == view["svg"], "read back from its file"


def test_six_people_at_one_screen_move_in_turn(client) -> None:
    seats = {f"player_{number}": "person" for number in range(6)}
    tab = new_tab(client, players=6, seats=seats)
    seen = []
    view = tab.view()
    while len(set(seen)) < 6:
        assert view["viewer"] == view["to_play"] and view["may_play"]
        seen.append(view["to_play"])
        view = tab.play_on(1, choose)
    assert list(dict.fromkeys(seen)) == list(seats)


# --- moves in words and clicks --------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["none", "paired", "steal"])
def test_every_move_has_words_and_clicks_of_its_own(variant) -> None:
    client_game = played(7, 0, tunnel_variant=variant, auto_forced=False)
    rng = np.random.default_rng(1)
    while not client_game.is_over:
        if rng.random() < 0.6:  # every other position or so is enough
            client_game.play(int(rng.choice(client_game.legal_ids())))
            continue
        check_ways(client_game, moves(client_game), table_of(client_game.spec).draw(client_game, "all", "table"))
        client_game.play(int(rng.choice(client_game.legal_ids())))


def test_why_a_click_is_not_legal(client) -> None:
    tab = new_tab(client, seats=PEOPLE)

    def why(*clicks: str) -> str:
        version = tab.view()["version"]
        return tab.post("why", version=version, clicks=list(clicks)).json()["why"]

    legal = tab.view()["moves"][0]["action"]
    assert why("cell 0 0") == "A tile lies there."
    assert why("cell 5 5") == "No tile lies beside that cell."
    assert why("claim n") == "Now the game asks for a cell for the tile drawn."
    assert why("mouth 3").startswith("Now the game asks") and "legal" in why(legal)
    assert "not part of any move" in why("nonsense") and why("cell 99 <b>")


def test_the_log_says_points_followers_and_tiles(client) -> None:
    tab, rng = new_tab(client, ruleset="short", seats=PEOPLE), np.random.default_rng(2)
    view = tab.play_on(400, lambda moves: moves[rng.integers(len(moves))])
    notes = " / ".join(note for entry in view["log"] for note in entry["notes"])
    for words in ("scores", "comes home", "draws tile", "the last tile is laid"):
        assert words in notes
    assert view["log"][0]["words"].startswith("Tile ") and view["log"][0]["turn"]


# --- undo -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [{}, {"player_2": "random"}], ids=["alone", "beside an agent"])
def test_between_two_people_a_drawn_tile_stays_drawn(client, others) -> None:
    tab = new_tab(client, players=2 + len(others), seats=PEOPLE | others)
    view = tab.view()
    while view["round"] == 1:
        view = tab.play_on(1, choose)
    assert "a tile has been drawn" in refused(tab.post("undo", version=view["version"]), 409)
    tab.play_on(1, choose)
    assert tab.change("undo")["ply"] == view["ply"], "within a turn it can"


# --- what is offered, and what is not -------------------------------------------------------------


def test_the_game_of_the_command_line_is_proposed_with_seats_for_most_players(client) -> None:
    offers = client.get("/api/offers").json()
    (ours,) = [entry for entry in offers["rulesets"] if entry["name"] == "carcassonne"]
    assert offers["first"] == "carcassonne" and ours["agenda"] is None and ours["frozen"] == []
    assert list(ours["sides"]) == [f"player_{seat}" for seat in range(6)]
    assert {"random", "points", "greedy", "club", "ismcts:1000"} <= set(ours["agents"])


def test_an_agent_or_a_seat_of_the_other_game_is_refused(client) -> None:
    for seats, word in (
        ({"player_1": "master"}, "does not play"),
        ({"britain": "person"}, "player_0, player_1"),
        ({"player_2": "random"}, "player_0, player_1"),
    ):
        answer = client.post("/api/games", json={"ruleset": "carcassonne", "seats": seats})
        assert word in refused(answer, 400)
    answer = client.post("/api/games", json={"ruleset": "standard", "seats": {"france": "greedy"}})
    assert "does not play" in refused(answer, 400)


def test_a_game_is_saved_taken_up_and_played_on_from_a_decision(client) -> None:
    tab = new_tab(client, ruleset="short", seats=PEOPLE)
    view = tab.play_on(16, choose)
    taken_up = new_tab(client, position=tab.get("position").text, seats=PEOPLE)
    assert taken_up.view()["svg"] == view["svg"] and taken_up.view()["moves"] == view["moves"]
    fork = Tab.at(client, tab.post("fork", ply=6, luck="anew", seats=PEOPLE))
    assert fork.view()["svg"] == tab.view(ply=6)["svg"]
    assert fork.play_on(400, choose)["over"]
    client.rooms._awake.clear()
    assert fork.view()["over"], "read back from its file"
    tab.change("open")
    again = Tab.at(client, tab.post("fork", ply=6, luck="same", seats=PEOPLE))
    assert again.view()["ply"] == 6 and again.play_on(10, choose)["svg"] == tab.view()["svg"]


def test_a_position_whose_rules_list_the_tiles_reversed_changes_no_game_of_others(client) -> None:
    """Rules are one if they are played alike, and whichever is used first gives its tables to both."""
    theirs, game = new_tab(client, seats=PEOPLE), Game("carcassonne", 5)
    plain = game.ruleset.plain()
    turned = plain | {"tiles": {kind: plain["tiles"][kind] for kind in [*plain["tiles"]][::-1]}}
    position = json.dumps(game.to_position() | {"ruleset": turned})
    machine_of.cache_clear()
    assert client.post("/api/games", json={"position": position, "seats": PEOPLE}).status_code == 201
    client.rooms._awake.clear()  # read back from its file, by the tables that there are now
    new = new_tab(client, seats=PEOPLE)
    seen = [tab.play_on(30, choose) for tab in (theirs, new)]
    assert seen[0]["svg"] == seen[1]["svg"]
    for tab in (theirs, new):
        text = tab.get("position").text
        assert new_tab(client, position=text, seats=PEOPLE).view()["svg"] == seen[0]["svg"]
        tab.change("open")
        assert Game.from_record(tab.get("record").json()).seed == 5


def test_a_file_may_build_on_a_ruleset_of_any_game_of_the_package(client) -> None:
    game = Game(SHORT, 3)
    position = game.to_position() | {"ruleset": SHORT}
    view = new_tab(client, position=json.dumps(position), seats=PEOPLE).view()
    assert view["title"] == game.ruleset.data.title
    record = game.record()
    record["ruleset"]["values"] = SHORT
    assert client.post("/api/records", json={"text": json.dumps(record)}).status_code == 200


def test_what_the_game_does_not_have_is_refused_in_a_sentence(client) -> None:
    tab = new_tab(client, seats=PEOPLE)
    view = tab.view()
    assert not view["can_think"] and "analysis" not in view["extras"]
    assert "no analysis" in refused(tab.post("think", ply=0, judge="master"), 404)
    assert refused(tab.get(layout="round"), 400)
    assert "there are tunnel_1987" in refused(client.post("/api/lesson", json={"game": "chess"}), 400)


def test_the_rulebook_and_the_guided_game_are_those_of_the_game(client) -> None:
    book = client.get("/api/rulebook", params={"ruleset": "carcassonne"}).json()
    assert book["title"] == "Carcassonne with The Tunnel"
    assert "tokens" in [section["key"] for section in book["sections"]]
    made = client.post("/api/lesson", json={"game": "carcassonne"})
    assert made.json()["steps"][0]["title"] == "The goal"
    view = Tab.at(client, made).view()
    assert view["may_play"] and view["seats"] == {"player_0": "person", "player_1": "greedy"}
