"""The board as text: narrow, complete, and silent about what a viewer may not know."""

from __future__ import annotations

import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.render import LETTERS, WIDTH, to_text
from tests.games.tunnel_1987.positions import met


def tunnel_row(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("  BRITAIN"))


@pytest.mark.parametrize("name", ["standard", "agenda", "tiny"])
def test_every_position_is_narrow_ascii(name: str) -> None:
    for game in met(name, games=3):
        for viewer in (None, "britain", "france"):
            text = to_text(game, viewer)
            assert text.isascii()
            assert max(map(len, text.splitlines())) <= WIDTH <= 100
            assert not any(line != line.rstrip() for line in text.splitlines())


def test_what_lies_face_down() -> None:
    game = Game("standard", seed=1)
    row = tunnel_row(to_text(game, "france"))
    assert row.count(".") == 16, "one token of nine is face up on each side at the start"
    everything = tunnel_row(to_text(game))
    assert "." not in everything
    assert sum(letter in LETTERS.lower() for letter in everything.split("FRANCE")[0]) == 16


def test_a_peek_shows_to_the_one_who_looked() -> None:
    for game in met("standard", seed=20, games=6):
        if game.phase == "peek":
            break
    side = str(game.to_play)
    rival = "france" if side == "britain" else "britain"
    game.play(next(a for a in game.legal_actions() if a.startswith("peek rival")))
    mine, theirs = to_text(game, side), to_text(game, rival)
    assert f"{side.capitalize()} has looked at {rival.capitalize()}" in mine
    assert f"{side.capitalize()} has looked at {rival.capitalize()}" in theirs
    assert tunnel_row(mine).count(".") == tunnel_row(theirs).count(".") - 1


def test_the_boards_figures_are_the_records() -> None:
    for game in met("standard", seed=3, games=1):
        text, state = to_text(game, legend=False), game.state
        assert f"round {game.round}" in text
        bag = " ".join(f"{LETTERS[colour]}{int(n)}" for colour, n in enumerate(state.bag))
        assert f"bag {bag};" in text
        for side in ("britain", "france"):
            assert f"{game.scores()[side]['total']:>3} points" in text
        for slot in state.slots:
            if slot >= 0:
                assert game.ruleset.data.deck.cards[int(slot)].name in text
        if game.actions:
            assert f"last decision: {game.actions[-1]}" in text
        assert ("Over: " in text) == game.is_over


def test_the_board_of_a_start() -> None:
    """A whole board, so that a change of its look is a change somebody wanted."""
    lines = to_text(Game("tiny", seed=3), "britain", legend=False).splitlines()
    assert lines[0] == "A tiny Channel Tunnel for tests: round 1, as Britain sees it"
    assert lines[2] == "Britain to play: a placement, or pass"
    assert lines[4].split() == ["TUNNEL", "0", "1", "2", "3", "flag", "3", "2", "1", "0"]
    assert lines[5].split()[0] == "BRITAIN" and lines[5].split()[-1] == "FRANCE"
    assert any(line.startswith("-> BRITAIN (first player)") for line in lines)


def test_game_render_is_the_board() -> None:
    game = Game("standard", seed=1)
    assert game.render() == to_text(game)
