"""A tournament: agents at the tables that `arena` lists, all on the same deals.

With two seats every agent plays in the first seat against every agent in the second, itself included: those
games show the sides' shares at that strength. Every match creates its agents afresh from the tournament's
seed, so the results of a table do not depend on who else plays. The seats are those of the ruleset, such as
Britain and France, or player_0 and player_1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, AnyAgent, reads_rules, takes_long
from channel_tunnel_agents.cluster.parallel import default_workers, spread
from channel_tunnel_agents.matches.arena import (
    MatchResult,
    Seating,
    Watch,
    by_seat,
    check_deals,
    deal_games,
    deal_seeds,
    list_seatings,
    play_out,
)
from channel_tunnel_agents.matches.store import EXTRA, PLAN, Store, StoreError, plan_digest
from channel_tunnel_agents.matches.tables import (
    GAME_TABLES,
    SERIES,
    ActionCount,
    DecisionLog,
    SeriesLog,
    clock_column,
    games_table,
    table_names,
)
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players.policy.card import digest_of, policy_folder
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.sources import program_digest, sources_digest
from channel_tunnel_agents.registry import innermost, make_agent
from channel_tunnel_agents.statistics import Figure, rate_of
from channel_tunnel_env import Ruleset, __version__
from channel_tunnel_env.batch import AnyRuleset
from channel_tunnel_env.rulesets.ruleset import load_ruleset

PART = 1024  # deals per batch ...
SEARCH_PART = 16  # ... with an agent that takes long
PLANS = "plans"
FEW_GAMES = 1000  # with fewer, starting other processes takes longer than playing
FIRST_DEALS = 200  # of every table, before anything is reported of the games
STREAMS = 2  # part of every agent's seed


@dataclass(frozen=True)
class Tournament:
    """Who plays how many games on which rules.

    Raises:
        AgentError: fewer than two agents, one named twice, a number below 1, or a limit for an
            agent that is not in the tournament.
    """

    agents: tuple[str, ...]
    deals: int = 2000
    """Deals of each table; each deal is played once at every seating."""
    seed: int = 20_000
    """Seeds the deals and the agents' random streams."""
    ruleset: AnyRuleset = "standard"
    limits: Mapping[str, int] = field(default_factory=dict)
    """Agent -> limit on the deals of every table it is part of."""
    mirror: bool = False
    """Every agent plays only itself."""
    decisions: bool = False
    """Also keep every decision and the games' records."""

    def __post_init__(self) -> None:
        if len(self.agents) < (1 if self.mirror else 2):
            least = "one is" if self.mirror else "two are"
            raise AgentError(f"agents: {len(self.agents)} given; at least {least} needed")
        twice = sorted({name for name in self.agents if self.agents.count(name) > 1})
        if twice:
            raise AgentError(f"agents: {', '.join(twice)} named twice; each agent meets itself anyway")
        object.__setattr__(self, "seed", check_deals(self.deals, self.seed))
        for name, deals in self.limits.items():
            if name not in self.agents:
                raise AgentError(f"limit {name}={deals}: no such agent plays; expected one of {', '.join(self.agents)}")
            if deals < 1:
                raise AgentError(f"limit {name}={deals}: at least 1 deal is needed")

    @property
    def seatings(self) -> list[Seating]:
        """Every table."""
        return list_seatings(load_ruleset(self.ruleset), len(self.agents), self.mirror)

    def deals_at(self, seating: Seating) -> int:
        """Deals of a table: the smallest of its agents' limits applies."""
        limits = [self.limits.get(self.agents[i], self.deals) for i in seating]
        return min(self.deals, *limits)

    @property
    def total_games(self) -> int:
        """Games of all tables together."""
        return sum(self.deals_at(seating) for seating in self.seatings)


@dataclass(frozen=True)
class PairRecord:
    """One agent's record against another over both seatings."""

    agent: str
    rival: str
    in_first: Figure  # wins in the first seat
    in_second: Figure
    both: Figure
    drawn: float  # share of the games
    stopped: float  # share of the games
    rounds: float  # mean of all games


Found = TypeVar("Found")


