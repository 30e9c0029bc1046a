"""A game as it is played: decisions, what is seen of them, positions, the terminal, the end, the record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import numpy as np

from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.checking import MOST_PLIES, MOST_STEPS
from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.errors import IllegalActionError
from channel_tunnel_env.faces.registry import observation_of, offers, terminal_of
from channel_tunnel_env.testing.description import in_words, wrong_bytes
from channel_tunnel_env.testing.secrecy import FOLLOWED, Donors, named_sections, uneven_deal, written, wrong_secrets
from channel_tunnel_env.views import decode

UNEVEN_AT = 9  # the decision at which it is asked how evenly worlds are dealt
LOOKS = frozenset((0, 1, 2, 3, 5, 8, 12, 18, 25, 37, 62, 93, 140, 210))  # decisions at which slower questions are asked
MOST_FOUND = 12  # problems of one game


def wrong_play(game: AnyGame, seed: int, donors: Donors, first: bool) -> Iterator[str]:
    """Play one random game to its end, in place.

    Args:
        donors: positions met in earlier games.
        first: the first game of its ruleset, in which it is counted how worlds are dealt.
    """
    rng, where = np.random.default_rng((seed, 1)), f"{game.ruleset.name}, seed {seed}"
    twin = type(game)(game.ruleset, game.seed)
    if offers(game.spec, "observation"):
        yield from _wrong_sections(game)
    bounds = game.spec.observation.bounds(game.ruleset)
    decision, found, tables = 0, dict[str, str](), game.tables.tobytes()
    while not game.is_over:
        if decision >= MOST_STEPS or int(game.states["ply"][0]) >= MOST_PLIES:
            yield f"{where}: not over after {decision:,} random decisions"
            return
        problems = list(_wrong_decision(game, twin, bounds))
        if problems:
            yield from (f"{problem} ({where}, decision {decision})" for problem in problems)
            break
        if decision in LOOKS:
            problems += _wrong_look(game, int(rng.integers(2**31)), donors)
        if decision == UNEVEN_AT and first:
            problems += [problem for seat in range(len(game.seats)) for problem in uneven_deal(game, seat, seed)]
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
        found |= {problem: f"{problem} ({where}, end)" for problem in _wrong_end(game, twin)}
    yield from _causes(found.values())


def _causes(problems: Iterable[str]) -> Iterator[str]:
    """Without what follows from another: what leaks looks as if dealing again or reading a position changed it."""
    said = list(problems)
    leaking = any(problem.startswith("secrecy:") for problem in said)
    follows = ("determinize: changes what", "positions: what")
    yield from (problem for problem in said if not leaking or not problem.startswith(follows))


def _wrong_sections(game: AnyGame) -> Iterator[str]:
    sections = observation_of(game.spec).sections(game.ruleset)
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
        yield f"decode: {in_words(error)}"
        return
    if list(decoded) != names:
        odd = ", ".join(sorted(set(decoded) ^ set(names))) or "the same in another order"
        yield f"decode: expected the sections of the observation in order; differing: {odd}"


def _wrong_decision(game: AnyGame, twin: AnyGame, bounds: tuple[float, float]) -> Iterator[str]:
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
        yield from _wrong_observation(game, seat, *bounds)


def _wrong_observation(game: AnyGame, seat: int, lowest: float, highest: float) -> Iterator[str]:
    seen = game.observation(seat)
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
        named = named_sections(game, stale)
        yield f"observation of {name}: not every number is written: what was there before stays in {named}"
    if np.shares_memory(game.clone().states, game.states):
        yield "clone: the copy shares its memory with the game"


def _wrong_ids(game: AnyGame) -> Iterator[str]:
    """The rules list the legal ids in order, each once."""
    machine, legal = machine_of(game.ruleset), game.legal_ids()
    work, mask = machine.local.work, np.zeros((1, game.spec.actions.count), np.int8)
    work["legal"][0][:] = -1
    machine.run_game(machine.copy_states(game.states), 0, machine.tables, kernels.SETTLE, 0, machine.blank, work, mask)
    found = work["legal"][0][: len(legal)].tolist()  # what follows may be left from before
    if found != legal:
        yield f"list_legal: the ids {found[:6]}; expected ascending"


def _differing(game: AnyGame, twin: AnyGame) -> list[str]:
    names = game.states.dtype.names or ()
    return [n for n in names if game.states[n].tobytes() != twin.states[n].tobytes() and n != "ruleset"]


def _wrong_look(game: AnyGame, seed: int, donors: Donors) -> Iterator[str]:
    """The slower questions about one position."""
    yield from _wrong_refusal(game)
    yield from _wrong_ids(game)
    for seat in range(len(game.seats)):
        yield from _wrong_outputs(game, seat)
        yield from wrong_secrets(game, seat, seed, donors)
    yield from wrong_bytes(game)
    if offers(game.spec, "positions"):
        yield from _wrong_position(game)
    if offers(game.spec, "terminal"):
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
    given = written(game, None)
    read = type(game).from_position(given, game.ruleset)  # type: ignore[attr-defined]
    if given != written(game, None):
        yield "positions: reading a position changes the mapping that it is given"
    if read.to_position() != game.to_position():  # type: ignore[attr-defined]
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
    shown = {"board": face.board(game, seat, True), "question": face.question(game, seat)}
    for what, text in (shown | {"seat_title": face.seat_title(seat), "the text": game.render()}).items():  # type: ignore[attr-defined]
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
        yield "mask: empty in a game that is not over: list_legal gives no id, and end_cause is 0"
        return
    if not 0 < cause < len(spec.outcome.end_causes):
        yield f"record: end_cause {cause} of a game that is over"
    if winner not in (*range(len(game.seats)), spec.outcome.draw):
        yield f"record: winner {winner} of a game that is over"
    scores = game.scores()
    points = [of_seat["total"] for of_seat in scores.values()]
    for seat, of_seat in scores.items():
        if (rest := sum(of_seat.values()) - of_seat["total"]) != of_seat["total"]:
            yield f"scores: the total of {seat} is {of_seat['total']}; its sources sum to {rest}"
    if not np.isfinite(result).all():
        yield f"result: {result}"
    elif len(result) == 2 and result[0] != -result[1]:
        yield f"result: {result}; between two seats one wins what the other loses"
    elif max(map(abs, result)) > spec.outcome.stakes:
        yield f"result: {result}; the game's OutcomePart says that {spec.outcome.stakes:g} is the most (`stakes`)"
    elif 0 <= winner < len(result) and result[winner] < max(result):
        yield f"result: {result}, though {game.seats[winner]} is the winner"
    elif spec.outcome.by_points and 0 <= winner < len(result) and points[winner] < max(points):
        listed = ", ".join(map(str, points))
        yield f"scores: {listed} points, though {game.seats[winner]} is the winner (outcome.by_points)"
    elif winner == spec.outcome.draw and len(result) == 2 and any(result):
        yield f"result: {result}, though the game has no winner"
    if offers(spec, "terminal") and not terminal_of(spec).ending(game, game.seats[0]).strip():
        yield "terminal: ending shows nothing"


def wrong_record(game: AnyGame) -> Iterator[str]:
    """A record replays with its luck, whole."""
    record = json.loads(json.dumps(game.record()))  # type: ignore[attr-defined]
    again = type(game).from_record(record, game.ruleset)  # type: ignore[attr-defined]
    if differing := _differing(game, again):
        yield f"a replayed record ends in another game: {', '.join(differing)}"
