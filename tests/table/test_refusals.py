"""Whatever is wrong gets a sentence and a status of 4xx, and leaves the game as it was."""

from __future__ import annotations

import json
import threading

import pytest

from channel_tunnel_agents.table.rooms import judged, views
from channel_tunnel_agents.table.rooms.requests import MAX_BODY
from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.positions.schema import Position
from channel_tunnel_env.outside import hints
from tests.table.helpers import PEOPLE, Tab, open_table, random_game, refused


@pytest.fixture
def tab(client) -> Tab:
    """Britain's tab at a game against an agent."""
    return Tab.new(client, ruleset="standard", seed=5, seats={"britain": "person", "france": "random"})


def unchanged(tab: Tab, before: dict) -> None:
    assert tab.view() == before


def test_an_illegal_move_gets_its_reason(tab) -> None:
    before = tab.view()
    sentence = refused(tab.post("play", version=1, action="spend 3"), 409)
    assert "now the game asks for a placement" in sentence
    for action in ("place blue", "pass; drop table", "x" * 200, ""):
        assert refused(tab.post("play", version=1, action=action), 409 if action else 400)
    unchanged(tab, before)


def test_a_stale_page_is_told_so(tab) -> None:
    tab.change("play", action=tab.view()["moves"][0]["action"])
    before = tab.view()
    for name, body in (("play", {"action": "pass"}), ("undo", {}), ("step", {}), ("open", {})):
        assert "version" in refused(tab.post(name, version=1, **body), 409)
    unchanged(tab, before)


def test_only_the_seats_holder_may_move(client, tab) -> None:
    before = tab.view()
    for stranger in (tab.holding(), Tab(client, tab.key, {"britain": "forged", "host": ""})):
        assert refused(stranger.post("play", version=1, action="pass"), 403)
        assert refused(stranger.post("undo", version=1), 403)
        assert refused(stranger.post("step", version=1), 403)
        assert refused(stranger.post("open", version=1), 403)
        assert refused(stranger.post("fork", ply=0), 403)
        assert stranger.view()["moves"] == []
    assert refused(tab.holding("host").post("play", version=1, action="pass"), 403)
    unchanged(tab, before)


def test_a_person_cannot_step_for_a_person(tab) -> None:
    assert "Britain" in refused(tab.post("step", version=1), 409)


def test_a_game_that_is_over_takes_no_move(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    view = tab.play_on(500)
    assert "over" in refused(tab.post("play", version=view["version"], action="pass"), 403)
    assert "over" in refused(tab.post("think", ply=view["ply"], judge="master"), 409)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (b"{", "JSON"),
        (b"[]", "request"),
        (b"\xff\xfe", "JSON"),
        (b'{"version": NaN, "action": "pass"}', "NaN"),
        (b'{"version": "1", "action": "pass"}', "version"),
        (b'{"version": 1, "action": 5}', "action"),
        (b'{"version": 1, "action": "pass", "more": 1}', "more"),
        (b'{"version": -1, "action": "pass"}', "version"),
        (b"[" * 100_000, "nested"),
        (b'{"version": ' + b"9" * 5000 + b"}", "JSON"),
        (b'{"version": 1, "version": 1, "action": "pass"}', "duplicate"),
        (b'{"version": 1, "action": "\\ud800"}', "control characters"),
        (b'{"version": 18446744073709551616, "action": "pass"}', "version"),
        (b'{"version": true, "action": "pass"}', "version"),
        (b'{"version": 1, "action": ' + b"[" * 50 + b"]" * 50 + b"}", "nested"),
        (b"", "JSON"),
        (b"null", "request"),
    ],
)
def test_a_body_of_a_wrong_shape_is_named(client, tab, body, word) -> None:
    answer = client.post(
        f"/api/games/{tab.key}/play", content=body, headers={"Content-Type": "application/json", **tab.headers}
    )
    assert word in refused(answer, 400)


def test_a_body_that_is_too_large_is_not_read(client, tab) -> None:
    big = json.dumps({"text": "x" * (MAX_BODY + 1)})
    kind = {"Content-Type": "application/json"}
    assert refused(client.post("/api/records", content=big, headers=kind), 413)

    def endless():
        for _ in range(40):
            yield b"x" * 100_000

    assert refused(client.post("/api/records", content=endless(), headers=kind), 413)


