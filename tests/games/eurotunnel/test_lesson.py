"""The guided game: each step points at something drawn, and every order can be written whatever the others write."""

from __future__ import annotations

import re

import numpy as np
import pytest

from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.games.eurotunnel.faces import table as table_face
from channel_tunnel_env.games.eurotunnel.faces.lesson import SEAT, lesson
from channel_tunnel_env.games.eurotunnel.faces.rulebook import rulebook


def test_every_step_is_short_and_has_its_section_in_the_rulebook() -> None:
    found = lesson()
    sections = {section["key"] for section in rulebook(load_ruleset(found.ruleset))}
    drawn = re.findall('data-target="([^"]+)"', table_face.draw(Game(found.ruleset), SEAT))
    assert 10 <= len(found.steps) <= 12
    for step in found.steps:
        assert step.key in sections
        assert len(step.text.split()) <= 60 and "{" not in step.text, step.title
        assert step.targets and set(step.targets) <= set(drawn), step.title


@pytest.mark.parametrize("seed", range(6))
def test_every_order_of_the_lesson_can_be_written(seed: int) -> None:
    """The person writes what the steps advise, and holds otherwise; all others write anything."""
    rng, guide = np.random.default_rng(seed), lesson()
    game = Game(guide.ruleset, guide.seed)
    wanted = {step.wants: step.made for step in guide.steps if ": " in step.wants}
    read: set[str] = set()
    while table_face.phase_name(game) != "W1901A":
        if game.to_play != SEAT:
            game.play(int(rng.choice(game.legal_ids())))
            continue
        asked = table_face.asked(game)
        moves = {f"{asked.title}: {m['words']}": m["action"] for m in table_face.moves(game)}
        action = next((moves[words] for words in wanted if words in moves), None)
        number = asked.usual if action is None else game.spec.actions.id_of(action)
        game.play(game.legal_ids()[-1] if number is None else number)
    for phase in table_face.chronicle(game, SEAT):
        assert phase.name != "S1901M" or phase.heading == "Spring 1901"
        read |= {words for seat, words, _ in phase.lines if seat == SEAT}
    assert set(wanted.values()) <= read
    building = [move["words"] for move in table_face.moves(game)] if game.to_play == SEAT else []
    assert any(guide.steps[-2].wants in words for words in building)
