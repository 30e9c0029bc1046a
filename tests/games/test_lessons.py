"""The guided game of every game: each step points at something drawn, and every move can be made whatever rivals do."""

from __future__ import annotations

import re
from types import ModuleType

import numpy as np
import pytest

from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Game, load_ruleset
from channel_tunnel_env.games.carcassonne.faces import lesson as carcassonne
from channel_tunnel_env.games.carcassonne.faces import rulebook as carcassonne_rules
from channel_tunnel_env.games.carcassonne.faces import table as carcassonne_table
from channel_tunnel_env.games.eurotunnel.faces import lesson as eurotunnel
from channel_tunnel_env.games.eurotunnel.faces import rulebook as eurotunnel_rules
from channel_tunnel_env.games.eurotunnel.faces import table as eurotunnel_table
from channel_tunnel_env.games.tunnel_1987.board.narration import action_words
from channel_tunnel_env.games.tunnel_1987.faces import lesson as tunnel_1987
from channel_tunnel_env.games.tunnel_1987.faces import rulebook as tunnel_1987_rules
from channel_tunnel_env.games.tunnel_1987.faces import table as tunnel_1987_table

LESSONS = {
    "1987": (tunnel_1987, tunnel_1987_rules),
    "carcassonne": (carcassonne, carcassonne_rules),
    "eurotunnel": (eurotunnel, eurotunnel_rules),
}


def targets(svg: str) -> list[str]:
    """The names of what a picture lets a player point at."""
    return re.findall('data-target="([^"]+)"', svg)


@pytest.mark.parametrize(("face", "rules"), LESSONS.values(), ids=LESSONS)
def test_every_step_is_short_and_has_its_section_in_the_rulebook(face: ModuleType, rules: ModuleType) -> None:
    found = face.lesson()
    sections = {section["key"] for section in rules.rulebook(load_ruleset(found.ruleset))}
    assert 10 <= len(found.steps) <= 12
    for step in found.steps:
        assert step.key in sections
        assert len(step.text.split()) <= 60 and "{" not in step.text, step.title


def test_the_page_of_1987_speaks_of_machines_and_names_the_letters_of_colours() -> None:
    told = [rule["text"] for rule in tunnel_1987_table.rule_sentences(load_ruleset("agenda")).values()]
    assert len(told) > 40 and not [text for text in told if "TBM" in text]
    assert any("S blue, K black" in step.text for step in tunnel_1987.lesson().steps)


def test_every_step_of_1987_and_eurotunnel_points_at_something_drawn() -> None:
    """In Carcassonne, where the table grows, the test of its moves looks before each step."""
    game = Game(tunnel_1987.RULESET, tunnel_1987.SEED)
    buttons = [step for move in tunnel_1987_table.moves(game) for path in move["paths"] for step in path]
    drawn = targets(game.to_svg(tunnel_1987.SIDE)) + buttons
    for step in tunnel_1987.lesson().steps:
        assert all(any(name.startswith(wanted) for name in drawn) for wanted in step.targets), step.title
    found = eurotunnel.lesson()
    drawn = targets(eurotunnel_table.draw(Game(found.ruleset), eurotunnel.SEAT))
    for step in found.steps:
        assert step.targets and set(step.targets) <= set(drawn), step.title


def test_every_move_of_the_lesson_of_1987_can_be_made_in_the_first_round() -> None:
    """With the lowest stack each, as the page advises, against the rival of the lesson."""
    side = tunnel_1987.SIDE
    game, agent = Game(tunnel_1987.RULESET, tunnel_1987.SEED), make_agent("heuristic")
    for step in (step for step in tunnel_1987.lesson().steps if step.wants):
        while game.to_play != side or str(game.phase) != "turn":
            if game.to_play == side:
                game.play(game.legal_ids()[0])
            else:
                rows = game.observation(game.to_play)[None], game.action_mask[None]
                game.play(int(agent(*rows)[0]))
        moves = {action: action_words(game, action) for action in game.legal_ids()}
        fits = [action for action, words in moves.items() if step.wants in words]
        assert fits and game.round == 1, step.title
        game.play(min(fits, key=lambda action: int(moves[action].split()[0]) if step.key != "pass" else action))
    assert int(game.state.deviation[0]) > 0, "the card of the deviation step has moved the machine"


