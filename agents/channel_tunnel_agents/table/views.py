"""What is sent to a tab: only what its viewer knows, equal bytes for indistinguishable states."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from channel_tunnel_agents.table.analysis import sides_seen
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.offers import PERSON
from channel_tunnel_agents.table.room import ALL, PUBLIC, Replay, Room, whose_turn
from channel_tunnel_env import Game
from channel_tunnel_env.board.clicks import legal_paths, meant_actions
from channel_tunnel_env.board.ending import ending
from channel_tunnel_env.board.narration import (
    SPACE_NAMES,
    Entry,
    action_group,
    action_words,
    opening,
    question,
)
from channel_tunnel_env.board.picture import LAYOUTS, draw_board
from channel_tunnel_env.board.view import Place, read_board
from channel_tunnel_env.board.words import plain, slot_of, title
from channel_tunnel_env.engine.actions import ACTION_NAMES, block_of
from channel_tunnel_env.engine.constants import PHASES, SEATS
from channel_tunnel_env.explain import explain_illegal

THEME = "auto"
EVERYBODY = "everybody"
MOST_REASONS = 3
MOST_ENTRIES = 500  # most recent log entries sent; few games have more


def draw(game: Game, viewer: str, layout: str = LAYOUTS[0], before: Game | None = None) -> str:
    """The board as SVG for a viewer; `before` is the position before the last decision, if
    available."""
    board = read_board(game, viewer if viewer in SEATS else None, before=before)
    if viewer == PUBLIC:
        routes = tuple(replace(route, places=_covered(route.places)) for route in board.routes)
        board = replace(board, viewer=EVERYBODY, routes=routes)  # type: ignore[arg-type]
    return draw_board(board, THEME, layout, None)


def _covered(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """A route without the colours of face-down tokens."""
    return tuple(p if p.face_up else replace(p, colour=None, symbol=False) for p in places)


def view(
    room: Room,
    held: set[str],
    ply: int | None = None,
    wanted: str | None = None,
    layout: str = LAYOUTS[0],
) -> dict[str, Any]:
    """The table as a tab sees it.

    Args:
        held: the sides, and "host", whose secrets the tab has.
        ply: number of decisions after the start; None: now.
        wanted: see `Room.viewer`.
        layout: "wide" or "narrow" drawing.

    Raises:
        TableError: the tab may not see that, or no such decision or layout.
    """
    if layout not in LAYOUTS:
        raise TableError(400, f"layout: allowed: {', '.join(LAYOUTS)}")
    now = len(room.game.actions)
    ply = now if ply is None else ply
    game, viewer = room.at(ply), room.viewer(held, wanted)
    may_play = can_play(room, held) and ply == now
    return {
        "version": room.version,
        "ply": ply,
        "plies": now,
        "title": game.ruleset.data.title,
        "viewer": viewer,
        "viewers": _viewers(room, held),
        "held": sorted(held),
        "seats": room.seats,
        "open": room.open,
        "replay": isinstance(room, Replay),
        "over": game.is_over,
        "to_play": game.to_play,
        "phase": str(game.phase),
        "round": game.round,
        "question": question(game),
        "may_play": may_play,
        "waits_for_agent": room.waits_for_agent and ply == now,
        "can_think": not game.is_over and game.to_play in sides_seen(room, viewer),
        "moves": legal_moves(game) if may_play else [],
        "opening": list(opening(next(room.positions()))),
        "log_from": max(0, ply - MOST_ENTRIES),
        "log": [_entry(room, entry, viewer) for entry in room.log[:ply][-MOST_ENTRIES:]],
        "ending": ending(game, _own_side(held)) if game.is_over else None,
        "scores": game.scores() if game.is_over else None,
        "svg": draw(game, viewer, layout, _before(room, ply, game)),
    }


def _own_side(held: set[str]) -> str | None:
    """The side of a tab that holds exactly one."""
    sides = [side for side in SEATS if side in held]
    return sides[0] if len(sides) == 1 else None


def _before(room: Room, ply: int, game: Game) -> Game | None:
    """The position before the last decision, if that used a card that may have left its slot."""
    last = game.last_decision
    return room.at(ply - 1) if ply and last and slot_of(last[1]) is not None else None


def _viewers(room: Room, held: set[str]) -> list[str]:
    """The viewers a tab can choose."""
    if room.shows_all:
        return [ALL, *SEATS, PUBLIC]
    return [*(side for side in SEATS if side in held), PUBLIC]


def can_play(room: Room, held: set[str]) -> bool:
    """Whether the tab holds the seat that is to decide."""
    game = room.game
    if isinstance(room, Replay) or game.is_over:
        return False
    return game.to_play in held and room.seats[str(game.to_play)] == PERSON


def legal_moves(game: Game) -> list[dict[str, Any]]:
    """The legal moves: name, words, the space used if they place a stack, and click paths."""
    return [
        {
            "action": ACTION_NAMES[action],
            "words": action_words(game, action),
            "group": action_group(action),
            "paths": [list(path) for path in paths],
        }
        for action, paths in legal_paths(game).items()
    ]


def _entry(room: Room, entry: Entry, viewer: str) -> dict[str, Any]:
    """A log entry; what only the deciding side saw is sent only to it."""
    knows = viewer in (ALL, entry.side)
    notes = [*entry.notes, entry.secret] if entry.secret and knows else list(entry.notes)
    return {
        "side": entry.side,
        "round": entry.round,
        "words": entry.words,
        "notes": notes,
        "turn": entry.turn,
        "drawn": [list(card) for card in entry.drawn],
    }


# --- why not --------------------------------------------------------------------------------------


def why_not(room: Room, held: set[str], clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal move, in a sentence or two."""
    game = room.game
    if not can_play(room, held):
        return _sentence(whose_turn(room))
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
    return _sentence(question(game))


def _reasons(game: Game, actions: list[int]) -> list[str]:
    """The distinct reasons why these actions are illegal, each with an action it applies to."""
    found: dict[str, str] = {}
    for action in actions:
        if PHASES[int(game.state.phase)] not in block_of(action).phase.split(", "):
            continue
        reason = explain_illegal(game.states, 0, game.tables, action)
        found.setdefault(reason, action_words(game, action))
    if len(found) == 1:
        reason, words = next(iter(found.items()))
        return [_sentence(reason if len(actions) > 1 else f"{words}: {reason}")]
    return [_sentence(f"{words}: {why}") for why, words in list(found.items())[:MOST_REASONS]]


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _thing(game: Game, target: str) -> str:
    """A target of the drawing in words."""
    kind, *rest = target.split(":")
    if rest and rest[0] in SEATS:
        return f"{title(rest[0])}'s {_possession(game, kind, rest[1:])}"
    if kind in ("space", "option", "card"):
        name = SPACE_NAMES.get(rest[0], rest[0]) if rest else kind
        return f"The card on {name}" if kind == "card" else name[0].upper() + name[1:]
    return f"The {plain(THINGS.get(kind, kind))}"


THINGS = {"start": "first-player card", "deck": "card deck"}
POSSESSIONS = {
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
    return POSSESSIONS.get(kind, "board").format(*rest, "")
