"""How much a player may hold as things stand: discs, rubble, and what a next stack must have."""

from __future__ import annotations

from typing import Any

from channel_tunnel_env.engine.constants import SUPERVISION


def disc_allowance(state: Any, rules: Any, seat: int) -> int:
    """Discs that a player draws up to at a round start (rules 2.1)."""
    return int(rules.hand) + _gained(rules.extra_discs, state, seat)


def keep_limit(state: Any, rules: Any, seat: int) -> int:
    """Discs that a player may keep on passing (rules 5.2)."""
    return min(disc_allowance(state, rules, seat), int(rules.keep_limit))


def storage_room(state: Any, rules: Any, seat: int) -> int:
    """Storage spaces that a player may use, filled or not."""
    return int(rules.storage[seat]) + _gained(rules.extra_storage, state, seat)


def stack_margin(state: Any, seat: int) -> int:
    """Discs by which a player's stack must exceed the one it replaces: 1, under Supervision 2."""
    return 2 if state.agenda_pending[seat] == SUPERVISION else 1


def _gained(benefits: Any, state: Any, seat: int) -> int:
    """What both counters have added up to where they stand."""
    return sum(int(benefits[seat, track, int(state.counter[seat, track])]) for track in (0, 1))
