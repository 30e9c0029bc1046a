"""The steps of the guided game: each points at something drawn, and every move can be made."""

from __future__ import annotations

import re

from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words
from channel_tunnel_env.games.tunnel_1987.faces.lesson import RULESET, SEED, SIDE, lesson
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import rulebook


def test_every_step_is_short_and_points_at_the_board_and_the_rulebook() -> None:
    ruleset = load_ruleset(RULESET)
    steps = lesson().plain_steps()
    drawn = re.findall('data-target="([^"]+)"', Game(ruleset, SEED).to_svg(SIDE))
    sections = {section["key"] for section in rulebook(ruleset)}
    assert 10 <= len(steps) <= 12
    for step in steps:
        assert step["key"] in sections
        assert len(step["text"].split()) <= 60, step["title"]
        assert "{" not in step["text"]
        for wanted in step["targets"]:
            assert any(name.startswith(wanted) for name in drawn), wanted


def test_every_move_of_the_lesson_can_be_made_in_the_first_round() -> None:
    """With the lowest stack each, as the page advises, against the rival of the lesson."""
    game, agent = Game(RULESET, SEED), make_agent("heuristic")
    for step in (step for step in lesson().plain_steps() if step["wants"]):
        while game.to_play != SIDE or str(game.phase) != "turn":
            if game.to_play == SIDE:
                game.play(game.legal_ids()[0])
            else:
                rows = game.observation(game.to_play)[None], game.action_mask[None]
                game.play(int(agent(*rows)[0]))
        moves = {action: action_words(game, action) for action in game.legal_ids()}
        fits = [action for action, words in moves.items() if step["wants"] in words]
        assert fits, step["title"]
        game.play(min(fits, key=lambda action: int(moves[action].split()[0])))
    assert game.round == 1
    assert int(game.state.deviation[0]) > 0, "the card of the deviation step has moved the machine"
