"""1987 Channel Tunnel at the table in the browser, as `faces.table` asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from channel_tunnel_env.faces.table import ANALYSIS, LESSON, POSITIONS, PUBLIC, RULEBOOK
from channel_tunnel_env.games.tunnel_1987.board.head import ending as ending
from channel_tunnel_env.games.tunnel_1987.board.narration import SPACE_NAMES, action_group, action_words, question
from channel_tunnel_env.games.tunnel_1987.board.narration import narrate as narrate
from channel_tunnel_env.games.tunnel_1987.board.narration import opening as opening
from channel_tunnel_env.games.tunnel_1987.board.picture import LAYOUTS, draw_board
from channel_tunnel_env.games.tunnel_1987.board.targets import legal_paths, meant_actions
from channel_tunnel_env.games.tunnel_1987.board.view import Place, read_board
from channel_tunnel_env.games.tunnel_1987.board.words import slot_of
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, block_of
from channel_tunnel_env.games.tunnel_1987.explain import explain_illegal, survey
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import goal as goal
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import rulebook as rulebook
from channel_tunnel_env.games.tunnel_1987.faces.rulebook import seat_words as seat_words
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.rule_words import rule_sentences as rule_sentences
from channel_tunnel_env.games.tunnel_1987.words import plain
from channel_tunnel_env.outside.sentences import as_sentence, capital
from channel_tunnel_env.outside.sentences import title as seat_title

EXTRAS = frozenset({ANALYSIS, LESSON, POSITIONS, RULEBOOK})
IN_PHASES = False
_THEME = "auto"
_EVERYBODY = "everybody"
_MOST_REASONS = 3


def draw(game: Game, viewer: str, layout: str = LAYOUTS[0], before: Callable[[], Game] | None = None) -> str:
    """The board as SVG for a viewer."""
    seat = viewer if viewer in c.SEATS else None
    board = read_board(game, seat, before=_before(game, before))
    if viewer == PUBLIC:
        routes = tuple(replace(route, places=_covered(route.places)) for route in board.routes)
        board = replace(board, viewer=_EVERYBODY, routes=routes)  # type: ignore[arg-type]
    return draw_board(board, _THEME, layout, None)


def _before(game: Game, before: Callable[[], Game] | None) -> Game | None:
    """The position before the last decision, if that used a card that may have left its slot."""
    last = game.last_decision
    return before() if before and last and slot_of(last[1]) is not None else None


def _covered(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """A route without the colours of face-down tokens."""
    return tuple(p if p.face_up else replace(p, colour=None, symbol=False) for p in places)


def moves(game: Game) -> list[dict[str, Any]]:
    """The legal moves: name, words, the space used if they place a stack, click paths, and what is asked with them."""
    together = _kept_together(game)
    return [
        {
            "action": ACTION_NAMES[action],
            "words": action_words(game, action),
            "group": action_group(action),
            "paths": [list(path) for path in paths],
        }
        | (together if block_of(action).title in ("pass", "keep") else {})
        for action, paths in legal_paths(game).items()
    ]


def _kept_together(game: Game) -> dict[str, Any]:
    """The discs to keep, colour by colour: asked at once of a seat that passes, or that is asked for the first of them."""
    state, seat = game.state, game.mover
    is_asked = str(game.phase) == "keep"
    if not (is_asked or str(game.phase) == "turn"):
        return {}
    first, kept = (int(state.keep_colour), int(state.kept)) if is_asked else (0, 0)
    most = survey(game.states, 0, game.tables).sides[seat].keep_limit - kept
    rows = []
    for colour in range(first, c.NUM_COLOURS):
        if held := int(state.discs[seat, colour]):
            name = c.COLOURS[colour]
            rows.append({"name": name, "actions": [f"keep {n} {name}" for n in range(held + 1)]})
    is_one_question = is_asked and len(rows) == 1  # its buttons ask it already
    if not rows or most <= 0 or is_one_question:
        return {}
    # What follows once no more may be kept is answered by itself, if the ruleset says so.
    forced = bool(game.ruleset.data.switches.auto_forced)
    return {"together": {"title": "Pass: discs to keep", "most": most, "forced": forced, "rows": rows}}


# --- hidden things that were seen -----------------------------------------------------------------

_FIELDS = {
    "peeked": "a token has been looked at",
    "revealed": "a token of a route has been turned up",
    "deck_size": "a card has come from the deck",
    "deviation_drawn": "a deviation card has been drawn",
    "agenda_drawn": "an agenda card has been drawn",
}
"""Record fields that change when something hidden is seen."""
_STREAM_WORDS = {"discs": "discs have been drawn from the bag"}
_SHUFFLED = "cards have been shuffled"


def came_to_light(before: Game, after: Game) -> str:
    """What has been revealed since an earlier moment, in words; "" if nothing hidden or random
    was."""
    old, new = before.state, after.state
    for name, words in _FIELDS.items():
        if not np.array_equal(old[name], new[name]):
            return words
    for stream, was, now in zip(c.STREAMS, old.rng_counter, new.rng_counter, strict=True):
        if was != now:
            return _STREAM_WORDS.get(stream, _SHUFFLED)
    return ""


# --- why not --------------------------------------------------------------------------------------


def why_not(game: Game, clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal move, in a sentence or two."""
    meant = meant_actions(game, clicks)
    legal = set(game.legal_ids())
    if any(action in legal for action in meant):
        return "That is legal: go on."
    if not meant:
        return f"{_thing(game, clicks[-1])} is not part of any move here. {_asked(game)}"
    if not any(str(game.phase) in block_of(a).phase.split(", ") for a in meant):
        return f"Not now. {_asked(game)}"
    return " ".join(_reasons(game, meant))


