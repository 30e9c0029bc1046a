"""Opponents that an environment plays inside its step.

An opponent is any callable `(observations float32 (n, D), masks bool (n, A)) -> actions (n,)`. It is
called once for all rows that wait for it. An opponent that needs no observation may also have
`choose(mask int8 (A,)) -> int`, which the single environment then uses instead. An opponent with
`search(batch, rows) -> actions (n,)` looks ahead in the games themselves and could see hidden
cards: it must deal them again (`determinize`) before it looks at anything. A list or a dict
(opponent -> weight) is a mixture: each game draws its opponent when it starts.

Names stand for factories. "random" is built in and `register_opponent` adds more. So does any
installed package with an entry point in the group PROVIDERS; "heuristic" and "master" are found
that way. A factory may ask for the ruleset that is played, to refuse one that its opponent was not
made for; an opponent with `check_ruleset(ruleset)` refuses it itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import entry_points
from typing import Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.batch import BatchGame
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.errors import ForeignExitError, IllegalActionError, VersionError
from channel_tunnel_env.outside.foreign import foreign_code
from channel_tunnel_env.outside.hints import or_known
from channel_tunnel_env.rulesets.ruleset import AnyRuleset, Ruleset, load_ruleset

T = TypeVar("T")


@runtime_checkable
class Searcher(Protocol):
    """An opponent that looks ahead."""

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
        """Choose actions; must not change the batch.

        Args:
            batch: the games, hidden cards included.
            rows: int (n,), the rows to choose for.

        Returns:
            int (n,), a legal action for each of the rows.
        """
        ...


Player = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.integer[Any]]]
Opponent = Player | Searcher
Rival = str | Opponent
"""An opponent, or the name of one."""
Rivals = Rival | Sequence[Rival] | Mapping[Rival, float]
"""What environments take: an opponent, or a mixture of them."""
PROVIDERS = "channel_tunnel_env.opponents"
"""Entry points of this group are functions `(name) -> factory(seed, ruleset)`. They return None for
a name that is not theirs, and may raise ValueError for one that is nearly theirs."""
_FACTORIES: dict[str, tuple[Callable[..., Opponent], bool]] = {}
"""Name -> factory, and whether it takes the ruleset."""


def register_opponent(name: str, factory: Callable[..., Opponent], *, takes_ruleset: bool = False) -> None:
    """Let `opponent=name` stand for an opponent that a factory makes.

    Args:
        name: what environments take as `opponent`.
        factory: `factory(seed)`, or `factory(seed, ruleset)` with `takes_ruleset`; returns the opponent.
        takes_ruleset: for an opponent that depends on the rules. The factory gets the `Ruleset` that is played, and
            raises VersionError if the opponent was not made for it.
    """
    _FACTORIES[name] = factory, takes_ruleset


def members_of(opponent: Rivals) -> tuple[list[Rival], NDArray[np.float64]]:
    """The opponents of a mixture and their probabilities; a single opponent is a mixture of one.

    Raises:
        ValueError: no opponents, or weights that are negative, non-finite or all 0.
    """
    if isinstance(opponent, str) or not isinstance(opponent, (Sequence, Mapping)):
        return [opponent], np.ones(1)
    members = list(opponent)
    given = opponent.values() if isinstance(opponent, Mapping) else np.ones(len(members))
    weights = np.array([*given], np.float64)
    if not members or not np.isfinite(weights).all() or (weights < 0).any() or not weights.any():
        raise ValueError(
            f"opponent {opponent!r:.200}: a mixture has one opponent or more, with weights of 0 or more "
            "that are not all 0"
        )
    return members, weights / weights.sum()


def answers_of(opponent: Opponent, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """An opponent's answers in rows (n,) of a batch, not checked."""
    if isinstance(opponent, Searcher):
        return opponent.search(batch, rows)
    return opponent(batch.numbers(rows), batch.masks[rows])


