"""Whatever the invariants let through can be played: states of every phase, changed field by field, of every game.

A field of each place is moved to its neighbours, to the ends of its type and of its range, to zero, and takes or changes
places with what stands beside it. What is accepted as if it came from a file goes on by random legal actions to its end,
and every invariant holds after each of them.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from channel_tunnel_env import Ruleset, load_ruleset
from channel_tunnel_env.core import kernels
from channel_tunnel_env.core.batch import NO_ACTION, Batch
from channel_tunnel_env.core.records import MOST_DRAWS, MOST_PLIES, MOST_TALLIED
from channel_tunnel_env.game import game_class

RULESETS: dict[str, dict[str, Any]] = {
    "standard": {},
    "agenda": {},
    "tiny": {"switches.auto_forced": False},
    "carcassonne": {"players": 3, "robber_baron": True},
    "eurotunnel": {"max_year": 1902, "draw_vote": True},
}
LONGEST = 3000  # actions of a game
STEPS = (-2, -1, 1, 2)
FAR = (0, 1, MOST_TALLIED, MOST_PLIES, MOST_DRAWS)


def rules_of(name: str) -> Ruleset:
    changed = RULESETS[name]
    return load_ruleset(name).with_values(changed) if changed else load_ruleset(name)


def reached(rules: Ruleset, games: int, each: int) -> NDArray[Any]:
    """Some states of every phase, from random games."""
    rng = np.random.default_rng(7)
    batch = Batch(games, [rules], 7, observe=False)
    found = []
    while not over(batch).all():
        found.append(batch.records[~over(batch)])
        act(batch, rng)
    states = np.concatenate([*found, batch.records])
    phases = states["phase"]
    return np.concatenate([rng.permutation(states[phases == phase])[:each] for phase in np.unique(phases)])


def over(batch: Batch) -> NDArray[np.bool_]:
    """Which rows have ended."""
    return batch.records["end_cause"] > 0


def act(batch: Batch, rng: np.random.Generator) -> None:
    """A random legal action in every row that is not over."""
    actions = np.full(batch.num_games, NO_ACTION, np.int64)
    kernels.pick_legal(batch.masks.view(np.int8), rng.random(batch.num_games), actions)
    batch.step(np.where(over(batch), NO_ACTION, actions))


def mutants(state: NDArray[Any], places: int) -> Iterator[NDArray[Any]]:
    """A state with some places of a field changed in every way, one at a time, field by field."""
    rng = np.random.default_rng(3)
    for field in state.dtype.names or ():
        before = state[field].reshape(-1)
        chosen = rng.permutation(len(before))[:places]
        rows, made = np.arange(len(chosen)), []
        for values in changed(before):
            made.append(np.repeat(state, len(chosen)))
            made[-1][field].reshape(len(chosen), -1)[rows, chosen] = values[chosen]
        beside = np.repeat(state, len(chosen))  # two that change places
        numbers = beside[field].reshape(len(chosen), -1)
        numbers[rows, chosen], numbers[rows, chosen - 1] = before[chosen - 1], before[chosen]
        every = np.concatenate([*made, beside])
        yield every[_differs(every, before, field)]


def _differs(states: NDArray[Any], before: NDArray[Any], field: str) -> NDArray[np.bool_]:
    return (states[field].reshape(len(states), -1) != before).any(axis=1)


def changed(before: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """The numbers of a field, each of them changed in one way."""
    yield np.roll(before, 1)
    if before.dtype.kind == "f":
        for number in (*STEPS, np.nan, np.inf):
            yield before + number
        return
    limits = np.iinfo(before.dtype)
    for step in STEPS:
        with np.errstate(over="ignore"):
            yield before + before.dtype.type(step % (limits.max + 1) if limits.min == 0 else step)
    for number in (*FAR, limits.min, limits.max):
        yield np.full_like(before, min(number, limits.max))


def accepted(rules: Ruleset, states: NDArray[Any], places: int, most: int) -> NDArray[Any]:
    """Of the mutants of some states those that the invariants let through, at most so many of a field of each."""
    rng, tables = np.random.default_rng(1), rules.spec.rules.make_tables([rules])
    found = []
    for state in states:
        for made in mutants(np.array([state]), places):
            taken = made[rules.spec.record.find_faults(made, tables, True) == 0]
            found.append(rng.permutation(taken)[:most])
    return np.concatenate(found)


def play_to_the_end(rules: Ruleset, states: NDArray[Any]) -> None:
    """Every invariant holds after every action, some action is legal, and what is seen lies in its space."""
    rng, batch = np.random.default_rng(2), Batch(len(states), [rules], 1)
    batch.restore(states)
    low, high = rules.spec.observation.bounds(rules)
    for _ in range(LONGEST):
        faults = batch.spec.record.find_faults(batch.records, batch.tables, False)
        assert not faults.any(), {rules.spec.record.invariants[int(x)] for x in set(faults) - {0}}
        assert (batch.observations >= low).all() and (batch.observations <= high).all()
        if over(batch).all():
            return
        assert batch.masks[~over(batch)].any(axis=1).all(), "nothing is legal, and it is not over"
        act(batch, rng)
    raise AssertionError(f"{(~over(batch)).sum()} games without an end")


def read_back(rules: Ruleset, states: NDArray[Any]) -> None:
    """A single game of each, and a batch of them all, come out of a pickle as they were."""
    kind = game_class(rules.spec)
    for state in states:
        game = kind.from_states(np.array([state]), rules)
        assert pickle.loads(pickle.dumps(game)).states.tobytes() == game.states.tobytes()
    batch = Batch(len(states), [rules], 1)
    batch.restore(states)
    assert pickle.loads(pickle.dumps(batch)).records.tobytes() == batch.records.tobytes()


@pytest.mark.parametrize("name", RULESETS)
def test_what_the_invariants_let_through_is_played_to_its_end(name: str) -> None:
    rules = rules_of(name)
    states = accepted(rules, reached(rules, 2, 1), 24, 2)
    assert len(states) > 100
    play_to_the_end(rules, states)
    read_back(rules, states[::8])


@pytest.mark.heavy
@pytest.mark.parametrize("name", RULESETS)
def test_the_same_of_many_states(name: str) -> None:
    rules = rules_of(name)
    states = accepted(rules, reached(rules, 6, 1), 500, 10)
    for first in range(0, len(states), 1000):
        play_to_the_end(rules, states[first : first + 1000])
