"""Changes of permissions (rules 7.7): as values, or written as `PERMIT FRANCE LON-PIC` and `WITHDRAW FRANCE LON-PIC`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field, ValidationError

from channel_tunnel_env.errors import OrderError
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.ruleset import Power
from channel_tunnel_env.games.eurotunnel.spelling import DASH, find_place, find_power, powers_among, words_of
from channel_tunnel_env.outside.documents import StrictModel, describe_errors, quote

_GRANTS = {
    **dict.fromkeys(("PERMIT", "PERMITS", "ALLOW", "ALLOWS"), True),
    **dict.fromkeys(("WITHDRAW", "WITHDRAWS", "FORBID", "FORBIDS", "REVOKE"), False),
}


class PermissionChange(StrictModel):
    """One change."""

    owner: Power
    ends: Annotated[tuple[str, str], Field(strict=False)]
    power: Power
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
            ends.append(load_board().provinces[load_board().province_of[place]])
        elif rest[at] not in (DASH, "TO", "TUNNEL", "USE", "THE", "AND"):
            raise ValueError(f"{quote(rest[at])} is not understood there")
        at += max(count, 1)
    if len(ends) != 2:
        raise ValueError("a tunnel is named by its two ends, such as LON-PIC")
    change = {"owner": powers[max(owner, named)], "ends": ends, "power": powers[guest]}
    return PermissionChange.model_validate(change | {"grant": _GRANTS[words[0]]})


def read_changes(changes: Sequence[Mapping[str, Any]]) -> list[PermissionChange]:
    """Changes from values.

    Raises:
        OrderError: a key or a value is wrong.
    """
    if isinstance(changes, str | Mapping) or not isinstance(changes, Sequence):
        raise OrderError(f"permissions: {quote(changes)}; allowed: a list of changes")
    return [_of_values(change, f"permissions.{i}") for i, change in enumerate(changes)]


def _of_values(change: Any, where: str) -> PermissionChange:
    try:
        return PermissionChange.model_validate(dict(change) if isinstance(change, Mapping) else change)
    except ValidationError as error:
        lines = describe_errors(error, lambda item: f"{'.'.join([where, *map(str, item['loc'])])}: {item['msg']}")
        raise OrderError("\n".join(lines)) from None


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
        board = load_board()
        owner, guest = (board.powers.index(name) for name in (change.owner, change.power))
        if not self.rules["permissions"]:
            raise ValueError("the ruleset has no permissions")
        if self.state["phase"] != c.MOVEMENT:
            raise ValueError(f"permissions change in a phase of movement, not of {c.PHASES[self.state['phase']]}")
        if guest == owner:
            raise ValueError("the owner needs no permission")
        if change.owner in self.absent:
            raise ValueError(f"{change.owner} is in civil disorder")
        if not int(self.state["alive"]) >> guest & 1:
            raise ValueError(f"{change.power} is out of the game")
        slot = find_slot(self.state, change)
        if (owner, slot, guest) in self.made:
            raise ValueError(f"the permission of {change.power} is changed twice")
        self.made.add((owner, slot, guest))
        kept = int(self.state["tunnel_next"][owner, slot]) & ~(1 << guest)
        self.state["tunnel_next"][owner, slot] = kept | int(change.grant) << guest


def find_slot(state: Any, change: PermissionChange) -> int:
    """The slot of the tunnel that a change is about.

    Raises:
        ValueError: the owner has no such tunnel.
    """
    board = load_board()
    owner = board.powers.index(change.owner)
    for name in change.ends:
        if board.index.get(name, c.NUM_PROVINCES) >= c.NUM_PROVINCES:
            raise ValueError(f"{quote(name)} is no province")
    low, high = sorted(board.index[name] for name in change.ends)
    pair = list(board.pairs).index((low, high)) if (low, high) in board.pairs else c.NONE
    for slot in range(c.MAX_TUNNELS):
        stands = state["tunnel_state"][owner, slot] in (c.HIDDEN, c.OPENED)
        if stands and state["tunnel_pair"][owner, slot] == pair:
            return slot
    raise ValueError(f"{change.owner} has no tunnel {'-'.join(change.ends)}")
