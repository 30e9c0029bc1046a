"""Which numbers of a ruleset move the balance most: each one step down and up, then the best on fresh deals.

The agent plays itself at every setting on the same deals, always as it plays the base: it is not told of
the step. The settings that move Britain's share most are chosen on those deals. A chosen effect looks larger than it is, because
luck helped to choose it; so the chosen ones and the base are played again on other deals, and only
those figures are reported.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.deals import check_count, chunk_deals, chunks, self_play_agents
from channel_tunnel_agents.balance.parameters import ParameterError, Point, make_point
from channel_tunnel_agents.balance.significance import holm, paired_p, survives
from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import MAX_BATCH, britain_points, by_seat, play_out
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.statistics import Estimate, estimate_change, estimate_share
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.engine.constants import FIRST_STOP

STEPS = (-1, 1)
CHOSEN = 3
REACH = 3  # steps that the command for a lever goes
COMMAND_DEALS = 2000
FRESH = 1  # added to the seed
# Numbers a designer can turn without touching another one, by how they are written.
LEVERS = (
    r"barriers\.\w+\.[ab]\.\d+",
    r"storage\.\w+",
    r"deviation\.water_draws\.\w+",
    r"scoring\.(centre_bonus|centre_per_rival_token|political_duel|european_speech|media_relations)",
    r"extra_finance",
    r"discs\.hand",
    r"head_start\.\w+\.\w+",
)
SIDE, LENGTH, STALLS = range(3)  # what is kept of a game


@dataclass(frozen=True)
class Lever:
    """A setting that was chosen, and what it did on deals that played no part in choosing it.

    Attributes:
        key: the number that is changed.
        base, value: what it is and what was tried.
        values: more values in the same direction, as `sweep --param` takes them.
        share: Britain's share at this setting.
        change: its change from the base.
        rounds: change of the length in rounds.
        stopped: change of the share of games that went nowhere.
        deals: fresh deals, the same ones for the base.
        p: p-value of no change of Britain's share.
        p_holm: corrected for the number of chosen levers.
    """

    key: str
    base: int
    value: int
    values: str
    share: Estimate
    change: Estimate
    rounds: Estimate
    stopped: Estimate
    deals: int
    p: float
    p_holm: float

    @property
    def survives(self) -> bool:
        """Whether the change stands out from the noise of that many levers."""
        return survives(self.p_holm)


@dataclass(frozen=True)
class Screened:
    """A setting on the deals of the choice; its interval is not corrected for the choice."""

    key: str
    value: int
    change: Estimate


@dataclass(frozen=True)
class Levers:
    """What was tried and what was chosen.

    Attributes:
        agent: played both sides.
        lean: +1 if Britain's share should rise, -1 if it should fall, 0 if either may help.
        deals: of each setting tried.
        fresh: deals of the chosen ones.
    """

    agent: str
    lean: int
    deals: int
    fresh: int
    tried: tuple[Screened, ...]
    chosen: tuple[Lever, ...]


def find_levers(ruleset: Ruleset) -> list[Point]:
    """Every lever one step down and one step up, where the ruleset takes it."""
    pattern = re.compile("|".join(LEVERS))
    found = []
    for key, value in ruleset.flat.items():
        if pattern.fullmatch(key) and type(value) is int:
            for step in STEPS:
                point = _try(ruleset, key, value + step)
                found += [point] if point else []
    return found


def _try(ruleset: Ruleset, key: str, value: int) -> Point | None:
    """The ruleset with one number changed; None if it refuses, or if the number turns negative."""
    if value < min(0, ruleset.flat[key]):
        return None
    try:
        return make_point(ruleset, {key: value})
    except ParameterError:
        return None


def games_of_levers(ruleset: Ruleset, deals: int, fresh: int) -> int:
    """How many games `measure_levers` plays at most."""
    return (len(find_levers(ruleset)) + 1) * deals + (CHOSEN + 1) * fresh


def measure_levers(
    agent: str,
    ruleset: Ruleset,
    lean: int,
    deals: int,
    fresh: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> Levers:
    """Play every lever, choose the best and play those again.

    Args:
        agent: plays both sides of the base; it is not told what a setting changes.
        lean: see `Levers`.
        deals: of every setting that is tried.
        fresh: other deals, of the chosen settings.
        seed: of the deals; the fresh ones have the next.

    Raises:
        AgentError: the ruleset has no lever, or a number is out of range.
    """
    check_count("deals", deals)
    check_count("fresh deals", fresh)
    points = find_levers(ruleset)
    if not points:
        raise AgentError(f"levers: {ruleset.name} has none of the numbers that are tried")
    found = _play(agent, [ruleset, *(p.ruleset for p in points)], deals, seed, workers, progress)
    tried = [_screened(point, found, i) for i, point in enumerate(points, 1)]
    chosen = [points[i] for i in _choose(tried, lean)]
    rules = [ruleset, *(point.ruleset for point in chosen)]
    again = _play(agent, rules, fresh, seed + FRESH, workers, progress)
    levers = [_lever(ruleset, point, again, i) for i, point in enumerate(chosen, 1)]
    return Levers(agent, lean, deals, fresh, tuple(tried), _corrected(levers, lean))


# --- games ----------------------------------------------------------------------------------------

Found = NDArray[np.float64]
"""What is kept of the games: (3, settings, deals), the base first."""


@dataclass(frozen=True)
class _Task:
    """Some deals at every setting."""

    agent: str
    rules: tuple[Ruleset, ...]
    seed: int
    start: int
    stop: int


def _play(
    agent: str,
    rules: Sequence[Ruleset],
    deals: int,
    seed: int,
    workers: int | None,
    progress: Callable[[int], object] | None,
) -> Found:
    parts = chunks(deals, max(1, MAX_BATCH // len(rules)))
    tasks = [_Task(agent, tuple(rules), seed, start, stop) for start, stop in parts]
    played = spread_in_order(_play_task, tasks, workers, progress, lambda part: part[SIDE].size)
    return np.concatenate(played, axis=2)


def _play_task(task: _Task) -> Found:
    """All settings in one batch: its rows take the rulesets in turn. The agents know the first one."""
    count = len(task.rules)
    batch = BatchGame((task.stop - task.start) * count, list(task.rules))
    batch.reset(seeds=np.repeat(chunk_deals(task.seed, task.start, task.stop), count))
    agents = self_play_agents(task.agent, task.rules[0], task.seed, task.start)
    play_out(batch, by_seat(batch, *agents))
    states = batch.states
    kept = (britain_points(batch), states["round_no"], states["end_cause"] >= FIRST_STOP)
    return np.stack([np.asarray(each, np.float64).reshape(-1, count).T for each in kept])


# --- figures --------------------------------------------------------------------------------------


def _changes(found: Found, setting: int) -> Found:
    """What a setting changes against the base, deal by deal: (3, deals)."""
    return np.asarray(found[:, setting] - found[:, 0])


def _turned(point: Point) -> tuple[str, int]:
    """The number that a lever turns, and to what."""
    ((key, value),) = point.changes.items()
    assert isinstance(value, int)
    return key, value


def _screened(point: Point, found: Found, setting: int) -> Screened:
    key, value = _turned(point)
    return Screened(key, value, estimate_change(_changes(found, setting)[SIDE]))


def _choose(tried: Sequence[Screened], lean: int) -> list[int]:
    """The settings of the largest sure effect in the wanted direction, at most one per number."""

    def gain(found: Screened) -> float:
        change = found.change
        low, high = (change.low, change.high) if lean >= 0 else (-change.high, -change.low)
        return max(low, -high) if lean == 0 else low

    found: list[int] = []
    for i in sorted(range(len(tried)), key=lambda i: -gain(tried[i])):
        if len(found) < CHOSEN and tried[i].key not in {tried[j].key for j in found}:
            found.append(i)
    return found


def _lever(ruleset: Ruleset, point: Point, found: Found, setting: int) -> Lever:
    key, value = _turned(point)
    base = ruleset.flat[key]
    changes = _changes(found, setting)
    longest = float(np.ptp(found[LENGTH]))
    return Lever(
        key=key,
        base=base,
        value=value,
        values=values_to_try(ruleset, key, value - base),
        share=estimate_share(found[SIDE, setting]),
        change=estimate_change(changes[SIDE]),
        rounds=estimate_change(changes[LENGTH], longest),
        stopped=estimate_change(changes[STALLS]),
        deals=found.shape[2],
        p=paired_p(changes[SIDE]),
        p_holm=1.0,
    )


def values_to_try(ruleset: Ruleset, key: str, step: int) -> str:
    """The values from a lever's base on, as far as the ruleset takes them: "3..5", or "3"."""
    base, values = ruleset.flat[key], []
    for k in range(1, REACH + 1):
        if _try(ruleset, key, base + k * step) is None:
            break
        values.append(base + k * step)
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low}..{high}"


def _corrected(levers: Sequence[Lever], lean: int) -> tuple[Lever, ...]:
    """With p-values for all of them together, the largest effect first."""
    corrected = holm([lever.p for lever in levers])
    found = [replace(lever, p_holm=float(p)) for lever, p in zip(levers, corrected, strict=True)]

    def gain(lever: Lever) -> float:
        return lean * lever.change.value if lean else abs(lever.change.value)

    return tuple(sorted(found, key=gain, reverse=True))


def sweep_command(ruleset: str, agent: str, lever: Mapping[str, object]) -> str:
    """The command that tries a lever further."""
    words = [*command_words("sweep"), "--ruleset", ruleset]
    words += ["--param", f"{lever['key']}={lever['values']}"]
    words += ["--agent", agent.removeprefix(FROZEN), "--deals", str(COMMAND_DEALS)]
    return shlex.join(words)
