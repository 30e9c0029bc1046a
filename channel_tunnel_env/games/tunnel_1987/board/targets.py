"""Targets of the drawing: for each action, the things on the board to click, in order; and where the last decision was taken.

A click names a target of the drawing (`data-target`: "disc:britain:yellow", "option:slot_1:develop") or
a button below the board ("button:pass", "number:3"). An action may have several paths; the first is
the one a hint shows. Two actions that are legal together never share a path.
"""

from __future__ import annotations

from collections.abc import Callable

from channel_tunnel_env.games.tunnel_1987.board.values import Board, Decision
from channel_tunnel_env.games.tunnel_1987.board.words import slot_of
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, BLOCKS, block_of
from channel_tunnel_env.games.tunnel_1987.game import Game
from channel_tunnel_env.games.tunnel_1987.words import rival_of

Path = tuple[str, ...]
ACTION_TARGETS: dict[str, tuple[str, ...]] = {
    "plan": ("option:plan_tunnel:plan",),
    "tunnel": ("option:plan_tunnel:tunnel",),
    "finance": ("option:finance_technology:finance",),
    "technology": ("option:finance_technology:technology",),
    "develop": tuple(f"option:{space}:develop" for space in c.SPACES[2:]),
}
"""Where the board shows each of the five actions."""


class Hand:
    """The seat that clicks, and its cards."""

    def __init__(self, game: Game, seat: int | None = None) -> None:
        self.seat = game.mover if seat is None else seat
        self.own, self.rival = c.SEATS[self.seat], c.SEATS[1 - self.seat]
        cards = game.ruleset.data.deck.cards
        area = int(game.state.area[self.seat])
        self.cards = [(card.kind, card.card) for i, card in enumerate(cards) if area >> i & 1]

    def built(self, kind: str) -> list[str]:
        """The targets of the seat's developed cards of a kind; the kind's own name if it has none."""
        keys = [key for found, key in self.cards if found == kind]
        return [f"built:{self.own}:{key}" for key in keys or [kind]]


def click_paths(game: Game, action: int, seat: int | None = None) -> list[Path]:
    """The click paths of an action, legal or not, for the seat to play or another."""
    return _PATHS[block_of(action).title](ACTION_NAMES[action].split(), Hand(game, seat))


def legal_paths(game: Game) -> dict[int, list[Path]]:
    """The paths of every legal action, with shortcuts where a space leaves only one choice."""
    paths = {action: click_paths(game, action) for action in game.legal_ids()}
    _add_short_cuts(paths)
    return paths


def _add_short_cuts(paths: dict[int, list[Path]]) -> None:
    """Add disc, then the space itself, if only one of the space's two actions is legal."""
    wanted: dict[Path, list[int]] = {}
    for action, (first, *_) in paths.items():
        if len(first) == 2 and first[0].startswith("disc:") and first[1].startswith("option:"):
            space = first[1].split(":")[1]
            wanted.setdefault((first[0], f"space:{space}"), []).append(action)
    for path, actions in wanted.items():
        if len(actions) == 1:
            paths[actions[0]].append(path)


def meant_actions(game: Game, clicks: Path) -> list[int]:
    """Actions, legal or not, that the clicks lead to; complete paths before partial ones."""
    whole, begun = [], []
    for action in range(len(ACTION_NAMES)):
        for path in click_paths(game, action):
            if path == clicks:
                whole.append(action)
            elif path[: len(clicks)] == clicks:
                begun.append(action)
    return whole + [action for action in dict.fromkeys(begun) if action not in whole]


def _place(words: list[str], hand: Hand) -> list[Path]:
    _, colour, space, option = words
    disc, use = f"disc:{hand.own}:{colour}", f"option:{space}:{option}"
    return [(disc, use), (use, disc)]


def _button(words: list[str], hand: Hand) -> list[Path]:
    return [(f"button:{' '.join(words)}",)]


def _keep(words: list[str], hand: Hand) -> list[Path]:
    return [(f"disc:{hand.own}:{words[2]}", f"number:{words[1]}")]


def _pay(words: list[str], hand: Hand) -> list[Path]:
    one, other = (f"disc:{hand.own}:{colour}" for colour in words[1:])
    return [(one, other)] if one == other else [(one, other), (other, one)]


def _card(words: list[str], hand: Hand) -> list[Path]:
    return [(f"card:{words[1]}",)]


