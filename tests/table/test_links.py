"""Links to the table: to a seat, to watch; their QR codes; who watches; the rematch that everybody follows."""

from __future__ import annotations

import numpy as np
import pytest
import segno
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms.people import AWAY_SECONDS, MOST_WATCHERS, Watchers
from channel_tunnel_agents.table.web.guard import is_loopback
from channel_tunnel_agents.table.web.server import WRITES, make_app
from channel_tunnel_env.drawing.png import to_pixels
from tests.table.bodies import good_bodies
from tests.table.helpers import HOST, PEOPLE, PLAYERS, Tab, refused

WATCHER = "0123456789abcdef"


def two_people(client, **more) -> Tab:
    return Tab.new(client, ruleset="tiny", seed=3, seats=PEOPLE, **more)


# --- links ----------------------------------------------------------------------------------------


def test_a_link_to_a_seat_has_its_secret_and_no_other(client) -> None:
    tab = two_people(client)
    found = tab.post("link", side="france").json()
    secret = tab.tokens["france"]
    assert found["link"] == f"http://{HOST}/#game={tab.key}&seats=france.{secret}"
    assert not any(tab.tokens[who] in found["link"] for who in ("host", "britain"))
    assert not found["far"], "another machine would not reach a server of this one"


def test_a_link_to_watch_has_no_secret(client) -> None:
    tab = two_people(client)
    for one in (tab, tab.holding()):
        found = one.post("link").json()
        assert found["link"] == f"http://{HOST}/#game={tab.key}"
        assert not any(secret in found["link"] for secret in tab.tokens.values())


@pytest.mark.parametrize("route", ["link", "name", "resign"])
def test_nothing_is_asked_for_a_seat_that_another_tab_holds(client, route) -> None:
    tab = two_people(client)
    body = {"called": "x"} if route == "name" else {}
    for held in (["host"], ["france"], []):
        assert "hold" in refused(tab.holding(*held).post(route, side="britain", **body), 403)
    assert "hold" in refused(tab.post(route, side="nobody", **body), 403)
    assert ("person" if route == "name" else "hold") in refused(tab.post(route, side="host", **body), 403)
    assert not tab.view()["over"] and not tab.view()["people"]


def test_a_link_leads_to_the_address_that_others_reach(client, tmp_path) -> None:
    tab = two_people(client)
    far = "http://192.168.1.5:8000"
    app = make_app(client.rooms, [HOST, "192.168.1.5:8000"], players=PLAYERS, key="k", address=far)
    for here in (f"http://{HOST}", far):
        other = TestClient(app, base_url=here)
        other.get("/", params={"key": "k"})
        found = Tab(other, tab.key, tab.tokens).post("link", side="france").json()
        assert found["link"].startswith(f"{far}/?key=k#game={tab.key}&seats=france.")
        assert found["far"]


@pytest.mark.parametrize(
    ("host", "near"),
    [
        ("127.0.0.1:8000", True),
        ("localhost", True),
        ("[::1]:80", True),
        ("[fe80::1]:80", False),
        ("example.org:80", False),
        ("127.0.0.1.example.org", False),
    ],
)
def test_only_this_machine_calls_the_server_by_these_names(host, near) -> None:
    assert is_loopback(host) == near


def test_the_drawn_code_is_the_code_of_the_link(client) -> None:
    found = two_people(client).post("link").json()
    wanted = np.array([*segno.make(found["link"], error="m", micro=False).matrix_iter(border=4)])
    svg = found["svg"].replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" shape-rendering="crispEdges" ', 1)
    drawn = to_pixels(svg, len(wanted))[:, :, 0]
    assert ((drawn < 128) == wanted).all()


# --- spectators -----------------------------------------------------------------------------------


