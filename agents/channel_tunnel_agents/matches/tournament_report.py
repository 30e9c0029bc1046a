"""A tournament as tables and sentences for the terminal and report.md, and as data for results.json.

Of two seats: a ladder, pairs, and the first seat's share of wins in every pairing; `multiplayer_report` has more seats.
"""

from __future__ import annotations

import json
import math
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from channel_tunnel_agents.matches import rating
from channel_tunnel_agents.matches.rating import Miss, Rating, Rung
from channel_tunnel_agents.matches.tables import clock_column
from channel_tunnel_agents.matches.tournament import Results, Tournament
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.sheet import Sheet, rate_cell
from channel_tunnel_agents.statistics import Estimate, percent_words
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.terminal import percent

TIME_BUDGET = re.compile(r"[\d.]+ms$")


@dataclass(frozen=True)
class TournamentPage(ABC):
    """What every report on a tournament has."""

    results: Results

    @property
    @abstractmethod
    def sheets(self) -> list[Sheet]:
        """The tables, the most important one first."""

    @property
    @abstractmethod
    def notes(self) -> list[str]:
        """What the tables do not show, in a sentence or two each."""

    @property
    @abstractmethod
    def about(self) -> list[str]:
        """How it was played and rated, for the head of the page."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Every figure, unrounded, as JSON values."""

    def write(self, folder: Path) -> None:
        """Write report.md for people and results.json for programs."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.md").write_text(self.to_markdown(), encoding="utf-8")
        data = json.dumps(self.to_dict(), indent=1, allow_nan=False)
        (folder / "results.json").write_text(data + "\n", encoding="utf-8")

    def to_markdown(self) -> str:
        """The whole report as a page."""
        ruleset, tournament = self.results.ruleset, self.results.tournament
        first, *others = self.about
        head = [
            f"# Tournament on {ruleset.name}",
            "",
            f"- command: `{command_line(tournament)}`",
            f"- ruleset {ruleset.name}, digest {ruleset.digest}; package {__version__}",
            f"- {tournament.total_games:,} games; {first}",
            *(f"- {line}" for line in (*others, *self.notes)),
        ]
        return "\n\n".join(["\n".join(head), *(sheet.to_markdown() for sheet in self.sheets)]) + "\n"

    def settings(self) -> dict[str, Any]:
        """What was played, as JSON values."""
        tournament = self.results.tournament
        return {
            "command": command_line(tournament),
            "package": __version__,
            "ruleset": str(tournament.ruleset),
            "digest": self.results.ruleset.digest,
            "seed": tournament.seed,
            "deals": tournament.deals,
            "limits": dict(tournament.limits),
            "agents": list(tournament.agents),
        }


def command_line(tournament: Tournament) -> str:
    """The command that repeats this tournament, with all defaults spelt out."""
    words = [*command_words("tournament"), *tournament.agents]
    words += ["--deals", str(tournament.deals), "--seed", str(tournament.seed)]
    words += ["--ruleset", str(tournament.ruleset)]
    if tournament.limits:
        words += ["--limit", *(f"{name}={deals}" for name, deals in tournament.limits.items())]
    return shlex.join(words)


def time_notes(tournament: Tournament) -> list[str]:
    """A warning about agents whose games do not repeat, if there are any."""
    timed = [name for name in tournament.agents if TIME_BUDGET.search(name)]
    return [f"A time budget does not repeat to the game: {', '.join(timed)}."] if timed else []


def elo_cell(found: Estimate) -> str:
    """Elo points, their 95 % interval below."""
    return f"{found.value:+.0f}\n[{found.low:+.0f}, {found.high:+.0f}]"


def same_deals(tournament: Tournament, what: str = "all tables play") -> str:
    """On which deals a tournament was played."""
    return f"{what} the same deals (seed {tournament.seed}), those with fewer games the first of them"


def seat_title(seat: str) -> str:
    """A seat's name in a sentence: Britain, Player 0."""
    return seat.replace("_", " ").capitalize()


LADDER_COLUMNS = ("agent", "n", "strength, Elo", "above the next", "gap settled?")

