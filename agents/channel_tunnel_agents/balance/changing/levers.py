"""Which figures of a ruleset move the balance most: each one step down and up, then the best on fresh deals.

A number is turned by a step, a switch to each of its other words; what the ruleset changes in the one that it is laid
over is taken back, a setting at a time. The agent plays itself at every setting on the
same deals, always as it was made for the base; only if it reads the rules, or tries its moves in the game itself, it
knows of the step.
The settings that move the first seat's share most are chosen on those deals; at a table of more than two seats those that
move the best seat's share less the worst one's. They are chosen by successive halving (Karnin, Koren & Somekh, "Almost
Optimal Exploration in Multi-Armed Bandits", ICML 2013): the half that promises more plays on, on twice the deals. A chosen effect looks larger than it is, because
luck helped to choose it; so the chosen ones and the base are played again on other deals, and only
those figures are reported.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.balance.changing.parameters import (
    ParameterError,
    Point,
    Setting,
    Value,
    make_point,
    value_text,
)
from channel_tunnel_agents.balance.measuring.deals import check_count, chunk_deals, chunks, seat_agents
from channel_tunnel_agents.balance.measuring.game import MEASURED, Turns, turned_game
from channel_tunnel_agents.balance.measuring.seats import best_over_worst
from channel_tunnel_agents.balance.measuring.significance import Tested, corrected, paired_p
from channel_tunnel_agents.base import FROZEN, AgentError, is_blind
from channel_tunnel_agents.cluster.parallel import spread_in_order
from channel_tunnel_agents.matches.arena import by_seat, first_points, play_out, shares_of, two_seats
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.statistics import Estimate, estimate_change, estimate_share
from channel_tunnel_env import BatchGame, Ruleset
from channel_tunnel_env.rulesets.overlay import NAMING_KEYS

CHOSEN = 3
ROUNDS = 3  # of the choice; each plays twice the deals of the one before, at half its settings
LAST = Fraction(4, 3)  # of the deals asked for: those that are left play some of the games saved
FIRST = 100  # deals, fewer than which do not tell what may help either way
REACH = 3  # steps that the command for a lever goes
COMMAND_DEALS = 2000
FRESH = 1  # added to the seed
MOST_TAKEN_BACK = 12  # settings; a ruleset that changes more is another game
GAMES_A_TASK = 512  # with fewer a policy judges too few rows at once
LEVERS = {pattern: turns for game in MEASURED.values() for pattern, turns in game.levers.items()}
"""Those of all games: a pattern fits only keys of its own game."""
Turned = Setting | list[Setting]
"""What a setting is turned to; a list as a whole."""
SHARE = 0  # what is kept of a game first; then come the game's effects


@dataclass(frozen=True)
class Lever(Tested):
    """A setting that was chosen, and what it did on deals that played no part in choosing it.

    Attributes:
        key: the figure, or the list, that is changed.
        base, value: what it is and what was tried.
        values: more values in the same direction, as `sweep --param` takes them; "" for a list.
        share: the first seat's share at this setting; of more than two seats the best one's less the worst one's, as
            they are in the base.
        change: its change from the base.
        effects: changes of the game's other effects, by name; see `MeasuredGame.effects`.
        deals: fresh deals, the same ones for the base.
        p: p-value of no change of the first seat's share.
        p_holm: corrected for the number of chosen levers.
        gap: of more than two seats, the best seat's share less the worst one's as they are at this setting.
    """

    key: str
    base: Value | list[Setting]
    value: Turned
    values: str
    share: Estimate
    change: Estimate
    effects: Mapping[str, Estimate]
    deals: int
    p: float
    p_holm: float = 1.0
    gap: Estimate | None = None


@dataclass(frozen=True)
class Screened:
    """A setting on the deals of the choice that it played; its interval is not corrected for the choice."""

    key: str
    value: Turned
    change: Estimate
    deals: int


@dataclass(frozen=True)
class Levers:
    """What was tried and what was chosen.

    Attributes:
        agent: played both sides.
        lean: +1 if the first seat's share should rise, -1 if it should fall, 0 if either may help.
        deals: of the settings that stayed in the choice to its end; the others played fewer.
        fresh: deals of the chosen ones.
    """

    agent: str
    lean: int
    deals: int
    fresh: int
    tried: tuple[Screened, ...]
    chosen: tuple[Lever, ...]


def find_levers(ruleset: Ruleset, origin: Ruleset | None = None) -> list[Point]:
    """Every lever at each setting it is turned to, where the ruleset takes it and it has an effect.

    Args:
        origin: the ruleset that this one changes, whose settings are tried, too.
    """
    found, idle = [], turned_game(ruleset).idle(ruleset)
    for key, value in ruleset.flat.items():
        pattern = next((each for each in LEVERS if re.fullmatch(each, key)), None)
        if pattern is not None and key not in idle:
            found += [_try(ruleset, key, other) for other in _others(value, LEVERS[pattern])]
    found += [_try(ruleset, key, was) for key, was in taken_back(ruleset, origin).items()]
    return [*{point.ruleset.digest: point for point in found if point is not None}.values()]


def taken_back(ruleset: Ruleset, origin: Ruleset | None) -> dict[str, Turned]:
    """What the settings that a ruleset changes are in the one that it is laid over, by their keys; none if they are too many."""
    if origin is None:
        return {}
    now = settings_of(ruleset)
    changed = {
        key: was for key, was in settings_of(origin).items() if key not in NAMING_KEYS and now.get(key, was) != was
    }
    return {key: was for key, was in changed.items() if was is not None} if len(changed) <= MOST_TAKEN_BACK else {}


def settings_of(ruleset: Ruleset) -> dict[str, Any]:
    """What a ruleset sets, by dotted key: a figure, or a list as a whole."""
    found: dict[str, Any] = dict(ruleset.flat)
    for whole in dict.fromkeys(key.rpartition(".")[0] for key in ruleset.flat):
        items: list[Any] = []
        while (item := f"{whole}.{len(items)}") in found:
            items.append(found.pop(item))
        found |= {whole: items} if items else {}
    return found


def _others(value: Value, turns: Turns) -> list[Setting]:
    steps = [turn for turn in turns if type(turn) is int]
    if steps:
        return [value + step for step in steps] if type(value) is int else []
    return [word for word in turns if word != value]


def _try(ruleset: Ruleset, key: str, value: Turned) -> Point | None:
    """The ruleset with one setting changed; None if it refuses, if a number turns negative, or if the seats are others."""
    base = ruleset.flat.get(key)
    if type(value) is int and type(base) is int and value < min(0, base):
        return None
    try:
        point = make_point(ruleset, {key: value})
    except ParameterError:
        return None
    return point if point.ruleset.played_seats == ruleset.played_seats else None


def games_of_levers(ruleset: Ruleset, origin: Ruleset | None, deals: int, fresh: int, lean: int) -> int:
    """How many games `measure_levers` plays at most."""
    rounds = _rounds(len(find_levers(ruleset, origin)), deals, lean)
    return sum((count + 1) * (end - first) for count, first, end in rounds) + (CHOSEN + 1) * fresh


def _rounds(settings: int, deals: int, lean: int) -> list[tuple[int, int, int]]:
    """The rounds of the choice: how many settings play from which deal to which (exclusive).

    Half of them play on, never fewer than are chosen of both directions; all where few deals tell nothing.
    """
    if not lean and deals * LAST / 2 ** (ROUNDS - 1) < FIRST:
        return [(settings, 0, deals)]
    rounds, first = [], 0
    for later in reversed(range(ROUNDS)):
        end = math.ceil(deals * LAST / 2**later)
        rounds.append((settings, first, end))
        settings, first = min(settings, max(2 * CHOSEN, settings // 2)), end
    return rounds


def measure_levers(
    agent: str,
    ruleset: Ruleset,
    lean: int,
    deals: int,
    fresh: int,
    seed: int,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
    between: Between | None = None,
    origin: Ruleset | None = None,
) -> Levers:
    """Play every lever, choose the best and play those again.

    Args:
        agent: plays every seat of the base; it does not know what a setting changes.
        lean: see `Levers`.
        deals: what every setting might play; see `ROUNDS` and `LAST` for how they are shared out.
        fresh: other deals, of the chosen settings.
        seed: of the deals; the fresh ones have the next.
        between: of more than two seats, the best and the worst of the base.
        origin: see `find_levers`.

    Raises:
        AgentError: the ruleset has no lever, or a number is out of range; more than two seats, and nothing said of them.
    """
    if between is None:
        two_seats(ruleset)
    check_count("deals", deals)
    check_count("fresh deals", fresh)
    points = find_levers(ruleset, origin)
    if not points:
        raise AgentError(f"levers: {ruleset.name} has none of the numbers that are tried")

    def play(settings: Sequence[Point], first: int, end: int, seed: int) -> Found:
        rules = [ruleset, *(point.ruleset for point in settings)]
        return _play(agent, rules, (first, end), seed, workers, progress, between)

    def screen(settings: Sequence[Point], first: int, end: int) -> NDArray[np.float64]:
        share = play(settings, first, end, seed)[SHARE]
        return np.asarray(share[1:] - share[0])

    rounds = _rounds(len(points), deals, lean)
    tried, left = _screen(screen, points, rounds, lean, between)
    chosen = [points[left[i]] for i in _choose([tried[i] for i in left], lean)]
    again = play(chosen, 0, fresh, seed + FRESH)
    levers = corrected([_lever(ruleset, point, again, i, between) for i, point in enumerate(chosen, 1)])
    levers.sort(key=lambda lever: lean * lever.change.value if lean else abs(lever.change.value), reverse=True)
    return Levers(agent, lean, rounds[-1][-1], fresh, tuple(tried), tuple(levers))


def _screen(
    play: Callable[[Sequence[Point], int, int], NDArray[np.float64]],
    points: Sequence[Point],
    rounds: Sequence[tuple[int, int, int]],
    lean: int,
    between: Between | None,
) -> tuple[list[Screened], list[int]]:
    """Every setting on the deals that it played, and the indices of those that played to the end.

    Args:
        play: settings, first deal, end -> what they change of the share, (settings, deals).
    """
    left = [*range(len(points))]
    tried: dict[int, Screened] = {}
    changes = np.zeros((len(points), 0))
    for count, first, end in rounds:
        if tried:
            gains = [-_gain(tried[i], lean) for i in left]
            best = sorted(np.argsort(gains, kind="stable")[:count])
            left, changes = [left[i] for i in best], changes[best]
        changes = np.concatenate([changes, play([points[i] for i in left], first, end)], axis=1)
        for i, own in zip(left, changes, strict=True):
            tried[i] = Screened(*_turned(points[i]), _change(own, between), end)
    return [tried[i] for i in range(len(points))], left


# --- games ----------------------------------------------------------------------------------------

Found = NDArray[np.float64]
"""What is kept of the games: (1 + effects, settings, deals), the base first; of more than two seats then each one's
share."""
Between = tuple[int, int]
"""The best seat and the worst."""


@dataclass(frozen=True)
class _Task:
    agent: str
    rules: tuple[Ruleset, ...]
    seed: int
    start: int
    stop: int
    between: Between | None


def _play(
    agent: str,
    rules: Sequence[Ruleset],
    deals: tuple[int, int],
    seed: int,
    workers: int | None,
    progress: Callable[[int], object] | None,
    between: Between | None = None,
) -> Found:
    """All settings on the deals from the first number of `deals` to the second (exclusive)."""
    first, end = deals
    parts = chunks(end - first, math.ceil(GAMES_A_TASK / len(rules)))
    tasks = [_Task(agent, tuple(rules), seed, first + start, first + stop, between) for start, stop in parts]
    played = spread_in_order(_play_task, tasks, workers, progress, lambda part: part[SHARE].size)
    return np.concatenate(played, axis=2)


def _play_task(task: _Task) -> Found:
    """All settings in one batch: its rows take the rulesets in turn. The agents know the first one."""
    count = len(task.rules)
    names = [task.agent] * task.rules[0].num_seats
    agents = seat_agents(names, task.rules[0], task.seed, task.start)
    seeing = not all(is_blind(agent) for agent in agents)
    games = (task.stop - task.start) * count
    batch = BatchGame(games, list(task.rules), observe=seeing)
    batch.reset(seeds=np.repeat(chunk_deals(task.seed, task.start, task.stop), count))
    play_out(batch, by_seat(batch, *agents))
    effects = turned_game(task.rules[0]).effects.values()
    kept = [first_points(batch), *(effect.of(batch) for effect in effects)]
    if task.between is not None:
        best, worst = task.between
        shares = shares_of(batch)
        kept = [shares[:, best] - shares[:, worst], *kept[1:], *shares.T]
    return np.stack([np.asarray(each, np.float64).reshape(-1, count).T for each in kept])


# --- figures --------------------------------------------------------------------------------------


def _turned(point: Point) -> tuple[str, Turned]:
    """The setting that a lever turns, and to what."""
    ((key, value),) = point.changes.items()
    return key, value


def _change(changes: NDArray[np.float64], between: Between | None) -> Estimate:
    """A share changes by 1 at most, one seat's lead over another by 2."""
    return estimate_change(changes, 1.0 if between is None else 2.0)


