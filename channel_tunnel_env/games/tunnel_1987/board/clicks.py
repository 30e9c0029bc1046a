"""For each action, the things on the board to click, in order.

A click names a target of the drawing (`data-target`: "disc:britain:yellow", "option:slot_1:develop") or
a button below the board ("button:pass", "number:3"). An action may have several paths; the first is
the one a hint shows. Two actions that are legal together never share a path.
"""

from __future__ import annotations

from collections.abc import Callable

from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.actions import ACTION_NAMES, BLOCKS, block_of
from channel_tunnel_env.games.tunnel_1987.game import Game

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


def _rubble(words: list[str], hand: Hand) -> list[Path]:
    return [(f"storage:{hand.own}:{words[1]}",)]


def _track(words: list[str], hand: Hand) -> list[Path]:
    return [(f"track:{hand.own}:{words[1]}",)]


def _peek(words: list[str], hand: Hand) -> list[Path]:
    side = hand.own if words[1] == "own" else hand.rival
    return [(f"route:{side}:{words[2]}",)]


def _spend(words: list[str], hand: Hand) -> list[Path]:
    return [(f"money:{hand.own}:{words[1]}",)]


def _spend_extra(words: list[str], hand: Hand) -> list[Path]:
    return [(card,) for card in hand.built("extra_finance")]


def _use(words: list[str], hand: Hand) -> list[Path]:
    return [(card,) for card in hand.built(words[1])]


def _use_machinery(words: list[str], hand: Hand) -> list[Path]:
    return [(card, target) for card in hand.built("heavy_machinery") for target in ACTION_TARGETS[words[2]]]


def _exchange(words: list[str], hand: Hand) -> list[Path]:
    discs = (f"disc:{hand.own}:{words[1]}", f"disc:{hand.rival}:{words[3]}")
    return [discs, *((card, *discs) for card in hand.built("exchange"))]


def _agenda(words: list[str], hand: Hand) -> list[Path]:
    return [(f"button:agenda {words[1]}",)]


_PATHS: dict[str, Callable[[list[str], Hand], list[Path]]] = {
    "place": _place,
    "pass": _button,
    "keep": _keep,
    "pay": _pay,
    "take": _card,
    "develop": _card,
    "rubble": _rubble,
    "rubble stop": _button,
    "track": _track,
    "track none": _button,
    "peek": _peek,
    "spend": _spend,
    "spend extra": _spend_extra,
    "spend stop": _button,
    "use": _use,
    "use machinery": _use_machinery,
    "use stop": _button,
    "use workers": _use,
    "exchange": _exchange,
    "start": _button,
    "agenda": _agenda,
}
assert set(_PATHS) == {block.title for block in BLOCKS}
