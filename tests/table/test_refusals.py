"""Whatever is wrong gets a sentence and a status of 4xx, and leaves the game as it was."""

from __future__ import annotations

import json

import pytest

from agents.table.requests import MAX_BODY
from channel_tunnel_env import Game

from .helpers import PEOPLE, Tab, open_table, random_game, refused


@pytest.fixture
def tab(client) -> Tab:
    """Britain's tab at a game against an agent."""
    return Tab.new(
        client, ruleset="standard", seed=5, seats={"britain": "person", "france": "random"}
    )


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
    ],
)
def test_a_body_of_a_wrong_shape_is_named(client, tab, body, word) -> None:
    answer = client.post(
        f"/api/games/{tab.key}/play",
        content=body,
        headers={"Content-Type": "application/json", **tab.headers},
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
    for host in (
        "evil.example",
        "evil.example:8000",
        "127.0.0.1",
        "127.0.0.1:9",
        "",
        "127.0.0.1:8000.evil",
    ):
        assert refused(client.get("/api/offers", headers={"Host": host}), 421)
        assert refused(client.get("/", headers={"Host": host}), 421)
    for origin in ("http://evil.example", "null", "https://127.0.0.1:8000", "http://localhost:9"):
        answer = client.post("/api/games", json={}, headers={"Origin": origin})
        assert "origin" in refused(answer, 403)
    assert client.get("/api/offers", headers={"Host": "localhost:8000"}).status_code == 200
    assert client.post(
        "/api/games", json={}, headers={"Origin": "http://127.0.0.1:8000"}
    ).is_success
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


def test_a_wrong_position_is_explained(client) -> None:
    for text, word in (
        ("round: {", "YAML"),
        ("- 1", "mapping"),
        ("a: &a [1]\nb: *a", "aliases"),
        ("round: -3", "round"),
        ("nonsense: 1", "nonsense"),
        ("!!python/object/apply:os.system [ls]", "YAML"),
        ("[" * 3000, "nested"),
    ):
        assert word in refused(client.post("/api/games", json={"position": text}), 400), text


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


def test_a_refusal_is_explained_from_the_clicks(tab) -> None:
    def why(*clicks: str) -> str:
        return tab.post("why", version=1, clicks=list(clicks)).json()["why"]

    game = Game("standard", 5)
    missing = (
        next(
            c
            for c, n in zip(
                ("blue", "black", "orange", "yellow", "white"), game.state.discs[0], strict=True
            )
            if n == 0
        )
        if 0 in game.state.discs[0]
        else None
    )
    if missing:
        assert f"no {missing}" in why(f"disc:britain:{missing}").lower()
    assert "France's deviation is not part" in why("deviation:france")
    assert "Not now" in why("track:britain:a") and "placement" in why("track:britain:a")
    assert why("card:slot_1") and why("nonsense") and why("disc:britain:<script>")
    assert refused(tab.post("why", version=1, clicks=[]), 400)
    assert refused(tab.post("why", version=1, clicks=["x"] * 9), 400)
    assert (
        "France" in tab.holding().post("why", version=1, clicks=["bag"]).json()["why"]
        or "Britain" in (tab.holding().post("why", version=1, clicks=["bag"]).json()["why"])
    )


def test_the_places_are_bounded(tmp_path) -> None:
    client = open_table(tmp_path, most=3)
    tabs = [Tab.new(client, ruleset="tiny", seed=i) for i in range(3)]
    assert "places" in refused(client.post("/api/games", json={"ruleset": "tiny"}), 503)
    text = json.dumps(random_game("tiny", 1).record())
    assert refused(client.post("/api/records", json={"text": text}), 503)
    assert all(tab.view()["ply"] == 0 for tab in tabs)


def test_a_full_disk_stops_the_move(tab, monkeypatch) -> None:
    before = tab.view()
    monkeypatch.setattr(
        "json.dump", lambda *a, **k: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    assert "disk" in refused(tab.post("play", version=1, action=before["moves"][0]["action"]), 503)
    monkeypatch.undo()
    unchanged(tab, before)
