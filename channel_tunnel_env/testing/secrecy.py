"""A game's secrets: who sees what, and how it is dealt again.

A game says twice what a seat cannot know: its verb `determinize` deals that again, and its positions leave it out for
that seat. So two games are read from what a seat's position holds (`twins`), without `determinize`, and each is held
against the other. A game without positions has its secrets held against `determinize` only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.errors import ChannelTunnelError, PositionError
from channel_tunnel_env.faces.registry import observation_of, offers, terminal_of

WORLDS = 64  # dealt to hold two ways of dealing against each other
SPREADS = 6.0  # standard deviations by which they may differ
FOLLOWED = 30  # decisions after which something forgotten is taken for harmless
PARTS_TRIED, DONORS, MOST_DONORS = 12, 3, 40  # parts of a position, and positions from which each takes another value
_LUCK = ("rng_key", "rng_counter", "seed", "ply", "ruleset")

Donors = dict[tuple[str, int, str], list[dict[str, Any]]]
"""Positions met before, by ruleset, seat and phase."""


def twins(game: Any, seat: int, seed: int) -> tuple[Any, Any]:
    """Two games that differ in what a seat cannot know, and in nothing else; made without `determinize`.

    What the seat's position holds is read twice. The rest is drawn from the seed of the position, or, in a game whose
    positions draw nothing, it is the truth in one and nothing in the other. Games that all seats answer unseen are
    at the first question of their phase.

    Raises:
        PositionError: the position cannot be read.
    """
    known = written(game, seat)
    try:
        one, other = (_read(game, known | {"seed": given_seed(seed) ^ k}) for k in (0, 1))
    except PositionError as error:
        if "seed" not in str(error):
            raise
        one, other = _read(game, written(game, None)), _read(game, known)
    return one, other


def written(game: Any, seat: int | None) -> dict[str, Any]:
    """A position as a file holds it."""
    position: dict[str, Any] = json.loads(json.dumps(game.to_position(seat)))
    return position


def _read(game: Any, position: dict[str, Any]) -> Any:
    return type(game).from_position(position, game.ruleset)


def named_sections(game: AnyGame, places: NDArray[np.int64]) -> str:
    """The sections of an observation that hold some of its places."""
    if not offers(game.spec, "observation"):
        return f"place {places[0]}"
    sections = observation_of(game.spec).sections(game.ruleset)
    return ", ".join(s.name for s in sections if ((s.start <= places) & (places < s.start + s.size)).any())


def _places(one: AnyGame, other: AnyGame, seat: int) -> NDArray[np.int64]:
    """Where a seat sees two games otherwise."""
    mine, theirs = one.observation(seat), other.observation(seat)
    return np.flatnonzero(mine.view(np.uint32) != theirs.view(np.uint32))


def _dealt_apart(one: AnyGame, other: AnyGame) -> list[str]:
    """The fields of the record in which two games differ, without those of luck to come."""
    names = one.states.dtype.names or ()
    return [n for n in names if n not in _LUCK and one.states[n].tobytes() != other.states[n].tobytes()]


def _shows(game: Any, seat: int) -> dict[str, Any]:
    """What a seat is shown besides its observation."""
    shown: dict[str, Any] = {}
    if offers(game.spec, "positions"):
        shown["to_position"] = _lasting(written(game, seat))
    if offers(game.spec, "text"):
        shown["the text"] = game.render(seat)
    if offers(game.spec, "terminal"):
        shown["the board in the terminal"] = terminal_of(game.spec).board(game, game.seats[seat], True)
    return shown


def _lasting(position: dict[str, Any]) -> dict[str, Any]:
    """A position without what says how it came about."""
    return {key: value for key, value in position.items() if key not in ("seed", "ply", "stream")}


def wrong_secrets(game: AnyGame, seat: int, seed: int, donors: Donors) -> Iterator[str]:
    """What is wrong in one position with what a seat may know."""
    yield from _wrong_deal(game, seat, seed)
    if not offers(game.spec, "positions"):
        yield from _seen_apart(game, game.determinize(seat, seed), seat, "the game and one dealt again")
        return
    try:
        one, other = twins(game, seat, seed)
    except ChannelTunnelError as error:
        yield f"positions: what {game.seats[seat]} knows cannot be read back: {error}"
        return
    yield from _seen_apart(one, other, seat, "two games that its position cannot tell apart")
    yield from _wrong_worlds(one, other, seat, seed)
    if hasattr(game, "phase_key"):
        yield from _answers_seen(one, seat, seed)
        return
    if (places := _places(one, game, seat)).size:
        named = named_sections(game, places)
        yield f"positions: what {game.seats[seat]} knows is read back as a game that it sees otherwise, in: {named}"
    yield from _forgotten(one, seat, seed, donors)


def _wrong_worlds(one: AnyGame, other: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """`determinize` against two games that the seat cannot tell apart."""
    name, world = one.seats[seat], one.determinize(seat, seed)
    if kept := _dealt_apart(world, other.determinize(seat, seed)):
        yield (
            f"determinize: for {name}, the world depends on what it cannot know, in: {', '.join(kept)}; lay out in "
            "a fixed order what the seat cannot place, then shuffle it"
        )
    before, after = _shows(one, seat), _shows(world, seat)
    changed = [shown for shown in before if before[shown] != after[shown]]
    if changed and not hasattr(one, "phase_key"):  # whether a unit had a way out in secret may be open again
        yield f"determinize: changes what {name} knows; {', '.join(changed)} shows it"


# --- recall: does an observation show what the seat's position holds, as far as that ever matters? -----------


def _forgotten(game: AnyGame, seat: int, seed: int, donors: Donors) -> Iterator[str]:
    known = _lasting(written(game, seat))
    met = donors.setdefault((game.ruleset.name, seat, str(game.phase)), [])
    parts = list(_parts(known))
    for k in np.random.default_rng(seed).permutation(len(parts))[:PARTS_TRIED]:
        path, value = parts[k]
        others = [part for donor in met[::-1] if (part := _at(donor, path)) not in (None, value)]
        if any(_is_missed(game, seat, _with(known, path, part), seed) for part in others[:DONORS]):
            where = f"{'.'.join(map(str, path))}, which its position holds, and the game goes on otherwise"
            yield f"observation: {game.seats[seat]} forgets {where}"
            return
    if len(met) < MOST_DONORS:
        met.append(known)


def _is_missed(game: AnyGame, seat: int, changed: dict[str, Any], seed: int) -> bool:
    """Whether a changed position looks the same to the seat, and is played otherwise."""
    try:
        other = _read(game, changed | {"seed": seed})
    except ChannelTunnelError:
        return False  # no such position
    if _differs(game, other, seat) or _lasting(written(other, seat)) != changed:
        return False
    one, rng = game.clone(), np.random.default_rng(seed)
    for _ in range(FOLLOWED):
        if one.is_over:
            break
        action = int(rng.choice(one.legal_ids()))
        one.play(action)
        other.play(action)
        if _differs(one, other, seat):
            return True
    return bool(one.result() != other.result())


def _differs(one: AnyGame, other: AnyGame, seat: int) -> bool:
    same = one.to_play == other.to_play and np.array_equal(one.mask, other.mask)
    return not same or _places(one, other, seat).size > 0


def _parts(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """The parts of a position by path: what its mappings hold, lists as wholes."""
    for key, value in node.items():
        if isinstance(value, dict):
            yield from _parts(value, (*path, key))
        elif key not in ("ruleset", "ruleset_digest"):
            yield (*path, key), value


def _at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node.get(key) if isinstance(node, dict) else None
    return node


def _with(node: dict[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    return node | {path[0]: value if len(path) == 1 else _with(node[path[0]], path[1:], value)}


# --- one position ---------------------------------------------------------------------------------


def _wrong_deal(game: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """`determinize` by itself."""
    name, before = game.seats[seat], game.states.tobytes()
    world = game.determinize(seat, seed)
    if np.shares_memory(world.states, game.states) or game.states.tobytes() != before:
        yield f"determinize: for {name}, the world shares its memory with the game"
        return
    if _dealt_apart(world, game.determinize(seat, seed)):
        yield f"determinize: for {name}, the same seed deals another world the second time"
        return
    code = int(game.spec.record.find_faults(world.states, game.tables, True)[0])
    if code:
        yield f"determinize: for {name}, invariant {code} does not hold: {game.spec.record.invariants.get(code)}"
    if (world.states["rng_key"] == game.states["rng_key"]).any() or world.seed == game.seed:
        yield f"determinize: for {name}, a stream or the seed stays; use core.rng.seed_apart"
    if (places := _places(game, world, seat)).size:
        yield f"determinize: changes what {name} sees, in: {named_sections(game, places)}"
    elif game.to_play == name and (world.to_play != name or not np.array_equal(game.mask, world.mask)):
        yield f"determinize: changes what {name} is asked"


def _seen_apart(one: AnyGame, other: AnyGame, seat: int, what: str) -> Iterator[str]:
    """How what a seat cannot know shows in what it sees, is asked, may do or is shown."""
    name, hidden = one.seats[seat], ", ".join(_dealt_apart(one, other))
    where = f" ({what} differ in {hidden})" if hidden else ""
    if (places := _places(one, other, seat)).size:
        yield f"secrecy: {name} sees what is hidden from it in: {named_sections(one, places)}{where}"
    if (one.to_play, one.phase) != (other.to_play, other.phase):
        yield f"secrecy: who is asked next, or what, depends on what is hidden from {name}{where}"
    elif one.to_play == name and not np.array_equal(one.mask, other.mask):
        yield f"secrecy: the legal actions of {name} depend on what is hidden from it{where}"
    elif one.to_play == name:
        forbidden = np.flatnonzero(one.mask == 0)[:3].tolist()
        if any(one.explain(action) != other.explain(action) for action in forbidden):
            yield f"secrecy: actions.describe_refusal says to {name} what is hidden from it{where}"
    mine, theirs = _shows(one, seat), _shows(other, seat)
    for shown in mine:
        if mine[shown] != theirs[shown]:
            yield f"secrecy: {shown} shows {name} what is hidden from it{where}"


def _answers_seen(game: Any, seat: int, seed: int) -> Iterator[str]:
    """A phase that all seats answer unseen is played twice, with the same answers of one seat only."""
    name, looks = game.seats[seat], dict[int, list[Any]]()
    for others in (0, 1):
        played, own, luck = game.clone(), np.random.default_rng(seed), np.random.default_rng((seed, others))
        while not played.is_over and played.phase_key == game.phase_key:
            asked = played.mover == seat
            if asked:
                looks.setdefault(others, []).append((played.observation(seat), played.action_mask))
            played.play(int((own if asked else luck).choice(played.legal_ids())))
    for (seen, mask), (also, other) in zip(*looks.values(), strict=False):
        if (places := np.flatnonzero(seen != also)).size:
            yield f"secrecy: {name} sees what others answer in the phase, in: {named_sections(game, places)}"
            return
        if not np.array_equal(mask, other):
            yield f"secrecy: the legal actions of {name} depend on what others answer in the phase"
            return


def uneven_deal(game: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """Where worlds and games read from a seat's position differ by more than luck in how often something occurs."""
    if hasattr(game, "phase_key") or not offers(game.spec, "positions"):
        return  # its positions draw nothing
    known, name = written(game, seat), game.seats[seat]
    drawn = np.random.default_rng((seed, 4)).integers(2**62, size=WORLDS).tolist()
    try:
        read = np.concatenate([_read(game, known | {"seed": k}).states for k in drawn])
    except ChannelTunnelError:
        return  # `wrong_secrets` says so
    dealt = np.concatenate([game.determinize(seat, k).states for k in drawn])
    for field in [field for field in game.states.dtype.names or () if field not in _LUCK]:
        one, other = (states[field].reshape(WORLDS, -1) for states in (read, dealt))
        varies, also = ((table != table[0]).any(axis=0) for table in (one, other))
        if varies.any() and not also.any():
            yield f"determinize: for {name}, other seeds never deal another {field}"
        for value in np.unique(np.concatenate([one, other])):
            shares = (one == value).mean(axis=0), (other == value).mean(axis=0)
            whole = (shares[0] + shares[1]) / 2
            off = abs(shares[0] - shares[1]) > SPREADS * np.sqrt(2 * whole * (1 - whole) / WORLDS)
            # Drawn cards that still lie in a record are never looked at.
            for place in np.flatnonzero(off & varies & also)[:1]:
                yield (
                    f"determinize: for {name}, it deals unevenly: {field} is {value} at {place} in "
                    f"{shares[1][place]:.0%} of {WORLDS} worlds; in {shares[0][place]:.0%} of games that its position allows"
                )
                return
