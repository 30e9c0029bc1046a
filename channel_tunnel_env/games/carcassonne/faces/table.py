"""Carcassonne at the table in the browser, as `faces.table` asks for it.

Nothing but the order of the deck is hidden, and nothing here reads it: every viewer sees the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from channel_tunnel_env.core.game import Game
from channel_tunnel_env.faces.table import LESSON, POSITIONS, RULEBOOK, Entry, put_ahead
from channel_tunnel_env.games.carcassonne.board.page import LAYOUTS, draw_page, openings_of
from channel_tunnel_env.games.carcassonne.bounds import farm_points
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.explain import ACTION_NAMES, action_id, find_reason
from channel_tunnel_env.games.carcassonne.faces.rulebook import rulebook as rulebook
from channel_tunnel_env.games.carcassonne.pieces import token_colours
from channel_tunnel_env.games.carcassonne.ruleset import RulesetData
from channel_tunnel_env.games.carcassonne.words import FOLLOWERS, choice_words, decision_words, effects
from channel_tunnel_env.outside.sentences import as_sentence
from channel_tunnel_env.outside.sentences import title as seat_title

EXTRAS = frozenset({LESSON, POSITIONS, RULEBOOK})
IN_PHASES = False
_QUESTIONS = {
    "cell": "Choose a place for the tile",
    "rotate": "Turn the tile as you like, then lay it",
    "claim": "A follower on the tile, or none?",
    "token": "A tunnel token on a mouth, or none?",
}
_GROUPS = {
    "cell": "Places, counted from the start tile",
    "rotate": "How the tile lies",
    "claim": "Followers",
    "token": "Tunnel tokens",
}


# --- before a game --------------------------------------------------------------------------------


def goal(ruleset: Any) -> Sequence[str]:
    """What the game is about, in two short lines."""
    tiles = sum(kind.count for kind in ruleset.data.tile_types())
    lay = "Lay a tile each turn, and claim roads, cities, cloisters and fields with followers."
    tokens = "Tokens join roads through tunnels. " if ruleset.data.tunnel else ""
    return lay, f"{tokens}After {tiles} tiles, more points win."


def seat_words(ruleset: Any, seat: str) -> str:
    """When a seat plays."""
    number = ruleset.seats.index(seat)
    order = ("first", "second", "third", "fourth", "fifth", "sixth")
    return "Begins the game." if number == 0 else f"Plays {order[number]}."


def rule_sentences(ruleset: Any) -> dict[str, Any]:
    """The rule of a place, a turn of the tile, each kind of follower and a token."""
    rules = {
        "laying": ("Laying a tile", _LAYING),
        "turning": ("Turning the tile", "Every edge must match its neighbour: city, road or field."),
        **{kind: _feature_rule(kind, ruleset.data) for kind in c.KINDS},
        "token": ("Tunnel token", _TOKENS),
    }
    return {name: {"title": title, "text": text, "sources": []} for name, (title, text) in rules.items()}


_LAYING = (
    "A tile lies beside at least one other, and every edge matches its neighbour: city, road or field. A tile "
    "that fits nowhere leaves the game."
)
_TOKENS = (
    "Lay one of your tokens on a free tunnel mouth. Two tokens of one colour join their mouths: the road goes on "
    "from one to the other, for everybody. A single token only keeps the mouth."
)
_FREE = "No other follower may stand on it yet. It comes home when the {} is complete."


def _feature_rule(kind: str, data: RulesetData) -> tuple[str, str]:
    p = data.points
    if kind == "city":
        worth = (
            f"{p.city} a tile and {p.shield} a shield when walled all around; at the end {p.city_open} and "
            f"{p.shield_open}."
        )
        small = " A complete city of two tiles: 1 a tile and a shield." if data.small_city == 2 else ""
        return "Knight in a city", f"{worth}{small} {_FREE.format(kind)}"
    if kind == "road":
        worth = f"{p.road} a tile when both ends are closed; at the end {p.road_open}. Only tiles count that are seen."
        return "Thief on a road", f"{worth} {_FREE.format(kind)}"
    if kind == "cloister":
        worth = (
            f"{p.cloister} when all eight cells around are filled; at the end {p.cloister_open} for each tile there."
        )
        return "Monk in a cloister", f"{worth} The monk then comes home."
    if data.farm_scoring == "none":
        return ("Farmer in a field", "Fields score nothing under these rules. The farmer never comes home.")
    text = f"{farm_points(data)} at the end for each complete city beside the field. The farmer never comes home."
    return "Farmer in a field", text


# --- a position -----------------------------------------------------------------------------------


def draw(game: Game, viewer: str, layout: str = LAYOUTS[0], before: Callable[[], Game] | None = None) -> str:
    """The table as HTML; the same for every viewer."""
    return draw_page(game, layout, before() if before else None)


def question(game: Game) -> str:
    """What the game asks for now; how it ended."""
    return f"{_result(game)}." if game.is_over else _QUESTIONS[str(game.phase)]


def opening(game: Game) -> Sequence[str]:
    """What everybody begins with."""
    data, state = game.ruleset.data, game.state
    tokens = [c.TOKENS_OF_A_COLOUR * len(token_colours(data, 0))] if data.tunnel else []
    stock = "in a common stock" if data.tunnel_variant == "paired" else "each"
    return (
        f"{int(state.deck_size)} tiles face down beside the start tile",
        f"{data.followers} followers each" + "".join(f", {count} tunnel tokens {stock}" for count in tokens),
    )


def moves(game: Game) -> list[dict[str, Any]]:
    """The legal moves with their click paths."""
    actions, group = game.legal_ids(), _GROUPS[str(game.phase)]
    at_mouth: dict[int, list[int]] = {}
    for action in actions:
        for mouth in _free_openings(game, action):
            at_mouth.setdefault(mouth, []).append(action)
    return [
        {
            "action": ACTION_NAMES[action],
            "words": choice_words(game, action),
            "group": group,
            "paths": _paths(game, action, at_mouth),
            "leads": _followers_after(game, action),
        }
        for action in actions
    ]


def _followers_after(game: Game, action: int) -> list[str]:
    """The followers that the tile can have after a place or a turn of it, in the words of their choice."""
    if action >= c.FIRST_CLAIM:
        return []
    after = game.clone().play(action)
    is_same_turn = not after.is_over and int(after.state.turn) == int(game.state.turn)
    actions = after.legal_ids() if is_same_turn else []
    if str(after.phase) == "rotate":
        return sorted({man for turned in actions for man in _followers_after(after, turned)})
    kind, number = game.ruleset.data.tile_types()[int(game.state.tile)], int(game.state.tile_count)
    turned = int(after.state.tile_turned[number])
    places = [one - c.FIRST_CLAIM for one in actions if c.FIRST_CLAIM <= one < c.CLAIM_NONE]
    pieces = [kind.segments[kind.place_segment(place, turned)] for place in places]
    return sorted({FOLLOWERS[piece.kind].capitalize() for piece in pieces})


def _free_openings(game: Game, action: int) -> list[int]:
    """The openings that an action lays a token on."""
    return [mouth for mouth in openings_of(action) if game.state.mouth_colour[mouth] < 0]


def _paths(game: Game, action: int, at_mouth: dict[int, list[int]]) -> list[list[str]]:
    """The thing itself; a mouth, and a button if it serves several actions; or only a button."""
    name = ACTION_NAMES[action]
    if action in (c.CLAIM_NONE, c.TOKEN_NONE):
        return [[f"button:{name}"]]
    if action < c.FIRST_TOKEN:
        return [[name]]
    return [
        [f"mouth {mouth}"] + ([f"button:{name}"] if len(at_mouth[mouth]) > 1 else [])
        for mouth in _free_openings(game, action)
    ]


def why_not(game: Game, clicks: tuple[str, ...]) -> str:
    """Why some clicks are not a legal move."""
    name = clicks[-1].removeprefix("button:").replace("mouth ", "token ")
    if name not in ACTION_NAMES:
        return f"That is not part of any move here. {question(game)}"
    action = action_id(name)
    if game.mask[action]:
        return "That is legal: go on."
    return as_sentence(find_reason(game.states, 0, game.tables, action))


# --- what happened --------------------------------------------------------------------------------


def narrate(before: Game, action: int, after: Game) -> Entry:
    """A decision and what followed from it."""
    return Entry(
        before.seats[before.mover],
        int(before.state.turn),
        decision_words(before, action),
        tuple(effects(before, action, after)),
        turn=str(before.phase) == "cell",
        action=ACTION_NAMES[action],
    )


def came_to_light(before: Game, after: Game) -> str:
    """Only the deck is hidden: what was seen is a tile that was drawn."""
    return "a tile has been drawn" if int(before.state.drawn) != int(after.state.drawn) else ""


# --- the end --------------------------------------------------------------------------------------


def ending(game: Game, seat: str | None) -> dict[str, str]:
    """Who won, by how much and by what."""
    return {"title": _title(game, seat), "why": "The last tile is laid.", "points": _by_what(game, seat)}


def _totals(game: Game) -> dict[str, int]:
    return {seat: points["total"] for seat, points in game.scores().items()}


def _winners(game: Game) -> list[str]:
    totals = _totals(game)
    return [seat for seat, total in totals.items() if total == max(totals.values())]


def _result(game: Game) -> str:
    totals, winners = _totals(game), _winners(game)
    others = sorted((total for seat, total in totals.items() if seat not in winners), reverse=True)
    points = " to ".join(map(str, (totals[winners[0]], *others)))
    names = " and ".join(seat_title(seat) for seat in winners)
    return f"{names} {'win' if len(winners) > 1 else 'wins'} with {points}"


def _title(game: Game, seat: str | None) -> str:
    totals, winners = _totals(game), _winners(game)
    if seat is None:
        return _result(game)
    others = [total for name, total in totals.items() if name != seat]
    points = f"{totals[seat]} to {max(others)}"
    if seat not in winners:
        return f"You lost {points}"
    return f"You won {points}" if len(winners) == 1 else f"You share the win, {points}"


def _by_what(game: Game, seat: str | None) -> str:
    """Where the winner gained most on the best of the others."""
    winners, scores, totals = _winners(game), game.scores(), _totals(game)
    if len(winners) > 1:
        return ""
    best = winners[0]
    second = max((name for name in game.seats if name != best), key=lambda name: totals[name])
    whose = "you" if best == seat else seat_title(best)
    mine, theirs = ({kind: scores[name][kind] for kind in c.KINDS} for name in (best, second))
    return put_ahead(whose, mine, theirs)