MATRIX_COLUMNS = 6  # as many as fit beside the names on a terminal of 100 columns
READING = "Reading: [ ] are 95 % intervals, n counts games. 400 Elo are odds of ten to one, 100 Elo a chance of 64 %."
FURTHER_DEALS = (
    "More deals: what the two agents' pairings, and the others in proportion, need for a chance of "
    f"{percent(rating.POWER, 0)} that the interval leaves out 0, should the gap be as estimated."
)


@dataclass(frozen=True)
class Report(TournamentPage):
    """A tournament's ratings and the report on them, for two seats."""

    rating: Rating
    widest_miss: Miss
    cycles: list[tuple[int, int, int]]
    groups: list[list[int]]  # see `rating.separated_groups`

    @classmethod
    def of(cls, results: Results) -> Report:
        """Rate the agents and look for cycles."""
        first = results.seats[0]
        outcomes = {pairing: match.points(first) for pairing, match in results.matches.items()}
        rated = rating.fit(outcomes)
        return cls(
            results,
            rated,
            rating.widest_miss(rated, outcomes),
            rating.cycles(outcomes),
            rating.separated_groups(outcomes),
        )

    @property
    def sheets(self) -> list[Sheet]:
        """The ladder, the pairs, and the first seat's share of wins in every pairing."""
        return [_ladder(self.results, self.rating), _pairs(self.results), *_matrix(self.results)]

    @property
    def notes(self) -> list[str]:
        """What the tables do not show, in a sentence or two each."""
        tournament = self.results.tournament
        notes = [READING, _side_note(self), _fit_note(self), _cycle_note(self)]
        if any(rung.further_deals for rung in self.rating.ladder):
            notes.append(FURTHER_DEALS)
        if len(self.groups) > 1:
            groups = " / ".join(", ".join(tournament.agents[i] for i in g) for g in self.groups)
            notes.append(
                f"Separated: between the groups {groups} one never scored. The results alone set no "
                "bound to such a gap; its size rests on the half wins added to every pairing."
            )
        return notes + time_notes(tournament)

    @property
    def about(self) -> list[str]:
        """How it was played and rated, for the head of the page."""
        return [
            same_deals(self.results.tournament, "every pairing plays"),
            "strengths: Bradley-Terry with a side term, cluster-robust by deal; the first agent is 0; a "
            "draw is half a win; half a win is added to each side of every pairing",
        ]

    def to_dict(self) -> dict[str, Any]:
        """Every figure, unrounded, as JSON values."""
        agents = self.results.tournament.agents
        first, second = self.results.seats
        clock = clock_column(self.results.ruleset.spec)
        return self.settings() | {
            "ladder": [rung_dict(rung, agents) for rung in self.rating.ladder],
            "side_elo": asdict(self.rating.side),
            f"{first}_between_equals": asdict(self.rating.first_between_equals),
            "widest_miss": {
                "agent": agents[self.widest_miss.agent],
                "against": agents[self.widest_miss.rival],
                "played": self.widest_miss.played,
                "expected": self.widest_miss.expected,
            },
            "cycles": [[agents[i] for i in cycle] for cycle in self.cycles],
            "separated_groups": [[agents[i] for i in group] for group in self.groups],
            "matches": [
                {
                    first: agents[i],
                    second: agents[j],
                    "games": match.games,
                    f"{first}_wins": match.wins(first),
                    f"{second}_wins": match.wins(second),
                    "draws": match.draws,
                    "stopped": match.stopped,
                    "decisions": match.decisions,
                    f"mean_{clock}": float(match.rounds.mean()),
                }
                for (i, j), match in self.results.matches.items()
            ],
        }


def _ladder(results: Results, rated: Rating) -> Sheet:
    agents = results.tournament.agents
    games = [_games_of(results, agent) for agent in range(len(agents))]
    return Sheet("Ladder", LADDER_COLUMNS, tuple(ladder_rows(agents, rated.ladder, games)))


def ladder_rows(agents: tuple[str, ...], ladder: Sequence[Rung], games: Sequence[int]) -> list[tuple[str, ...]]:
    """The cells of `LADDER_COLUMNS` of every rung; `games` that each agent played, by its number."""
    return [
        (
            agents[rung.agent],
            f"{games[rung.agent]:,}",
            "0\nanchor" if rung.agent == 0 else elo_cell(rung.strength),
            "" if rung.above_next is None else elo_cell(rung.above_next),
            _settled_cell(rung),
        )
        for rung in ladder
    ]


