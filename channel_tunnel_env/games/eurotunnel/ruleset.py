"""The rules of Eurotunnel Diplomacy as data: its switches, with what must hold among them (rules 12)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.outside.documents import StrictModel

FIRST_YEAR = 1901
LAST_YEAR = 9999
Power = Literal["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]


class RulesetData(StrictModel):
    """Every switch; keys and values are those of the YAML file."""

    game: Literal["eurotunnel"] = "eurotunnel"
    name: str
    title: str
    rulebook: Literal["1971", "datc"]
    tunnels: bool
    tunnels_per_power: Annotated[int, Field(ge=0, le=c.MAX_TUNNELS)]
    tunnels_per_turn: Annotated[int, Field(ge=1, le=c.MAX_TUNNELS)]
    tunnels_per_province: Annotated[int, Field(ge=1, le=c.MAX_TUNNELS)]
    permissions: bool
    max_year: Annotated[int, Field(ge=FIRST_YEAR, le=LAST_YEAR)]
    limit_score: Literal["sos", "dss", "centres", "pieces"]
    centred: bool
    draw_vote: bool
    absent: Annotated[list[Power], AfterValidator(sorted)]  # a set
    victory_centres: Annotated[int, Field(ge=1, le=c.NUM_CENTRES)]
    auto_forced: bool


def check_consistency(data: RulesetData) -> list[tuple[str, object, str]]:
    """Errors among the switches: (key, value, what must hold)."""
    if len(set(data.absent)) < len(data.absent):
        return [("absent", data.absent, "a power is named once")]
    return [("absent", data.absent, "at least one power plays")] if len(data.absent) == c.NUM_POWERS else []
