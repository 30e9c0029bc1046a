"""What is wrong with a game's secrets: who sees what, and how it is dealt again; a part of `conformance`.

A game says twice what a seat cannot know: its verb `determinize` deals that again, and its positions leave it out for
that seat. So two worlds are read from what a seat's position holds (`twins`), without `determinize`, and each is held
against the other.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.game import Game as AnyGame
from channel_tunnel_env.core.seeds import given_seed
from channel_tunnel_env.errors import ChannelTunnelError, PositionError
from channel_tunnel_env.faces.registry import observation_of, terminal_of

WORLDS = 64  # dealt to hold two ways of dealing against each other
SPREADS = 6.0  # standard deviations by which they may differ
SEEN_OFTEN = 4  # times that something hidden differs between twins, before `determinize` must have dealt it otherwise
FOLLOWED = 30  # decisions after which something forgotten is taken for harmless
MOST_DONORS = 40
PARTS_TRIED = 12  # of a position
DONORS = 3  # earlier positions from which a part is taken to see whether an observation shows it
_LUCK = ("rng_key", "rng_counter", "seed", "ply", "ruleset")


def twins(game: AnyGame, seat: int, seed: int) -> tuple[AnyGame, AnyGame]:
    """Two games that differ in what a seat cannot know, and in nothing else; made without `determinize`.

    What the seat's position holds is read twice. The rest is drawn from the seed of the position, or, in a game whose
    positions draw nothing, it is the truth in one and nothing in the other. Games that all seats answer unseen are
    at the first question of their phase.

    Raises:
        PositionError: the position cannot be read.
    """
    known = _written(game, seat)
    try:
        one, other = (_read(game, known | {"seed": given_seed(seed) ^ k}) for k in (0, 1))
    except PositionError as error:
        if "seed" not in str(error):
            raise
        one, other = _read(game, _written(game, None)), _read(game, known)
    return one, other


def _written(game: AnyGame, seat: int | None) -> dict[str, Any]:
    written: dict[str, Any] = json.loads(json.dumps(game.to_position(seat)))  # type: ignore[attr-defined]
    return written


def _read(game: AnyGame, position: dict[str, Any]) -> AnyGame:
    read: AnyGame = type(game).from_position(position, game.ruleset)  # type: ignore[attr-defined]
    return read


# --- what a seat sees -----------------------------------------------------------------------------


def leaks(game: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """How what a seat cannot know shows in what it sees, is asked, may do or is shown."""
    name = game.seats[seat]
    try:
        one, other = twins(game, seat, seed)
    except ChannelTunnelError as error:
        yield f"positions: what {name} knows cannot be read back: {error}"
        return
    yield from _seen_apart(one, other, seat, "two games that its position cannot tell apart")
    if not hasattr(game, "phase_key") and _places(one, game, seat).size:
        named = ", ".join(named_sections(game, _places(one, game, seat)))
        yield f"positions: what {name} knows is read back as a game that it sees otherwise, in: {named}"
    if hasattr(game, "phase_key"):
        yield from _answers_seen(one, seat, seed)


def _seen_apart(one: AnyGame, other: AnyGame, seat: int, what: str) -> Iterator[str]:
    name, hidden = one.seats[seat], ", ".join(_dealt_apart(one, other))
    where = f" ({what} differ in {hidden})" if hidden else ""
    if places := named_sections(one, _places(one, other, seat)):
        yield f"secrecy: {name} sees what is hidden from it in: {', '.join(places)}{where}"
    if (one.to_play, one.phase) != (other.to_play, other.phase):
        yield f"secrecy: who is asked next, or what, depends on what is hidden from {name}{where}"
    elif one.to_play == name and not np.array_equal(one.mask, other.mask):
        yield f"secrecy: the legal actions of {name} depend on what is hidden from it{where}"
    elif one.to_play == name:
        forbidden = np.flatnonzero(one.mask == 0)[:3].tolist()
        if any(one.explain(action) != other.explain(action) for action in forbidden):
            yield f"secrecy: actions.describe_refusal says to {name} what is hidden from it{where}"
    for shown, show in _shows(one, seat).items():
        if show(one) != show(other):
            yield f"secrecy: {shown} shows {name} what is hidden from it{where}"


def _shows(game: AnyGame, seat: int) -> dict[str, Callable[[Any], Any]]:
    face, name = terminal_of(game.spec), game.seats[seat]
    return {
        "to_position": lambda played: _lasting(_written(played, seat)),
        "the text": lambda played: played.render(seat),
        "the board in the terminal": lambda played: face.board(played, name, True),
    }


def _lasting(position: dict[str, Any]) -> dict[str, Any]:
    """A position without what says how it came about."""
    return {key: value for key, value in position.items() if key not in ("seed", "ply", "stream")}


def _answers_seen(game: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """A phase that all seats answer unseen is played twice, with the same answers of one seat only."""
    looks = [_answered(game.clone(), seat, seed, others) for others in (0, 1)]
    name = game.seats[seat]
    for (seen, mask), (also, others) in zip(*looks, strict=False):
        if not np.array_equal(seen, also):
            yield f"secrecy: {name} sees what others answer in the phase, in: {', '.join(named_sections(game, np.flatnonzero(seen != also)))}"
            return
        if not np.array_equal(mask, others):
            yield f"secrecy: the legal actions of {name} depend on what others answer in the phase"
            return


def _answered(game: Any, seat: int, seed: int, others: int) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    own, luck, phase = np.random.default_rng(seed), np.random.default_rng((seed, others)), game.phase_key
    looks = []
    while not game.is_over and game.phase_key == phase:
        asked = game.mover == seat
        if asked:
            looks.append((game.observation(seat), game.action_mask))
        game.play(int((own if asked else luck).choice(game.legal_ids())))
    return looks


def _places(one: AnyGame, other: AnyGame, seat: int) -> NDArray[np.int64]:
    mine, theirs = one.observation(seat), other.observation(seat)
    return np.flatnonzero(mine.view(np.uint32) != theirs.view(np.uint32))


def named_sections(game: AnyGame, places: NDArray[np.int64]) -> list[str]:
    """The sections of an observation that hold some of its places."""
    sections = observation_of(game.spec).sections(game.ruleset)
    return [s.name for s in sections if ((s.start <= places) & (places < s.start + s.size)).any()]


def _dealt_apart(one: AnyGame, other: AnyGame) -> list[str]:
    """The fields of the record in which two games differ, without those of luck to come."""
    names = one.states.dtype.names or ()
    return [n for n in names if n not in _LUCK and one.states[n].tobytes() != other.states[n].tobytes()]


# --- dealing again --------------------------------------------------------------------------------


class Dealing:
    """What `determinize` does over a whole game, held against positions."""

    def __init__(self) -> None:
        self._hidden: Counter[tuple[int, str]] = Counter()
        self._dealt: set[tuple[int, str]] = set()

    def wrong(self, game: AnyGame, seat: int, seed: int) -> Iterator[str]:
        """What is wrong with dealing again here."""
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
        try:
            one, other = twins(game, seat, seed)
        except ChannelTunnelError:
            return  # `leaks` says so
        yield from self._held_against(one, other, seat, seed)

    def _held_against(self, one: AnyGame, other: AnyGame, seat: int, seed: int) -> Iterator[str]:
        """`determinize` against two games that the seat cannot tell apart."""
        name = one.seats[seat]
        world, twin, next_world = (
            one.determinize(seat, seed),
            other.determinize(seat, seed),
            one.determinize(seat, seed ^ 1),
        )
        if kept := _dealt_apart(world, twin):
            yield (
                f"determinize: for {name}, the world depends on what it cannot know, in: {', '.join(kept)}; lay out in "
                "a fixed order what the seat cannot place, then shuffle it"
            )
        # Where a phase starts again, what others were seen to do in it may be open again.
        shows = {} if hasattr(one, "phase_key") else _shows(one, seat)
        changed = [shown for shown, show in shows.items() if show(one) != show(world)]
        if named := named_sections(one, _places(one, world, seat)):
            yield f"determinize: changes what {name} sees, in: {', '.join(named)}"
        elif changed:
            yield f"determinize: changes what {name} knows; {', '.join(changed)} shows it"
        if hasattr(one, "phase_key"):
            return  # its positions draw nothing: what differs there need not be dealt in other worlds
        self._hidden.update((seat, field) for field in _dealt_apart(one, other))
        self._dealt.update((seat, field) for field in _dealt_apart(world, next_world))

    def never_dealt(self, game: AnyGame) -> Iterator[str]:
        """Fields that twins often differ in, and two worlds of other seeds never."""
        for (seat, field), count in sorted(self._hidden.items()):
            if count >= SEEN_OFTEN and (seat, field) not in self._dealt:
                yield f"determinize: for {game.seats[seat]}, other seeds never deal another {field}"


def uneven_deal(game: AnyGame, seat: int, seed: int) -> Iterator[str]:
    """Where worlds and games read from a seat's position differ by more than luck in how often something occurs."""
    if hasattr(game, "phase_key"):
        return  # its positions draw nothing
    known = _written(game, seat)
    drawn = np.random.default_rng((seed, 4)).integers(2**62, size=WORLDS)
    try:
        read = np.concatenate([_read(game, known | {"seed": int(k)}).states for k in drawn])
    except ChannelTunnelError:
        return  # `leaks` says so
    dealt = np.concatenate([game.determinize(seat, int(k)).states for k in drawn])
    for field in game.states.dtype.names or ():
        if field in _LUCK:
            continue
        one, other = (states[field].reshape(WORLDS, -1) for states in (read, dealt))
        # Drawn cards that still lie in a record are never looked at.
        alive = (one != one[0]).any(axis=0) & (other != other[0]).any(axis=0)
        for place in np.flatnonzero(alive):
            for value in np.unique(np.concatenate([one[:, place], other[:, place]])):
                shares = (one[:, place] == value).mean(), (other[:, place] == value).mean()
                whole = sum(shares) / 2
                if abs(shares[0] - shares[1]) > SPREADS * np.sqrt(2 * whole * (1 - whole) / WORLDS):
                    yield (
                        f"determinize: for {game.seats[seat]}, it deals unevenly: {field} is {value} at {place} in "
                        f"{shares[1]:.0%} of {WORLDS} worlds; in {shares[0]:.0%} of games that its position allows"
                    )
                    return