def test_only_json_is_taken(client) -> None:
    """Other kinds can be sent by any page without asking."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        answer = client.post("/api/games", content=b"{}", headers={"Content-Type": kind})
        assert refused(answer, 415)


def test_a_foreign_host_or_origin_is_turned_away(client, tab) -> None:
    before = tab.view()
    for host in ("evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:9", "", "127.0.0.1:8000.evil"):
        assert refused(client.get("/api/offers", headers={"Host": host}), 421)
        assert refused(client.get("/", headers={"Host": host}), 421)
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8000", "http://localhost:9"):
        answer = client.post("/api/games", json={}, headers={"Origin": origin})
        assert "origin" in refused(answer, 403)
    assert client.get("/api/offers", headers={"Host": "localhost:8000"}).status_code == 200
    assert client.post("/api/games", json={}, headers={"Origin": "http://127.0.0.1:8000"}).is_success
    unchanged(tab, before)


def test_what_is_not_there_is_404(client, tab) -> None:
    for key in ("0" * 12, "nonsense", "..%2F..%2Fetc", "r" + "0" * 12):
        assert refused(client.get(f"/api/games/{key}"), 404)
    assert refused(client.get("/api/nothing"), 404)
    assert refused(client.get("/static/../server.py"), 404)
    assert refused(client.get("/api/games"), 405)


def test_no_agent_but_those_offered_is_made(client, tmp_path, monkeypatch) -> None:
    """A name with a module in it would run that module."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "trap.py").write_text("raise SystemExit('run')")
    for name in ("trap:x", "os:system", "ppo:/etc", "frozen:trap:x", "random!ban=x", "ismcts:9999"):
        answer = client.post("/api/games", json={"seats": {"britain": "person", "france": name}})
        assert "not offered" in refused(answer, 400)
    tab = Tab.new(client, ruleset="tiny")
    for judge in ("trap:x", "random", "nobody"):
        assert "cannot be asked" in refused(tab.post("think", ply=0, judge=judge), 400)


def test_no_file_is_read_on_request(client, tmp_path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("name: leaked\nbase: standard\n")
    for name in (str(path), "../../secret.yaml", "/etc/passwd", "nothing"):
        assert "not offered" in refused(client.post("/api/games", json={"ruleset": name}), 400)
        position = json.dumps({"ruleset": name})
        assert refused(client.post("/api/games", json={"position": position}), 400)
        position = json.dumps({"ruleset": {"base": name, "name": "x"}})
        assert "built-in" in refused(client.post("/api/games", json={"position": position}), 400)
        record = random_game("tiny", 1).record()
        record["ruleset"] = {"name": name, "digest": record["ruleset"]["digest"]}
        assert refused(client.post("/api/records", json={"text": json.dumps(record)}), 400)
        record["ruleset"]["values"] = {"base": name}
        assert refused(client.post("/api/records", json={"text": json.dumps(record)}), 400)


def test_a_broken_record_gives_line_ply_and_reason(client) -> None:
    good = json.dumps(random_game("tiny", 1).record())
    cut = good[: len(good) // 2]
    wrong = json.loads(good)
    wrong["actions"][5] = "pay blue blue"
    other = json.loads(good)
    other["ruleset"]["digest"] = "0" * 16
    for text, line, words in (
        (cut, 1, ("line 1", "JSON")),
        (f"{good}\n\n{cut}", 3, ("line 3", "JSON")),
        (json.dumps(wrong), 1, ("line 1", "ply 6", "pay blue blue")),
        (json.dumps(other), 1, ("line 1", "digest")),
        ("[1]", 1, ("line 1", "object")),
        ("{}", 1, ("line 1", "format")),
        ("", 1, ("no record",)),
        ("[" * 100_000, 1, ("nested",)),
    ):
        sentence = refused(client.post("/api/records", json={"text": text, "line": line}), 400)
        assert all(word in sentence for word in words), sentence
    assert refused(client.post("/api/records", json={}), 400)


def test_a_refusal_is_explained_from_the_clicks(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=3, seats={"britain": "person", "france": "random"})

    def why(*clicks: str) -> str:
        return tab.post("why", version=1, clicks=list(clicks)).json()["why"]

    assert "no blue" in why("disc:britain:blue").lower()
    assert "France's deviation is not part" in why("deviation:france")
    assert "Not now" in why("track:britain:a") and "discs to place" in why("track:britain:a")
    assert why("card:slot_1") and why("nonsense") and why("disc:britain:<script>")
    assert refused(tab.post("why", version=1, clicks=[]), 400)
    assert refused(tab.post("why", version=1, clicks=["x"] * 9), 400)
    assert "Britain" in tab.holding().post("why", version=1, clicks=["bag"]).json()["why"]


def test_a_position_with_thousands_of_wrong_keys_is_refused_in_a_few_lines(client, monkeypatch) -> None:
    """The schema is made once, not for every key, and a few of the errors are told."""
    made, make = [], Position.model_json_schema
    hints._json_schema.cache_clear()
    monkeypatch.setattr(Position, "model_json_schema", lambda *a, **k: made.append(1) or make())
    text = json.dumps({f"key{i}": 1 for i in range(4000)})
    sentence = refused(client.post("/api/games", json={"position": text}), 400)
    assert len(made) == 1
    assert "key0: unknown key" in sentence and "and 3,980 more" in sentence
    assert len(sentence) < 5000


def test_what_takes_long_is_read_beside_the_event_loop(client, monkeypatch) -> None:
    threads = []

    def watched(name):
        method = getattr(client.rooms, name)

        def watch(*about):
            threads.append((name, threading.current_thread().name.partition("_")[0]))
            return method(*about)

        monkeypatch.setattr(client.rooms, name, watch)

    for name in ("deal", "read_record", "load"):
        watched(name)
    tab = Tab.new(client, position=json.dumps(Game("tiny", 1).to_position()), seats=PEOPLE)
    client.post("/api/records", json={"text": json.dumps(random_game("tiny", 1).record())})
    client.rooms._awake.clear()
    tab.view()
    assert threads == [("deal", "reader"), ("read_record", "reader"), ("load", "reader")]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("round: {", "YAML"),
        ("- 1", "mapping"),
        ("a: &a [1]\nb: *a", "aliases"),
        ("round: -3", "round"),
        ("nonsense: 1", "nonsense"),
        ("!!python/object/apply:os.system [ls]", "YAML"),
        ("[" * 3000, "nested"),
        ('{"round": 1, "round": 2}', "round"),
        ("round: 1\nround: 2", "round"),
        ('{"streams": {"cards": [1, 99999999999999999999999]}}', "counter 0..2**61"),
        ('{"streams": {"cards": [1, 18446744073709551615]}}', "position"),
        ('{"seed": 1e400}', "seed"),
        ("round: 2001-01-01", "round"),
        ("? [a, b]\n: 1", "position"),
        ('{"ruleset": {"base": "standard", "name": "x", "scoring": {"\u00b2": 1}}}', "position"),
        ('{"ruleset": "\\ud800"}', "position"),
        ("round: " + "[" * 60 + "]" * 60, "nested"),
        ("x" * 64_001, "position"),
    ],
)
def test_a_wrong_position_is_explained_in_a_sentence(client, text, word) -> None:
    assert word in refused(client.post("/api/games", json={"position": text}), 400)


