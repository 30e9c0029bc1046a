"""The whole rulebook in our own words, with the figures of a ruleset; `rulebook.md` has the text."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from channel_tunnel_env.faces.rulebook import read_sections
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from channel_tunnel_env.games.eurotunnel.ruleset import RulesetData
from channel_tunnel_env.rulesets.ruleset import Ruleset

SOURCE = Path(__file__).with_name("rulebook.md")
TUNNEL_SECTIONS = ("tunnels", "passage", "secrecy", "permissions", "demolition")


@lru_cache(maxsize=16)
def rulebook(ruleset: Ruleset) -> tuple[dict[str, Any], ...]:
    """The sections (see `faces.rulebook`)."""
    data: RulesetData = ruleset.data
    left_out: tuple[str, ...] = ()
    if not _digs(data):
        left_out = TUNNEL_SECTIONS
    elif not data.permissions:
        left_out = ("permissions",)
    return read_sections(SOURCE, figures(data), {}, left_out)


def _digs(data: RulesetData) -> bool:
    return data.tunnels and data.tunnels_per_power > 0


def figures(data: RulesetData) -> dict[str, str]:
    """Every `{name}` of the text."""
    board = load_board()
    kinds = [list(board.kinds).count(kind) for kind in (c.INLAND, c.COAST, c.SEA)]
    most = data.tunnels_per_province
    return {
        "centres": str(len(board.centres)),
        "homes": str(len(board.homes)),
        "victory": str(data.victory_centres),
        "pairs": str(len(board.pairs)),
        **dict(zip(("inland", "coast", "sea"), map(str, kinds), strict=True)),
        "per_power": str(data.tunnels_per_power),
        "per_turn": str(data.tunnels_per_turn),
        "per_province": "Any number of its tunnels may end in a province."
        if most == c.MAX_TUNNELS
        else f"At most **{most}** of its standing tunnels may end in a province.",
        "goal_limit": f"Otherwise the game stops after the Fall of {data.max_year}.",
        "limit": f"After the Fall of {data.max_year} the game stops; {_LIMITS[data.limit_score]}.",
        "draw": _DRAW if data.draw_vote else "",
        "absent": _absent(data),
        "convoy_book": _CONVOYS[data.rulebook],
        **_tunnel_figures(data),
    }


_LIMITS = {
    "sos": "each power's share is the square of its centres over the sum of all squares",
    "dss": "all powers with units share equally",
    "centres": f"each power's share is its centres out of {c.NUM_CENTRES}",
    "pieces": "the power with most units has it all, and equals share it",
}
_DRAW = (
    "With the orders of a movement phase each power with units votes on a draw. If all of them agree, the orders are "
    "not read, and they share equally."
)
_CONVOYS = {
    "1971": "If a fleet on any of the ordered ways is dislodged, the army does not move. An army that moves to a "
    "neighbouring coast goes over land; only to change places with a unit that comes the other way it is carried, if "
    "a convoy for it is ordered and not broken. A convoyed army does not cut the support of a fleet for an attack on "
    "one of the fleets that carry it.",
    "datc": "One unbroken chain is enough. An army that moves to a neighbouring coast is carried only if its order says "
    "so: A NWY - SWE via convoy. Where a convoy would hang on its own outcome it fails.",
}


def _absent(data: RulesetData) -> str:
    """What becomes of powers that nobody plays."""
    if not data.absent:
        return ""
    names = ", ".join(power.capitalize() for power in data.absent)
    return (
        f"No player holds {names}. Such a power's units hold; dislodged ones are disbanded; it raises no units. If it has to "
        "remove units, those farthest from its home centres go first, fleets before armies at equal distance, then by "
        "the name of the province."
    )


def _tunnel_figures(data: RulesetData) -> dict[str, str]:
    """Sentences that depend on the tunnels and on permissions."""
    if not _digs(data):
        names = ("goal_tunnel", "tunnel_orders", "permission_use", "secret_permissions", "stranger")
        return dict.fromkeys((*names, "tunnel_retreat"), "")
    shared = data.permissions
    return {
        "goal_tunnel": "Armies may dig secret tunnels and come out where they are not expected.",
        "tunnel_orders": "- **Build a tunnel**: A LON BT PIC. See [building](#tunnels).\n"
        "- **Move by tunnel**: A LON ~ PIC. See [going through](#passage).",
        "permission_use": "A foreign one can be used with its owner's [permission](#permissions)."
        if shared
        else "Foreign ones cannot.",
        "secret_permissions": " or permitted" if shared else "",
        "stranger": "does not own it and has no permission" if shared else "does not own it",
        "tunnel_retreat": ", or, as an army, to the other end of a tunnel that it may use",
    }
