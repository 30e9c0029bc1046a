"""Every legal move is a way of clicks on the board, and its own."""

from __future__ import annotations

import re

import numpy as np
import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words, narrate, question
from channel_tunnel_env.games.tunnel_1987.board.targets import click_paths, legal_paths, meant_actions
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, NUM_ACTIONS
from channel_tunnel_env.games.tunnel_1987.faces.table import LAYOUTS, draw

GAMES = {"standard": 2, "agenda": 3, "tiny": 3}


def positions(name: str):
    """Every decision of some random games."""
    rng = np.random.default_rng(5)
    for seed in range(GAMES[name]):
        game = Game(name, seed)
        while not game.is_over:
            yield game
            game.play(int(rng.choice(game.legal_ids())))


def test_each_of_the_171_actions_has_a_way_of_clicks() -> None:
    game = Game("agenda", 1)
    for seat in (0, 1):
        ways = [click_paths(game, action, seat) for action in range(NUM_ACTIONS)]
        assert all(paths and all(paths) for paths in ways)
        # Only the choice of a card, for money or for Development, looks the same in two phases.
        firsts = [paths[0] for paths in ways]
        assert len(set(firsts)) == NUM_ACTIONS - 3


@pytest.mark.parametrize("name", list(GAMES))
def test_two_legal_actions_never_share_a_way(name: str) -> None:
    for game in positions(name):
        paths = [path for found in legal_paths(game).values() for path in found]
        assert len(paths) == len(set(paths)), (game.phase, paths)
        beginnings = {path[:n] for path in paths for n in range(1, len(path))}
        assert not beginnings & set(paths), "a whole way must not begin another one"


@pytest.mark.parametrize("name", list(GAMES))
def test_every_step_of_a_way_is_drawn_on_the_board_or_a_button(name: str) -> None:
    for i, game in enumerate(positions(name)):
        if i % 6 and str(game.phase) in ("turn", "keep"):
            continue
        drawn = [set(re.findall('data-target="([^"]+)"', draw(game, "all", layout))) for layout in LAYOUTS]
        for paths in legal_paths(game).values():
            for step in paths[0]:
                if not step.startswith(("button:", "number:")):
                    assert all(step in found for found in drawn), step


def test_a_space_with_one_legal_use_takes_a_click_anywhere_on_it() -> None:
    game = Game("standard", 2)
    short = [p for paths in legal_paths(game).values() for p in paths if p[-1].startswith("space:")]
    uses = {path[:2] for paths in legal_paths(game).values() for path in paths if len(path) == 2}
    for disc, space in short:
        options = {u for d, u in uses if d == disc and u.startswith(f"option:{space[6:]}:")}
        assert len(options) == 1


def test_clicks_of_an_illegal_move_are_understood() -> None:
    game = Game("standard", 2)
    clicks = ("disc:britain:blue", "option:plan_tunnel:tunnel")
    assert meant_actions(game, clicks) == [ACTION_NAMES.index("place blue plan_tunnel tunnel")]
    assert len(meant_actions(game, ("disc:britain:blue",))) > 10


@pytest.mark.parametrize("name", list(GAMES))
def test_every_legal_action_and_every_question_has_words(name: str) -> None:
    for game in positions(name):
        assert question(game)
        for action in game.legal_ids():
            words = action_words(game, action)
            assert (words and "_" not in words and words[0].isupper()) or words[0].isdigit()


@pytest.mark.parametrize("name", list(GAMES))
def test_the_log_tells_what_can_be_seen_and_no_key_of_the_code(name: str) -> None:
    rng = np.random.default_rng(1)
    for seed in range(3):
        game = Game(name, seed)
        bored = 0
        while not game.is_over:
            before, action = game.clone(), int(rng.choice(game.legal_ids()))
            game.play(action)
            entry = narrate(before, action, game)
            bored += sum("bores through" in note for note in entry.notes)
            assert not any("_" in part for part in (entry.words, *entry.notes, entry.secret))
        assert bored == int(game.state.tbm.sum())