def _asked(game: Game) -> str:
    return as_sentence(question(game))


def _reasons(game: Game, actions: list[int]) -> list[str]:
    """The distinct reasons why these actions are illegal, each with an action it applies to."""
    found: dict[str, str] = {}
    of_now = [action for action in actions if c.PHASES[int(game.state.phase)] in block_of(action).phase.split(", ")]
    for action in _of_largest_stacks(game, of_now):
        reason = explain_illegal(game.states, 0, game.tables, action)
        found.setdefault(reason, action_words(game, action))
    if len(found) == 1:
        reason, words = next(iter(found.items()))
        return [as_sentence(_said("", reason) if len(actions) > 1 else _said(words, reason))]
    return [as_sentence(_said(words, why)) for why, words in list(found.items())[:_MOST_REASONS]]


def _of_largest_stacks(game: Game, actions: list[int]) -> list[int]:
    """The same without placements of fewer discs than others: whatever forbids the largest stack forbids those, too."""
    discs = game.state.discs[int(game.state.to_play)]
    heights = [
        discs[action % len(c.COLOURS)] if block_of(action).title == "place" else max(discs) for action in actions
    ]
    return [action for action, height in zip(actions, heights, strict=True) if height == max(heights)]


def _said(words: str, reason: str) -> str:
    """A move and why it is not legal; the action's name, with which both may deal, once."""
    name, _, rest = reason.partition(": ")
    why = rest if name in (kind.capitalize() for kind in c.ACTION_KINDS) else reason
    return f"{words}: {why}" if words else why


def _thing(game: Game, target: str) -> str:
    """A target of the drawing in words."""
    kind, *rest = target.split(":")
    if rest and rest[0] in c.SEATS:
        return f"{seat_title(rest[0])}'s {_possession(game, kind, rest[1:])}"
    if kind in ("space", "option", "card"):
        name = SPACE_NAMES.get(rest[0], rest[0]) if rest else kind
        return f"The card on {name}" if kind == "card" else capital(name)
    return f"The {plain(_THINGS.get(kind, kind))}"


_THINGS = {"start": "first-player card", "deck": "card deck"}
_POSSESSIONS = {
    "disc": "{} discs",
    "route": "token {}",
    "storage": "stored {} token",
    "track": "track {}",
    "step": "track {}",
    "money": "money",
    "deviation": "deviation",
    "agenda": "agenda card",
}


def _possession(game: Game, kind: str, rest: list[str]) -> str:
    if kind == "built" and rest:
        cards = game.ruleset.data.deck.cards
        return next((card.name for card in cards if card.card == rest[0]), "card")
    if kind == "storage" and not rest:
        return "storage"
    return _POSSESSIONS.get(kind, "board").format(*rest, "")
