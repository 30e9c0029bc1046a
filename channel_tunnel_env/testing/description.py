"""A game before it is played: its SPEC, its rulesets, its faces; and what it shows a seat, in bytes."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core import verbs
from channel_tunnel_env.core.encoding import BYTE, ByteLayout, Column
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.numbers import OWN_COUNTS
from channel_tunnel_env.core.records import workspace_dtype
from channel_tunnel_env.core.spec import RECORD_FIELDS, GameSpec, ObservationPart
from channel_tunnel_env.errors import ChannelTunnelError, IllegalActionError
from channel_tunnel_env.faces.registry import PARTS, find_part, offers
from channel_tunnel_env.faces.table import PhaseFace
from channel_tunnel_env.game import Game, game_class
from channel_tunnel_env.games import environment_version, is_game, ruleset_folder
from channel_tunnel_env.outside.foreign import lacks
from channel_tunnel_env.rulesets.entry import entry_ruleset
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset

_NO_ACTION = "no such action / of any game"


@dataclass(frozen=True, eq=False)
class JudgedRuleset(Ruleset):
    """A ruleset played by the description that is judged, which may differ from the registered one."""

    judged: GameSpec

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def spec(self) -> GameSpec:
        """The description that is judged."""
        return self.judged


def in_words(error: Exception) -> str:
    """What was raised, in a line; with its type if it is no error of ours."""
    text = " ".join(str(error).split())
    known = isinstance(error, (ChannelTunnelError, AssertionError))
    return (text if known and text else f"{type(error).__name__}: {text}")[:400]


def wrong_fields(spec: GameSpec) -> Iterator[str]:
    """What is wrong with a SPEC by itself."""
    yield from _wrong_records(spec)
    yield from _wrong_names(spec)
    if not verbs.is_bound(spec.record.dtype):
        yield "record.dtype: no rules are bound to this type of record (core.verbs.bind)"
    if not is_game(spec.name):
        yield f"name: no entry point of the group channel_tunnel.games has the name {spec.name!r}"


def _wrong_records(spec: GameSpec) -> Iterator[str]:
    names = spec.record.dtype.names or ()
    for name in RECORD_FIELDS:
        if name not in names:
            yield f"record.dtype: the field {name} is missing"
    if not spec.record.dtype.isalignedstruct:
        yield "record.dtype: not aligned; make it with align=True"
    if spec.record.dtype.hasobject:
        yield "record.dtype: it holds Python objects, which no kernel can copy"
    for name, kind in (("rng_key", np.uint64), ("rng_counter", np.int64)):
        if name in names:
            base, shape = spec.record.dtype[name].base, spec.record.dtype[name].shape
            if base != kind or shape != (len(spec.luck.streams),):
                expected = f"{np.dtype(kind)} ({len(spec.luck.streams)},), one for each stream"
                yield f"record.dtype: {name} is {base} {shape}; expected {expected}"
    if spec.record.clock[0] not in names:
        yield f"record.clock: the record has no field {spec.record.clock[0]!r}"
    wanted = workspace_dtype(spec.actions.count, ())
    for name in wanted.names or ():
        if name not in (spec.record.work_dtype.names or ()):
            yield f"record.work_dtype: the field {name} is missing; make it with core.records.workspace_dtype"
        elif spec.record.work_dtype[name] != wanted[name]:
            yield f"record.work_dtype: {name} is {spec.record.work_dtype[name]}; expected {wanted[name]}"


def _wrong_names(spec: GameSpec) -> Iterator[str]:
    for what, names in (
        ("actions.names", spec.actions.names),
        ("record.phases", spec.record.phases),
        ("outcome.end_causes", spec.outcome.end_causes),
        ("luck.streams", spec.luck.streams),
        ("outcome.score_sources", spec.outcome.score_sources),
    ):
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            yield f"{what}: {', '.join(map(repr, twice))} occurs more than once"
    for what, part, whole in (
        ("luck.aimed", spec.luck.aimed, spec.luck.streams),
        ("luck.repeated", spec.luck.repeated, spec.luck.streams),
        ("outcome.variant_sources", spec.outcome.variant_sources, spec.outcome.score_sources),
    ):
        for name in sorted(set(part) - set(whole)):
            yield f"{what}: {name!r} is not one of {', '.join(whole)}"
    yield from _wrong_action_ids(spec)
    if not 0 <= spec.actions.idle < spec.actions.count:
        yield f"actions.idle: {spec.actions.idle}; ids run from 0 to {spec.actions.count - 1}"
    if len(spec.outcome.end_causes) < 2:
        yield "outcome.end_causes: expected that of a game that goes on, then one or more ends"
    stop, ends = spec.outcome.first_stop, range(1, len(spec.outcome.end_causes))
    if stop is not None and stop not in ends:
        yield f"outcome.first_stop: {stop} is the number of no end cause"
    if not spec.version.removeprefix("v").isdecimal() or not spec.version.startswith("v"):
        yield f"version: {spec.version!r}; expected such as 'v0'"
    elif is_game(spec.name) and (read := environment_version(spec.name)) != spec.version:
        yield (
            f"version: {spec.version!r}, but the ids say {read!r}: they are read from the text of the module spec, "
            f'which needs the line VERSION = "{spec.version}", a literal'
        )
    for mode in sorted(set(spec.render_modes) - {"ansi", "rgb_array", "human"}):
        yield f"render_modes: {mode!r}: allowed: ansi, rgb_array, human"


def _wrong_action_ids(spec: GameSpec) -> Iterator[str]:
    for number, name in enumerate(spec.actions.names):
        try:
            found = spec.actions.id_of(name)
        except Exception as error:
            yield f"actions.id_of: {name!r}, the name of {number}: {in_words(error)}"
            return
        if found != number:
            yield f"actions.id_of: {name!r} is the name of {number}, but gives {found}"
            return
    try:
        spec.actions.id_of(_NO_ACTION)
    except IllegalActionError:
        return
    except Exception as error:
        yield f"actions.id_of: an unknown name raises {type(error).__name__}; expected IllegalActionError"
    else:
        yield "actions.id_of: an unknown name gives an id; expected IllegalActionError"


# --- rulesets -------------------------------------------------------------------------------------


def judged_rulesets(spec: GameSpec) -> list[Ruleset]:
    """The rulesets that come with a game."""
    files = sorted(ruleset_folder(spec.name).glob("*.yaml"))
    loaded = [load_ruleset(path) for path in files]
    return [JudgedRuleset(rules.data, rules.provenance, spec) for rules in loaded]


def wrong_rulesets(spec: GameSpec, rulesets: list[Ruleset]) -> Iterator[str]:
    """What is wrong with the rulesets, and with what the SPEC says of each."""
    if not rulesets:
        yield "the folder rulesets of the package holds no YAML file"
    for rules in rulesets:
        for problem in _wrong_ruleset(spec, rules):
            yield f"{rules.name}: {problem}"
    yield from wrong_columns(spec.observation, rulesets)


def _wrong_ruleset(spec: GameSpec, rules: Ruleset) -> Iterator[str]:
    if rules.data.game != spec.name:
        yield f"game: {rules.data.game}: expected {spec.name}"
    again = entry_ruleset(json.loads(json.dumps(rules.plain())), None, None)
    if again.digest != rules.digest:
        yield f"the digest {rules.digest} becomes {again.digest} when its values are read again"
    for key, value, rule in spec.rules.check_consistency(rules.data):
        yield f"{key}: {value!r}: {rule}"
    seats, agents = spec.seats.names(rules), spec.seats.agents(rules)
    yield from _wrong_seats(spec, rules)
    if len(seats) < 2 or len(set(seats)) < len(seats):
        yield f"seats.names: {', '.join(seats)}; expected two or more different names"
    if len(agents) != len(seats) or len(set(agents)) < len(agents):
        yield f"seats.agents: {', '.join(agents)}; expected a name for each of {len(seats)} seats"
    if spec.outcome.draw in range(-1, len(seats)):
        yield f"outcome.draw: {spec.outcome.draw} is a seat, or that of a game that goes on"
    lowest, highest = spec.observation.bounds(rules)
    if not lowest < highest:
        yield f"observation.bounds: {lowest} to {highest}"
    if spec.observation.size(rules) < 1:
        yield f"observation.size: {spec.observation.size(rules)}"
    luck = spec.luck.names(rules)
    if set(luck) != set(spec.luck.streams):
        yield f"luck.names: of {', '.join(luck)}; expected {', '.join(spec.luck.streams)}"
    tables = spec.rules.make_tables([rules, rules])
    if tables.shape != (2,):
        yield f"rules.make_tables: shape {tables.shape} of two rulesets; expected (2,)"
    if tables.flags.writeable:
        yield "rules.make_tables: kernels could write to it; set flags.writeable to False"
    turned = dataclasses.replace(rules, data=spec.rules.model.model_validate(_turned(rules.plain())))
    if spec.rules.make_tables([turned, turned]).tobytes() != tables.tobytes():
        yield "rules.make_tables: it follows the order of the keys of a mapping; the model must put them in one order"


def _wrong_seats(spec: GameSpec, rules: Ruleset) -> Iterator[str]:
    """The same names in the same order, whenever they are asked for."""
    seats = spec.seats.names(rules)
    for what, names in (("names", spec.seats.names), ("agents", spec.seats.agents), ("played", spec.seats.played)):
        if names is not None and names(rules) != names(rules):
            yield f"seats.{what}: other names, or another order, each time it is asked"
    played = seats if spec.seats.played is None else spec.seats.played(rules)
    if list(played) != [seat for seat in seats if seat in played]:
        yield f"seats.played: {', '.join(played)}; expected some of {', '.join(seats)}, in the same order"


def _turned(node: Any) -> Any:
    """The same values with the keys of every mapping in reverse."""
    if isinstance(node, dict):
        return {key: _turned(node[key]) for key in reversed(node)}
    return [_turned(item) for item in node] if isinstance(node, list) else node


# --- faces ----------------------------------------------------------------------------------------


def missing_faces(spec: GameSpec) -> Iterator[str]:
    """What cannot be done with a game that leaves out modules for people."""
    missing = [part.module for name, part in PARTS.items() if not part.optional and not offers(spec, name)]
    if missing:
        unread = ", and its secrets are held against determinize only" * (not offers(spec, "positions"))
        yield f"the game has no module {', '.join(missing)}: people can't play it{unread}"


def wrong_faces(spec: GameSpec) -> Iterator[str]:
    """What the modules lack that a game shows itself with."""
    for name, part in PARTS.items():
        if name != "game" and not offers(spec, name):
            continue
        try:
            found = find_part(spec, name)
        except Exception as error:
            yield f"{name}: {in_words(error)}"
            continue
        if part.name:
            continue
        in_phases = getattr(found, "IN_PHASES", False)
        lacking = lacks(found, part.holds) + (lacks(found, PhaseFace) if in_phases else [])
        for function in sorted(lacking):
            yield f"{name}: its module has no {function}"
    kind = game_class(spec)
    if not issubclass(kind, Game):
        yield "game: the class of games is no subclass of channel_tunnel_env.Game, the door to every game"
    if kind is not Game and kind.game_name != spec.name:
        yield f"game: the class of games is of {kind.game_name!r}"
    needs_pictures = set(spec.render_modes) - {"ansi"}
    if needs_pictures and find_part(spec, "pictures") is None:
        yield f"render_modes: {', '.join(sorted(needs_pictures))} without pictures"


_HALF_A_STEP = 0.5001  # by which a share may be off, and float32


def wrong_columns(part: ObservationPart, rulesets: Sequence[Ruleset]) -> Iterator[str]:
    """What does not hold of `observation.columns` under some rulesets of a game; nothing if it has none."""
    if part.columns is None:
        return
    steps: dict[int, list[float]] = {}
    for rules in rulesets:
        columns, size = part.columns(rules), part.size(rules)
        where = f"{rules.name}: observation.columns"
        if len(columns) != size:
            yield f"{where}: {len(columns):,} columns; observation.size says {size:,}"
            continue
        yield from (f"{where}: {problem}" for problem in _wrong_lenders(columns))
        own = [column.step for column in columns]
        if not np.isfinite(own).all() or not np.all(own):
            yield f"{where}: {columns[int(np.argmin(np.abs(own)))].name}: a step that is zero or no number"
        if steps.setdefault(size, own) != own:
            yield f"{where}: steps that differ from those of another ruleset"


def _wrong_lenders(columns: Sequence[Column]) -> Iterator[str]:
    lent: set[int] = set()
    for place, column in enumerate(columns):
        if not column.lender:
            continue
        lender = place + column.lender
        if not 0 <= lender < len(columns):
            yield f"{column.name}: its lender would be at {lender:,}, outside the row"
        elif lender in lent:
            yield f"{column.name}: {columns[lender].name} lends its bits to another number already"
        elif columns[lender].most >= OWN_COUNTS or columns[lender].signed or columns[lender].lender:
            yield (
                f"{column.name}: {columns[lender].name} cannot lend bits; a lender counts from 0 to at most "
                f"{OWN_COUNTS - 1} and borrows no bits"
            )
        lent.add(lender)


def wrong_bytes(game: AnyGame) -> Iterator[str]:
    """Which number of what a seat sees is another one in bytes; nothing where bytes do not hold the ruleset's counts."""
    columns_of = game.spec.observation.columns
    columns = columns_of(game.ruleset) if columns_of is not None else ()
    if not columns or not all(column.fits for column in columns):
        return
    batch = BatchGame(1, game.ruleset, 0, observe=False, observation_dtype=BYTE)
    batch.records[:] = game.states
    layout = ByteLayout(columns)
    room = np.where(layout.exact, 0, layout.steps) * _HALF_A_STEP
    for seat, name in enumerate(game.seats):
        numbers, held = game.observation(seat), batch.observe(seat)
        decoded = batch.encoding.decode(held)[0]
        for place in np.flatnonzero(np.abs(decoded - numbers) > room)[:1]:
            yield (
                f"observation.columns: {columns[place].name}: the byte {held[0, place]} at {place:,} of what {name} sees "
                f"means {decoded[place]:g}; float32 says {numbers[place]:g}"
            )
