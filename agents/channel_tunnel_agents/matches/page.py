"""A tournament as tables and sentences for the terminal and report.md, and as data for results.json."""

from __future__ import annotations

import json
import re
import shlex
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from channel_tunnel_agents.matches.tournament import Results, Tournament
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, percent_words
from channel_tunnel_env import __version__

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


def share_cell(found: Estimate) -> str:
    """A share in per cent, its 95 % interval below."""
    return percent_words(found, "\n")


def seat_title(seat: str) -> str:
    """A seat's name in a sentence: Britain, Player 0."""
    return seat.replace("_", " ").capitalize()
