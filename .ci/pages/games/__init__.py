"""What the pages say about each game beyond what its rules know: one module per game, found by the game's name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from channel_tunnel_env.games import BUILT_IN


@dataclass(frozen=True)
class ActionRange:
    """Ids that follow one another and mean the same with other operands.

    Attributes:
        start: the first id.
        size: the number of ids.
        phase: when they are asked for; several with commas between.
        meaning: what such an action does.
    """

    start: int
    size: int
    phase: str
    meaning: str


@dataclass(frozen=True)
class GamePages:
    """What the pages of one game say.

    Attributes:
        name: of the game, as in `game:` of a ruleset.
        folder: of its pages, below docs/reference.
        title: of the game.
        ruleset: the one that examples play.
        seats: who the seats are.
        turns: how decisions follow one another.
        rewards: what each seat gets at the end.
        hidden: what a viewer does not see.
        luck: what is drawn.
        ends: end cause -> what it means.
        won: what `winner` in the infos is.
        ranges: of the ids of its actions, in order and without gaps.
        actions: a sentence about them.
        observation: sentences about what it holds, beside the sections.
        change: key and value of a change to the ruleset, as an example.
        more_seats: an overlay for its largest table, if that has more measures.
        notes: of its page of the environment, title -> text.
    """

    name: str
    folder: str
    title: str
    ruleset: str
    seats: str
    turns: str
    rewards: str
    hidden: str
    luck: str
    ends: Mapping[str, str]
    won: str
    ranges: Sequence[ActionRange]
    actions: str
    observation: str
    change: tuple[str, int]
    more_seats: dict[str, Any] | None = None
    notes: Mapping[str, str] = field(default_factory=dict)


def all_games() -> list[GamePages]:
    """The pages of every built-in game, in their order."""
    return [import_module(f"pages.games.{name}").PAGES for name in BUILT_IN]
