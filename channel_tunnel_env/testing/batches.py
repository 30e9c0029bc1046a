"""What many games at once show of a game: single games that differ, figures that do nothing, uneven luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_env.core.batch import NO_ACTION, Batch
from channel_tunnel_env.core.kernels import START, pick_legal
from channel_tunnel_env.core.machine import machine_of
from channel_tunnel_env.core.records import new_records
from channel_tunnel_env.core.rng import LUCK_WRITE
from channel_tunnel_env.errors import ChannelTunnelError
from channel_tunnel_env.rulesets.ruleset import Ruleset

ROWS = 3  # games of a batch that are also played one by one
STEPS = 400  # decisions for which they are
SAME_SEEDS = 6  # games that are played under a ruleset and with one figure changed, at least
ROOM = 1_000_000  # numbers seen of all of them: where they suffice for more seeds, more are played
DEALS = 150  # set-ups whose luck is counted
SPREADS = 6.0  # standard deviations that luck may be off
_NAMING = ("game", "name", "title")


def wrong_batch(kind: Any, rules: Ruleset, seed: int) -> Iterator[str]:
    """What a batch does otherwise than its games one by one."""
    seeds = np.arange(ROWS) + seed % 2**32
    batch, rng = Batch(ROWS, [rules], 0), np.random.default_rng((seed, 5))
    batch.reset(seeds=seeds)
    singles = [kind(rules, int(own)) for own in seeds]
    # A workspace for each, so that what a game leaves in it reaches no other; a batch has one for all.
    spaces = [new_records(1, rules.spec.record.work_dtype) for _ in singles]
    for step in range(STEPS):
        for row, game in enumerate(singles):
            if differing := _apart(batch, row, game):
                yield f"{rules.name}: row {row} of a batch differs from the single game in {differing} (step {step})"
                return
        if all(game.is_over for game in singles):
            return
        actions = [NO_ACTION if game.is_over else int(rng.choice(game.legal_ids())) for game in singles]
        batch.step(actions)
        for game, action, space in zip(singles, actions, spaces, strict=True):
            if action != NO_ACTION:
                game.play_with(action, space)


def _apart(batch: Batch, row: int, game: Any) -> str:
    """What of a row is not as in the single game; "" if all is."""
    if batch.states[row : row + 1].tobytes() != game.states.tobytes():
        names = game.states.dtype.names
        return ", ".join(n for n in names if batch.states[n][row].tobytes() != game.states[n][0].tobytes()) or ""
    if not np.array_equal(batch.masks[row], game.action_mask):
        return "its mask"
    if not game.is_over and not np.array_equal(batch.observations[row], game.observation()):
        return "its observation"
    if game.is_over and batch.terminated[row] and tuple(batch.rewards[row].tolist()) != game.result():
        return f"its rewards, {batch.rewards[row].tolist()} against {list(game.result())}"
    return ""


# --- figures --------------------------------------------------------------------------------------


def unread_figures(rulesets: Sequence[Ruleset], seed: int) -> Iterator[str]:
    """Figures that change nothing, under any ruleset of the game: no table, no seat and no move of a random game."""
    alive, met = set[str](), dict[str, str]()
    for rules in rulesets:
        variants = [(key, other) for key in rules.flat if key not in alive for other in _changed(rules, key)]
        shape = _shape(rules)
        alive |= {key for key, other in variants if key not in alive and _shape(other) != shape}
        alive |= _moving(rules, [(key, other) for key, other in variants if key not in alive], seed)
        met |= {key: rules.name for key, _ in variants if key not in met}
    for key, name in met.items():
        if key not in alive:
            yield f"{name}: {key}: a dead figure: another value changes nothing in random games"


def _shape(rules: Ruleset) -> Any:
    return rules.seats, rules.spec.observation.size(rules), rules.spec.observation.bounds(rules)


def _changed(rules: Ruleset, key: str) -> Iterator[Any]:
    """Up to two rulesets with another value of a figure: a number lower and higher, a switch turned."""
    value = rules.flat[key]
    if key in _NAMING or isinstance(value, str) or value is None:
        return
    for other in (not value,) if isinstance(value, bool) else (value + 1, value - 1):
        try:
            changed = rules.with_values({key: other})
        except ChannelTunnelError:
            continue
        yield type(rules)(changed.data, changed.provenance, rules.spec)  # type: ignore[call-arg]


def _moving(rules: Ruleset, variants: Sequence[tuple[str, Any]], seed: int) -> set[str]:
    """The figures that some change of a game's course shows; all are played side by side, with the same luck."""
    if not variants:
        return set()
    entries = [rules, *(other for _, other in variants)]
    count = len(entries)
    seeds = max(SAME_SEEDS, ROOM // count // rules.spec.observation.size(rules))
    batch, rng = Batch(count * seeds, entries, 0), np.random.default_rng((seed, 6))
    batch.reset(seeds=np.repeat(np.arange(seeds) + seed % 2**32, count))
    apart = _differs(batch, count)
    for _ in range(STEPS):
        if apart[1:].all() or batch.records["end_cause"].all():
            break
        actions = np.full(len(batch.records), NO_ACTION)
        pick_legal(batch.masks.view(np.int8), np.repeat(rng.random(seeds), count), actions)
        batch.step(actions)
        apart |= _differs(batch, count)
    return {key for (key, _), moved in zip(variants, apart[1:], strict=True) if moved}


def _differs(batch: Batch, count: int) -> NDArray[np.bool_]:
    """Which rulesets' games are not as those of the first, row by row."""
    names = [name for name in batch.records.dtype.names or () if name != "ruleset"]
    found = np.zeros(count, np.bool_)
    for values in (batch.masks, batch.observations, batch.rewards, batch.scores(), *(batch.records[n] for n in names)):
        table = values.reshape(len(batch.records) // count, count, -1)
        found |= (table != table[:, :1]).any(axis=(0, 2))
    return found


# --- luck -----------------------------------------------------------------------------------------


def uneven_luck(rulesets: Sequence[Ruleset], seed: int) -> Iterator[str]:
    """Streams whose shuffles of the set-up bring an item to their first or last place too often."""
    for rules in rulesets:
        for stream, orders in _shuffles(rules, seed).items():
            if len(orders) < DEALS or len({len(order) for order in orders}) > 1:
                continue
            table = np.array(orders)
            for item, (place, where) in ((i, p) for i in np.unique(table) for p in ((0, "first"), (-1, "last"))):
                fair, share = float((table == item).mean()), float((table[:, place] == item).mean())
                if abs(share - fair) > SPREADS * np.sqrt(fair * (1 - fair) / len(table)):
                    yield (
                        f"{rules.name}: uneven luck: {stream}: {rules.spec.luck.names(rules)[stream][int(item)]} lies "
                        f"{where} in {share:.0%} of {DEALS} deals; {fair:.0%} would be even"
                    )
                    break


def _shuffles(rules: Ruleset, seed: int) -> dict[str, list[list[int]]]:
    """The first shuffle of each stream in many set-ups, by stream."""
    machine, work, luck = machine_of(rules), new_records(1, rules.spec.record.work_dtype), rules.spec.luck
    states, masks = machine.new_states(1), np.zeros((1, rules.spec.actions.count), np.int8)
    found: dict[str, list[list[int]]] = {name: [] for name in luck.streams}
    for number, own in enumerate(np.random.default_rng((seed, 7)).integers(2**62, size=DEALS), 1):
        work["luck_mode"], work["luck_place"] = LUCK_WRITE, 0
        machine.run_game(states, 0, machine.tables, START, int(own), machine.blank, work, masks)
        log = iter(work["luck"][0, : int(work["luck_place"][0])].tolist())
        for stream in log:  # an item drawn, or how many are shuffled and their order
            first, aimed = next(log, 0), luck.streams[stream] in luck.aimed
            order = [] if aimed else [next(log, 0) for _ in range(first)]
            if order and len(found[luck.streams[stream]]) < number:
                found[luck.streams[stream]].append(order)
    return found