def _games_of(results: Results, agent: int) -> int:
    """Games against others."""
    return sum(
        match.games for pairing, match in results.matches.items() if agent in pairing and pairing != (agent, agent)
    )


def _settled_cell(rung: Rung) -> str:
    """Whether luck is ruled out for the gap below an agent."""
    if rung.above_next is None:
        return ""
    if rung.further_deals is None:
        return "no: no gap"
    return "yes" if rung.further_deals == 0 else f"no: {rung.further_deals:,}\nmore deals"


def _pairs(results: Results) -> Sheet:
    rows = [
        (
            f"{pair.agent}\nv {pair.rival}",
            f"{pair.both.n:,}",
            rate_cell(pair.in_first),
            rate_cell(pair.in_second),
            rate_cell(pair.both),
            percent(pair.drawn),
            percent(pair.stopped),
            f"{pair.rounds:.1f}",
        )
        for pair in results.pairs
    ]
    places = [f"as {seat_title(seat)}" for seat in results.seats]
    clock = clock_column(results.ruleset.spec)
    columns = ("pair", "n", *places, "both", "drawn", "stopped", clock)
    title = "Share of wins of the first of each pair, seats swapped on the same deals"
    return Sheet(title, columns, tuple(rows))


def split_sheets(title: str, head: str, columns: Sequence[str], rows: Mapping[str, Sequence[str]]) -> list[Sheet]:
    """A table, parted into as many as fit on a terminal.

    Args:
        rows: the name of each, which stands below `head`, and its cells.
    """
    parts = np.array_split(np.arange(len(columns)), math.ceil(len(columns) / MATRIX_COLUMNS))
    return [
        Sheet(
            title if len(parts) == 1 else f"{title} ({number} of {len(parts)})",
            (head, *(columns[k] for k in part)),
            tuple((name, *(cells[k] for k in part)) for name, cells in rows.items()),
        )
        for number, part in enumerate(parts, 1)
    ]


def _matrix(results: Results) -> list[Sheet]:
    agents = results.tournament.agents
    first, second = (seat_title(seat) for seat in results.seats)
    title = f"{first}'s share of wins: the row plays {first}, the column {second}"
    rows = {name: [_matrix_cell(results, i, j) for j in range(len(agents))] for i, name in enumerate(agents)}
    return split_sheets(title, f"{first} \\ {second}", agents, rows)


def _matrix_cell(results: Results, i: int, j: int) -> str:
    rate = results.first_seat((i, j))
    return f"{rate_cell(rate)}\nn {rate.n:,}"


def _side_note(report: Report) -> str:
    side, chance = report.rating.side, report.rating.first_between_equals
    first = seat_title(report.results.seats[0])
    return (
        f"Side: playing {first} is worth {side.value:+.0f} Elo [{side.low:+.0f}, {side.high:+.0f}]; "
        f"between equals {first} wins {percent_words(chance)}."
    )


def _fit_note(report: Report) -> str:
    agents, miss = report.results.tournament.agents, report.widest_miss
    return (
        "Fit: the ladder misses no pair's share of points by more than in "
        f"{agents[miss.agent]} v {agents[miss.rival]}: {percent(miss.played)} played, {percent(miss.expected)} "
        "expected."
    )


def _cycle_note(report: Report) -> str:
    agents = report.results.tournament.agents
    triples = math.comb(len(agents), 3)
    found = [" > ".join(agents[i] for i in (*cycle, cycle[0])) for cycle in report.cycles]
    return f"Cycles (A beats B beats C beats A, each at the 5 % level): {len(found)} of {triples} triples" + (
        f": {'; '.join(found)}." if found else "."
    )


def rung_dict(rung: Rung, agents: tuple[str, ...]) -> dict[str, Any]:
    """A rung as JSON values."""
    return {
        "agent": agents[rung.agent],
        "strength_elo": asdict(rung.strength),
        "above_next_elo": None if rung.above_next is None else asdict(rung.above_next),
        "further_deals": rung.further_deals,
    }
