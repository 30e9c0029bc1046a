"""Names of the actions: `dig 4`, `announce 5`, `believe`, `check`."""

from __future__ import annotations

from channel_tunnel_env.errors import IllegalActionError
from shaft_bluff.engine import constants as c

ACTION_NAMES = (
    *(f"dig {depth}" for depth in range(1, c.MAX_DEPTHS + 1)),
    *(f"announce {depth}" for depth in range(1, c.MAX_DEPTHS + 1)),
    "believe",
    "check",
)
_IDS = {name: number for number, name in enumerate(ACTION_NAMES)}


def action_id(name: str) -> int:
    """The id of an action's name.

    Raises:
        IllegalActionError: there is no such action.
    """
    if name not in _IDS:
        raise IllegalActionError(f"{name!r}: unknown action")
    return _IDS[name]