def make_opponents(opponent: Rival, seed: int, rulesets: Sequence[Ruleset]) -> list[Opponent]:
    """The opponent for each ruleset: the same object, unless the factory asks for the ruleset.

    Args:
        opponent: a name, a callable (observations, masks) -> actions, or a `Searcher`.
        seed: of an opponent that a name stands for, or that has a `reseed(seed)`.
        rulesets: those that are played.

    Returns:
        One opponent per ruleset.

    Raises:
        ValueError: an unknown name, the message lists the known ones; or a wrong seed.
        VersionError: the opponent was not made for one of the rulesets.
    """
    seed = given_seed(seed)
    if not isinstance(opponent, str):
        if not callable(opponent) and not isinstance(opponent, Searcher):
            raise ValueError(
                f"opponent {opponent!r:.80}: expected a name, a callable (observations, masks) -> actions, "
                "a search(batch, rows), or a list or dict of these"
            )
        for ruleset in rulesets:
            _for_ruleset(_name_of(opponent), partial(check_trained, opponent), ruleset)
        reseed(opponent, seed)
        return [opponent] * len(rulesets)
    if opponent not in _FACTORIES:
        _ask_providers(opponent)
    factory, takes_ruleset = _FACTORIES[opponent]
    if not takes_ruleset:
        return [factory(seed)] * len(rulesets)
    made: dict[str, Opponent] = {}
    for ruleset in rulesets:
        if ruleset.digest not in made:
            made[ruleset.digest] = _for_ruleset(opponent, partial(factory, seed), ruleset)
    return [made[ruleset.digest] for ruleset in rulesets]


def reseed(player: Any, seed: int) -> None:
    """Seed a player that the caller made, if it has a `reseed(seed)`."""
    getattr(player, "reseed", lambda seed: None)(seed)


def check_trained(player: Any, ruleset: Ruleset) -> None:
    """Refuse a ruleset that a player was not trained for, if it is or asks a player with a `check_ruleset`.

    Raises:
        VersionError: says what it was trained for.
    """
    check = getattr(getattr(player, "policy", player), "check_ruleset", None)
    if check is not None:
        check(ruleset)


def _ask_providers(name: str) -> None:
    """Register the opponent `name` if an installed package knows it.

    Raises:
        ValueError: no package knows it.
    """
    words = []
    for provider in entry_points(group=PROVIDERS):
        try:
            with foreign_code():
                factory = provider.load()(name)
        except (ImportError, ForeignExitError) as error:
            needs = "needs more than the core: " if isinstance(error, ImportError) else ""
            words.append(f"{provider.value}: {needs}{error}")
            continue
        if factory is not None:
            register_opponent(name, factory, takes_ruleset=True)
            return
    raise ValueError(
        f"opponent {name!r}: no such opponent{or_known(name, sorted(_FACTORIES))} (any callable will do)"
        + "".join(f"; {line}" for line in words)
    )


def make_opponent(opponent: Rival, seed: int, ruleset: AnyRuleset) -> Opponent:
    """`make_opponents` for one ruleset.

    Args:
        opponent: as for `make_opponents`.
        seed: as for `make_opponents`.
        ruleset: the one that is played.

    Returns:
        The opponent.

    Raises:
        ValueError: as for `make_opponents`.
        VersionError: as for `make_opponents`.
    """
    return make_opponents(opponent, seed, [load_ruleset(ruleset)])[0]


def _for_ruleset(name: str, make: Callable[[Ruleset], T], ruleset: Ruleset) -> T:
    try:
        return make(ruleset)
    except VersionError as error:
        raise VersionError(f"opponent {name!r} cannot play ruleset {ruleset.name!r}: {error}") from None


def blame(opponent: Opponent, error: ValueError) -> ValueError:
    """The error caused by an opponent's answer, with the opponent named."""
    kind = IllegalActionError if isinstance(error, IllegalActionError) else ValueError
    return kind(f"opponent {_name_of(opponent)}: {error}")


def _name_of(opponent: Opponent) -> str:
    name = getattr(opponent, "name", None) or getattr(opponent, "__name__", type(opponent).__name__)
    return str(name)


class RandomOpponent:
    """Uniform over the legal actions.

    Args:
        seed: of its random choices; 0 or more.
    """

    def __init__(self, seed: int = 0) -> None:
        self.reseed(seed)

    def reseed(self, seed: int) -> None:
        """Restart the random stream of choices.

        Args:
            seed: 0 or more.
        """
        number = given_seed(seed)
        self._rng = np.random.default_rng(number)
        self._one = random.Random(number)

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """One action per row."""
        return random_legal(masks, self._rng)

    def choose(self, mask: NDArray[np.int8]) -> int:
        """One action for one game.

        Args:
            mask: int8 (A,), nonzero where legal.

        Returns:
            A legal id.
        """
        legal = mask.view(np.bool_).nonzero()[0]  # quicker than int8
        return int(legal[int(self._one.random() * len(legal))])


def random_legal(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """A uniformly random legal action for every row.

    Args:
        masks: bool (n, A), with a legal action in every row.
        rng: draws one number per row.

    Returns:
        int64 (n,), ids.
    """
    chosen = np.empty(len(masks), np.int64)
    kernels.pick_legal(np.ascontiguousarray(masks), rng.random(len(masks)), chosen)
    return chosen


register_opponent("random", RandomOpponent)