@dataclass(frozen=True)
class Results:
    """The games played: one match per table. The properties of pairs are about two seats."""

    tournament: Tournament
    ruleset: Ruleset
    store: Store
    matches: Mapping[Seating, MatchResult]
    searching: frozenset[str] = frozenset()
    """The agents that look ahead, which takes seconds per game."""
    reading: frozenset[str] = frozenset()
    """The agents that were trained to read the rules."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the seats."""
        return self.ruleset.seats

    @property
    def played(self) -> int:
        """Games of all tables together, so far."""
        return sum(match.games for match in self.matches.values())

    @cached_property
    def games(self) -> pd.DataFrame:
        """All games, a row each."""
        return self.store.read("games")

    @cached_property
    def actions(self) -> pd.DataFrame:
        """Actions by side and table."""
        return self.store.read("actions")

    def once(self, find: Callable[[Results], Found]) -> Found:
        """What a function finds in these games; computed once, then returned again."""
        if find not in self._found:
            self._found[find] = find(self)
        found: Found = self._found[find]
        return found

    @cached_property
    def _found(self) -> dict[Callable[[Results], Any], Any]:
        return {}

    def first_seat(self, pairing: Seating) -> Figure:
        """Games that the first seat won in a pairing."""
        match = self.matches[pairing]
        return rate_of(match.wins(self.seats[0]), match.games)

    def pair(self, i: int, j: int) -> PairRecord:
        """Agent i against agent j, seats swapped on the same deals."""
        home, away = self.matches[i, j], self.matches[j, i]
        wins = home.wins(self.seats[0]), away.wins(self.seats[1])
        games = home.games + away.games
        return PairRecord(
            self.tournament.agents[i],
            self.tournament.agents[j],
            rate_of(wins[0], home.games),
            rate_of(wins[1], away.games),
            rate_of(sum(wins), games),
            (home.draws + away.draws) / games,
            (home.stopped + away.stopped) / games,
            float(np.concatenate([home.rounds, away.rounds]).mean()),
        )

    @property
    def pairs(self) -> list[PairRecord]:
        """Every unordered pair of agents once, the later named one first."""
        return [self.pair(i, j) for i, j in self.tournament.seatings if i > j]


@dataclass(frozen=True)
class TablePart:
    """Some deals of one table, the unit of work of one process."""

    tournament: Tournament
    seating: Seating
    first: int
    deals: int
    policies: tuple[str | None, ...] = ()
    """Digests of the policies in the seats as they were at the start; none: they are not looked at."""

    @property
    def name(self) -> str:
        """A name that sorts by table, then by deal."""
        return "-".join([*(f"{i:02d}" for i in self.seating), f"{self.first:07d}"])


def play_tournament(
    tournament: Tournament,
    progress: Callable[[int], object] | None = None,
    workers: int | None = None,
    folder: Path | None = None,
    apart: Callable[[Path], object] | None = None,
    seen: Callable[[Results], object] | None = None,
) -> Results:
    """Play at every table.

    Args:
        progress: called with the number of games just finished.
        workers: processes; None: every core, one for a short tournament. The games do not depend on
            it.
        folder: keeps the games, so that a stopped tournament resumes.
        apart: given if the folder may hold games of several plans, each in its own folder
            (`plan_folder`); called with this plan's folder before it is made.
        seen: called once with the games of the first deals, as soon as every table has played some; never if there are
            no more than those. The tables then take turns.

    Raises:
        AgentError, ChannelTunnelError: an unknown agent or ruleset, a policy that does not fit, or a
            folder that holds another tournament; before the first game.
    """
    return play_tournaments([(tournament, folder)], progress, workers, apart, seen)[0]


def play_tournaments(
    wanted: Sequence[tuple[Tournament, Path | None]],
    progress: Callable[[int], object] | None = None,
    workers: int | None = None,
    apart: Callable[[Path], object] | None = None,
    seen: Callable[[Results], object] | None = None,
) -> list[Results]:
    """Play several tournaments at once, each with its folder: their parts share the workers.

    Arguments and errors are those of `play_tournament`.
    """
    advance = progress or (lambda _: None)
    opened = [_open(tournament, folder, apart) for tournament, folder in wanted]
    todo, kept = [], 0
    for i, (results, parts) in enumerate(opened):
        for part in parts:
            if results.store.has(part.name):
                kept += part.deals
            else:
                todo.append((i, part))
    if kept:
        advance(kept)
    if workers is None:
        total = sum(tournament.total_games for tournament, _ in wanted)
        workers = default_workers(little=total < FEW_GAMES)
    ahead = [_FirstLook(*each, {part.name for j, part in todo if j == i}) for i, each in enumerate(opened)]
    if seen is not None:
        todo.sort(key=lambda each: each[1].first)
        _show(ahead, seen)
    with closing(spread(_play_numbered, todo, workers)) as played:
        for (i, part), tables in played:
            opened[i][0].store.write(part.name, tables)
            advance(part.deals)
            ahead[i].waiting.discard(part.name)
            if seen is not None:
                _show(ahead, seen)
    return [_with_matches(results) for results, _ in opened]


