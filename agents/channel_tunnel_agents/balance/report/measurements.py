"""Measurements besides the tournament's games: each kept as JSON, so that a stopped report resumes.

    FOLDER/measures/NAME.json   {"settings": what it depends on, "result": what was found}

A measurement is made again only if its settings have changed. Some were made beforehand, such as those of the base game, which
every changed ruleset is compared with; they hold for one policy, one ruleset, one version and one number of deals:

    FOLDER/NAME-KEY.json.gz     the same; KEY is the digest of the settings; `benchmarks/known_measures.py` writes it
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from channel_tunnel_agents.balance.changing.levers import games_of_levers, measure_levers
from channel_tunnel_agents.balance.measuring.game import measured_game, turned_game
from channel_tunnel_agents.balance.measuring.judges import SCORE
from channel_tunnel_agents.balance.measuring.luck import GAMES, games_of_luck, measure_deck_luck, measure_luck
from channel_tunnel_agents.balance.measuring.meetings import games_of_meetings, measure_meetings
from channel_tunnel_agents.balance.measuring.seats import measure_seats
from channel_tunnel_agents.balance.measuring.tension import watch_games
from channel_tunnel_agents.balance.measuring.variance import of_seats, variance_shares
from channel_tunnel_agents.balance.report.numbers import FEWEST
from channel_tunnel_agents.balance.report.page import known
from channel_tunnel_agents.balance.report.settings import ReportSettings, slow_agents
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.matches.store import plan_digest
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import ChannelTunnelError, Ruleset, __version__
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import SEAL, parse_json, read_json, seal_of
from channel_tunnel_env.outside.files import KEPT_BYTES, read_gzip, write_whole

Advance = Callable[[int], object]
Begin = Callable[[str, int], Advance]
"""Begins a stage with a title and a number of games; returns a function that counts them."""

LUCK_PART, TENSION_PART = 4, 4  # of the deals
MEETING_PART = 16
VARIANCE_DEALS = 2000
HEAVY = ("traces", "deal_means")  # per-game arrays that no page needs


@dataclass(frozen=True)
class Job:
    """What the measurements share.

    Attributes:
        agent: plays both sides: the strongest agent that does not search.
    """

    settings: ReportSettings
    ruleset: Ruleset
    agent: str
    agent_digest: str | None
    results: Results
    workers: int | None

    @property
    def seed(self) -> int:
        """The tournament's seed, so that the deals are the same."""
        return self.settings.seed


@dataclass(frozen=True)
class Measurement:
    """One measurement.

    Attributes:
        section: the section that shows it; skipping that skips the measurement.
        depends_on: its settings, besides the agent, the ruleset and the seed.
        games: approximate number of games it plays, for the progress display.
        run: the function that plays and measures.
        slow: whether a quick report leaves it out.
        known: a folder of results that were measured beforehand.
    """

    name: str
    section: str
    depends_on: Callable[[Job], dict[str, Any]]
    games: Callable[[Job], int]
    run: Callable[[Job, Advance], Any]
    slow: bool = False
    known: Path | None = None

    @property
    def title(self) -> str:
        """Its name in words."""
        return self.name.replace("_", " ")


@dataclass(frozen=True)
class Taken:
    """What became of a measurement.

    Attributes:
        result: JSON-serialisable.
        missing: why there is none; "" if there is.
    """

    result: Any = None
    missing: str = ""


def look_up(measure: Measurement, job: Job, folder: Path, say: Callable[[str], object] = print) -> Taken | None:
    """What is known of a measurement before it is made: its stored result, or why it is left out; None: nothing."""
    if measure.section in job.settings.skip:
        return Taken(missing="left out by --skip")
    if measure.slow and job.settings.quick:
        return Taken(missing="not measured in a quick report; run it without --quick")
    try:
        settings = plan_of(measure, job)
    except (ValueError, ChannelTunnelError) as error:
        return Taken(missing=f"not measured: {error}")
    kept = _read(_path(measure, folder), say)
    if kept is not None and kept.get("settings") == settings:
        return Taken(kept["result"])
    known = measure.known and read_known(measure.name, settings, measure.known)
    return Taken(known) if known is not None else None


