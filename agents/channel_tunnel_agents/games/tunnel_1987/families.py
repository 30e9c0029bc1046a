"""The families of actions of 1987 Channel Tunnel (see `players.restricted`).

A family contains the ids at which its action is chosen, not the follow-up choices (which token, which pair of discs).
Which ids belong to it can depend on the cards shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from channel_tunnel_agents.players.restricted import Bools, Covers, Family, Floats
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games.tunnel_1987.engine import actions as a
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.games.tunnel_1987.engine.observation import SECTION_BY_NAME

_SECONDARY_KINDS = c.NUM_ACTION_KINDS - 1  # a card's secondary action is never a Development
_OPTION = c.NUM_COLOURS  # ids of one option of a space: one per colour
_SPACE = 2 * _OPTION
_MACHINERY = "heavy_machinery"


# --- reading the observation --------------------------------------------------------------------


class _Display:
    """The displayed cards as the seat to move sees them; arrays (n, slots, ...)."""

    def __init__(self, observations: Floats) -> None:
        slots = _table(observations, "display", c.NUM_SLOTS)
        costs = c.NUM_CARD_KINDS + len(c.COSTS)
        self.kind: Bools = slots[:, :, : c.NUM_CARD_KINDS] > 0
        self.cost: Bools = slots[:, :, c.NUM_CARD_KINDS : costs] > 0
        self.secondary: Bools = slots[:, :, costs : costs + _SECONDARY_KINDS] > 0
        has_rubble = _section(observations, "storage")[:, : c.NUM_COLOURS].max(axis=1) > 0
        shown = self.kind.any(axis=2)
        self.takeable: Bools = shown & (self.cost[:, :, c.FREE] | has_rubble[:, None])


def _section(observations: Floats, name: str) -> Floats:
    found: Floats = observations[:, SECTION_BY_NAME[name].slice]
    return found


def _table(observations: Floats, name: str, height: int) -> Floats:
    """A section as (n, height, width)."""
    width = SECTION_BY_NAME[name].size // height
    return _section(observations, name).reshape(len(observations), height, width)


def _slot_ids(slot: int, option: int) -> slice:
    """Placements on a slot for its card's secondary action (0) or its Development (1)."""
    start = (c.FIRST_SLOT + slot) * _SPACE + option * _OPTION
    return slice(start, start + _OPTION)


# --- what a family covers -----------------------------------------------------------------------


def _just(ids: Iterable[int]) -> Covers:
    """The same ids in every state."""
    row = np.zeros(a.NUM_ACTIONS, np.bool_)
    row[list(ids)] = True
    return lambda observations: np.tile(row, (len(observations), 1))


def _secondary(kind: int, ids: Iterable[int] = ()) -> Covers:
    """Placements on slots whose card has this secondary action, and some fixed ids."""
    always = _just(ids)

    def covers(observations: Floats) -> Bools:
        found, display = always(observations), _Display(observations)
        for slot in range(c.NUM_SLOTS):
            found[:, _slot_ids(slot, 0)] |= display.secondary[:, slot, kind, None]
        return found

    return covers


def _card_kind(kind: int) -> Covers:
    """Developments of a kind of card, including where Heavy machinery can develop no other."""

    def covers(observations: Floats) -> Bools:
        display = _Display(observations)
        found = np.zeros((len(observations), a.NUM_ACTIONS), np.bool_)
        of_kind = display.kind[:, :, kind]
        for slot in range(c.NUM_SLOTS):
            found[:, _slot_ids(slot, 1)] = of_kind[:, slot, None]
            found[:, a.DEVELOP_SLOT + slot] = of_kind[:, slot]
        others = (display.takeable & ~of_kind).any(axis=1)
        found[:, a.USE_MACHINERY + c.DEVELOP] = (display.takeable & of_kind).any(axis=1) & ~others
        return found

    return covers


def _align(observations: Floats) -> Bools:
    """Payments while aligning; Promotion uses the same ids in another phase."""
    found = _just(range(a.SPEND_1, a.SPEND_EXTRA_FINANCE + 1))(observations)
    aligning = _section(observations, "phase")[:, c.PHASES.index("align")] > 0
    return found & aligning[:, None]


def _spend_money(observations: Floats) -> Bools:
    """Payments with money cards, steps over a barrier, and Technology that can only be such a step."""
    found = _just(range(a.SPEND_1, a.SPEND_EXTRA_FINANCE))(observations)
    barriers = _table(observations, "barriers", len(c.SEATS) * c.NUM_TRACKS)[:, : c.NUM_TRACKS]
    priced, movable = barriers[:, :, 0] > 0, barriers[:, :, 1] > 0
    found[:, a.TRACK_A : a.TRACK_A + c.NUM_TRACKS] = priced & movable
    repairs = _section(observations, "agenda_pending")[:, c.REPAIRS] > 0
    only_barriers = movable.any(axis=1) & ~(movable & ~priced).any(axis=1) & ~repairs
    technology = FAMILIES[c.ACTION_KINDS[c.TECHNOLOGY]].covers(observations)
    return found | (technology & only_barriers[:, None])


# --- the list -----------------------------------------------------------------------------------