@dataclass
class _FirstLook:
    """Whether every table of a tournament has played its first deals, and no later ones beyond a gap."""

    results: Results
    parts: list[TablePart]
    waiting: set[str]
    is_past: bool = False

    @property
    def is_due(self) -> bool:
        if self.is_past or not self.waiting:
            return False
        gaps: dict[Seating, bool] = {}
        for part in self.parts:
            here = part.name not in self.waiting
            if (here and gaps.get(part.seating)) or (not here and part.first < FIRST_DEALS):
                return False
            gaps[part.seating] = not here
        return True


def _show(ahead: Iterable[_FirstLook], seen: Callable[[Results], object]) -> None:
    for look in ahead:
        if look.is_due:
            look.is_past = True
            seen(_with_matches(replace(look.results, store=look.results.store.as_it_is())))


def _with_matches(results: Results) -> Results:
    """The results with all games that are stored."""
    games = results.store.read("games")
    return replace(results, matches=matches_of(results.tournament, results.ruleset, games))


def _open(
    tournament: Tournament, folder: Path | None, apart: Callable[[Path], object] | None
) -> tuple[Results, list[TablePart]]:
    """Results without matches yet, and the tournament's parts, played or not."""
    ruleset = load_ruleset(tournament.ruleset)
    agents = [make_agent(spec, ruleset) for spec in tournament.agents]
    if tournament.decisions and folder is None:
        raise AgentError("decisions: a folder is needed to keep them in")
    plan = plan_of(tournament, ruleset, agents)
    if folder is not None and apart is not None:
        folder = plan_folder(folder, plan)
        apart(folder)
    if folder is not None and (folder / PLAN).exists():
        _refuse_unknown_code(plan, folder)
    extra = EXTRA * tournament.decisions
    store = Store(plan, folder, extra=extra, tables=table_names(ruleset.spec))
    # Parts contain their rules by value: another machine does not have the file.
    parts = list(parts_of(replace(tournament, ruleset=ruleset), agents))
    store.expect(part.name for part in parts)
    named = dict(zip(tournament.agents, agents, strict=True))
    searching = frozenset(name for name, agent in named.items() if takes_long(agent))
    reading = frozenset(name for name, agent in named.items() if reads_rules(agent))
    return Results(tournament, ruleset, store, {}, searching, reading), parts


def plan_folder(folder: Path, plan: Mapping[str, object]) -> Path:
    """Where a folder for several plans keeps a plan's games."""
    return folder / PLANS / plan_digest(plan)


def _refuse_unknown_code(plan: Mapping[str, Any], folder: Path) -> None:
    unknown = [name for name, digest in plan.get("made_of", {}).items() if digest is None]
    if unknown:
        raise StoreError(
            f"{folder}: holds games, and it is unknown whether {', '.join(unknown)} played them as it is "
            "now: it is a process, or its module has no source file; choose another folder, or delete this one"
        )


def _play_numbered(task: tuple[int, TablePart]) -> dict[str, pd.DataFrame]:
    return play_part(task[1])


def plan_of(tournament: Tournament, ruleset: Ruleset, agents: Iterable[AnyAgent]) -> dict[str, object]:
    """Everything the games depend on, as JSON values."""
    found = dict(zip(tournament.agents, agents, strict=True))
    codes: dict[str, str | None] = {}
    for name, agent in found.items():
        read = AgentName.read(name)
        if read.kind == "process":  # what it reads cannot all be known
            codes[name] = None
        elif read.kind == "module" or (read.folder and read.restrictions):
            codes[name] = made_of(name, agent)
    return {
        **asdict(tournament),
        "ruleset": ruleset.name,
        "digest": ruleset.digest,
        "package": __version__,
        "policies": {name: policy_digest(agent) for name, agent in found.items()},
        **({"made_of": codes} if codes else {}),
    }


def made_of(name: str, agent: AnyAgent) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    read, inner = AgentName.read(name), innermost(agent)
    if read.kind == "process":
        return program_digest(read.rest)
    return sources_digest(read.core, inner) if read.kind == "module" else policy_digest(inner)


def policy_digest(agent: AnyAgent) -> str | None:
    """16 hex digits of the files that a policy was read from; None for an agent without."""
    folder = policy_folder(agent)
    if folder is None:
        return None
    sides = {side for form in FORMS.values() for side in form.sides}
    files = sorted(p for p in folder.glob("*.*") if p.stem in sides) if folder.is_dir() else [folder]
    return digest_of(files)


def parts_of(tournament: Tournament, agents: list[AnyAgent]) -> Iterator[TablePart]:
    """The parts of all tables. Their size depends only on the agents, because it affects the result."""
    policies = [policy_digest(agent) for agent in agents]
    for seating in tournament.seatings:
        own = tuple(policies[i] for i in seating)
        slow = any(takes_long(agents[i]) for i in seating)
        size = SEARCH_PART if slow else PART
        deals = tournament.deals_at(seating)
        for first in range(0, deals, size):
            yield TablePart(tournament, seating, first, min(size, deals - first), own)


