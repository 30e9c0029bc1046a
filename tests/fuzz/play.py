"""Games to begin with, and what must hold of a game that was accepted."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from channel_tunnel_env import ChannelTunnelError, Game, Ruleset, load_ruleset
from channel_tunnel_env.testing import check_invariants
from tests.fuzz.mutations import Random
from tests.games.tunnel_1987.positions import differing_fields

MOVES = 50  # random ones after which the invariants must still hold
LONGEST = 400  # decisions of a game to begin with
OTHER_GAMES = ("carcassonne", "eurotunnel")


@cache
def rulesets() -> list[Ruleset]:
    """Some that differ in what a game holds."""
    unforced = {"switches.auto_forced": False, "switches.technology_without_move": "always"}
    return [
        load_ruleset("standard"),
        load_ruleset("agenda"),
        load_ruleset("tiny"),
        load_ruleset("agenda").with_values(unforced),
    ]


@cache
def other_rulesets() -> list[Ruleset]:
    """Of the other games, some that differ in what a game holds."""
    carcassonne, eurotunnel = (load_ruleset(game) for game in OTHER_GAMES)
    many = {"players": 5, "tunnel_variant": "paired", "robber_baron": True, "farm_scoring": "second"}
    return [
        carcassonne,
        carcassonne.with_values(many),
        carcassonne.with_values({"tunnel": False, "auto_forced": False, "table": 9}),
        eurotunnel,
        eurotunnel.with_values({"draw_vote": True, "tunnels": False}),
    ]


@cache
def games() -> list[Game]:
    """Positions of all kinds: of every phase, at every stage, some of them over."""
    return _reached(rulesets(), 4)


@cache
def other_games() -> list[Any]:
    """The same of the other games."""
    return _reached(other_rulesets(), 2)


def _reached(rules: list[Ruleset], seeds: int) -> list[Any]:
    rng, found = np.random.default_rng(0), []
    for ruleset in rules:
        by_phase: dict[str, list[Any]] = {}
        for seed in range(seeds):
            game = Game(ruleset, seed)
            for _ in range(LONGEST):
                if game.is_over:
                    break
                play_randomly(game, rng)
                by_phase.setdefault(str(game.phase), []).append(game.clone())
        for reached in by_phase.values():
            found += [reached[i] for i in rng.permutation(len(reached))[:16]]
    return found


def play_randomly(game: Any, rng: Random) -> None:
    """One move; a pass only now and then, so that more happens."""
    ids = game.legal_ids()
    names = game.legal_actions()
    if len(ids) > 1 and "pass" in names and rng.random() < 0.8:
        ids.pop(names.index("pass"))
    game.play(int(ids[int(rng.integers(len(ids)))]))


def check_possible(game: Any, rng: Random) -> None:
    """A game that was accepted is one that play can reach, reads back, and goes on.

    Raises:
        AssertionError: an invariant does not hold, now or after some moves; or it does not read back.
    """
    check_reads_back(game)
    check_goes_on(game, rng)


def check_goes_on(game: Any, rng: Random) -> None:
    """Invariants hold now and after each of some moves; what is reached then can be written and read.

    Raises:
        AssertionError: one of it is not so.
    """
    game = game.clone()
    for _ in range(MOVES):
        check_invariants(game)
        if game.is_over:
            break
        play_randomly(game, rng)
    check_invariants(game)
    low, high = game.spec.observation.bounds(game.ruleset)
    for viewer in range(len(game.seats)):
        seen = game.observation(viewer)
        assert np.float32(low) <= seen.min() and seen.max() <= np.float32(high), "out of the space"
        game.determinize(viewer, 1)
    written = plain(game)
    again = type(game).from_position(written, game.ruleset)
    assert plain(again) == written, "written and read back after some moves, the position differs"


def read_and_play(kind: Any, position: Any) -> str:
    """Read a position as a class of games does; play on from it if it is accepted."""
    try:
        game = kind.from_position(position)
    except ChannelTunnelError:
        return "refused"
    check_possible(game, np.random.default_rng(0))
    return "accepted"


def restored(batch: Any, content: bytes) -> Any:
    """The second game of a batch whose rows are replaced; one that is refused leaves nothing behind."""
    before = batch.states.tobytes()
    try:
        batch.restore(np.frombuffer(content, np.uint8))
    except ChannelTunnelError:
        assert batch.states.tobytes() == before, "a refused restore left something behind"
        raise
    return batch.game(1)


def check_reads_back(game: Any) -> None:
    """A game that is written as a position reads back as the same one."""
    written = plain(game)
    again = type(game).from_position(written, game.ruleset)
    if "seed" not in written:  # a position that leaves out what the phase has brought so far
        assert plain(again) == written, "written and read back, the position differs"
        return
    different = differing_fields(_as_told(game), _as_told(again))
    assert not different, f"written and read back, these fields differ: {different}"


def _as_told(game: Any) -> Any:
    """A game without what no position says, of Carcassonne: the order in which tiles were drawn, and the one in which
    a feature's ring goes through its nodes, which depends on the order in which tiles and tokens were laid."""
    if game.ruleset.spec.name == "carcassonne":
        game = game.clone()
        game.states["deck"][0, : int(game.state.drawn)] = 0
        _sort_rings(game.states["next"][0])
    return game


def _sort_rings(following: Any) -> None:
    """Let every ring go through its nodes in ascending order; which nodes are in one stays as it is."""
    seen: set[int] = set()
    for first in range(len(following)):
        ring = [first]
        while (node := int(following[ring[-1]])) not in ring:
            ring.append(node)
        if node == first and first not in seen:  # else not laid yet, or sorted before
            ring.sort()
            following[ring] = [*ring[1:], ring[0]]
        seen |= set(ring)


def plain(game: Any) -> dict[str, Any]:
    """A game as a position."""
    position: dict[str, Any] = game.to_position()
    return position
