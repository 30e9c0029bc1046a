"""A person's own games: listed for who sat there and nobody else, with nothing hidden, and deleted without touching another's."""

from __future__ import annotations

from typing import Any

from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms import storage
from channel_tunnel_agents.table.rooms.people import person_of
from tests.table.helpers import PEOPLE, Tab, open_table, refused

ANN, BOB = "a" * 32, "b" * 32
ALONE = {"britain": "person", "france": "random"}


def ask(tab: Tab, name: str, secret: str) -> Any:
    return tab.client.post(f"/api/games/{tab.key}/{name}", json={}, headers=tab.headers | {"Table-Player": secret})


def mine(client: TestClient, secret: str) -> list[dict[str, Any]]:
    answer = client.get("/api/mine", headers={"Table-Player": secret})
    assert answer.status_code == 200, answer.text
    return answer.json()["games"]


def test_a_game_is_listed_for_who_sat_there(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=PEOPLE)
    assert ask(tab.holding("britain"), "sit", ANN).status_code == 200
    assert ask(tab.holding("france"), "sit", BOB).status_code == 200
    assert "sits at the table" in refused(ask(tab.holding(), "sit", "c" * 32), 403)
    (of_ann,), (of_bob,) = mine(client, ANN), mine(client, BOB)
    assert of_ann["tokens"] == {"britain": tab.tokens["britain"]} and of_bob["tokens"] == {
        "france": tab.tokens["france"]
    }
    assert mine(client, "c" * 32) == [] and of_ann["state"] == "open" and of_ann["told"]["when"] == "round 1"
    for wrong in ("", "x", "a" * 33, "A" * 32):
        assert "32 hexadecimal digits" in refused(client.get("/api/mine", headers={"Table-Player": wrong}), 400)


def test_a_finished_game_says_who_won(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=ALONE)
    ask(tab, "sit", ANN)
    view = tab.play_on(500)
    (game,) = mine(client, ANN)
    assert game["state"] == "over" and game["told"]["titles"]["britain"] == view["ending"]["title"]
    expected = "won" if "You won" in view["ending"]["title"] else "lost"
    assert game["told"]["results"]["britain"] == expected and "score" not in str(game["told"])


def test_the_secret_of_a_person_is_in_no_file(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=ALONE)
    ask(tab, "sit", ANN)
    assert all(ANN not in path.read_text() for path in client.rooms.storage.rooms.iterdir())
    again = open_table(client.rooms.storage.rooms.parent)
    assert len(mine(again, ANN)) == 1, "another server finds it"


def test_a_deleted_game_stays_with_the_others_who_played_it(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=PEOPLE)
    ask(tab.holding("britain", "host"), "sit", ANN)
    ask(tab.holding("france"), "sit", BOB)
    assert "not on your list" in refused(ask(tab, "forget", "c" * 32), 403)
    assert ask(tab.holding(), "forget", ANN).status_code == 200
    assert mine(client, ANN) == [] and len(mine(client, BOB)) == 1 and tab.view()["plies"] == 0
    assert ask(tab.holding(), "forget", BOB).status_code == 200
    assert "no such game" in refused(tab.get(), 404)
    assert "no such game" in refused(ask(tab, "forget", BOB), 404)


def test_a_long_list_is_cut_and_says_so(client, monkeypatch) -> None:
    monkeypatch.setattr(storage, "MOST_SHOWN", 2)
    for seed in range(4):
        ask(Tab.new(client, ruleset="tiny", seed=seed, seats=ALONE), "sit", ANN)
    assert len(mine(client, ANN)) == 2
    assert client.get("/api/mine", headers={"Table-Player": ANN}).json()["left_out"] == 2


def test_a_broken_file_is_left_out_of_the_list(client) -> None:
    tabs = [Tab.new(client, ruleset="tiny", seed=seed, seats=ALONE) for seed in range(3)]
    for tab in tabs:
        ask(tab, "sit", ANN)
    tabs[0].file.write_text(tabs[0].file.read_text()[:400])
    tabs[1].file.write_text(tabs[1].file.read_text().replace('"owners"', '"others"'))
    assert [game["key"] for game in mine(client, ANN)] == [tabs[2].key]


def test_a_list_that_cannot_be_written_down_changes_nothing(client, disk_full_for) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=ALONE)
    with disk_full_for(tab.key):
        assert "nothing was changed" in refused(ask(tab, "sit", ANN), 503)
    assert client.rooms.get(tab.key).owners == {}


def test_a_move_is_tried_again_only_after_the_end_and_in_no_file(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=ALONE)
    assert "once the game is over" in refused(tab.post("fork", ply=0, seats=ALONE, luck="same", kept=False), 403)
    plies = tab.play_on(500)["plies"]
    files = len(client.rooms.storage.keys())
    again = Tab.at(client, tab.post("fork", ply=3, seats=ALONE, luck="same", kept=False))
    ask(again, "sit", ANN)
    assert again.view()["plies"] == 3 and mine(client, ANN) == [] and len(client.rooms.storage.keys()) == files
    assert again.play_on(1)["plies"] == 4 and len(client.rooms.storage.keys()) == files
    assert "the game has" in refused(tab.post("fork", ply=plies + 1, seats=ALONE, luck="same", kept=False), 404)
    assert person_of(ANN) != person_of(BOB)