def _level(values: NDArray[np.float64], between: Between | None) -> Estimate:
    """The first seat's share; or the lead of one seat over another, -1 to 1."""
    if between is None:
        return estimate_share(values)
    found = estimate_share((values + 1) / 2)
    return Estimate(*(2 * end - 1 for end in (found.value, found.low, found.high)))


def _choose(tried: Sequence[Screened], lean: int) -> list[int]:
    """The settings of the largest sure effect in the wanted direction, at most one per figure."""
    best: dict[str, int] = {}
    for i in sorted(range(len(tried)), key=lambda i: -_gain(tried[i], lean)):
        best.setdefault(tried[i].key, i)
    return [*best.values()][:CHOSEN]


def _gain(found: Screened, lean: int) -> float:
    """The effect that a setting surely has in the wanted direction."""
    change = found.change
    low, high = (change.low, change.high) if lean >= 0 else (-change.high, -change.low)
    return max(low, -high) if lean == 0 else low


def _lever(ruleset: Ruleset, point: Point, found: Found, setting: int, between: Between | None) -> Lever:
    key, value = _turned(point)
    changes = found[:, setting] - found[:, 0]
    effects = {}
    for place, (name, effect) in enumerate(turned_game(ruleset).effects.items(), 1):
        # A mean change, no larger than the games of all settings lie apart.
        largest = 1.0 if effect.is_share else float(np.ptp(found[place]))
        effects[name] = estimate_change(changes[place], largest)
    shares = found[1 + len(effects) :, setting].T
    return Lever(
        key=key,
        base=settings_of(ruleset).get(key, ruleset.flat.get(key)),
        value=value,
        values=values_to_try(ruleset, key, value),
        share=_level(found[SHARE, setting], between),
        change=_change(changes[SHARE], between),
        effects=effects,
        deals=found.shape[2],
        p=paired_p(changes[SHARE]),
        gap=None if between is None else best_over_worst(shares[:, ruleset.played_places]),
    )


def values_to_try(ruleset: Ruleset, key: str, value: Turned) -> str:
    """What to try of a lever that was turned to a value: that word, or the numbers from the base on in that direction, as
    far as the ruleset takes them: "3..5", "12..18:3" or "3"; "" for a list."""
    if isinstance(value, list):
        return ""
    base = ruleset.flat[key]
    if type(base) is not int or type(value) is not int:
        return value_text(value)
    step, values = value - base, []
    for k in range(1, REACH + 1):
        if _try(ruleset, key, base + k * step) is None:
            break
        values.append(base + k * step)
    low, high = min(values), max(values)
    if low == high:
        return str(low)
    return f"{low}..{high}" if abs(step) == 1 else f"{low}..{high}:{abs(step)}"


def sweep_command(ruleset: str, agent: str) -> str:
    """The command that tries values of a lever; both stand in it in capitals."""
    words = [*command_words("sweep"), "--ruleset", ruleset, "--param", "LEVER=VALUES"]
    return shlex.join([*words, "--agent", agent.removeprefix(FROZEN), "--deals", str(COMMAND_DEALS)])