def play_part(part: TablePart) -> dict[str, pd.DataFrame]:
    """Play a part; returns its tables, each with a column for each seat, its agent."""
    tournament = part.tournament
    ruleset = load_ruleset(tournament.ruleset)
    agents = [
        make_agent(tournament.agents[k], ruleset, _stream_seed(tournament.seed, seat, part.first))
        for seat, k in enumerate(part.seating)
    ]
    _refuse_changed(part, agents)
    deals = np.arange(part.first, part.first + part.deals)
    seeds = deal_seeds(part.first + part.deals, tournament.seed)[part.first :]
    batch = deal_games(seeds, ruleset, *agents)
    own = GAME_TABLES[ruleset.spec.name]
    count, log = ActionCount(batch), DecisionLog(batch)
    watch = own.watch(batch) if own.watch else None
    watchers: list[Watch] = [count]
    watchers += [watch] if watch else []
    watchers += [log] if tournament.decisions else []
    series = SeriesLog(batch, own.series) if own.series else None
    if series and len({*part.seating}) == 1:  # reports show the course of no other games
        watchers.append(series)
    play_out(batch, by_seat(batch, *agents), *watchers)
    tables = {
        "games": games_table(batch, deals).assign(**(watch.of_games() if watch else {})),
        "actions": count.table(),
        "options": count.options_table(),
        **{name: make(batch, deals) for name, make in own.more.items()},
    }
    if series:
        tables[SERIES] = series.table(deals)
    if tournament.decisions:
        tables |= {"decisions": log.table(deals), "records": log.records(deals)}
    for table in tables.values():
        for place, (side, k) in enumerate(zip(batch.seats, part.seating, strict=True)):
            codes = np.full(len(table), k, np.int8)
            names = pd.Categorical.from_codes(codes, list(tournament.agents))
            table.insert(place, side, names)
    return tables


def _refuse_changed(part: TablePart, agents: Sequence[AnyAgent]) -> None:
    """Refuse, with a StoreError, a policy whose files have changed since the start: games of two would be mixed.

    Where its files are not, as on another machine, they were sent and cannot have changed.
    """
    for k, agent, known in zip(part.seating, agents, part.policies, strict=False):
        folder = policy_folder(agent)
        if folder is not None and folder.exists() and policy_digest(agent) != known:
            raise StoreError(
                f"agent {part.tournament.agents[k]!r}: its policy has changed since the first game, and games of two "
                "would be mixed; let the training that writes it end, then play again in another folder"
            )


def _stream_seed(seed: int, seat: int, first: int) -> int:
    """The seats use different random streams, so that an agent does not mirror itself."""
    return int(np.random.SeedSequence([seed, STREAMS, seat, first]).generate_state(1)[0])


def matches_of(tournament: Tournament, ruleset: Ruleset, games: pd.DataFrame) -> dict[Seating, MatchResult]:
    """The games of every table as arrays, in the order of the deals."""
    spec, seats = ruleset.spec, ruleset.seats
    matches = {}
    for codes, rows in games.groupby([games[seat].cat.codes for seat in seats]):
        seating = tuple(int(k) for k in codes)
        matches[seating] = MatchResult(
            tuple(tournament.agents[k] for k in seating),
            rows["winner"].cat.codes.to_numpy(),
            rows["end_cause"].cat.codes.to_numpy(),
            rows[clock_column(spec)].to_numpy(),
            int(rows["decisions"].sum()),
            spec,
            seats,
            _shares_in(rows, seats),
        )
    return matches


def _shares_in(games: pd.DataFrame, seats: Sequence[str]) -> NDArray[np.float64]:
    """The share of each seat in a table of games: (n, S)."""
    if len(seats) == 2:
        first = games[f"{seats[0]}_points"].to_numpy(np.float64)
        return np.stack([first, 1.0 - first], axis=1)
    shares: NDArray[np.float64] = games[[f"share_{seat}" for seat in seats]].to_numpy(np.float64)
    return shares


def parse_limits(words: Iterable[str]) -> dict[str, int]:
    """Parse AGENT=GAMES arguments into a mapping; an AgentError for another form, or two limits for one agent."""
    limits: dict[str, int] = {}
    for word in words:
        name, _, games = word.rpartition("=")
        if not name or not games.isdecimal():
            raise AgentError(f"limit {word!r}: expected AGENT=DEALS with a whole number, such as ismcts:1000=40")
        if name in limits:
            raise AgentError(f"limit {word!r}: {name} already has the limit {limits[name]}")
        limits[name] = int(games)
    return limits
