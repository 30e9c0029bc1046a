"""What a game must provide, in one place.

A game is a folder of `games` whose module `spec` holds `SPEC`. Its rules are compiled functions bound
to the verbs (`core.verbs`); all else that the loops, environments and agents need to know stands here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

RECORD_FIELDS = (
    "rng_key",
    "rng_counter",
    "seed",
    "ply",
    "ruleset",
    "to_play",
    "phase",
    "end_cause",
    "winner",
)
"""Fields that the record of every game has; `winner` is a seat, `draw` or -1 while the game goes on."""


@dataclass(frozen=True, eq=False)
class GameSpec:
    """A game.

    Attributes:
        name: as in `game:` of a ruleset.
        ruleset_model: the shape of a ruleset, with `name` and `title`.
        check_consistency: (key, value, rule) for each rule that a ruleset breaks across its figures.
        state_dtype: of the record; has `RECORD_FIELDS`.
        work_dtype: of the workspace (see `core.workspace`).
        make_tables: rulesets -> their figures as one read-only record each.
        seats: a ruleset -> the names of its seats, in order.
        agents: a ruleset -> the names of its seats as agents of PettingZoo.
        action_names: by id.
        action_id: a name -> its id; raises IllegalActionError for an unknown one.
        idle_action: the id that a mask allows where there is nothing to decide.
        observation_size: a ruleset -> D.
        observation_range: a ruleset -> lowest and highest value of an observation.
        streams: sources of luck, in the order of the record.
        aimed_streams: those drawn from item by item, whose counter is set anew before a draw.
        luck_names: a ruleset -> by stream, the names of the items that it shuffles or draws.
        repeated_streams: those in which an item may occur several times.
        phases: kinds of decisions, by number.
        end_causes: by number; 0 is that of a game that goes on.
        first_stop: the first end cause of a game stopped for lack of progress; None if there is none.
        draw: `winner` of a game that several seats share, or nobody wins.
        score_sources: what points come from.
        variant_sources: those that only variants have; told where somebody has such points.
        clock: a field that counts rounds or turns from 1, and its name in messages.
        find_faults: states (B,), tables, as_read -> int16 (B,), 0 or the invariant that does not hold.
        invariants: in words, by number.
        describe_refusal: states, row, tables, action -> why the action is not legal.
        version: of the environment's ids, such as "v2".
        render_modes: those that its environments offer.
        game_class: the class of single games, as `module:Class`.
        checker: plays random games and checks each action, as `module:function`; see `checking`.
        pictures: the module that draws them, if any, imported when it is needed: `to_svg(game, viewer, theme, layout=, width=)`,
            `to_rgb(game, width, viewer, theme)`, `read_film(games, viewer, every)`, `write_film(film, path, width=,
            theme=, seconds=)`.
        table: the module by which people play it in a browser, if any: a `faces.table.TableFace`.
        terminal: the module by which people play it in a terminal: a `faces.terminal.TerminalFace`.
    """

    name: str
    ruleset_model: type[BaseModel]
    check_consistency: Callable[[Any], Sequence[tuple[str, Any, str]]]
    state_dtype: np.dtype[Any]
    work_dtype: np.dtype[Any]
    make_tables: Callable[[Sequence[Any]], np.recarray]
    seats: Callable[[Any], tuple[str, ...]]
    agents: Callable[[Any], tuple[str, ...]]
    action_names: Sequence[str]
    action_id: Callable[[str], int]
    idle_action: int
    observation_size: Callable[[Any], int]
    observation_range: Callable[[Any], tuple[float, float]]
    streams: tuple[str, ...]
    aimed_streams: frozenset[str]
    luck_names: Callable[[Any], dict[str, list[str]]]
    repeated_streams: frozenset[str]
    phases: tuple[str, ...]
    end_causes: tuple[str, ...]
    first_stop: int | None
    draw: int
    score_sources: tuple[str, ...]
    clock: tuple[str, str]
    find_faults: Callable[[NDArray[Any], NDArray[Any], bool], NDArray[np.int16]]
    invariants: Mapping[int, str]
    describe_refusal: Callable[[NDArray[Any], int, NDArray[Any], int], str]
    version: str
    render_modes: tuple[str, ...]
    game_class: str
    terminal: str
    variant_sources: frozenset[str] = frozenset()
    checker: str = "channel_tunnel_env.core.checking:check_games"
    pictures: str | None = None
    table: str | None = None

    @property
    def num_actions(self) -> int:
        """A."""
        return len(self.action_names)

    def told_sources(self, points: NDArray[Any]) -> dict[str, NDArray[Any]]:
        """Points (..., sources + 1) by source, the total last, without sources that this ruleset does not have."""
        names = (*self.score_sources, "total")
        return {
            name: points[..., k]
            for k, name in enumerate(names)
            if name not in self.variant_sources or points[..., k].any()
        }

    def load_game_class(self) -> Any:
        """The class of single games."""
        module, _, name = self.game_class.partition(":")
        return getattr(importlib.import_module(module), name)

    def load_checker(self) -> Any:
        """The function that plays and checks random games: `checking.check_games`, or the game's own."""
        module, _, name = self.checker.partition(":")
        return getattr(importlib.import_module(module), name)

    def load_terminal(self) -> Any:
        """The module by which people play it in a terminal."""
        return importlib.import_module(self.terminal)

    def load_pictures(self) -> Any:
        """The module that draws its games.

        Raises:
            ValueError: nothing draws them yet.
        """
        if self.pictures is None:
            raise ValueError(f"the game {self.name}: it has no pictures, only text")
        return importlib.import_module(self.pictures)

    def load_table(self) -> Any:
        """The module by which people play it in a browser.

        Raises:
            ValueError: nobody can sit down at it yet.
        """
        if self.table is None:
            raise ValueError(f"the game {self.name}: it is not played in the browser yet")
        return importlib.import_module(self.table)