def test_who_watches_is_counted_and_named_and_leaves_again(client) -> None:
    tab = two_people(client)
    watchers, watcher = client.rooms.get(tab.key).watchers, tab.holding()
    watchers.clock = lambda: 0.0
    watcher.get(watcher=WATCHER, called="Mary")
    watcher.get(watcher="f" * 16)
    watcher.get(watcher=WATCHER, called="Mary")
    assert tab.view()["watching"] == ["Mary", ""]
    version = tab.view()["version"]
    assert tab.get(seen=version).json()["watching"] == ["Mary", ""]
    watchers.clock = lambda: float("inf")
    assert tab.view()["watching"] == []


def test_who_holds_a_seat_does_not_watch(client) -> None:
    tab = two_people(client)
    tab.get(watcher=WATCHER)
    assert tab.view()["watching"] == []


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"watcher": "x"}, "16 hexadecimal"),
        ({"watcher": WATCHER, "called": "x" * 10_000}, "10,000 characters"),
        ({"watcher": WATCHER, "called": "<b>"}, "'<'"),
    ],
)
def test_a_watcher_that_cannot_be_is_refused_in_a_line(client, query, words) -> None:
    tab = two_people(client)
    assert words in refused(tab.holding().get(**query), 400)
    assert tab.view()["watching"] == []


def test_a_seat_is_missed_once_its_tab_has_not_looked_for_some_seconds(client) -> None:
    now = [0.0]
    watchers = Watchers(lambda: now[0])
    watchers.sit({"host", "britain"})
    now[0] = AWAY_SECONDS
    assert watchers.seats() == ["britain", "host"]
    now[0] += 1
    assert watchers.seats() == [] and AWAY_SECONDS + 2 < 10
    tab = two_people(client)
    assert tab.holding("france").view()["here"] == ["france"] and tab.holding().view()["here"] == ["france"]


def test_a_crowd_is_listed_up_to_a_bound() -> None:
    now = [0.0]
    watchers = Watchers(lambda: now[0])
    for number in range(MOST_WATCHERS + 5):
        watchers.see(f"{number:016x}", "")
    assert len(watchers.names()) == MOST_WATCHERS
    now[0] = AWAY_SECONDS + 1
    assert watchers.names() == []


@pytest.mark.parametrize("ruleset", ["tiny", "carcassonne", "eurotunnel"])
def test_a_spectator_looks_on_and_does_nothing(client, ruleset) -> None:
    seats = {} if ruleset != "tiny" else PEOPLE
    tab = Tab.new(client, ruleset=ruleset, seed=3, seats=seats)
    watcher, version = tab.holding(), tab.view()["version"]
    before, lacks = tab.get().content, ruleset == "eurotunnel"  # no positions, so no forks
    side, move = next(iter(tab.view()["seats"])), (tab.view()["moves"] or [{"action": "pass"}])[0]
    bodies = good_bodies(version, move["action"], move.get("asked", ""), side, "random")
    for name in set(WRITES) - {"forget", "why", "think", "search", "curve", "review", "weigh"}:
        refused(watcher.post(name, **bodies[name]), 404 if lacks and name == "fork" else 403)
    for viewer in (*tab.view()["seats"], "all"):
        refused(watcher.get(viewer=viewer), 403)
    for name in ("record", "position"):
        assert watcher.get(name).status_code in (403, 404)
    assert tab.get().content == before
    assert not watcher.view()["may_play"] and watcher.view()["viewers"] == ["public"]


# --- rematch --------------------------------------------------------------------------------------


def test_a_rematch_is_followed_by_who_holds_a_seat(client) -> None:
    tab = two_people(client)
    host, guest = tab.holding("host", "britain"), tab.holding("france")
    assert guest.view()["next"] == ""
    answer = host.post("rematch")
    assert answer.status_code == 201 and answer.json()["tokens"] == host.tokens
    assert guest.view()["next"] == answer.json()["key"]
    again = Tab(client, guest.view()["next"], guest.tokens)
    assert again.view()["held"] == ["france"] and again.view()["plies"] == 0
    assert host.post("rematch").json()["key"] == again.key, "whoever asks twice gets one game"