_CHAINED = {  # ids of abilities that start a kind of action
    c.PLAN: (a.USE_CONTROL_ROOM_3,),
    c.TUNNEL: (a.USE_CONTROL_ROOM_4,),
    c.FINANCE: (),
    c.TECHNOLOGY: (a.USE_CONTROL_ROOM_5, a.USE_IMPROVE_TECHNOLOGY),
    c.DEVELOP: (),
}

_ABILITIES = {
    "new_workers": [a.USE_NEW_WORKERS],
    "exchange": range(a.EXCHANGE_0, a.START),
    "improve_technology": [a.USE_IMPROVE_TECHNOLOGY],
    "extra_finance": [a.SPEND_EXTRA_FINANCE],
    "new_materials": [a.USE_NEW_MATERIALS],
    "control_room_1": [a.USE_CONTROL_ROOM_1],
    "control_room_2": [a.USE_CONTROL_ROOM_2],
    "control_room_3": [a.USE_CONTROL_ROOM_3],
    "control_room_4": [a.USE_CONTROL_ROOM_4],
    "control_room_5": [a.USE_CONTROL_ROOM_5],
    _MACHINERY: range(a.USE_MACHINERY, a.USE_STOP),
}


def keeping(least: int) -> list[int]:
    """The ids of keeping so many discs of a colour, or more."""
    width = c.MAX_DISCS_PER_COLOUR + 1
    return [a.KEEP_0 + colour * width + n for colour in range(c.NUM_COLOURS) for n in range(least, width)]


def _always(ruleset: Ruleset) -> bool:
    return True


def _has(field: str, value: str) -> Callable[[Ruleset], bool]:
    return lambda ruleset: any(getattr(card, field) == value for card in ruleset.data.deck.cards)


def _has_peeks(ruleset: Ruleset) -> bool:
    tracks = [getattr(ruleset.data.benefits, side) for side in c.SEATS]
    return any("peek" in {*side.a.values(), *side.b.values()} for side in tracks)


def _has_agenda(ruleset: Ruleset) -> bool:
    return bool(ruleset.data.agenda.enabled)


def _actions() -> list[Family]:
    """The five kinds of action: in any way, on their own space, by a card shown."""
    found = []
    for kind, name in enumerate(c.ACTION_KINDS):
        title = name.capitalize()
        chained = [*_CHAINED[kind], a.USE_MACHINERY + kind]
        if kind == c.DEVELOP:
            slots = [range(a.NUM_ACTIONS)[_slot_ids(slot, 1)] for slot in range(c.NUM_SLOTS)]
            ids = [i for slot in slots for i in slot] + chained
            found.append(Family(name, "Development, on a slot or by Heavy machinery", _just(ids), _always))
            continue
        own = range(kind * _OPTION, (kind + 1) * _OPTION)
        how = "on its space, by a card shown or by an ability"
        found += [
            Family(name, f"{title}, {how}", _secondary(kind, [*own, *chained]), _always),
            Family(f"{name}_space", f"{title} on its own space", _just(own), _always),
            Family(
                f"{name}_card",
                f"{title} as the secondary action of a card shown",
                _secondary(kind),
                _has("secondary", name),
            ),
        ]
    return found


def _abilities() -> list[Family]:
    """Every ability that can be used."""
    found = []
    for kind, ids in _ABILITIES.items():
        title = kind.replace("_", " ").capitalize()
        sentence = f"The ability of {title}"
        if kind == "extra_finance":
            sentence += ", on alignment; at a barrier it is used by itself"
        found.append(Family(f"use_{kind}", sentence, _just(ids), _has("kind", kind)))
    return found


def _developments() -> list[Family]:
    """Every kind of card as Development."""
    return [
        Family(
            f"develop_{name}",
            f"Development of {name.replace('_', ' ').capitalize()}",
            _card_kind(kind),
            _has("kind", name),
        )
        for kind, name in enumerate(c.CARD_KINDS)
    ]


def _others() -> list[Family]:
    """Families other than kinds of action, abilities or cards. A peek cannot be declined, only
    aimed."""
    some = keeping(1)
    own, rival = (range(a.PEEK_OWN, a.PEEK_OWN + c.MAX_ROUTE), range(a.PEEK_RIVAL, a.PEEK_RIVAL + c.MAX_ROUTE))
    keep = "Keeping an agenda card that was drawn"
    money = "Spending money cards: on alignment, on Promotion, on the barriers of Technology"
    return [
        Family("pass", "Passing while something else can be done", _just([a.PASS]), _always),
        Family("keep_discs", "Keeping discs on passing", _just(some), _always),
        Family("align", "Correcting the deviation after Technology", _align, _always),
        Family("spend_money", money, _spend_money, _always),
        Family("peek_own", "Peeking at a token of one's own side", _just(own), _has_peeks),
        Family("peek_rival", "Peeking at a token of the rival's side", _just(rival), _has_peeks),
        Family("agenda_keep", keep, _just([a.AGENDA_KEEP]), _has_agenda),
    ]


FAMILIES: dict[str, Family] = {
    family.name: family for family in [*_actions(), *_others(), *_abilities(), *_developments()]
}
"""Every family by name, in the order of a report."""