# --- recall ---------------------------------------------------------------------------------------


class Recall:
    """Whether a seat's observation shows what its position says that it knows, as far as that ever matters."""

    def __init__(self) -> None:
        self._earlier: dict[tuple[str, int, str], list[dict[str, Any]]] = {}
        self._met: set[str] = set()

    def is_new(self, ruleset: str) -> bool:
        """Whether this is the first time that it is asked for a ruleset."""
        return ruleset not in self._met and not self._met.add(ruleset)  # type: ignore[func-returns-value]

    def forgotten(self, game: AnyGame, seat: int, seed: int) -> Iterator[str]:
        """Parts of a position that the observation lacks, though the game goes on otherwise without them."""
        if hasattr(game, "phase_key") or game.is_over:
            return
        known = _lasting(_written(game, seat))
        donors = self._earlier.setdefault((game.ruleset.name, seat, str(game.phase)), [])
        parts = list(_parts(known))
        for k in np.random.default_rng(seed).permutation(len(parts))[:PARTS_TRIED]:
            path, value = parts[k]
            others = [other for donor in donors[::-1] if (other := _at(donor, path)) not in (None, value)]
            for other in others[:DONORS]:
                if self._is_forgotten(game, seat, known, _with(known, path, other), seed):
                    where = ".".join(map(str, path))
                    yield f"observation: {game.seats[seat]} forgets {where}, which its position holds, and the game goes on otherwise"
                    return
        if len(donors) < MOST_DONORS:
            donors.append(known)

    def _is_forgotten(
        self, game: AnyGame, seat: int, known: dict[str, Any], changed: dict[str, Any], seed: int
    ) -> bool:
        try:
            one, other = (_read(game, position | {"seed": seed}) for position in (known, changed))
        except ChannelTunnelError:
            return False  # no such position
        same = one.to_play == other.to_play and np.array_equal(one.mask, other.mask)
        if not same or _places(one, other, seat).size or _lasting(_written(other, seat)) != changed:
            return False
        rng = np.random.default_rng(seed)
        for _ in range(FOLLOWED):
            if one.is_over:
                break
            action = int(rng.choice(one.legal_ids()))
            one.play(action)
            other.play(action)
            if (
                one.to_play != other.to_play
                or not np.array_equal(one.mask, other.mask)
                or _places(one, other, seat).size
            ):
                return True
        return one.result() != other.result()


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
