"""What a report plays and measures."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from channel_tunnel_agents.balance.judging import Judged, Plan
from channel_tunnel_agents.balance.measuring.measures import check_seats
from channel_tunnel_agents.balance.players.population import DECISIONS, Budget, population_of
from channel_tunnel_agents.balance.report.game import ReportedGame, reported
from channel_tunnel_agents.base import AgentError, searches
from channel_tunnel_agents.matches.tournament import Results, Tournament
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.hints import or_known
from channel_tunnel_env.rulesets.overlay import base_of
from channel_tunnel_env.rulesets.ruleset import load_ruleset

NO_BASE = "none"
LEVER_PART = 8  # of the deals of a pairing are played at each setting of a lever
QUICK_LEVER_DEALS = 100
SEARCH_DEALS, QUICK_SEARCH_DEALS = (100, 30)  # for a pairing with a search, which takes seconds per game


@dataclass(frozen=True)
class ReportSettings:
    """What to play, on which rules, and what to leave out.

    Raises:
        AgentError: a section that the game has not, the message gives the nearest ones; no deals.
        RulesetError: with sections, a wrong ruleset.
    """

    ruleset: str = "standard"
    agents: tuple[str, ...] = ()
    """If empty: see `chosen_agents`."""
    deals: int | None = None
    """Deals of every pairing; None: as many as the game's players are given."""
    quick: bool = False
    seed: int = 20_000
    skip: tuple[str, ...] = ()
    base: str | None = None
    """The ruleset beside it; None: the one that its file is laid over; "none": no other."""
    levers: int | None = None
    """Deals of each setting tried for levers; 0: none; None: an eighth of `deals`, 100 if quick."""
    decisions: int | None = None
    """For which policies are trained for the rules; 0: none are; None: as usual, in a quick report none."""
    judged: Judged | None = None
    """The verdict on the rules, as found before the page's own games."""

    def __post_init__(self) -> None:
        for name in self.skip:
            known = self.game.sections
            if name not in known:
                raise AgentError(f"section {name!r}: no such section{or_known(name, known, 2)}")
        if self.deals is not None and self.deals < 2:
            raise AgentError(f"deals: {self.deals}; at least 2 are needed, for one has no interval")
        if self.levers is not None and self.levers < 0:
            raise AgentError(f"levers: {self.levers}; at least 0 is needed")

    @property
    def rules(self) -> Ruleset:
        """The ruleset.

        Raises:
            RulesetError: a wrong ruleset.
            AgentError: a game without a report.
        """
        ruleset = load_ruleset(self.ruleset)
        reported(ruleset)
        return ruleset

    @property
    def game(self) -> ReportedGame:
        """What the ruleset's game says of itself; errors as those of `rules`."""
        return reported(self.rules)

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
    def base_rules(self) -> Ruleset | None:
        """That ruleset: of the same game, and for as many seats.

        Raises:
            RulesetError: it cannot be read.
            AgentError: it is of another game, or for another number of seats, which the game cannot change.
        """
        if self.base_name is None:
            return None
        base, ruleset, game = load_ruleset(self.base_name), self.rules, self.game
        if base.spec is not ruleset.spec:
            raise AgentError(
                f"base {base.name}: game {base.spec.name}; ruleset {ruleset.name} is of {ruleset.spec.name}"
            )
        if game.seated is not None:
            base = game.seated(base, ruleset)
        check_seats([ruleset, base])
        return base

    @property
    def lever_deals(self) -> int:
        """Deals of each setting that is tried for levers."""
        if self.levers is not None:
            return self.levers
        quick = min(QUICK_LEVER_DEALS, self.deals_of_a_pairing)
        return quick if self.quick else self.share_of_deals(LEVER_PART)

    @property
    def plan(self) -> Plan:
        """What the verdict plays and trains: the first of the page's own deals, so that both say the same of a player."""
        decisions = self.decisions
        if decisions is None:
            decisions = 0 if self.quick or shipped.reader_of(self.rules) is None else DECISIONS
        return Plan(min(Plan.deals, self.deals_of_a_pairing), self.seed, Budget.of(decisions))

    @property
    def deals_of_a_pairing(self) -> int:
        """Deals that every pairing plays, unless one of the two searches."""
        return self.deals or self.game.players.deals[self.quick]

    def share_of_deals(self, part: int) -> int:
        """Deals for a measurement that plays many games per deal: one `part`-th, at least two."""
        return max(2, self.deals_of_a_pairing // part)

    @property
    def folder(self) -> Path:
        """The default folder of the report."""
        return Path("runs") / f"report-{Path(self.ruleset).stem}{'-quick' if self.quick else ''}"

    def tournament(self) -> Tournament:
        """The tournament that most of the report is based on; with more than two seats, every agent only with itself.

        Raises:
            AgentError, ChannelTunnelError: an unknown agent or ruleset, a policy that does not fit.
        """
        ruleset = self.rules
        agents = self.chosen_agents(ruleset)
        own, general = self.game.players.limits, (SEARCH_DEALS, QUICK_SEARCH_DEALS)
        asked = own if self.deals else {}  # they play what was asked for
        searching = (name for name in agents if name not in asked and searches(make_agent(name, ruleset)))
        limits = {name: own.get(name, general)[self.quick] for name in searching}
        mirror = ruleset.num_seats > 2
        if mirror:
            limits = {name: min(most, self.deals_of_a_pairing) for name, most in limits.items()}
        return Tournament(agents, self.deals_of_a_pairing, self.seed, self.ruleset, limits, mirror)

    def chosen_agents(self, ruleset: Ruleset) -> tuple[str, ...]:
        """The given agents; else the game's, the player that reads the rules for policies that were not trained for these.

        The best player by the verdict takes the place of a player that reads the rules.
        """
        players = reported(ruleset).players
        named = self.agents
        if not named:
            usual = players.quick if self.quick else players.full
            named = tuple(name for name in usual if name not in players.policies or shipped.fits(name, ruleset))
            reader = shipped.reader_of(ruleset)
            named += (reader,) if reader and named != usual else ()
        return named if self.judged is None else self.judged.plays_for(named)

    @property
    def is_judged(self) -> bool:
        """Whether the players of the rules are asked: one of them reads the rules, unless others are named."""
        readers = population_of(self.rules).readers
        return bool(readers) and (not self.agents or not {*readers}.isdisjoint(self.agents))

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
        words += [] if self.decisions is None else ["--decisions", str(self.decisions)]
        return shlex.join([*words, "--out", str(folder)])


def slow_agents(results: Results) -> frozenset[str]:
    """The agents that look ahead for long, so that a game takes seconds."""
    return results.searching - set(reported(results.ruleset).players.limits)