def take(measure: Measurement, job: Job, folder: Path, begin: Begin) -> Taken:
    """Make a measurement and store it."""
    try:
        settings = plan_of(measure, job)
        advance = begin(measure.title, measure.games(job))
        result = plain(measure.run(job, advance))
    except (ValueError, ChannelTunnelError) as error:  # such as an unsuitable agent
        return Taken(missing=f"not measured: {error}")
    path = _path(measure, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = {"settings": settings, "result": result}
    text = json.dumps(kept | {SEAL: seal_of(kept)}, allow_nan=False)
    write_whole(path, (text + "\n").encode())
    return Taken(result)


def _path(measure: Measurement, folder: Path) -> Path:
    return folder / "measures" / f"{measure.name}.json"


def plan_of(measure: Measurement, job: Job) -> dict[str, Any]:
    """Everything that a measurement depends on."""
    plan = {
        "agent": job.agent,
        "agent_digest": job.agent_digest,
        "digest": job.ruleset.digest,
        "seed": job.seed,
        "package": __version__,
        **measure.depends_on(job),
    }
    found: dict[str, Any] = json.loads(json.dumps(plan))
    return found


def _read(path: Path, say: Callable[[str], object]) -> dict[str, Any] | None:
    if not path.exists():
        return None
    try:
        kept = read_json(path)
    except DocumentError as error:
        say(f"{path}: cut or broken ({error.problem}); measured again")
        return None
    if not isinstance(kept, dict) or kept.get(SEAL) != seal_of(kept):
        say(f"{path}: changed since it was written; measured again")
        return None
    return kept


def known_file(name: str, settings: dict[str, Any], folder: Path) -> Path:
    """Where a measurement of these settings that was made beforehand is or would be."""
    return folder / f"{name}-{plan_digest(settings)}.json.gz"


def read_known(name: str, settings: dict[str, Any], folder: Path) -> Any:
    """The result of these very settings; None if it is not known."""
    path = known_file(name, settings, folder)
    if not path.exists():
        return None
    kept = parse_json(read_gzip(path, KEPT_BYTES), str(path))
    return kept["result"] if kept["settings"] == settings else None


def write_known(name: str, settings: dict[str, Any], result: Any, folder: Path) -> Path:
    """Keep a result; the same result gives the same bytes."""
    path = known_file(name, settings, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"settings": settings, "result": result}, allow_nan=False)
    write_whole(path, gzip.compress(text.encode(), mtime=0))
    return path


def plain(found: Any) -> Any:
    """Dataclasses, arrays and tuples as JSON values; NaN and infinity become None."""
    if is_dataclass(found) and not isinstance(found, type):
        names = [item.name for item in fields(found) if item.name not in HEAVY]
        return {name: plain(getattr(found, name)) for name in names}
    if isinstance(found, Mapping):
        return {str(key): plain(value) for key, value in found.items()}
    if isinstance(found, np.ndarray | list | tuple):
        return [plain(value) for value in found]
    return plain(found.item()) if isinstance(found, np.generic) else known(found)


# --- measurements of every game ---


def on_own_deals(
    name: str,
    section: str,
    measure: Callable[..., Any],
    deals: Callable[[Job], int],
    games: Callable[[Job], int],
    slow: bool = False,
) -> Measurement:
    """A measurement of the agent against itself, from its deals and about how many games it plays of each."""
    return Measurement(
        name,
        section,
        lambda job: {"deals": deals(job)},
        lambda job: deals(job) * games(job),
        lambda job, advance: measure(job.agent, job.ruleset, deals(job), job.seed, job.workers, advance),
        slow,
    )


def _variance(job: Job, advance: Advance) -> Any:
    shares = variance_shares(even_games(job.results))
    means = np.asarray(shares.deal_means)
    counts, edges = np.histogram(means, bins=10, range=(0.0, 1.0))
    return {"shares": shares, "deals_by_first": counts, "edges": edges}


def even_games(results: Results) -> pd.DataFrame:
    """Games of the deals that every pairing of the agents that are not slow has played."""
    slow = slow_agents(results)
    names = [name for name in results.tournament.agents if name not in slow]
    games = of_seats(results.games, results.seats)
    chosen = games[games["first"].isin(names) & games["second"].isin(names)]
    deals = chosen.groupby(["first", "second"])["deal"].max().min()
    return chosen[chosen["deal"] <= min(deals, VARIANCE_DEALS - 1)]


def judge_of(job: Job) -> str:
    """The judge of the first seat's chance to win: the agent's own value if it has one, which searches and ONNX policies have not."""
    if job.agent_digest is not None and isinstance(make_agent(job.agent, job.ruleset), PolicyAgent):
        return job.agent
    return SCORE if job.settings.quick else measured_game(job.ruleset).judge


