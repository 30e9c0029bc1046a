"""People's own names at the table: typed by whoever holds a seat, shown in place of the usual ones, never markup."""

from __future__ import annotations

import re

import pytest

from channel_tunnel_agents.table.rooms.people import MOST_LETTERS, names_of, with_names
from tests.table.helpers import PEOPLE, Tab, open_table, refused

TILES = {"player_0": "person", "player_1": "person"}


def at_the_tiles(client) -> Tab:
    return Tab.new(client, ruleset="carcassonne", seed=1, seats=TILES)


def called(tab: Tab, seat: str, name: str) -> dict:
    answer = tab.post("name", side=seat, called=name)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_typed_name_stands_wherever_the_usual_one_stood(client) -> None:
    tab = at_the_tiles(client)
    before = tab.get().text
    view = called(tab, "player_0", "  Mary   Ann ")
    assert view["names"] == {"player_0": "Mary Ann", "player_1": "Bruno"}
    renamed = before.replace("Anna", "Mary Ann").replace('"people":{}', '"people":{"player_0":"Mary Ann"}')
    assert "Anna" in before and tab.get().text == renamed.replace(">A</text>", ">M</text>")
    assert tab.holding().view()["names"]["player_0"] == "Mary Ann"


def test_a_name_is_kept_with_the_game_and_goes_on_to_the_next(client, tmp_path) -> None:
    tab = at_the_tiles(client)
    called(tab, "player_1", "Zoë O'Neil & Co")
    again = open_table(tmp_path / "table")
    assert Tab(again, tab.key, tab.tokens).view()["names"]["player_1"] == "Zoë O'Neil & Co"
    next_one = tab.post("rematch").json()
    assert Tab(client, next_one["key"], {}).view()["names"]["player_1"] == "Zoë O'Neil & Co"
    assert called(tab, "player_1", "")["names"]["player_1"] == "Bruno"


def test_where_seats_have_names_of_their_own_the_person_is_named_beside_them(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    view = called(tab, "britain", "Mary")
    assert view["names"]["britain"] == "Britain" and view["people"] == {"britain": "Mary"}


def test_a_name_changes_nothing_of_the_game(client) -> None:
    """Somebody who is about to move may do so, and an agent that thinks need not begin again."""
    tab = at_the_tiles(client)
    version = tab.view()["version"]
    called(tab.holding("player_1"), "player_1", "Mary")
    seen = tab.get(seen=version).json()
    assert seen["version"] == version and seen["people"] == {"player_1": "Mary"}
    assert "svg" not in seen


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 10_000, "10,000 characters"),
        ("x" * (MOST_LETTERS + 1), f"at most {MOST_LETTERS}"),
        ("<b>Mary</b>", "'<'"),
        ("Ma\u202ery", "control"),
        ("Ma\x00ry", "control"),
        ("bruno", "already"),
        ("Player 1", "already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_in_a_line(client, name, words) -> None:
    tab = at_the_tiles(client)
    called(tab, "player_0", "Mary")
    answer = tab.post("name", side="player_0", called=name)
    assert words in refused(answer, 409 if words == "already" else 400)
    assert tab.view()["names"]["player_0"] == "Mary"


def test_a_refusal_calls_people_by_their_names(client) -> None:
    tab = at_the_tiles(client)
    called(tab, "player_0", "Mary")
    waiting = tab.holding("player_1")
    answer = waiting.post("play", version=tab.view()["version"], action="pass")
    assert "Mary's decision" in refused(answer, 403)


def test_names_in_markup_are_escaped() -> None:
    """Whatever a name may be: the drawing is put on the page as it is."""
    names = ('<i onclick="x">&', "B")
    shown = with_names({"svg": "<text>Player 0</text>", "words": "Player 0"}, names)
    assert shown["svg"] == "<text>&lt;i onclick=&quot;x&quot;&gt;&amp;</text>"
    assert shown["words"] == names[0]


def test_a_piece_has_its_persons_first_letter_unless_two_begin_alike() -> None:
    view = {"svg": '<text class="seat1-t" data-seat="1" x="0" y="1">1</text>'}
    assert ">B</text>" in with_names(view, ("Anna", "Bruno"))["svg"]
    assert ">1</text>" in with_names(view, ("Anna", "alice"))["svg"]
    assert ">&amp;</text>" in with_names(view, ("Anna", "&"))["svg"]


def test_the_table_shows_no_seat_by_number(client) -> None:
    tab = at_the_tiles(client)
    called(tab, "player_0", "Mary")
    drawn = tab.view()["svg"]
    assert 'data-seat="0"' in drawn and ">M</text>" in drawn
    assert not re.search(r'data-seat="\d"[^>]*>\d<', drawn)


def test_a_usual_name_that_somebody_typed_is_given_to_nobody_else() -> None:
    names = names_of(["player_0", "player_1", "player_2"], {"player_0": "bruno"})
    assert names[0] == "bruno" and names[2] == "Clara"
    assert len({name.casefold() for name in names}) == 3
