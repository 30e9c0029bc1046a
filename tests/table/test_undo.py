"""Between two people nothing that was seen is taken back; a learner against agents may try again."""

from __future__ import annotations

import pytest

from channel_tunnel_agents.table.rooms.room import Room
from channel_tunnel_env import Game
from tests.table.helpers import PEOPLE, Tab, open_table, play_until, refused, towards_a_peek

ALONE = {"britain": "person", "france": "random"}


def two_people(client) -> Tab:
    return Tab.new(client, ruleset="standard", seed=3, seats=PEOPLE)


def slip(tab: Tab) -> dict:
    """A decision that shows nobody anything."""
    return tab.play_on(1, choose=towards_a_peek)


def test_who_has_peeked_cannot_undo_it_between_two_people(client) -> None:
    nothing_is_taken_back(peeked(client), "a token has been looked at since then, which cannot be unseen")


def test_a_slip_that_showed_nothing_can_be_undone_between_two_people(client) -> None:
    tab = two_people(client)
    before = tab.view()
    assert slip(tab)["ply"] == 1
    after = tab.change("undo")
    assert after["ply"] == 0 and after["svg"] == before["svg"]


def play_one(room: Room, number: int) -> list[str]:
    """Play one decision, with what is asked together with it."""
    before = len(room.log)
    while len(room.log) == before or room.game.phase == "keep":
        legal = room.game.legal_actions()
        room.play(legal[number * 7 % len(legal)])
    return [entry.action for entry in room.log[before:]]


def test_a_pass_is_taken_back_with_the_discs_that_were_to_be_kept(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=7, seats=PEOPLE)
    room = client.rooms.get(tab.key)
    then = [f"keep 1 {row['name']}" for row in tab.view()["moves"][-1]["together"]["rows"]]
    assert "keep 9 blue" in refused(tab.post("play", version=1, action="pass", then=["keep 9 blue"]), 409)
    assert "another seat" in refused(tab.post("play", version=1, action="pass", then=[*then, "pass"]), 409)
    assert not room.log, "all of it or nothing"
    assert len(then) > 1 and tab.change("play", action="pass", then=then)["ply"] == len(then) + 1
    assert tab.change("undo")["ply"] == 0


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_no_undo_between_two_people_brings_luck_back(client, name: str) -> None:
    """Whatever was dealt, drawn or shuffled is dealt, drawn and shuffled: only choices are taken back."""
    tab = Tab.new(client, ruleset=name, seed=5, seats=PEOPLE)
    room, refusals, undone = client.rooms.get(tab.key), 0, 0
    for turn in range(60):
        if room.game.is_over:
            break
        before, counters = room.at(len(room.log)).clone(), room.game.state.rng_counter.copy()
        deck = int(room.game.state.deck_size)
        played = play_one(room, turn)
        new = room.game.state
        lucky = (new.rng_counter != counters).any() or new.deck_size != deck
        answer = tab.post("undo", version=room.version)
        if answer.status_code == 200:
            assert not lucky and room.game.state.tobytes() == before.state.tobytes()
            undone += 1
            room.play(*played)
        else:
            assert "cannot be unseen" in refused(answer, 409) or room.game.is_over
            refusals += 1
    assert refusals and undone


