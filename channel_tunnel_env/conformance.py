"""What is missing or wrong of a game, in words: for authors of a game, of this package or another.

    report = check_game("shaft_bluff")
    assert not report.problems, report

Each part looks at one promise that every loop, environment and agent relies on. A part that cannot be checked because
another one failed is left out.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from channel_tunnel_env.batch_conformance import dead_figures, uneven_luck, wrong_batch
from channel_tunnel_env.byte_conformance import wrong_bytes, wrong_columns
from channel_tunnel_env.core import kernels, verbs
from channel_tunnel_env.core.checking import MOST_PLIES, MOST_STEPS
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.seeds import given_seed, seeds_from
from channel_tunnel_env.core.spec import RECORD_FIELDS, GameSpec
from channel_tunnel_env.core.workspace import workspace_dtype
from channel_tunnel_env.errors import ChannelTunnelError, IllegalActionError
from channel_tunnel_env.faces.registry import PARTS, checker_of, find_part, observation_of, terminal_of
from channel_tunnel_env.faces.table import PhaseFace
from channel_tunnel_env.game import Game
from channel_tunnel_env.games import environment_version, find_game, is_game, ruleset_folder
from channel_tunnel_env.hidden_conformance import FOLLOWED, Dealing, Recall, leaks, named_sections, uneven_deal
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.outside.homes import lacks
from channel_tunnel_env.rulesets.entry import entry_ruleset
from channel_tunnel_env.rulesets.ruleset import Ruleset, load_ruleset
from channel_tunnel_env.views import decode

TRACED = 60  # decisions that are played both compiled and interpreted
UNEVEN_AT = 9  # the decision at which it is asked how evenly worlds are dealt
LOOKS = frozenset((0, 1, 2, 3, 5, 8, 12, 18, 25, 37, 62, 93, 140, 210))  # decisions at which slower questions are asked
MOST_FOUND = 12  # problems of one game
_NO_ACTION = "no such action / of any game"
_ASK = """
import json, sys
from channel_tunnel_env.conformance import trace
print(json.dumps(trace(sys.argv[1], int(sys.argv[2]))))
"""


@dataclass
class GameReport:
    """The result of `check_game`.

    Attributes:
        game: its name.
        problems: one line each; empty for a game that keeps every promise.
        parts: what was looked at.
        warnings: what is odd and may be meant, one line each.
    """

    game: str
    problems: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{self.game}: {problem}" for problem in self.problems]
        lines = lines or [f"{self.game}: nothing is wrong ({', '.join(self.parts)})"]
        return "\n".join((*lines, *(f"{self.game}: warning: {warning}" for warning in self.warnings)))


@dataclass(frozen=True, eq=False)
class _JudgedRuleset(Ruleset):
    """A ruleset played by the description that is judged, which may differ from the registered one."""

    judged: GameSpec

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def spec(self) -> GameSpec:
        """The description that is judged."""
        return self.judged


def check_game(game: GameSpec | str, *, games: int = 4, seed: int = 0, interpreted: bool = True) -> GameReport:
    """Look at everything that a game must provide.

    Args:
        game: the name of a game that is found, or its SPEC.
        games: random games that are played; their rulesets take turns.
        seed: of the deals and moves.
        interpreted: also play a game without compilation, in a process of its own.

    Returns:
        A report; a game that is wrong raises nothing.
    """
    seed = given_seed(seed)
    report = GameReport(game if isinstance(game, str) else game.name)
    spec = _run(report, "the module spec", lambda: _found(game))
    if spec is None:
        return report
    if _part(report, "the description", lambda: _wrong_fields(spec)):
        return report
    rulesets = _run(report, "rulesets", lambda: _judged_rulesets(spec)) or []
    if _part(report, "rulesets", lambda: _wrong_rulesets(spec, rulesets)) or not rulesets:
        return report
    _part(report, "faces", lambda: _missing_parts(spec))
    whole = not _part(report, "invariants", lambda: _broken_invariants(rulesets, games, seed))
    if whole:
        # Not a problem: a figure may matter only where another one has another value.
        report.warnings += _run(report, "figures", lambda: [*dead_figures(rulesets, seed)]) or []
        report.warnings += _run(report, "luck", lambda: [*uneven_luck(rulesets, seed)]) or []
    kind = _run(report, "the class of games", lambda: find_part(spec, "game"))
    if kind is None:
        return report
    for rules in rulesets[: max(1, games) * whole]:
        _part(report, "batches", partial(wrong_batch, kind, rules, seed))
    recall = Recall()
    for number, own in enumerate(seeds_from(seed, games)):
        rules = rulesets[number % len(rulesets)]
        played = _run(report, "set-up", partial(kind, rules, own))
        if played is not None:
            _part(report, "play", partial(_wrong_play, played, own, recall))
            _part(report, "records", partial(_wrong_record, played))
    if interpreted and not report.problems and find_game(spec.name) is spec:
        _part(report, "without compilation", lambda: _other_interpreted(rulesets[0].name, seed))
    report.problems = list(dict.fromkeys(report.problems))
    return report


def _run(report: GameReport, part: str, work: Callable[[], Any]) -> Any:
    """What a step gives; None, and a problem in the report, if it raises."""
    try:
        with foreign_code():
            return work()
    except Exception as error:
        report.problems.append(f"{part}: {_words(error)}")
        return None


def _part(report: GameReport, part: str, look: Callable[[], Iterator[str]]) -> bool:
    """Add what a part finds; whether it found anything."""
    before = len(report.problems)
    if part not in report.parts:
        report.parts.append(part)
    try:
        with foreign_code():
            for problem in look():
                report.problems.append(f"{part}: {problem}")
    except Exception as error:
        report.problems.append(f"{part}: {_words(error)}")
    return len(report.problems) > before


def _words(error: Exception) -> str:
    text = " ".join(str(error).split())
    known = isinstance(error, (ChannelTunnelError, AssertionError))
    return (text if known and text else f"{type(error).__name__}: {text}")[:400]


# --- before anything is played --------------------------------------------------------------------


def _found(game: GameSpec | str) -> GameSpec:
    if isinstance(game, GameSpec):
        return game
    if not is_game(game):
        raise ValueError(f"no installed distribution provides a game {game!r}")
    return find_game(game)


def _wrong_fields(spec: GameSpec) -> Iterator[str]:
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
            yield f"record.work_dtype: the field {name} is missing; make it with core.workspace.workspace_dtype"
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
            yield f"actions.id_of: {name!r}, the name of {number}: {_words(error)}"
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


def _judged_rulesets(spec: GameSpec) -> list[Ruleset]:
    files = sorted(ruleset_folder(spec.name).glob("*.yaml"))
    loaded = [load_ruleset(path) for path in files]
    return [_JudgedRuleset(rules.data, rules.provenance, spec) for rules in loaded]


def _wrong_rulesets(spec: GameSpec, rulesets: list[Ruleset]) -> Iterator[str]:
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


def _missing_parts(spec: GameSpec) -> Iterator[str]:
    for name, part in PARTS.items():
        try:
            found = find_part(spec, name)
        except Exception as error:
            yield f"{name}: {_words(error)}"
            continue
        if found is None or part.name:
            continue
        in_phases = getattr(found, "IN_PHASES", False)
        lacking = lacks(found, part.holds) + (lacks(found, PhaseFace) if in_phases else [])
        for function in sorted(lacking):
            yield f"{name}: its module has no {function}"
    kind = find_part(spec, "game")
    if not issubclass(kind, Game):
        yield "game: the class of games is no subclass of channel_tunnel_env.Game, the door to every game"
    if kind.game_name != spec.name:
        yield f"game: the class of games is of {kind.game_name!r}"
    needs_pictures = set(spec.render_modes) - {"ansi"}
    if needs_pictures and find_part(spec, "pictures") is None:
        yield f"render_modes: {', '.join(sorted(needs_pictures))} without pictures"


# --- play -----------------------------------------------------------------------------------------


def _broken_invariants(rulesets: list[Ruleset], games: int, seed: int) -> Iterator[str]:
    for rules in rulesets[: max(1, games)]:
        found = checker_of(rules.spec)(rules, max(1, games // 2), (seed, 0))
        if found.fault is not None:
            code = found.fault[0]
            words = rules.spec.record.invariants.get(code, "it has no words in `record.invariants`")
            yield f"{rules.name}: random play breaks invariant {code}: {words}"


def _wrong_play(game: AnyGame, seed: int, recall: Recall) -> Iterator[str]:
    """Play one random game to its end, in place."""
    rng, where = np.random.default_rng((seed, 1)), f"{game.ruleset.name}, seed {seed}"
    twin = type(game)(game.ruleset, game.seed)
    sections = observation_of(game.spec).sections(game.ruleset)
    yield from _wrong_sections(game, sections)
    decision, found, dealing, tables = 0, dict[str, str](), Dealing(), game.tables.tobytes()
    while not game.is_over:
        if decision >= MOST_STEPS or int(game.states["ply"][0]) >= MOST_PLIES:
            yield f"{where}: not over after {decision:,} random decisions"
            return
        problems = list(_wrong_decision(game, twin))
        if problems:
            yield from (f"{problem} ({where}, decision {decision})" for problem in problems)
            break
        if decision in LOOKS:
            problems += _wrong_look(game, int(rng.integers(2**31)), dealing, recall)
        if decision == UNEVEN_AT and recall.is_new(game.ruleset.name):
            problems += uneven_deal(game, seed % len(game.seats), seed)
        if game.tables.tobytes() != tables:
            problems.append("a step changes the ruleset's figures, which all games share")
        for problem in problems:  # each of its kind once
            found.setdefault(problem.partition(" (")[0], f"{problem} ({where}, decision {decision})")
        if len(found) > MOST_FOUND:
            break
        action = int(rng.choice(game.legal_ids()))
        if decision % 11 == 5:
            twin = game.clone()
        game.play(action)
        twin.play(action)
        decision += 1
    else:
        ends = (*_wrong_end(game, twin), *dealing.never_dealt(game))
        found |= {problem: f"{problem} ({where}, end)" for problem in ends}
    yield from _causes(found.values())


def _causes(problems: Iterable[str]) -> Iterator[str]:
    """Without what follows from another: what leaks looks as if dealing again or reading a position changed it."""
    told = list(problems)
    leaking = any(problem.startswith("secrecy:") for problem in told)
    follows = ("determinize: changes what", "positions: what")
    yield from (problem for problem in told if not leaking or not problem.startswith(follows))


def _wrong_sections(game: AnyGame, sections: Any) -> Iterator[str]:
    place, names = 0, [section.name for section in sections]
    for section in sections:
        if section.start != place:
            yield f"observation: the section {section.name} begins at {section.start}, expected {place}"
        place = section.start + section.size
    size = game.spec.observation.size(game.ruleset)
    if place != size:
        yield f"observation: the sections end at {place}; observation.size says {size}"
    for seat in range(len(game.seats)):
        yield from _wrong_decoding(game, seat, names)


def _wrong_decoding(game: AnyGame, seat: int, names: list[str]) -> Iterator[str]:
    """What an observation decodes to: its sections by name, as plain data."""
    try:
        decoded = decode(game.observation(seat), game.ruleset)
        json.dumps(decoded)
    except Exception as error:
        yield f"decode: {_words(error)}"
        return
    if list(decoded) != names:
        odd = ", ".join(sorted(set(decoded) ^ set(names))) or "the same in another order"
        yield f"decode: expected the sections of the observation in order; differing: {odd}"


def _wrong_decision(game: AnyGame, twin: AnyGame) -> Iterator[str]:
    """What must hold at every decision."""
    spec = game.spec
    if not np.array_equal(game.mask, twin.mask) or _differing(game, twin):
        yield f"the same seed and actions, or a copy, give another game: {_differing(game, twin)}"
    legal = game.legal_ids()
    if not legal:
        yield "mask: empty, though the game goes on"
    if any(game.result()):
        yield f"result: {game.result()} before the end"
    if int(game.states["winner"][0]) != -1 or int(game.states["end_cause"][0]) != 0:
        yield "record: winner must be -1 and end_cause 0 while the game goes on"
    code = int(spec.record.find_faults(game.states, game.tables, False)[0])
    if code:
        yield f"record.find_faults: invariant {code} does not hold: {spec.record.invariants.get(code)}"
    for seat in range(len(game.seats)):
        yield from _wrong_observation(game, seat)


def _wrong_observation(game: AnyGame, seat: int) -> Iterator[str]:
    seen = game.observation(seat)
    lowest, highest = game.spec.observation.bounds(game.ruleset)
    if not np.isfinite(seen).all():
        yield f"observation of {game.seats[seat]}: not a number at {np.flatnonzero(~np.isfinite(seen))[0]}"
    elif seen.min() < lowest or seen.max() > highest:
        span = f"{seen.min():g} to {seen.max():g}"
        yield f"observation of {game.seats[seat]}: {span}, outside of observation.bounds {lowest:g} to {highest:g}"


def _wrong_outputs(game: AnyGame, seat: int) -> Iterator[str]:
    """What is handed out is fresh, whole and of the type that is promised."""
    name, seen = game.seats[seat], game.observation(seat)
    size = game.spec.observation.size(game.ruleset)
    if seen.dtype != np.float32 or seen.shape != (size,):
        yield f"observation of {name}: {seen.dtype} {seen.shape}; expected float32 ({size},)"
    if np.shares_memory(seen, game.observation(seat)):
        yield f"observation of {name}: two calls share their memory"
    machine, rows = machine_of(game.ruleset), []
    for before in (0.0, 1.0):
        rows.append(np.full((1, size), before, np.float32))
        machine.observe_game(game.states, 0, machine.tables, seat, machine.local.work, rows[-1])
    if (stale := np.flatnonzero(rows[0] != rows[1])).size:
        sections = ", ".join(named_sections(game, stale))
        yield f"observation of {name}: not every number is written: what was there before stays in {sections}"
    if np.shares_memory(game.clone().states, game.states):
        yield "clone: the copy shares its memory with the game"


def _wrong_ids(game: AnyGame) -> Iterator[str]:
    """The rules list the legal ids in order, each once."""
    machine, legal = machine_of(game.ruleset), game.legal_ids()
    listed = machine.local.work["legal"][0]
    listed[:] = -1
    machine.run_game(
        machine.copy_states(game.states),
        0,
        machine.tables,
        kernels.SETTLE,
        0,
        machine.blank,
        machine.local.work,
        np.zeros((1, game.spec.actions.count), np.int8),
    )
    found = listed[: len(legal)].tolist()  # what follows may be left from before
    if found != legal:
        yield f"list_legal: the ids {found[:6]}; expected ascending"


def _differing(game: AnyGame, twin: AnyGame) -> list[str]:
    names = game.states.dtype.names or ()
    return [n for n in names if game.states[n].tobytes() != twin.states[n].tobytes() and n != "ruleset"]


def _wrong_look(game: AnyGame, seed: int, dealing: Dealing, recall: Recall) -> Iterator[str]:
    """The slower questions about one position."""
    yield from _wrong_refusal(game)
    yield from _wrong_ids(game)
    for seat in range(len(game.seats)):
        yield from _wrong_outputs(game, seat)
        yield from leaks(game, seat, seed)
        yield from dealing.wrong(game, seat, seed)
        yield from recall.forgotten(game, seat, seed)
    yield from wrong_bytes(game)
    yield from _wrong_position(game)
    yield from _wrong_terminal(game)


def _wrong_refusal(game: AnyGame) -> Iterator[str]:
    forbidden = np.flatnonzero(game.mask == 0)[:2].tolist()
    before = game.states.tobytes()
    for action in forbidden:
        name = game.spec.actions.names[action]
        try:
            game.play(action)
        except IllegalActionError as error:
            if not str(error).strip():
                yield f"actions.describe_refusal: no word about {name!r}"
        else:
            yield f"mask: {name!r} is forbidden, but can be played"
            return
    if game.states.tobytes() != before:
        yield "a refused action changes the game"
    for action in game.legal_ids()[:8]:
        game.clone().play(action)


def _wrong_position(game: AnyGame) -> Iterator[str]:
    written: Any = game.to_position()  # type: ignore[attr-defined]
    given = json.loads(json.dumps(written))
    read = type(game).from_position(given, game.ruleset)  # type: ignore[attr-defined]
    if given != json.loads(json.dumps(written)):
        yield "positions: reading a position changes the mapping that it is given"
    if read.to_position() != written:
        yield "positions: a position that is written and read back is another one"
    elif hasattr(game, "phase_key"):
        return  # the position is that of the phase, at its first question
    elif not np.array_equal(read.mask, game.mask):
        yield "positions: a position that is read back has other legal actions"
    elif not np.array_equal(read.observation(), game.observation()):
        yield "positions: a position that is read back is seen otherwise"
    elif not _goes_on_alike(read, game.clone()):
        yield "positions: a game that is read back goes on otherwise: its position lacks something"


def _goes_on_alike(game: AnyGame, other: AnyGame) -> bool:
    """Whether the same decisions are met with the same answers and the same luck."""
    rng = np.random.default_rng(int(game.states["ply"][0]))
    for _ in range(FOLLOWED):
        if game.is_over or other.is_over or not np.array_equal(game.mask, other.mask):
            break
        action = int(rng.choice(game.legal_ids()))
        game.play(action)
        other.play(action)
    return np.array_equal(game.mask, other.mask) and np.array_equal(game.observation(), other.observation())


def _wrong_terminal(game: AnyGame) -> Iterator[str]:
    face, seat = terminal_of(game.spec), str(game.to_play)
    for what, text in (
        ("board", face.board(game, seat, True)),
        ("question", face.question(game, seat)),
        ("seat_title", face.seat_title(seat)),
        ("the text", game.render()),  # type: ignore[attr-defined]
    ):
        if not isinstance(text, str) or (what != "question" and not text.strip()):
            yield f"terminal: {what} shows nothing"
    offered = {choice.action for choice in face.choices(game)}
    legal = set(game.legal_ids())
    if offered != legal:
        names = game.spec.actions.names
        odd = ", ".join(names[action] for action in sorted(offered ^ legal)[:3])
        yield f"terminal: choices and legal actions differ in {odd}"


def _wrong_end(game: AnyGame, twin: AnyGame) -> Iterator[str]:
    spec, result = game.spec, game.result()
    if _differing(game, twin):
        yield f"the same actions end in another game: {_differing(game, twin)}"
    if game.mask.any():
        yield "mask: not empty, though the game is over"
    cause, winner = int(game.states["end_cause"][0]), int(game.states["winner"][0])
    if cause == 0:
        yield "mask: empty in a game that is not over: list_legal gives no id, and end_cause is that of a game that goes on"
        return
    if not 0 < cause < len(spec.outcome.end_causes):
        yield f"record: end_cause {cause} of a game that is over"
    if winner not in (*range(len(game.seats)), spec.outcome.draw):
        yield f"record: winner {winner} of a game that is over"
    scores = game.scores()
    points = [of_seat["total"] for of_seat in scores.values()]
    for seat, of_seat in scores.items():
        if sum(of_seat.values()) != 2 * of_seat["total"]:
            yield f"scores: the total of {seat} is {of_seat['total']}; its sources sum to {sum(of_seat.values()) - of_seat['total']}"
    if not np.isfinite(result).all():
        yield f"result: {result}"
    elif len(result) == 2 and result not in ((1, -1), (-1, 1), (0, 0)):
        yield f"result: {result}; between two seats 1 and -1, or 0 each"
    elif 0 <= winner < len(result) and result[winner] < max(result):
        yield f"result: {result}, though {game.seats[winner]} is the winner"
    elif spec.outcome.by_points and 0 <= winner < len(result) and points[winner] < max(points):
        yield f"scores: {', '.join(map(str, points))} points, though {game.seats[winner]} is the winner (outcome.by_points)"
    elif winner == spec.outcome.draw and len(result) == 2 and any(result):
        yield f"result: {result}, though the game has no winner"
    if not terminal_of(spec).ending(game, game.seats[0]).strip():
        yield "terminal: ending shows nothing"


def _wrong_record(game: AnyGame) -> Iterator[str]:
    """A record replays with its luck, whole."""
    record = json.loads(json.dumps(game.record()))  # type: ignore[attr-defined]
    again = type(game).from_record(record, game.ruleset)  # type: ignore[attr-defined]
    if differing := _differing(game, again):
        yield f"a replayed record ends in another game: {', '.join(differing)}"


# --- the same without compilation -----------------------------------------------------------------


def trace(ruleset: str, seed: int) -> list[str]:
    """The beginning of a random game, as a digest of state, mask and observations at each decision."""
    game, rng = Game(ruleset, seed), np.random.default_rng((seed, 2))
    traced = []
    for _ in range(TRACED):
        digest = hashlib.sha256()
        for name in game.states.dtype.names or ():
            digest.update(game.states[name].tobytes())
        digest.update(game.mask.tobytes())
        for seat in range(len(game.seats)):
            # Compiled arithmetic may fuse two roundings into one.
            digest.update(np.round(game.observation(seat), 4).tobytes())
        digest.update(repr(game.scores()).encode())
        traced.append(digest.hexdigest()[:12])
        if game.is_over:
            break
        game.play(int(rng.choice(game.legal_ids())))
    return traced


def _other_interpreted(ruleset: str, seed: int) -> Iterator[str]:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _ASK, ruleset, str(seed)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        yield f"{ruleset}: {last[:300]}"
        return
    theirs = json.loads(done.stdout)
    for decision, (ours, other) in enumerate(zip(trace(ruleset, seed), theirs, strict=False)):
        if ours != other:
            yield f"{ruleset}, seed {seed}, decision {decision}: the interpreted rules play otherwise"
            return


# --- secrecy --------------------------------------------------------------------------------------


def check_hiding(game: AnyGame, viewer: str | int, seed: int = 0) -> None:
    """Check that hidden information does not affect the viewer's observation or legal actions.

    What is hidden is dealt again from `seed`, and what the viewer sees must not change. In games that all seats answer
    unseen, dealing again also restarts the phase, so two such deals are compared.

    Args:
        game: in any state; it is not changed.
        viewer: the seat, by name or number.
        seed: of the new deal.

    Raises:
        AssertionError: names the parts of the observation that leak.
    """
    seat = game.seat_index(viewer)
    other, name = game.determinize(seat, seed), game.seats[seat]
    if hasattr(game, "phase_key"):
        game = game.determinize(seat, given_seed(seed) ^ 1)
    mine, theirs = game.observation(seat), other.observation(seat)
    places = np.flatnonzero(mine.view(np.uint32) != theirs.view(np.uint32))
    if places.size:
        leaking = ", ".join(named_sections(game, places))
        raise AssertionError(f"{name} sees what is hidden from it in: {leaking}")
    if game.to_play == name and not np.array_equal(game.mask, other.mask):
        raise AssertionError(f"the legal actions of {name} depend on what is hidden from it")
