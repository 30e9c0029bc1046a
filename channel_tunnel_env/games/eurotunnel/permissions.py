"""Changes of permissions (rules 7.7), written as `PERMIT FRANCE LON-PIC` and `WITHDRAW FRANCE LON-PIC`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.spelling import DASH, find_place, find_power, powers_among, words_of
from channel_tunnel_env.outside.documents import quote

_GRANTS = {
    **dict.fromkeys(("PERMIT", "PERMITS", "ALLOW", "ALLOWS"), True),
    **dict.fromkeys(("WITHDRAW", "WITHDRAWS", "FORBID", "FORBIDS", "REVOKE"), False),
}


class PermissionChange(NamedTuple):
    """One change, in numbers: the owner of a tunnel, the provinces at its ends, and who may use it or no longer may."""

    owner: int
    ends: list[int]
    power: int
    grant: bool


def is_change(text: str) -> bool:
    """Whether a written line is about a permission."""
    return _parted(text)[1][:1] in ([grant] for grant in _GRANTS)


def _parted(text: str) -> tuple[int, list[str]]:
    """The power that a line begins with, or NONE, and the words behind it."""
    words = words_of(text)
    power, count = find_power(words, 0)
    return power, words[count:]


def read_change(text: str, owner: int) -> PermissionChange:
    """A change from its text; the owner wrote it.

    Raises:
        ValueError: it cannot be read.
    """
    (named, words), powers = _parted(text), load_board().powers
    if owner < 0 and named < 0:
        raise ValueError("it does not say whose tunnel it is: name the owner above it")
    if owner >= 0 and named not in (c.NONE, owner):
        raise ValueError(f"it is an order of {powers[named]}")
    first = next((at for at in range(1, len(words)) if find_power(words, at)[1]), len(words))
    guest, count = find_power(words, first)
    rest = words[1:first] + words[first + count :]
    if guest < 0 or powers_among(rest):
        raise ValueError("it names one power and a tunnel, such as PERMIT FRANCE LON-PIC")
    ends, at = [], 0
    while at < len(rest):
        place, count = find_place(rest, at)
        if count:
            ends.append(load_board().province_of[place])
        elif rest[at] not in (DASH, "TO", "TUNNEL", "USE", "THE", "AND"):
            raise ValueError(f"{quote(rest[at])} is not understood there")
        at += max(count, 1)
    if len(ends) != 2:
        raise ValueError("a tunnel is named by its two ends, such as LON-PIC")
    return PermissionChange(max(owner, named), ends, guest, _GRANTS[words[0]])


class Changes:
    """The changes of a phase, written into its record.

    Args:
        states: an array of one record, at the beginning of its phase.
        tables: of the ruleset.
    """

    def __init__(self, states: Any, tables: Any, absent: Sequence[str]) -> None:
        self.state = states[0]
        self.rules = tables[0]
        self.absent = absent
        self.made: set[tuple[int, int, int]] = set()

    def make(self, change: PermissionChange) -> None:
        """Write a change.

        Raises:
            ValueError: the rules do not allow it.
        """
        powers, owner, guest = load_board().powers, change.owner, change.power
        if not self.rules["permissions"]:
            raise ValueError("the ruleset has no permissions")
        if self.state["phase"] != c.MOVEMENT:
            raise ValueError(f"permissions change in a phase of movement, not of {c.PHASES[self.state['phase']]}")
        if guest == owner:
            raise ValueError("the owner needs no permission")
        if powers[owner] in self.absent:
            raise ValueError(f"{powers[owner]} is in civil disorder")
        if not int(self.state["alive"]) >> guest & 1:
            raise ValueError(f"{powers[guest]} is out of the game")
        slot = find_slot(self.state, change)
        if (owner, slot, guest) in self.made:
            raise ValueError(f"the permission of {powers[guest]} is changed twice")
        self.made.add((owner, slot, guest))
        kept = int(self.state["tunnel_next"][owner, slot]) & ~(1 << guest)
        self.state["tunnel_next"][owner, slot] = kept | int(change.grant) << guest


def find_slot(state: Any, change: PermissionChange) -> int:
    """The slot of the tunnel that a change is about.

    Raises:
        ValueError: the owner has no such tunnel.
    """
    board = load_board()
    low, high = sorted(change.ends)
    pair = list(board.pairs).index((low, high)) if (low, high) in board.pairs else c.NONE
    for slot in range(c.MAX_TUNNELS):
        stands = state["tunnel_state"][change.owner, slot] in (c.HIDDEN, c.OPENED)
        if stands and state["tunnel_pair"][change.owner, slot] == pair:
            return slot
    ends = "-".join(board.provinces[end] for end in change.ends)
    raise ValueError(f"{board.powers[change.owner]} has no tunnel {ends}")
