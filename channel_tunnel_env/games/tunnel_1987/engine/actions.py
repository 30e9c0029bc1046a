"""The flat actions: ids, names, blocks (rules 9.1).

An id means the same in every state. "own" and "rival" are relative to the seat to play, so one policy
can serve both seats.
"""

from __future__ import annotations

from dataclasses import dataclass

from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.games.tunnel_1987.engine import constants as c
from channel_tunnel_env.outside.hints import did_you_mean

ACTION_VERSION = 1


@dataclass(frozen=True)
class ActionBlock:
    """A run of ids that share a meaning."""

    title: str
    start: int
    size: int
    phase: str
    meaning: str

    @property
    def stop(self) -> int:
        """First id after the block."""
        return self.start + self.size


PLACE = 0  # + space * 10 + option * 5 + colour
PASS = 50
KEEP_0 = 51  # + colour * 6 + number kept
PAY_0 = 81  # + index into PAY_FIRST and PAY_SECOND
TAKE_SLOT = 96
DEVELOP_SLOT = 99
RUBBLE_0 = 102
RUBBLE_STOP = 107
TRACK_A = 108
PEEK_OWN = 110  # + index of the token on its route; PEEK_RIVAL likewise
PEEK_RIVAL = 119
SPEND_1 = 128  # + value - 1
SPEND_EXTRA_FINANCE = 131
SPEND_STOP = 132
USE_NEW_MATERIALS = 133
USE_CONTROL_ROOM_1 = 134
USE_CONTROL_ROOM_2 = 135
USE_CONTROL_ROOM_3 = 136
USE_CONTROL_ROOM_4 = 137
USE_CONTROL_ROOM_5 = 138
USE_IMPROVE_TECHNOLOGY = 139
USE_MACHINERY = 140  # + kind of action
USE_STOP = 145
USE_NEW_WORKERS = 146
EXCHANGE_0 = 147  # + index into EXCHANGE_GIVE and EXCHANGE_TAKE
START = 167
AGENDA_KEEP = 168
AGENDA_DISCARD = 169
TRACK_NONE = 170
NUM_ACTIONS = 171

BLOCKS = (
    ActionBlock("place", PLACE, 50, "turn", "lay all discs of one colour on a space for one of its two actions"),
    ActionBlock("pass", PASS, 1, "turn", "take no further turn this round"),
    ActionBlock("keep", KEEP_0, 30, "keep", "on passing: discs of one colour to keep, asked colour by colour"),
    ActionBlock("pay", PAY_0, 15, "tunnel_pay", "the two discs paid for a Tunnel without a matching disc"),
    ActionBlock("take", TAKE_SLOT, 3, "finance", "the card a free Finance takes"),
    ActionBlock("develop", DEVELOP_SLOT, 3, "develop", "the card a chained Development takes"),
    ActionBlock("rubble", RUBBLE_0, 5, "rubble", "the stored token a card costs"),
    ActionBlock("rubble stop", RUBBLE_STOP, 1, "rubble", "place only one token on a one-or-two-token card"),
    ActionBlock("track", TRACK_A, 2, "track", "the technology counter to move"),
    ActionBlock("peek", PEEK_OWN, 18, "peek", "the face-down token to look at, by the index of its space"),
    ActionBlock("spend", SPEND_1, 3, "align, promotion", "discard a money card of that value"),
    ActionBlock("spend extra", SPEND_EXTRA_FINANCE, 1, "align", "use Extra finance on alignment"),
    ActionBlock("spend stop", SPEND_STOP, 1, "align", "stop aligning"),
    ActionBlock("use", USE_NEW_MATERIALS, 7, "chain", "use a card's ability after an action"),
    ActionBlock("use machinery", USE_MACHINERY, 5, "chain", "use Heavy machinery for an action"),
    ActionBlock("use stop", USE_STOP, 1, "chain", "end the turn"),
    ActionBlock("use workers", USE_NEW_WORKERS, 1, "window", "draw one more disc at round start"),
    ActionBlock("exchange", EXCHANGE_0, 20, "window", "swap a disc for a rival's disc of another colour"),
    ActionBlock("start", START, 1, "window", "leave the round-start window"),
    ActionBlock("agenda", AGENDA_KEEP, 2, "agenda", "keep or discard the agenda card drawn"),
    ActionBlock("track none", TRACK_NONE, 1, "track", "Technology without moving a counter (a switch)"),
)


def _names() -> list[str]:
    secondary = ("secondary", "develop")
    options = {"plan_tunnel": ("plan", "tunnel"), "finance_technology": ("finance", "technology")}
    names = [
        f"place {colour} {space} {option}"
        for space in c.SPACES
        for option in options.get(space, secondary)
        for colour in c.COLOURS
    ]
    names.append("pass")
    names += [f"keep {n} {colour}" for colour in c.COLOURS for n in range(6)]
    names += [f"pay {a} {b}" for i, a in enumerate(c.COLOURS) for b in c.COLOURS[i:]]
    names += [f"take slot_{i + 1}" for i in range(c.NUM_SLOTS)]
    names += [f"develop slot_{i + 1}" for i in range(c.NUM_SLOTS)]
    names += [f"rubble {colour}" for colour in c.COLOURS] + ["rubble stop"]
    names += ["track a", "track b"]
    names += [f"peek {whose} {i}" for whose in ("own", "rival") for i in range(c.MAX_ROUTE)]
    names += [f"spend {n + 1}" for n in range(c.MAX_MONEY)] + ["spend extra_finance", "spend stop"]
    names += ["use new_materials", *(f"use control_room_{i}" for i in range(1, 6))]
    names += ["use improve_technology"]
    names += [f"use heavy_machinery {kind}" for kind in c.ACTION_KINDS] + ["use stop"]
    names += ["use new_workers"]
    names += [f"exchange {give} for {take}" for give in c.COLOURS for take in c.COLOURS if give != take]
    names += ["start", "agenda keep", "agenda discard", "track none"]
    return names


ACTION_NAMES = tuple(_names())
ACTION_IDS = {name: i for i, name in enumerate(ACTION_NAMES)}
assert len(ACTION_NAMES) == NUM_ACTIONS == len(ACTION_IDS)
assert sum(block.size for block in BLOCKS) == NUM_ACTIONS

# Colours of a pay id, and give/take of an exchange id, by offset within their block.
PAY_FIRST = tuple(a for a in range(5) for _ in range(a, 5))
PAY_SECOND = tuple(b for a in range(5) for b in range(a, 5))
EXCHANGE_GIVE = tuple(g for g in range(5) for t in range(5) if g != t)
EXCHANGE_TAKE = tuple(t for g in range(5) for t in range(5) if g != t)


def action_name(action: int) -> str:
    """The name of an action id.

    Raises:
        IllegalActionError: the id is not in 0 .. A - 1.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(f"action {action}: ids run from 0 to {NUM_ACTIONS - 1}")
    return ACTION_NAMES[action]


def action_id(name: str) -> int:
    """The id of an action name.

    Raises:
        IllegalActionError: there is no such name; the message suggests the nearest ones.
    """
    found = ACTION_IDS.get(name)
    if found is None:
        hint = did_you_mean(name, ACTION_NAMES, 3)
        raise IllegalActionError(f"action {name!r}: no such name{hint}")
    return found


def block_of(action: int) -> ActionBlock:
    """The block that an id belongs to."""
    return next(block for block in BLOCKS if block.start <= action < block.stop)
