"""The rules of Eurotunnel Diplomacy as data: the switches (rules 12)."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError, model_validator

from channel_tunnel_env.documents import StrictModel, describe_errors, read_yaml
from channel_tunnel_env.errors import RulesetError
from channel_tunnel_env.games.eurotunnel.engine import constants as c

RULESET_FOLDER = Path(__file__).parent / "rulesets"

FIRST_YEAR = 1901
Power = Literal["AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]


class RulesetData(StrictModel):
    """Every switch; keys and values are those of the YAML file."""

    game: Literal["eurotunnel"]
    name: str
    title: str
    rulebook: Literal["1971", "datc"]
    tunnels: bool
    tunnels_per_power: Annotated[int, Field(ge=0, le=c.MAX_TUNNELS)]
    tunnels_per_turn: Annotated[int, Field(ge=1, le=c.MAX_TUNNELS)]
    tunnels_per_province: Annotated[int, Field(ge=1, le=c.MAX_TUNNELS)]
    permissions: bool
    max_year: Annotated[int, Field(ge=FIRST_YEAR, le=9999)]
    limit_score: Literal["sos", "dss", "centres", "pieces"]
    draw_vote: bool
    absent: list[Power]
    victory_centres: Annotated[int, Field(ge=1, le=c.NUM_CENTRES)]
    auto_forced: bool

    @model_validator(mode="after")
    def _check(self) -> RulesetData:
        if len(set(self.absent)) < len(self.absent):
            raise ValueError("absent: a power is named twice")
        if len(self.absent) == c.NUM_POWERS:
            raise ValueError("absent: no power is left to play")
        return self


@cache
def _builtin() -> dict[str, Any]:
    return read_yaml(RULESET_FOLDER / "eurotunnel.yaml").mapping()


def make_ruleset(**changes: Any) -> RulesetData:
    """The standard rules with some keys changed.

    Raises:
        RulesetError: an unknown key or a value out of range; says which and what is allowed.
    """
    try:
        return RulesetData.model_validate(_builtin() | changes)
    except ValidationError as error:
        lines = describe_errors(error, _describe)
        raise RulesetError("the ruleset", lines) from None


def _describe(problem: Any) -> str:
    """An error of a model: the key, and what must hold."""
    return f"{'.'.join(map(str, problem['loc'])) or 'ruleset'}: {problem['msg']}"
