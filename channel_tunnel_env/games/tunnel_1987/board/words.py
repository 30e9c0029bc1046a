"""A position in words: the question, the turn, the result, a decision.

Used by the picture, the text board and the browser page.
"""

from __future__ import annotations

from collections.abc import Callable

from channel_tunnel_env.games.tunnel_1987.board.values import PrintedCard
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import SPACES_IN_WORDS, plain, points_words, rival_of, title

_SHORTER = (
    ("European influence than", "influence than"),
    ("different rubble", "rubble"),
    ("a disc back from", "a disc from"),
)
END_CAUSES_IN_WORDS = {
    "centre": "the centre is reached",
    "max_rounds": "the last round has been played",
    "empty_rounds": "nobody places any more",
    "dead_position": "nobody can act any more",
}


def shorter(ability: str) -> str:
    """An ability's words for a card of little room: what the board says anyway is left out."""
    for long, short in _SHORTER:
        ability = ability.replace(long, short)
    return ability


def card_short_name(kind: str, name: str) -> str:
    """A short name for a card: for influence, the country."""
    if kind == c.CARD_KINDS[c.EUROPEAN_INFLUENCE] and name.endswith(")") and "(" in name:
        return name.split("(")[-1].rstrip(")")
    return name


def question_detail(game: Game) -> str:
    """A detail of the current question, in brackets, or ""."""
    state, seat = game.state, int(game.state.to_play)
    if game.phase == "keep":
        colour = int(state.keep_colour)
        return f" ({c.COLOURS[colour]}: {int(state.discs[seat, colour])} held)"
    if game.phase == "agenda":
        return f" ({plain(c.AGENDA_KINDS[int(state.agenda_card)])})"
    if game.phase == "rubble":
        card = int(state.slots[int(state.action_slot)])
        return f" ({game.ruleset.data.deck.cards[card].name})"
    if game.phase == "promotion":
        return f" ({int(state.promotion_paid)} M paid so far)"
    return ""


def turn_words(game: Game) -> tuple[str, ...]:
    """The turn in progress: the stack laid, then what was done and is in progress; or nothing."""
    state = game.state
    space = int(state.turn_space)
    if space < 0 or game.is_over:
        return ()
    colour = c.COLOURS[int(state.stack_colour[space])]
    where = SPACES_IN_WORDS[c.SPACES[space]]
    parts = [f"{int(state.stack_height[space])} {colour} on {where}"]
    if state.last >= 0:
        parts.append(f"{c.ACTION_KINDS[int(state.last)].capitalize()} done")
    if state.action >= 0:
        parts.append(f"{c.ACTION_KINDS[int(state.action)].capitalize()} under way")
    return tuple(parts)


def result_words(game: Game) -> str:
    """How a finished game ended: the winner, the points and the cause."""
    scores = game.scores()
    points = {side: scores[side]["total"] for side in c.SEATS}
    britain, france = points.values()
    if game.winner is None:
        score = f"{points_words(britain)} each"
        if britain != france:
            score = f"Britain {points_words(britain)}, France {points_words(france)}"
        return f"A draw, {score}: {END_CAUSES_IN_WORDS[str(game.end_cause)]}"
    winner, loser = str(game.winner), rival_of(str(game.winner))
    if game.end_cause == "deviation":
        return f"{title(winner)} wins: {title(loser)}'s tunnel has gone off course"
    why = END_CAUSES_IN_WORDS[str(game.end_cause)]
    if britain == france:
        return f"{title(winner)} wins at {points_words(britain)} each, by reaching the centre"
    return f"{title(winner)} wins by {points_words(points[winner])} to {points[loser]}: {why}"


def slot_of(action: str) -> int | None:
    """The slot whose card an action uses, 0 to 2; None if it uses none."""
    words = action.split()
    space = {"place": 2, "take": 1, "develop": 1}.get(words[0])
    if space is None or not words[space].startswith("slot_"):
        return None
    return int(words[space][-1]) - 1


def decision_words(action: str, card: PrintedCard | None = None) -> str:
    """An action's name as a clause whose subject is the player: "lays orange on Slot 1 for ...".

    Args:
        card: of the slot that the action uses, if known.
    """
    verb, *rest = action.split()
    if card is not None and verb == "place":
        return _place_on_card(rest, card)
    if card is not None and verb in ("take", "develop"):
        return f"takes {card.name} as money" if verb == "take" else f"develops {card.name}"
    make = _CLAUSES.get(verb)
    return make(rest) if make else action


def _place(words: list[str]) -> str:
    colour, space, option = words
    use = {"secondary": "its card's secondary action", "develop": "Development"}
    return f"lays {colour} on {SPACES_IN_WORDS[space]} for {use.get(option, title(option))}"


def _place_on_card(words: list[str], card: PrintedCard) -> str:
    colour, space, option = words
    use = f"to develop {card.name}"
    if option == "secondary":
        use = f"for {title(card.secondary)}, the secondary action of {card.name}"
    return f"lays {colour} on {SPACES_IN_WORDS[space]} {use}"


def _use(words: list[str]) -> str:
    if words == ["stop"]:
        return "ends the turn"
    if words[0] == "heavy_machinery":
        return f"uses Heavy machinery for {title(words[1])}"
    return f"uses {title(words[0])}"


def _spend(words: list[str]) -> str:
    if words == ["stop"]:
        return "aligns no further"
    if words == ["extra_finance"]:
        return "uses Extra finance on alignment"
    return f"spends {words[0]} M"


_CLAUSES: dict[str, Callable[[list[str]], str]] = {
    "place": _place,
    "pass": lambda words: "passes",
    "keep": lambda words: f"keeps {words[0]} {words[1]}",
    "pay": lambda words: f"pays {words[0]} and {words[1]}",
    "take": lambda words: f"takes the card of {SPACES_IN_WORDS[words[0]]} as money",
    "develop": lambda words: f"develops the card of {SPACES_IN_WORDS[words[0]]}",
    "rubble": lambda words: "places no second token" if words == ["stop"] else f"gives a {words[0]} token",
    "track": lambda words: (
        "moves no counter" if words == ["none"] else f"moves the counter of track {words[0].upper()}"
    ),
    "peek": lambda words: f"looks at the {'own' if words[0] == 'own' else 'rival'} token on space {words[1]}",
    "spend": _spend,
    "use": _use,
    "exchange": lambda words: f"swaps a {words[0]} disc for a {words[2]} one",
    "start": lambda words: "starts the round",
    "agenda": lambda words: f"{words[0]}s the agenda card",
}
