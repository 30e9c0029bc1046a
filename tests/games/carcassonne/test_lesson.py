"""The guided game: each step points at something drawn, and every move can be made whatever the rival does."""

from __future__ import annotations

import re

import numpy as np
import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.carcassonne.faces import table as table_face
from channel_tunnel_env.games.carcassonne.faces.lesson import SEAT, lesson
from channel_tunnel_env.games.carcassonne.faces.rulebook import rulebook
from channel_tunnel_env.games.carcassonne.game import Game


def test_every_step_is_short_and_has_its_section_in_the_rulebook() -> None:
    found = lesson()
    sections = {section["key"] for section in rulebook(load_ruleset(found.ruleset))}
    assert 10 <= len(found.steps) <= 12
    for step in found.steps:
        assert step.key in sections
        assert len(step.text.split()) <= 60 and "{" not in step.text, step.title
        assert bool(step.first or step.title == "Lay a tile") == bool(step.wants), step.title


@pytest.mark.parametrize("seed", range(6))
def test_every_move_of_the_lesson_can_be_made(seed: int) -> None:
    """The first move that fits, as the page advises; the rival and all other choices are random."""
    rng, guide = np.random.default_rng(seed), lesson()
    game = Game(guide.ruleset, guide.seed)
    for step in guide.steps:
        drawn = re.findall('data-target="([^"]+)"', table_face.draw(game, SEAT))
        assert any(name.startswith(target) for name in drawn for target in step.targets), step.title
        for _ in range(40):
            moves = {move["words"]: move["action"] for move in table_face.moves(game)}
            fits = [words for words in moves if step.wants and step.wants in words]
            if game.to_play == SEAT and (fits or not step.wants):
                break
            names = list(moves.values())
            if game.to_play == SEAT and {"claim none", "token none"} & set(names):
                names = names[-1:] if "claim none" in names else names
            game.play(str(rng.choice(names)))
        if step.wants:
            assert fits, step.title
            before = game.clone()
            action = game.spec.actions.id_of(moves[fits[0]])
            game.play(action)
            entry = table_face.narrate(before, action, game)
            assert entry.side == SEAT and (step.made or step.wants) in entry.words
    assert game.turn <= 9, "in the first four turns of the person"