def _own(kind: str) -> Callable[[list[str], Hand], list[Path]]:
    """What lies before the seat: its storage, a track, its money."""
    return lambda words, hand: [(f"{kind}:{hand.own}:{words[1]}",)]


def _peek(words: list[str], hand: Hand) -> list[Path]:
    side = hand.own if words[1] == "own" else hand.rival
    return [(f"route:{side}:{words[2]}",)]


def _use(words: list[str], hand: Hand) -> list[Path]:
    return [(card,) for card in hand.built(words[1])]


def _use_machinery(words: list[str], hand: Hand) -> list[Path]:
    return [(card, target) for card in hand.built("heavy_machinery") for target in ACTION_TARGETS[words[2]]]


def _exchange(words: list[str], hand: Hand) -> list[Path]:
    discs = (f"disc:{hand.own}:{words[1]}", f"disc:{hand.rival}:{words[3]}")
    return [discs, *((card, *discs) for card in hand.built("exchange"))]


_PATHS: dict[str, Callable[[list[str], Hand], list[Path]]] = {
    "place": _place,
    "pass": _button,
    "keep": _keep,
    "pay": _pay,
    "take": _card,
    "develop": _card,
    "rubble": _own("storage"),
    "rubble stop": _button,
    "track": _own("track"),
    "track none": _button,
    "peek": _peek,
    "spend": _own("money"),
    "spend extra": _use,
    "spend stop": _button,
    "use": _use,
    "use machinery": _use_machinery,
    "use stop": _button,
    "use workers": _use,
    "exchange": _exchange,
    "start": _button,
    "agenda": _button,
}
assert set(_PATHS) == {block.title for block in BLOCKS}


# --- where the last decision was taken: the targets that the picture marks ------------------------
# A used card has usually left its slot and another card is there now; the mark follows the used card.


def marked_targets(board: Board) -> tuple[str, ...]:
    """Names of the targets of the last decision, each once and in a fixed order."""
    last = board.last
    return () if last is None else tuple(dict.fromkeys(_targets(board, last)))


def _targets(board: Board, last: Decision) -> list[str]:
    verb, *words = last.action.split()
    side = last.side
    if verb == "place":
        option = f"option:{words[1]}:{words[2]}"
        used = [option] if slot_of(last.action) is None else _used_card(board, last, option)
        return [f"space:{words[1]}", *used]
    if verb in ("take", "develop"):
        return _used_card(board, last, f"card:{words[0]}") or [f"space:{words[0]}"]
    if verb == "start":
        return ["start"]
    if side is None:
        return []
    if verb == "keep":
        return [f"disc:{side}:{words[1]}"]
    if verb == "pay":
        return [f"disc:{side}:{colour}" for colour in words]
    if verb == "exchange":
        return [f"disc:{side}:{words[0]}", f"disc:{rival_of(side)}:{words[2]}"]
    if verb == "rubble" and words != ["stop"]:
        return [f"storage:{side}"]
    if verb == "track" and words != ["none"]:
        return [f"track:{side}:{words[0]}"]
    if verb == "peek":
        return [f"route:{side if words[0] == 'own' else rival_of(side)}:{words[1]}"]
    if verb == "spend":
        return [f"money:{side}"] if words[0].isdigit() else [f"deviation:{side}"]
    if verb == "agenda":
        return [f"agenda:{side}"]
    if verb == "use":
        return _used_cards(board, side, words[0])
    return []


def _used_card(board: Board, last: Decision, in_slot: str) -> list[str]:
    """Where the card used by the decision is now: still `in_slot`, or on its new owner's board."""
    shown = board.spaces[c.FIRST_SLOT + (slot_of(last.action) or 0)].card
    lies_there = board.phase == "rubble" if last.card is None else shown == last.card
    if lies_there:
        return [in_slot]
    if last.side is None:
        return []
    secondary = last.action.endswith("secondary")
    if last.action.startswith("take") or (secondary and last.card and last.card.secondary == "finance"):
        return [f"money:{last.side}"]
    cards = board.sides[c.SEATS.index(last.side)].cards
    return [f"built:{last.side}:{built.card.key}" for built in cards if built.card == last.card]


def _used_cards(board: Board, side: str, kind: str) -> list[str]:
    """The cards of a kind that were used this round; which one acted last is not recorded."""
    cards = board.sides[c.SEATS.index(side)].cards
    return [f"built:{side}:{b.card.key}" for b in cards if b.card.kind == kind and b.used]
