"""Targets: what a designer wants from a ruleset, as ranges of measures in a YAML file.

agent: club            # plays every seat
deals: 2000
targets:
  britain_wins: [0.47, 0.53]     # from, to; null: no bound
  rounds: [5, 8]
  stopped: [null, 0.01]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import pandas as pd
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, ValidationInfo, model_validator

from channel_tunnel_agents.balance.measuring.measure import Measure
from channel_tunnel_agents.balance.measuring.measures import GAME_MEASURES, GameMeasures, measures_of
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.arena import MAX_DEALS
from channel_tunnel_agents.sheet import Sheet, estimate_cell
from channel_tunnel_agents.statistics import CONFIDENCE, Estimate
from channel_tunnel_env import Ruleset
from channel_tunnel_env.core.whole_numbers import MAX_SEED, given_seed
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import Document, describe_errors, read_yaml, shorten
from channel_tunnel_env.outside.hints import did_you_mean
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, builtin_file, load_ruleset

Status = Literal["met", "missed", "not settled"]


class TargetError(AgentError):
    """An invalid targets file; one line per error."""


class Targets(BaseModel):
    """What is wanted, and how it is measured.

    Its measures are those of the `GameMeasures` in the context of the validation, else of the default game.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    agent: Annotated[str, Field(min_length=1, max_length=4096)] = GAME_MEASURES[DEFAULT_GAME].player
    """Plays every seat."""
    deals: Annotated[int, Field(ge=30, le=MAX_DEALS)] = 2000
    """Number of games to measure with."""
    seed: Annotated[int, BeforeValidator(given_seed), Field(ge=0, le=MAX_SEED)] = 20_000
    """Seeds the deals."""
    targets: Annotated[dict[str, tuple[float | None, float | None]], Field(min_length=1)]
    """Measure -> (from, to); null means no bound."""

    @model_validator(mode="after")
    def _check(self, info: ValidationInfo) -> Self:
        measures: GameMeasures = info.context or GAME_MEASURES[DEFAULT_GAME]
        try:
            measures.find(self.targets)
        except AgentError as error:
            raise ValueError(str(error)) from None
        for name, (low, high) in self.targets.items():
            if low is None and high is None:
                raise ValueError(f"{name}: at least one bound is needed")
            if low is not None and high is not None and low > high:
                raise ValueError(f"{name}: from {low:g} is above to {high:g}")
        return self


@dataclass(frozen=True)
class Check:
    """A target against what was measured."""

    name: str
    low: float | None
    high: float | None
    found: Estimate
    n: int

    @property
    def is_inside(self) -> bool:
        """Whether the figure lies within the range."""
        return self.distance == 0

    @property
    def distance(self) -> float:
        """How far outside the range the figure lies, in the measure's unit; 0 inside."""
        value = self.found.value
        below = 0.0 if self.low is None else max(self.low - value, 0.0)
        above = 0.0 if self.high is None else max(value - self.high, 0.0)
        return below + above

    @property
    def status(self) -> Status:
        """Met or missed if the whole interval lies inside or outside the range; else not
        settled."""
        low = float("-inf") if self.low is None else self.low
        high = float("inf") if self.high is None else self.high
        if low <= self.found.low and self.found.high <= high:
            return "met"
        if self.found.high < low or self.found.low > high:
            return "missed"
        return "not settled"


def measured(ruleset: Ruleset) -> GameMeasures:
    """What is measured under a ruleset; measures without any where `measures_of` refuses it."""
    try:
        return measures_of(ruleset)
    except AgentError:
        return GameMeasures({}, (), "")


def is_targets(name: str) -> bool:
    """Whether a word names a targets file, or one that cannot be read, rather than a ruleset."""
    if builtin_file(name) is not None:
        return False
    try:
        return "targets" in read_yaml(Path(name)).mapping()
    except (OSError, DocumentError):
        return True


def load_targets(path: Path, ruleset: AnyRuleset = "standard", player: str | None = None) -> Targets:
    """Read a targets file.

    Args:
        ruleset: what is to meet them; it says which game's measures they are.
        player: plays where the file names nobody; None: the game's usual player.

    Raises:
        RulesetError: no such ruleset.
        TargetError: no such file, not YAML, or wrong keys and values, one line each.
        AgentError: a ruleset of a game in which nothing is measured.
    """
    measures = measures_of(load_ruleset(ruleset))
    try:
        document = read_yaml(path)
        found = document.mapping("a targets file")
        if "targets" not in found and found.keys() & {"base", "game", "name"}:
            raise TargetError(f"{path}: this is a ruleset, not a targets file, which has a line targets:")
        wanted = {"agent": player or measures.player, **found}
        return Targets.model_validate(wanted, context=measures)
    except OSError as error:
        raise TargetError(f"{path}: cannot be read: {error.strerror or error}") from None
    except DocumentError as error:
        raise TargetError(str(error)) from None
    except ValidationError as error:
        lines = describe_errors(error, lambda item: _describe(item, document))
        raise TargetError("\n".join(f"{path}: {line}" for line in lines)) from None


def _describe(item: Any, document: Document) -> str:
    place = document.place(item["loc"])
    key = ".".join(map(shorten, item["loc"]))
    if item["type"] == "extra_forbidden":
        problem = f"unknown key{did_you_mean(item['loc'][-1], Targets.model_fields)}"
    else:
        problem = item["msg"].removeprefix("Value error, ")
    return ": ".join(filter(None, (str(place or ""), key, problem)))


def check_targets(
    targets: Targets, games: pd.DataFrame, known: Mapping[str, Measure], confidence: float = CONFIDENCE
) -> list[Check]:
    """Check every target against games of `targets.agent` with itself.

    Args:
        known: the game's measures by name.
    """
    return [
        Check(name, low, high, known[name].estimate(games, confidence), games["deal"].nunique())
        for name, (low, high) in targets.targets.items()
    ]


def status_of(checks: Iterable[Check]) -> Status:
    """That of all targets together: met if all are, missed if any is."""
    found = {check.status for check in checks}
    return "missed" if "missed" in found else "not settled" if "not settled" in found else "met"


def is_missed(check: Check, strict: bool = False) -> bool:
    """Whether a gate fails on this target: its figure lies outside; with `strict`, or its interval
    does in part."""
    return not check.is_inside or (strict and check.status != "met")


def targets_sheet(checks: list[Check], agent: str, known: Mapping[str, Measure]) -> Sheet:
    """One row a target."""
    rows = tuple(
        (
            known[check.name].title,
            range_text(check, known[check.name]),
            estimate_cell(check.found, known[check.name].unit),
            f"{check.n:,}",
            "yes" if check.is_inside else "no",
            check.status,
        )
        for check in checks
    )
    columns = ("target", "wanted", "found", "n", "inside?", "with certainty")
    return Sheet(f"Targets, {agent} against itself", columns, rows)


def range_text(check: Check, measure: Measure) -> str:
    """47 to 53 %; at most 1 %; at least 5."""
    unit = " %" if measure.unit == "share" else ""
    low, high = (None if end is None else f"{(100 if unit else 1) * end:g}" for end in (check.low, check.high))
    if low is None:
        return f"at most {high}{unit}"
    return f"at least {low}{unit}" if high is None else f"{low} to {high}{unit}"
