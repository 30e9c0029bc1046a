"""The rules as data."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from channel_tunnel_env.outside.documents import StrictModel
from shaft_bluff import constants as c


class RulesetData(StrictModel):
    """Every figure; keys and values are those of the YAML file."""

    game: Literal["shaft_bluff"] = "shaft_bluff"
    name: str
    title: str
    depths: Annotated[int, Field(ge=2, le=c.MAX_DEPTHS)]
    copies: Annotated[int, Field(ge=1, le=c.MAX_COPIES)]
    hand: Annotated[int, Field(ge=1, le=c.MAX_COPIES)]
    turns: Annotated[int, Field(ge=1, le=c.MAX_TURNS)]
    proved: Annotated[int, Field(ge=0, le=20)]
    caught: Annotated[int, Field(ge=0, le=20)]


def check_consistency(data: RulesetData) -> list[tuple[str, object, str]]:
    """Errors across figures: (key, value, what must hold)."""
    needed = c.SEATS * (data.hand + data.turns)
    if data.depths * data.copies >= needed:
        return []
    rule = f"depths x copies is at least {needed}, so that nobody draws in vain"
    return [("copies", data.copies, rule)]


def points_limit(data: RulesetData) -> int:
    """The most points that a player can have."""
    return data.turns * (data.depths + data.proved + data.caught)