@pytest.mark.parametrize("seed", range(6))
def test_every_move_of_the_lesson_of_carcassonne_can_be_made(seed: int) -> None:
    """The first move that fits, as the page advises; the rival and all other choices are random."""
    rng, guide = np.random.default_rng(seed), carcassonne.lesson()
    game, seat = Game(guide.ruleset, guide.seed), carcassonne.SEAT
    for step in guide.steps:
        assert bool(step.first or step.title == "Lay a tile") == bool(step.wants), step.title
        drawn = targets(carcassonne_table.draw(game, seat))
        assert bool(step.wants) <= bool(step.targets) and {*step.targets} <= {*drawn}, step.title
        for _ in range(40):
            moves = {move["words"]: move["action"] for move in carcassonne_table.moves(game)}
            fits = [words for words in moves if step.wants and step.wants in words]
            if game.to_play == seat and (fits or not step.wants):
                break
            names = list(moves.values())
            if game.to_play == seat and {"claim none", "token none"} & set(names):
                names = names[-1:] if "claim none" in names else names
            game.play(str(rng.choice(names)))
        if step.wants:
            assert fits, step.title
            before = game.clone()
            action = game.spec.actions.id_of(moves[fits[0]])
            game.play(action)
            entry = carcassonne_table.narrate(before, action, game)
            assert entry.side == seat and (step.made or step.wants) in entry.words
    assert game.turn <= 9, "in the first four turns of the person"


def test_a_place_and_a_turn_of_a_tile_lead_to_the_followers_that_it_can_have() -> None:
    rng, game = np.random.default_rng(5), Game("carcassonne", 5)
    seen = {"rotate": 0, "cell": 0}
    while not game.is_over:
        phase = str(game.phase)
        for move in carcassonne_table.moves(game) if phase in seen else ():
            after, found = game.clone().play(game.spec.actions.id_of(move["action"])), set()
            turns = after.legal_ids() if str(after.phase) == "rotate" else []
            for end in [after.clone().play(turn) for turn in turns] or [after]:
                claims = carcassonne_table.moves(end) if str(end.phase) == "claim" else []
                found |= {one["words"].split()[0] for one in claims} - {"No"}
            assert set(move["leads"]) == found
            seen[phase] += len(found)
        game.play(int(rng.choice(game.legal_ids())))
    assert min(seen.values()) > 20


@pytest.mark.parametrize("seed", range(6))
def test_every_order_of_the_lesson_of_eurotunnel_can_be_written(seed: int) -> None:
    """The person writes what the steps advise, and holds otherwise; all others write anything."""
    rng, guide = np.random.default_rng(seed), eurotunnel.lesson()
    game, mine = Game(guide.ruleset, guide.seed), eurotunnel.SEAT
    wanted = {step.wants: step.made for step in guide.steps if ": " in step.wants}
    read: set[str] = set()
    while eurotunnel_table.phase_name(game) != "W1901A":
        if game.to_play != mine:
            game.play(int(rng.choice(game.legal_ids())))
            continue
        asked = eurotunnel_table.asked(game)
        moves = {f"{asked.title}: {m['words']}": m["action"] for m in eurotunnel_table.moves(game)}
        action = next((moves[words] for words in wanted if words in moves), None)
        number = asked.usual if action is None else game.spec.actions.id_of(action)
        game.play(game.legal_ids()[-1] if number is None else number)
    for phase in eurotunnel_table.chronicle(game, mine):
        assert phase.name != "S1901M" or phase.heading == "Spring 1901"
        read |= {words for seat, words, _ in phase.lines if seat == mine}
    assert set(wanted.values()) <= read
    building = [move["words"] for move in eurotunnel_table.moves(game)] if game.to_play == mine else []
    assert any(guide.steps[-2].wants in words for words in building)