def _levers(job: Job, advance: Advance) -> Any:
    deals, fresh = _deals_of_levers(job)
    lean, between = lean_of(job)
    origin = job.settings.base_rules
    found = measure_levers(job.agent, job.ruleset, lean, deals, fresh, job.seed, job.workers, advance, between, origin)
    return plain(found) if between is None else {**plain(found), "best": between[0], "worst": between[1]}


def _deals_of_levers(job: Job) -> tuple[int, int]:
    """For every setting that is tried, and for the chosen ones."""
    deals, fresh = job.settings.lever_deals, _deals_of(job)
    if not deals:
        raise ValueError("left out by --levers 0")
    if min(deals, fresh) < FEWEST:
        raise ValueError(f"{min(deals, fresh)} deals are too few")
    if job.agent in slow_agents(job.results):
        raise AgentError(f"{job.agent} searches, which takes too long at this many settings")
    return deals, fresh


def lean_of(job: Job) -> tuple[int, tuple[int, int] | None]:
    """Where a lever should move what the agent's games with itself show, and between which seats.

    With two seats it is the first one's share: +1 up, -1 down, 0 if that is open. With more it is the lead of the best seat over the
    worst: -1 down, 0 if no seats surely differ.
    """
    itself = (job.results.tournament.agents.index(job.agent),) * len(job.results.seats)
    shares, places = job.results.matches[itself].shares, job.ruleset.played_places
    found = measure_seats(shares[:, places])
    if len(job.results.seats) == 2:
        first = found.shares[0]
        is_open = found.deals < FEWEST or first.low <= 0.5 <= first.high
        return (0 if is_open else 1 if first.high < 0.5 else -1), None
    means = shares.mean(axis=0)
    worst, *_, best = sorted(places, key=lambda place: means[place])  # two, even where all are alike
    return (-1 if found.gap.low > 0 else 0), (best, worst)


def _lever_plan(job: Job) -> dict[str, Any]:
    deals, fresh = _deals_of_levers(job)
    lean, between = lean_of(job)
    own: dict[str, Any] = {} if between is None else {"between": between}
    origin = job.settings.base_rules
    own |= {} if origin is None else {"origin": origin.digest}
    return {"deals": deals, "fresh": fresh, "lean": lean, "effects": [*turned_game(job.ruleset).effects], **own}


def _deals_of(job: Job, part: int = 1) -> int:
    """One `part`-th of the deals that the agent plays against itself."""
    limits = job.results.tournament.limits
    return max(2, limits.get(job.agent, job.settings.deals_of_a_pairing) // part)


def _meeting_deals(job: Job) -> int:
    return max(FEWEST, _deals_of(job, MEETING_PART))


VARIANCE = Measurement(
    "variance", "luck", lambda job: {"plan": asdict(job.results.tournament)}, lambda job: 0, _variance
)
LUCK = on_own_deals(
    "luck",
    "luck",
    measure_luck,
    lambda job: job.settings.share_of_deals(LUCK_PART),
    lambda job: games_of_luck(job.ruleset),
)
DECK_LUCK = on_own_deals(
    "deck_luck", "luck", measure_deck_luck, lambda job: _deals_of(job, LUCK_PART), lambda job: GAMES
)
TENSION = Measurement(
    "tension",
    "tension",
    lambda job: {"games": _deals_of(job, TENSION_PART), "judge": judge_of(job)},
    lambda job: _deals_of(job, TENSION_PART),
    lambda job, advance: watch_games(
        job.agent, judge_of(job), job.ruleset, _deals_of(job, TENSION_PART), job.seed, job.workers, advance
    ),
)
MEETINGS = Measurement(
    "meetings",
    "meetings",
    lambda job: {"deals": _meeting_deals(job), "agents": dict(job.results.store.plan["policies"])},
    lambda job: games_of_meetings(job.results.tournament.agents, job.ruleset, _meeting_deals(job)),
    lambda job, advance: measure_meetings(
        job.results.tournament.agents, job.ruleset, _meeting_deals(job), job.seed, job.workers, advance
    ),
)
LEVERS = Measurement(
    "levers",
    "levers",
    _lever_plan,
    lambda job: games_of_levers(
        job.ruleset, job.settings.base_rules, job.settings.lever_deals, _deals_of(job), lean_of(job)[0]
    ),
    _levers,
)
