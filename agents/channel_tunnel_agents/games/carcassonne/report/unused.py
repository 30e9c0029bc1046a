"""What could have occurred in games of Carcassonne and never did."""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.games.carcassonne.measures import PLACES
from channel_tunnel_env.games.carcassonne.engine import constants as c


def unused(evidence: Evidence) -> list[tuple[str, list[str]]]:
    """What never occurred, by kind of rule; what the ruleset switches off is not counted."""
    games, data = evidence.games, evidence.ruleset.data
    seats = evidence.results.seats

    def ever(name: str) -> bool:
        return any(games[f"{name}_{seat}"].any() for seat in seats)

    points = [
        f"points from {place}"
        for kind, place in PLACES.items()
        if _can_score(data, kind) and not ever(f"points_{kind}")
    ]
    tokens = {"first_tokens": "a half tunnel begun", "tunnels": "a tunnel finished"}
    laid = [words for name, words in tokens.items() if data.tunnel and not ever(name)]
    ends = {"a shared win": (games["winner"] == "draw").any(), "a tile that fits nowhere": games["out_of_game"].any()}
    return [
        ("sources of points", points),
        ("tunnels", laid),
        ("events", [words for words, seen in ends.items() if not seen]),
    ]


def _can_score(data: Any, kind: str) -> bool:
    """Whether a ruleset has this source of points at all."""
    if kind == "field":
        return bool(data.farm_scoring != "none")
    return any(piece.kind == c.KINDS.index(kind) for tile in data.tile_types() for piece in tile.segments)
