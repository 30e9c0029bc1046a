"""Hidden things of 1987 stay hidden on the wire; that positions equal for a viewer give the same bytes: test_wire."""

from __future__ import annotations

import json

import numpy as np
import pytest

from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_env import Game
from tests.table.helpers import PEOPLE, Tab, play_until, refused
from tests.table.test_names import TILES


def positions_with_a_peek(name: str, count: int) -> list[Game]:
    """Decisions of random games in which somebody has looked at a token that still lies face down."""
    rng, found, seed = np.random.default_rng(3), [], 0
    while len(found) < count:
        game, seed = Game(name, seed), seed + 1
        peeked_at = None
        while not game.is_over and len(found) < count:
            game.play(int(rng.choice(game.legal_ids())))
            if game.actions[-1].startswith("peek"):
                peeked_at = len(game.actions)
            if peeked_at is not None and len(game.actions) == peeked_at + 6 and not game.is_over:
                found.append(game.clone())
                break
    return found


def tab_at(client, game: Game, key: str) -> Tab:
    """A tab with both seats at a game that begins here."""
    room = Room.begin(Game.from_position(game.to_position()), dict(PEOPLE), False, key)
    room.keep = client.rooms.storage.keep
    room.tokens = {"host": "h", "britain": "b", "france": "f"}
    client.rooms._join(room)
    return Tab(client, key, room.tokens)


def test_a_review_says_the_same_of_what_the_mover_could_not_tell_apart(client) -> None:
    """The better move, its chances and gains come from what the mover knew, whatever lay hidden."""
    reviewed = 0
    for i, game in enumerate(positions_with_a_peek("standard", 3)):
        side = str(game.to_play)
        answers = []
        for world in (game, game.determinize(side, seed=i)):
            tab = tab_at(client, world, f"{len(client.rooms):012x}")
            action = tab.view()["moves"][-1]["action"]
            tab.change("play", action=action)
            answers.append(tab.holding(side).post("weigh", ply=0, judge="rookie"))
        one, two = answers
        assert one.status_code == 200, one.text
        assert one.content == two.content
        reviewed += one.json()["better"] is not None
    assert reviewed, "a better move was shown at least once"


def test_a_look_is_told_to_the_one_who_looked(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=3, seats=PEOPLE)
    peek = play_until(tab, "peek rival")
    side, ply = tab.view()["to_play"], tab.view()["ply"]
    rival = "france" if side == "britain" else "britain"
    tab.change("play", action=peek)
    mine, theirs = (tab.holding(who).view() for who in (side, rival))
    public = tab.holding().view()
    colour = mine["log"][ply]["notes"][-1]
    assert colour.startswith("it is ")
    assert not any(note.startswith("it is ") for other in (theirs, public) for note in other["log"][ply]["notes"])
    label = f'data-target="route:{rival}:{peek.split()[-1]}"'
    assert colour.split()[2] in mine["svg"].split(label)[1][:300]
    for other in (theirs, public):
        assert colour.split()[2] not in other["svg"].split(label)[1].split("</g>")[0]
        assert other["viewer"] in (rival, "public")


def test_a_tab_sees_with_no_eyes_but_its_own(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=1, seats={"britain": "person", "france": "random"})
    tab.play_on(10)
    stranger = tab.holding()
    assert stranger.view()["viewer"] == "public" and stranger.view()["viewers"] == ["public"]
    assert refused(tab.get(viewer="france"), 403) and refused(tab.get(viewer="all"), 403)
    assert refused(stranger.get(viewer="britain"), 403)
    assert refused(stranger.get("position"), 403)
    assert refused(tab.get("record"), 403)
    assert refused(stranger.post("think", ply=0, judge="rookie"), 403)
    assert refused(tab.post("fork", ply=3, luck="same"), 403)


def test_a_policy_is_not_asked_for_the_rivals_seat(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=1, seats=PEOPLE)
    view = tab.view()
    waiting = tab.holding("france" if view["to_play"] == "britain" else "britain")
    assert "seat" in refused(waiting.post("think", ply=0, judge="rookie"), 403)
    assert waiting.post("curve", ply=0, judge="rookie").json()["points"] == []
    tab.change("play", action=view["moves"][0]["action"])
    assert "seat" in refused(waiting.post("weigh", ply=0, judge="rookie"), 403)
    assert "not been made" in refused(tab.post("weigh", ply=1, judge="rookie"), 409)


@pytest.mark.parametrize(("ruleset", "seats"), [("standard", PEOPLE), ("carcassonne", TILES)])
def test_no_seed_and_no_secret_of_another_seat_is_in_any_answer(client, ruleset, seats) -> None:
    tab = Tab.new(client, ruleset=ruleset, seed=918_273_645, seats=seats)
    tab.play_on(12)
    first, second = seats
    own = tab.holding(first)
    assert refused(own.get("record"), 403)
    for answer in (own.get(), own.get("position"), own.get("rules"), own.get("record")):
        assert "918273645" not in answer.text
        assert not any(tab.tokens[who] in answer.text for who in (second, "host"))


def test_laid_open_everything_is_shown_for_good(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    tab.change("open")
    stranger = tab.holding()
    assert stranger.view()["svg"] == Game("tiny", 1).to_svg(theme="auto")
    record = json.loads(stranger.get("record").text)
    assert record["seed"] == 1