def test_a_game_that_is_over_stays_over_between_two_people(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    assert tab.play_on(500)["over"]
    nothing_is_taken_back(tab, "everything has been shown")


def test_on_an_open_table_everything_is_taken_back(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=3, seats=PEOPLE, open=True)
    tab.play_on(30)
    assert 0 < tab.change("undo")["ply"] < 30
    assert tab.change("restart")["ply"] == 0


def test_against_an_agent_the_luck_is_the_same_again(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=3, seats=ALONE)
    action = play_until(tab, "peek rival")
    tab.change("play", action=action)
    seen = tab.view()
    own = len(seen["log"]) - 1
    assert seen["log"][own]["notes"][-1].startswith("it is ")
    assert tab.change("undo")["ply"] == own
    again = tab.change("play", action=action)
    assert again["svg"] == seen["svg"] and again["log"] == seen["log"]


def test_undo_and_the_same_moves_again_give_the_same_game(client) -> None:
    """Draws, decks and all: an undo against agents never deals anew."""
    tab = Tab.new(client, ruleset="agenda", seed=11, seats=ALONE)
    room = client.rooms.get(tab.key)
    actions: list[str] = []
    while len(actions) < 80 and not room.game.is_over:
        legal = room.game.legal_actions()
        actions.append(legal[len(actions) * 5 % len(legal)])
        room.play(actions[-1])
    end = room.game.state.tobytes()
    while room.log:
        people = sum(entry.side == "britain" for entry in room.log)
        if not people:
            break
        room.undo()
    for action in actions[len(room.log) :]:
        room.play(action)
    assert room.game.state.tobytes() == end
    assert Game("agenda", 11).seed == room.game.seed


# --- a right to reveal beside a right to take back ---------------------------------------------------


def peeked(client) -> Tab:
    """Between two people, after a look at a token and one decision more."""
    tab = two_people(client)
    tab.change("play", action=play_until(tab, "peek rival"))
    return tab


def nothing_is_taken_back(tab: Tab, words: str) -> None:
    before = tab.view()
    for name in ("undo", "restart"):
        assert words in refused(tab.post(name, version=tab.view()["version"]), 409)
    assert tab.view() == before


def test_who_lays_the_table_open_between_two_people_takes_nothing_back(client) -> None:
    tab = peeked(client)
    tab.holding("host").change("open")
    nothing_is_taken_back(tab, "the table has been laid open since then")


def test_a_slip_is_played_once_the_table_was_laid_open_after_it(client) -> None:
    """Of what was decided before, everything hidden is known now."""
    tab = two_people(client)
    slip(tab)
    tab.change("open")
    nothing_is_taken_back(tab, "the table has been laid open since then")


def test_on_a_table_that_was_laid_open_a_later_slip_can_be_undone_and_a_later_peek_cannot(client) -> None:
    tab = two_people(client)
    tab.change("open")
    slip(tab)
    assert tab.change("undo")["ply"] == 0
    tab.change("play", action=play_until(tab, "peek rival"))
    nothing_is_taken_back(tab, "a token has been looked at")


def test_another_server_knows_that_the_table_was_laid_open(client, tmp_path) -> None:
    tab = peeked(client)
    tab.change("open")
    tab = Tab(open_table(tmp_path / "table"), tab.key, tab.tokens)
    nothing_is_taken_back(tab, "the table has been laid open since then")


def test_to_lay_it_open_again_later_changes_nothing(client) -> None:
    tab = two_people(client)
    tab.change("open")
    before = slip(tab)
    assert tab.change("open") == before
    assert tab.change("undo")["ply"] == 0


def test_a_game_that_is_over_is_not_taken_back_because_it_is_laid_open(client) -> None:
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    tab.play_on(500)
    tab.change("open")
    nothing_is_taken_back(tab, "everything has been shown")
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    tab.play_on(2)
    assert tab.post("resign", side="france").status_code == 200
    tab.change("open")
    nothing_is_taken_back(tab, "everything has been shown")


@pytest.mark.parametrize("begun_open", [True, False])
def test_a_rematch_is_open_only_if_the_game_began_so(client, begun_open) -> None:
    """Else who laid one game open could take everything back in the next."""
    tab = Tab.new(client, ruleset="standard", seed=3, seats=PEOPLE, open=begun_open)
    if not begun_open:
        tab.change("open")
    assert Tab.at(client, tab.post("rematch")).view()["open"] == begun_open


def test_who_cannot_write_that_the_table_is_open_keeps_it_closed(client, disk_full_for) -> None:
    tab = peeked(client)
    before = tab.view()
    with disk_full_for("rooms"):
        assert refused(tab.post("open", version=before["version"]), 503)
    assert tab.view() == before and not tab.holding().view()["open"]
    tab.change("open")
    nothing_is_taken_back(tab, "laid open")


def test_alone_a_learner_may_look_at_everything_and_try_again(client) -> None:
    tab = Tab.new(client, ruleset="standard", seed=3, seats=ALONE)
    tab.play_on(12)
    tab.change("open")
    assert tab.change("restart")["ply"] == 0


def test_what_was_sent_before_the_table_was_laid_open_stays_sent(client) -> None:
    """In a game whose phases are answered unseen."""
    seats = {"austria": "hold", "france": "person", "england": "person"}
    tab = Tab.new(client, ruleset="eurotunnel", seats=seats)
    france = tab.holding("host", "france")
    before = france.change("send")["draft"]
    assert before["sent"] and before["can_undo"]
    france.change("open")
    assert not france.view()["draft"]["can_undo"]
    assert refused(france.post("undo", version=france.view()["version"]), 409)
    assert france.view()["draft"]["sent"]
    england = tab.holding("england")
    england.change("send")
    tab.change("step")
    while not (france.view()["may_play"] and england.view()["may_play"]):
        for one in (france, england):
            if one.view()["may_play"]:
                one.change("send")
        tab.change("step")
    assert france.change("send")["draft"]["can_undo"], "in the next phase everybody knew before"
