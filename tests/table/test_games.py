"""Playing over the wire: whole games, undo, restart, saving, loading, forks, replays."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from channel_tunnel_agents.balance.report.records import RECORDS, at_the_table, write_named_games
from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.records.record import read_records, write_records
from tests.table.helpers import PEOPLE, Tab, open_table, random_game, refused


def test_a_whole_game_against_an_agent(client, tmp_path) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=3, seats={"britain": "random", "france": "person"})
    first = tab.view()
    assert first["viewer"] == "france" and first["held"] == ["france", "host"]
    assert first["waits_for_agent"] or first["may_play"]
    view = tab.play_on(500)
    assert view["over"] and view["moves"] == [] and not view["may_play"]
    assert view["question"].startswith(("Britain wins", "France wins", "A draw"))
    assert len(view["log"]) == view["plies"] == view["ply"]
    assert view["scores"]["france"]["total"] == tab.view()["scores"]["france"]["total"]
    (record,) = read_records(tmp_path / "table" / "records.jsonl")
    assert Game.from_record(record).scores() == view["scores"]


def test_two_agents_are_watched_step_by_step(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=2, seats={"britain": "random", "france": "random"})
    assert tab.view()["viewer"] == "public"
    assert tab.view()["moves"] == []
    assert tab.change("step")["ply"] == 1
    assert refused(tab.post("play", version=2, action="pass"), 403)
    assert tab.play_on(500)["over"]


def test_with_and_without_the_agenda(client) -> None:
    tab = Tab.new(client, ruleset="standard", agenda=True, seed=1)
    assert "Agenda" in tab.view()["title"]
    tab = Tab.new(client, ruleset="tiny", agenda=True, seed=1)
    assert client.rooms.get(tab.key).game.ruleset.data.agenda.enabled
    tab = Tab.new(client, ruleset="agenda", agenda=False, seed=1)
    assert client.rooms.get(tab.key).game.ruleset == load_ruleset("standard")


def test_undo_goes_back_to_the_persons_last_decision(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=4, seats={"britain": "person", "france": "random"})
    assert "no decision" in refused(tab.post("undo", version=1), 409)
    before = tab.view()
    action = before["moves"][3]["action"]
    tab.change("play", action=action)
    while tab.view()["waits_for_agent"]:
        tab.change("step")
    after = tab.change("undo")
    assert after["ply"] == 0 and after["svg"] == before["svg"] and after["moves"] == before["moves"]
    assert after["version"] > before["version"]


def test_restart_deals_the_same_game_again(client) -> None:
    tab = Tab.new(client, ruleset="standard", seats={"britain": "person", "france": "random"})
    first = tab.view()
    tab.play_on(9)
    again = tab.change("restart")
    assert again["svg"] == first["svg"] and again["log"] == []


def test_a_position_is_saved_as_the_seat_knows_it_and_loaded_again(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=5, seats=PEOPLE)
    view = tab.play_on(14)
    saved = tab.get("position").json()
    assert "seed" not in saved and "deck" not in saved and "unseen_tokens" in saved
    for text in (json.dumps(saved), yaml.safe_dump(saved, sort_keys=False)):
        loaded = Tab.new(client, position=text, seats=PEOPLE).view()
        assert loaded["to_play"] == view["to_play"] and loaded["round"] == view["round"]
        assert [m["action"] for m in loaded["moves"]] == [m["action"] for m in view["moves"]]


def test_looking_back_shows_the_decision_as_it_was(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=6, seats={"britain": "person", "france": "random"})
    boards = [tab.view()["svg"]]
    for _ in range(20):
        boards.append(tab.play_on(1)["svg"])
    for ply in (0, 7, 19):
        view = tab.view(ply=ply)
        assert view["svg"] == boards[ply] and len(view["log"]) == ply and view["plies"] == 20
        assert view["moves"] == [] and not view["may_play"]
    assert "decision 21" in refused(tab.get(ply=21), 404)
    assert refused(tab.get(ply="1e3"), 400)


def test_a_record_is_replayed_and_forked_with_the_same_luck(client) -> None:
    game = random_game("tiny", 9)
    answer = client.post("/api/records", json={"text": json.dumps(game.record())})
    assert answer.status_code == 200 and answer.json()["records"] == 1
    tab = Tab.at(client, answer)
    view = tab.view()
    assert view["replay"] and view["over"] and view["viewers"] == ["all", "britain", "france", "public"]
    assert tab.view(ply=0)["svg"] == Game("tiny", 9).to_svg(theme="auto")
    middle = len(game.actions) // 2
    fork = Tab.at(client, tab.post("fork", ply=middle, seats=PEOPLE))
    at = fork.view()
    assert at["ply"] == middle and len(at["log"]) == middle
    for action in game.actions[middle:]:
        at = fork.change("play", action=action)
    assert at["over"] and at["scores"] == view["scores"], "the same luck, so the same end"
    assert refused(tab.post("play", version=0, action="pass"), 403)
    assert refused(tab.post("fork", ply=len(game.actions), seats=PEOPLE), 409)


def test_a_replay_keeps_each_position_and_the_decisions_once(client) -> None:
    """Its memory grows with its length, not with the square of it."""
    game = random_game("tiny", 9)
    answer = client.post("/api/records", json={"text": json.dumps(game.record())})
    replayed = client.rooms.get(answer.json()["key"])
    assert not any(at._actions for at in replayed.positions())
    for ply in (0, 7, len(game.actions)):
        assert replayed.at(ply).actions == game.actions[:ply]
    assert replayed.at(7).last_decision[1] == game.actions[6]


def test_a_record_whose_luck_is_not_its_seeds_is_replayed_and_forked(client) -> None:
    record = random_game("tiny", 9).record()
    record["seed"] = 10  # as of a game typed in from a real table
    tab = Tab.at(client, client.post("/api/records", json={"text": json.dumps(record)}))
    shown = tab.view(ply=5)["svg"]
    assert shown == Tab(client, tab.key, {}).view(ply=5)["svg"]
    fork = Tab.at(client, tab.post("fork", ply=5, seats=PEOPLE, open=True)).view(viewer="all")
    assert [m["action"] for m in fork["moves"]] and fork["log"] == []
    assert fork["round"] == tab.view(ply=5)["round"]


def test_the_luck_dealt_anew_keeps_what_the_seat_knows(client) -> None:
    tab = Tab.at(client, client.post("/api/records", json={"text": json.dumps(random_game("standard", 3).record())}))
    seen = tab.view(ply=30, viewer=tab.view(ply=30)["to_play"])
    fork = Tab.at(client, tab.post("fork", ply=30, seats=PEOPLE, luck="anew")).view()
    assert fork["viewer"] == seen["viewer"] == fork["to_play"]
    assert routes(fork["svg"]) == routes(seen["svg"]) and len(routes(seen["svg"])) > 5


def routes(svg: str) -> list[tuple[str, str]]:
    """The tokens of a drawing: where each lies, and what is said of it."""
    return re.findall(r'data-target="route:([^"]*)".*?aria-label="([^"]*)"', svg, re.DOTALL)


def test_a_file_of_the_command_line_is_opened_at_any_of_its_games(tmp_path) -> None:
    path = tmp_path / "games.jsonl"
    write_records(path, [random_game("tiny", seed).record() for seed in (1, 2, 3)])
    client = open_table(tmp_path / "table", Offers.of(records=[path]))
    assert client.get("/api/offers").json()["records"] == ["games.jsonl"]
    answer = client.post("/api/records", json={"file": "games.jsonl", "line": 2}).json()
    assert (answer["line"], answer["records"]) == (2, 3)
    again = client.post("/api/records", json={"file": "games.jsonl", "line": 2}).json()
    assert again["key"] == answer["key"] and len(client.rooms) == 1
    assert "line 4" in refused(client.post("/api/records", json={"file": "games.jsonl", "line": 4}), 404)
    for name in ("../games.jsonl", str(path), "other.jsonl"):
        assert "not offered" in refused(client.post("/api/records", json={"file": name}), 404)


def test_a_ruleset_file_of_the_command_line_is_played_with_policies_of_other_rules(tmp_path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ntitle: Mine\nbase: standard\nscoring: {centre_bonus: 9}\n")
    client = open_table(tmp_path / "table", Offers.of([str(path)]))
    tab = Tab.new(client, ruleset="mine", seats={"britain": "master", "france": "person"}, seed=1)
    view = tab.view()
    assert view["title"] == "Mine" and view["seats"]["britain"] == "frozen:master"
    assert "9 points" in tab.get("rules").json()["route:france:8"]["text"]


def test_the_link_of_a_report_opens_the_game_that_it_stands_at(tmp_path) -> None:
    """Typical is missing, so the lopsided game is the second of the file."""
    games = {"dramatic": random_game("tiny", 1), "lopsided": random_game("tiny", 2)}
    found = {"chosen": {name: {"record": game.record()} for name, game in games.items()}}
    write_named_games([found], tmp_path)
    client = open_table(tmp_path / "table", Offers.of(records=[tmp_path / RECORDS]))
    for name, game in games.items():
        words = parse_qs(urlsplit(at_the_table(found, name)).fragment)
        body = {"file": words["record"][0], "line": int(words["line"][0])}
        key = client.post("/api/records", json=body).json()["key"]
        assert client.get(f"/api/games/{key}/record").json()["actions"] == game.actions
        assert words["ply"] == ["0"]


def test_a_rematch_is_a_new_deal_for_the_same_seats(client) -> None:
    seats = {"britain": "random", "france": "person"}
    tab = Tab.new(client, ruleset="tiny", seed=3, seats=seats)
    tab.play_on(400)
    over = tab.view()
    assert over["over"] and over["ending"]["title"].startswith(("You", "A draw"))
    answer = tab.post("rematch")
    assert answer.status_code == 201
    view = Tab.at(client, answer).view()
    assert view["seats"] == seats and view["plies"] == 0 and view["ending"] is None
    assert view["title"] == over["title"]
    assert "set the game up" in refused(tab.holding("france").post("rematch"), 403)


def test_the_rulebook_is_that_of_the_game_and_is_there_before_one(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=3)
    book = tab.get("rulebook").json()
    assert "4 spaces" in book["sections"][0]["blocks"][0]["text"]
    assert client.get("/api/rulebook?ruleset=tiny").json() == book
    assert client.get("/api/rulebook").json()["title"] != book["title"]
    assert book["sections"][-1]["title"] == "At this table"
    assert "not offered" in refused(client.get("/api/rulebook?ruleset=../secret"), 400)


@pytest.mark.heavy
def test_no_question_names_an_action_by_its_id(client) -> None:
    """Questions and refusals are for people: no `use stop`, no underscores."""
    tab = Tab.new(client, ruleset="agenda", seed=5, seats=PEOPLE)
    for i in range(120):
        view = tab.view()
        if view["over"]:
            break
        why = tab.post("why", version=view["version"], clicks=["bag"]).json()["why"]
        for words in (view["question"], why, view["svg"]):
            assert "use stop" not in words and "spend stop" not in words
        assert "_" not in view["question"] + why
        tab.play_on(1, choose=lambda moves, i=i: moves[(i * 7) % len(moves)])


def test_the_guided_game_is_an_ordinary_game_without_its_seed(client) -> None:
    answer = client.post("/api/lesson", json={})
    assert answer.status_code == 201
    assert set(answer.json()) == {"key", "tokens", "steps"}
    view = Tab.at(client, answer).view()
    assert view["may_play"] and view["seats"] == {"britain": "person", "france": "heuristic"}
    assert refused(client.post("/api/lesson", json={"seed": 1}), 400)
