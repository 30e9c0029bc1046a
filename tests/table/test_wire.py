"""Links, spectators, reviews and all else around a game: two games that a seat cannot tell apart send it the same bytes."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from starlette.testclient import TestClient

from channel_tunnel_agents.table.rooms import storage
from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_agents.table.web.server import READS, WRITES
from channel_tunnel_env import Game
from channel_tunnel_env.faces.table import ALL
from tests.table import test_carcassonne, test_eurotunnel_hidden, test_hidden
from tests.table.helpers import Tab

ASKED = ("why", "think", "curve", "review", "weigh", "link", "name", "fork", "rematch", *READS)
"""Asked here, of every game, by a seat and by somebody who watches."""
ELSEWHERE = {
    "play": "the tests of each game; here only what is refused",
    "write": "those of Eurotunnel",
    "orders": "those of Eurotunnel",
    "send": "those of Eurotunnel",
    "step": "those of Eurotunnel",
    "undo": "those of Eurotunnel",
    "search": "what a look ahead finds within a time is never the same twice",
    "restart": "begins the game again: nothing of it is known",
    "rival": "changes who plays, as a new game does",
    "open": "shows everything",
    "resign": "ends the game, and shows everything",
    "sit": "test_a_list_says_the_same_of_games_that_a_seat_cannot_tell_apart",
    "forget": "answers nothing; what is listed then: as for sit",
}
"""Routes that are not asked here, and why."""
CLICKS = (["x"], ["bag"], ["disc:britain:blue", "option:slot_1:develop"], ["cell 0 0"], ["claim n"])


def test_every_route_of_a_game_has_its_place() -> None:
    assert sorted([*ASKED, *ELSEWHERE]) == sorted([*READS, *WRITES])


def pairs_of_1987(client: TestClient, which: slice = slice(2)) -> Iterator[tuple[Tab, Tab, str, str]]:
    games = [game for name in ("standard", "agenda") for game in test_hidden.positions_with_a_peek(name, 4)[which]]
    for i, (game, side) in enumerate(itertools.product(games, ("britain", "france"))):
        worlds = game, game.determinize(side, seed=i)
        one, two = (test_hidden.tab_at(client, w, new_key(client)) for w in worlds)
        yield one, two, side, "rookie"


def pairs_of_carcassonne(client: TestClient, moments: Sequence[int] = (41,)) -> Iterator[tuple[Tab, Tab, str, str]]:
    for decisions, seat in itertools.product(moments, ("player_0", "player_1")):
        game = test_carcassonne.played(11, decisions)
        other = game.determinize(seat, seed=1)
        assert game.state.deck.tolist() != other.state.deck.tolist()
        # Both begin here: what was drawn before is known to everybody.
        worlds = type(game).from_states(game.states, game.ruleset), other
        one, two = (tab_at_the_tiles(client, w) for w in worlds)
        yield one, two, seat, "expectimax"


def tab_at_the_tiles(client: TestClient, game: Game) -> Tab:
    """A tab with all seats at a game of Carcassonne."""
    room = Room.begin(game.clone(), dict(test_carcassonne.PEOPLE), False, new_key(client))
    room.tokens = {"host": "h", "player_0": "a", "player_1": "b"}
    client.rooms.admit(room)
    return Tab(client, room.key, room.tokens)


def pairs_of_eurotunnel(client: TestClient) -> Iterator[tuple[Tab, Tab, str, str]]:
    games = [test_eurotunnel_hidden.shown_games(digs) for digs in (True, False)]
    for phase in (-1, 4):
        one, two = (test_eurotunnel_hidden.tab_at(client, found[phase]) for found in games)
        yield one, two, test_eurotunnel_hidden.ME, "club"


PAIRS: dict[str, Callable[[TestClient], Iterator[tuple[Tab, Tab, str, str]]]] = {
    "1987": pairs_of_1987,
    "carcassonne": pairs_of_carcassonne,
    "eurotunnel": pairs_of_eurotunnel,
    "more of 1987": partial(pairs_of_1987, which=slice(2, 4)),
    "more of carcassonne": partial(pairs_of_carcassonne, moments=(3, 40, 90)),
}
EVERY_GAME = ["1987", "carcassonne", "eurotunnel"]
MORE = [pytest.param(game, marks=pytest.mark.heavy) for game in PAIRS if game not in EVERY_GAME]


def new_key(client: TestClient) -> str:
    return f"{len(client.rooms):012x}"


def sent(tab: Tab, seat: str, judge: str) -> list[bytes]:
    """Every answer to a seat's tab and to one that watches, without the game's own key."""
    # On a slow machine a tab would leave between two answers.
    tab.client.rooms.get(tab.key).watchers.clock = lambda: 0.0
    view = tab.view()
    version = view["version"]
    other = next(one for one in view["seats"] if one != seat)
    bodies = {
        "why": [{"version": version, "clicks": clicks} for clicks in CLICKS],
        "link": [{"side": seat}, {"side": other}, {}],
        "name": [{"side": side, "called": "Tom"} for side in (seat, other)],
        "fork": [{"ply": 0, "luck": luck} for luck in ("same", "other")],
        "rematch": [{}],
    }
    judged = [{"ply": ply, "judge": judge, "side": seat} for ply in (0, view["plies"])]
    answers = [tab.holding(seat, "host").post("fork", ply=0)]
    for one in (tab.holding(seat), tab.holding()):
        answers += [one.get(), one.get(layout="phone"), one.get(ply=0), one.get(seen=version)]
        answers += [one.get(watcher="0" * 16, called="Mary"), one.get(viewer=other), one.get(viewer="public")]
        answers.append(one.post("play", version=version, action="no such move"))
        answers += [one.get(name) for name in READS]
        for name in ASKED[: -len(READS)]:
            answers += [one.post(name, **body) for body in bodies.get(name, judged)]
    return [without_key(answer.content, tab.key) for answer in answers]


def without_key(content: bytes, key: str) -> bytes:
    """The code of a link is drawn from its address, which names the game."""
    found = json.loads(content)
    if "link" in found:
        del found["svg"]
        content = json.dumps(found).encode()
    return content.replace(key.encode(), b"KEY")


def differ(client: TestClient, game: str) -> bool:
    """Whether two games that a seat cannot tell apart send it, or somebody who watches, other bytes."""
    return any(sent(one, seat, judge) != sent(two, seat, judge) for one, two, seat, judge in PAIRS[game](client))


@pytest.mark.parametrize("game", [*EVERY_GAME, *MORE])
def test_what_a_seat_cannot_tell_apart_is_the_same_around_the_game(client, game: str) -> None:
    assert not differ(client, game)


@pytest.mark.parametrize("game", ["1987", "eurotunnel"])
def test_eyes_that_see_too_much_are_noticed(client, game: str, monkeypatch) -> None:
    """In Carcassonne only the order of the deck is hidden, which nobody is shown."""
    monkeypatch.setattr(Room, "viewer", lambda room, held, wanted=None: ALL)
    assert differ(client, game)


def listed(tab: Tab, secret: str) -> str:
    """What the list of somebody says of the game, and every answer on the way there, without keys, secrets and times."""
    headers = {"Table-Player": secret}
    answers = [tab.client.post(f"/api/games/{tab.key}/sit", json={}, headers=tab.headers | headers)]
    answers.append(tab.client.get("/api/mine", headers=headers))
    (game,) = answers[1].json()["games"]
    assert set(game.pop("tokens")) == set(tab.tokens)
    del game["key"], game["when"]
    answers.append(tab.client.post(f"/api/games/{tab.key}/forget", json={}, headers=headers))
    return json.dumps([game, answers[0].json(), answers[2].json()])


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_list_says_the_same_of_games_that_a_seat_cannot_tell_apart(client, game: str) -> None:
    for one, two, seat, _ in PAIRS[game](client):
        for tab in (one, two):
            room = client.rooms.get(tab.key)
            room.keep = client.rooms.storage.keep
            room.stamp = None
        found = [listed(tab.holding(seat), "a" * 32) for tab in (one, two)]
        assert found[0] == found[1] and "results" not in found[0]


def test_a_list_that_says_too_much_is_noticed(client, monkeypatch) -> None:
    monkeypatch.setattr(storage, "_summary", lambda room, game: {"all": room.game.to_position()})
    one, two, seat, _ = next(PAIRS["1987"](client))
    for tab in (one, two):
        room = client.rooms.get(tab.key)
        room.keep, room.stamp = client.rooms.storage.keep, None
    assert listed(one.holding(seat), "a" * 32) != listed(two.holding(seat), "a" * 32)
