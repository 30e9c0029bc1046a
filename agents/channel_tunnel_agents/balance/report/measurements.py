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
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.report.numbers import known
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.matches.store import plan_digest
from channel_tunnel_agents.matches.tournament import Results
from channel_tunnel_env import ChannelTunnelError, Ruleset, __version__
from channel_tunnel_env.errors import DocumentError
from channel_tunnel_env.outside.documents import SEAL, parse_json, read_json, seal_of
from channel_tunnel_env.outside.files import KEPT_BYTES, read_gzip, write_whole

Advance = Callable[[int], object]
Begin = Callable[[str, int], Advance]
"""Begins a stage with a title and a number of games; returns a function that counts them."""

STRENGTH = "meetings"
"""The measurement that tells who is the strongest where not all agents play each other: with more than two seats."""
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

    def deals_of(self, part: int = 1) -> int:
        """One `part`-th of the deals that the agent plays against itself."""
        limits = self.results.tournament.limits
        return max(2, limits.get(self.agent, self.settings.deals_of_a_pairing) // part)


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