def test_an_unknown_viewer_is_refused_also_where_nothing_is_hidden(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE, open=True)
    for name in ("", "position"):
        assert "viewer: allowed" in refused(tab.get(name, viewer="nobody"), 400)
    assert refused(tab.get(layout="round"), 400)


def test_a_record_of_too_many_decisions_is_not_replayed(client) -> None:
    record = random_game("tiny", 1).record()
    record["actions"] = ["pass"] * 10_001
    sentence = refused(client.post("/api/records", json={"text": json.dumps(record)}), 400)
    assert "at most 10,000 decisions" in sentence


def test_a_full_list_of_games_puts_the_oldest_to_sleep(tmp_path) -> None:
    client = open_table(tmp_path, most=3)
    tabs = [Tab.new(client, ruleset="tiny", seed=i, seats=PEOPLE) for i in range(5)]
    boards = [tab.play_on(2)["svg"] for tab in tabs]
    text = json.dumps(random_game("tiny", 1).record())
    replay = client.post("/api/records", json={"text": text})
    assert replay.status_code == 200 and len(client.rooms) == 3
    assert [tab.view()["svg"] for tab in tabs] == boards, "each wakes where it was left"
    assert len(client.rooms) == 3
    assert "open its record again" in refused(client.get(f"/api/games/{replay.json()['key']}"), 404)


def test_all_games_together_have_a_bounded_number_of_decisions_in_memory(tmp_path) -> None:
    client = open_table(tmp_path, most_decisions=50)
    tabs = [Tab.new(client, ruleset="tiny", seed=i, seats=PEOPLE) for i in range(4)]
    for tab in tabs:
        tab.play_on(20)
    client.rooms.sleep_idle()
    assert sum(len(room.log) for room in client.rooms._awake.values()) <= 50
    assert [tab.view()["ply"] for tab in tabs] == [20] * 4


def test_hundreds_of_undone_moves_leave_nothing_behind(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=4, seats={"britain": "person", "france": "random"})
    room = client.rooms.get(tab.key)
    while room.game.to_play != "britain":
        room.play(room.game.legal_actions()[0])
    begun = len(room.log)
    sizes = set()
    for _ in range(300):
        room.play(room.game.legal_actions()[0])
        room.undo()
        sizes.add(tab.file.stat().st_size - len(str(room.version)))
    assert len(room.log) == len(room.game.actions) == begun and len(sizes) == 1
    assert not (client.rooms.storage.rooms.parent / "records.jsonl").exists()


def test_a_long_game_sends_the_end_of_its_log_and_a_thinner_curve(client, monkeypatch) -> None:
    monkeypatch.setattr(views, "MOST_ENTRIES", 10)
    monkeypatch.setattr(judged, "MOST_POINTS", 5)
    tab = Tab.new(client, ruleset="tiny", seed=4, seats=PEOPLE, open=True)
    view = tab.play_on(25)
    assert view["log_from"] == 15 and len(view["log"]) == 10
    whole = client.rooms.get(tab.key).log
    assert [entry["words"] for entry in view["log"]] == [entry.words for entry in whole[15:]]
    decisions = judged.curve_decisions(client.rooms.get(tab.key), "all", 25)
    assert decisions is not None and len(decisions.plies) == 5
