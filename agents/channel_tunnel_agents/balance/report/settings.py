"""What a report plays and measures."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from channel_tunnel_agents.base import AgentError, searches
from channel_tunnel_agents.matches.tournament import Tournament
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset, VersionError
from channel_tunnel_env.hints import did_you_mean
from channel_tunnel_env.ruleset import load_1987_ruleset
from channel_tunnel_env.ruleset_overlay import base_of

SECTIONS = {
    "sides": "Side advantage",
    "matrix": "Agents against each other",
    "endings": "Endings",
    "length": "Length",
    "luck": "Luck against skill",
    "tension": "Tension",
    "economy": "Economy and score",
    "cards": "Cards",
    "actions": "Actions",
    "restricted": "Restricted play",
    "openings": "Openings",
    "health": "Rule health",
}
"""Key -> title, in the order of the page."""
DEFAULT_AGENTS = ("random", "heuristic", *shipped.NAMES)
QUICK_AGENTS = ("random", "heuristic", shipped.NAMES[-1])
WITHOUT_POLICIES = ("random", "heuristic", "ismcts:100")
FULL_DEALS, QUICK_DEALS = 5000, 500
NO_BASE = "none"
LEVER_PART = 8  # of the deals of a pairing are played at each setting of a lever
QUICK_LEVER_DEALS = 100
SEARCH_DEALS, QUICK_SEARCH_DEALS = (
    100,
    30,
)  # for a pairing with a search, which takes seconds per game


@dataclass(frozen=True)
class ReportSettings:
    """What to play, on which rules, and what to leave out.

    Raises:
        AgentError: an unknown section, the message gives the nearest ones; no deals; no agents.
    """

    ruleset: str = "standard"
    agents: tuple[str, ...] = ()
    """If empty: see `chosen_agents`."""
    deals: int | None = None
    """Deals of every pairing; None: 5,000, or 500 if quick."""
    quick: bool = False
    seed: int = 20_000
    skip: tuple[str, ...] = ()
    base: str | None = None
    """The ruleset beside it; None: the one that its file is laid over; "none": no other."""
    levers: int | None = None
    """Deals of each setting tried for levers; 0: none; None: an eighth of `deals`, 100 if quick."""

    def __post_init__(self) -> None:
        for name in self.skip:
            if name not in SECTIONS:
                hint = did_you_mean(name, SECTIONS, 2)
                raise AgentError(f"section {name!r}: known: {', '.join(SECTIONS)}{hint}")
        if self.deals is not None and self.deals < 1:
            raise AgentError(f"deals: {self.deals}; at least 1 is needed")
        if self.levers is not None and self.levers < 0:
            raise AgentError(f"levers: {self.levers}; at least 0 is needed")

    @property
    def base_name(self) -> str | None:
        """The ruleset that is compared with; None: none.

        Raises:
            RulesetError: the ruleset's file cannot be read.
        """
        if self.base == NO_BASE:
            return None
        return self.base or base_of(self.ruleset)

    @property
    def lever_deals(self) -> int:
        """Deals of each setting that is tried for levers."""
        if self.levers is not None:
            return self.levers
        every = self.share_of_deals(LEVER_PART)
        return min(QUICK_LEVER_DEALS, self.deals_of_a_pairing) if self.quick else every

    @property
    def deals_of_a_pairing(self) -> int:
        """Deals that every pairing plays, unless one of the two searches."""
        return self.deals or (QUICK_DEALS if self.quick else FULL_DEALS)

    def share_of_deals(self, part: int) -> int:
        """Deals for a measurement that plays many games per deal: one `part`-th, at least two."""
        return max(2, self.deals_of_a_pairing // part)

    @property
    def folder(self) -> Path:
        """The default folder of the report."""
        name = Path(self.ruleset).stem
        return Path("runs") / f"report-{name}{'-quick' if self.quick else ''}"

    def tournament(self) -> Tournament:
        """The tournament that most of the report is based on.

        Raises:
            AgentError, ChannelTunnelError: an unknown agent or ruleset, a policy that does not fit.
        """
        ruleset = load_1987_ruleset(self.ruleset)
        agents = self.chosen_agents(ruleset)
        limit = QUICK_SEARCH_DEALS if self.quick else SEARCH_DEALS
        limits = {name: limit for name in agents if searches(make_agent(name, ruleset))}
        return Tournament(agents, self.deals_of_a_pairing, self.seed, self.ruleset, limits)

    def chosen_agents(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The given agents; else the shipped policies if trained for these rules, else a search."""
        if self.agents:
            return self.agents
        if not policies_fit(ruleset):
            return WITHOUT_POLICIES
        return QUICK_AGENTS if self.quick else DEFAULT_AGENTS

    def command(self, folder: Path) -> str:
        """The command that writes this report again."""
        words = [*command_words("report"), "--ruleset", self.ruleset]
        words += ["--agents", *self.agents] if self.agents else []
        words += ["--deals", str(self.deals)] if self.deals else []
        words += ["--quick"] if self.quick else []
        words += ["--seed", str(self.seed)]
        words += ["--skip", *self.skip] if self.skip else []
        words += ["--base", self.base] if self.base else []
        words += [] if self.levers is None else ["--levers", str(self.levers)]
        return shlex.join([*words, "--out", str(folder)])


def policies_fit(ruleset: Ruleset) -> bool:
    """Whether the shipped policies were trained for a ruleset."""
    return all(_fits(name, ruleset) for name in shipped.NAMES)


def _fits(name: str, ruleset: Ruleset) -> bool:
    try:
        make_agent(name, ruleset)
    except VersionError:
        return False
    return True
