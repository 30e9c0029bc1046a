"""Secrets of Eurotunnel Diplomacy on the wire: games that differ in a hidden tunnel give a tab the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms.offers import Offers
from channel_tunnel_agents.table.rooms.phase_room import PhaseRoom
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.rooms.rooms import load_room
from channel_tunnel_env.games.eurotunnel.faces import table as table_face
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.spec import SEATS
from tests.games.eurotunnel.table import read_tunnel, units_of
from tests.games.eurotunnel.test_secrecy import OWNER, Twin
from tests.table.helpers import Tab, open_table

ME = "france"
HOLDERS = dict.fromkeys(SEATS, "hold") | {ME: "person"}


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    """A client of a table with Eurotunnel Diplomacy."""
    return open_table(tmp_path / "table", Offers.of(["eurotunnel"]))


def plies_of(game: Game) -> Iterator[Game]:
    again = Game(game.ruleset, game.seed)
    yield again
    for action in game.action_ids:
        yield again.play(action)


def shown_games(digs: bool) -> list[Game]:
    """The game at the beginning of every phase that a tab is shown."""
    found, phase, twin = [], None, Twin(digs, 0)
    while not twin.game.is_over:
        if twin.game.phase_key != phase:
            phase = twin.game.phase_key
            room = PhaseRoom("0" * 12, twin.game, twin.game, dict(HOLDERS), {})
            if room.stops_at(twin.game):
                found.append(twin.game.clone())
        twin.game.play(twin._choose())
    return found


def tab_at(client: TestClient, game: Game) -> Tab:
    """A tab of the person, who set the game up, at the beginning of a phase."""
    tokens = {"host": "h", ME: "f"}
    fields = {"key": f"{len(client.rooms):012x}", "seats": dict(HOLDERS), "tokens": tokens}
    fields |= {"plies": plies_of(game), "open": False, "version": 1, "drafts": {}}
    room = client.rooms.admit(load_room(fields, client.rooms.storage.keep))
    room.watchers.clock = lambda: 0.0  # on a slow machine a tab would leave between two answers
    return Tab(client, room.key, tokens)


def everything_sent(tab: Tab) -> list[bytes]:
    """Every answer that the person's tab gets in a phase, and what follows when it has sent its orders."""
    view = tab.view()
    version = view["version"]
    answers = [tab.get(ply=ply) for ply in range(view["plies"] + 1)]
    answers += [
        tab.get(layout="phone"),
        tab.get(viewer="public"),
        tab.holding().get(),
        tab.get("rules"),
        tab.get("record"),
        tab.get("position"),
        tab.post("why", version=version, clicks=["LON", "PIC"]),
        tab.post("why", version=version, clicks=["PAR", "button:Through a tunnel", "PIC"]),
        tab.post("write", version=version, asked="A PAR", action="* ~ PIC"),
        tab.post("orders", version=version, text="A PAR ~ PIC, A LON H, A PAR S A LON - PIC"),
        tab.post("play", version=version, action="* H"),
    ]
    answers += [
        tab.post("why", version=version, clicks=[row["target"] or "x", "button:Through a tunnel", place])
        for row in (view["draft"] or {"rows": []})["rows"]
        for place in ("LON", "WAL", "PIC")
    ]
    for move in view["moves"][:2]:
        answers.append(tab.post("write", version=version, asked=move["asked"], action=move["action"]))
        version = tab.view()["version"]
    answers.append(tab.post("send", version=version))
    answers.append(tab.post("step", version=tab.view()["version"]))
    answers.append(tab.post("undo", version=tab.view()["version"]))
    answers.append(tab.holding().get(watcher="0" * 16, called="Mary"))
    return [answer.content for answer in answers]


def differ(client: TestClient) -> bool:
    """Whether in some phase of two games, with tunnels that stay hidden and without, the tab gets other bytes."""
    hidden, none = shown_games(True), shown_games(False)
    assert len(hidden) == len(none) > 6
    assert hidden[-1].state.built[SEATS.index(OWNER)] >= 2
    pairs = zip(hidden, none, strict=True)
    return any(everything_sent(tab_at(client, one)) != everything_sent(tab_at(client, other)) for one, other in pairs)


def test_a_hidden_tunnel_changes_no_byte_that_another_power_is_sent(client) -> None:
    assert not differ(client)


_DRAW, _TOLD, _QUESTION = table_face.draw_draft, table_face.chronicle, table_face.question


def _all_phases(room: Room) -> list[int]:
    return list(range(len(room.game.actions) + 1))


LEAKS: dict[str, tuple[Any, str, Any]] = {
    "a picture": (table_face, "draw_draft", lambda g, viewer, layout, answers: _DRAW(g, "all", layout, answers)),
    "a report": (table_face, "chronicle", lambda game, viewer: _TOLD(game, "all")),
    "who is asked": (table_face, "question", lambda game: f"{_QUESTION(game)} {len(game.actions)}"),
    "decisions": (Room, "stops", _all_phases),
}


@pytest.mark.parametrize("leak", ["a picture", *(pytest.param(leak, marks=pytest.mark.heavy) for leak in [*LEAKS][1:])])
def test_a_leak_is_noticed(client, leak, monkeypatch) -> None:
    monkeypatch.setattr(*LEAKS[leak])
    assert differ(client)


def test_what_another_person_writes_is_not_seen_before_it_is_read(client) -> None:
    seats = HOLDERS | {"england": "person"}
    tab = Tab.new(client, ruleset="eurotunnel", seed=1, seats=seats)
    mine, theirs = tab.holding(ME), tab.holding("england")

    def seen() -> list[dict[str, Any]]:
        """All but who is there, which everybody may know."""
        return [
            {key: value for key, value in each.get().json().items() if key != "here"} for each in (mine, tab.holding())
        ]

    before = seen()
    theirs.change("write", asked="A LVP", action="* - YOR")
    theirs.change("write", asked="F LON", action="* - ENG")
    assert seen() == before
    mine.change("write", asked="A PAR", action="* - PIC")
    theirs.change("send")
    assert "LVP - YOR" not in mine.get().text
    mine.change("send")
    tab.holding("host").change("step")
    assert "LVP - YOR" in mine.get().text


def test_a_retreat_that_an_agent_may_make_by_a_hidden_tunnel_is_not_seen(client) -> None:
    """An English army is driven out of Picardy: with a tunnel it has a place to go, and is disbanded all the same."""
    answers = []
    for tunnels in (["ENGLAND LON-PIC hidden"], []):
        position = {
            "phase": "S1901M",
            "units": units_of({"ENGLAND": ["A PIC"], "FRANCE": ["A PAR", "A BUR", "A BEL", "A BRE"]}),
            "centres": {"ENGLAND": ["LON"], "FRANCE": ["PAR", "BRE", "MAR", "BEL"]},
            "tunnels": [read_tunnel(line) for line in tunnels],
        }
        room = client.rooms.found(Game.from_position(position), dict(HOLDERS), False)
        tab = Tab(client, room.key, room.tokens)
        tab.change("write", asked="A PAR", action="* - PIC")
        tab.change("write", asked="A BUR", action="* S PAR - PIC")
        tab.change("send")
        view = tab.change("step")
        assert view["phases"][0]["notes"] == ["England: A PIC D, disbanded"]
        answers.append([tab.get(ply=ply).content for ply in range(view["plies"] + 1)])
    assert answers[0] == answers[1]
