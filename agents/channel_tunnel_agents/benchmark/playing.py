"""One part of a contest, played; the agent's time is taken and held to the limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.changing.libraries import check_libraries
from channel_tunnel_agents.balance.players.training import Lesson, check_parent, train_policies
from channel_tunnel_agents.base import AgentError, AnyAgent, own_code_of, searches
from channel_tunnel_agents.benchmark.contests import Contest
from channel_tunnel_agents.matches.arena import by_seat, deal_games, deal_seeds, play_out
from channel_tunnel_agents.matches.shares import shares_of
from channel_tunnel_agents.matches.tournament import made_of
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players.process_agent import ProcessAgent
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset

STREAMS = 34  # part of every agent's seed
DIGITS = 6  # of a share
SPARE_SECONDS = 5.0
DECISIONS_A_MINUTE = 300_000
"""For which a policy that reads the rules is trained in place of a minute: the result must not depend on the machine."""
TRAINED_FROM = 0  # seed of that training; reports use others
CANNOT_ADAPT, AS_IT_IS = "it cannot adapt to a ruleset", "--budgets 0 plays it as it is"
OBSERVES, TRUSTED, SEES_ALL = "observations", "observations, in this process", "the game"


@dataclass(frozen=True)
class PlayedPart:
    """What a part gave.

    Attributes:
        shares: for each seating the agent's share of each deal.
        decisions, seconds: of the agent: how many, and the time that it took.
    """

    shares: list[list[float]]
    decisions: int
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return asdict(self)


class WatchedAgent:
    """An agent whose time is taken.

    Args:
        milliseconds: that a move may take, on average over all so far. The first question is free: code compiles then;
            so are `SPARE_SECONDS`, in which a busy machine may stop any program.

    Attributes:
        decisions, seconds: so far.
    """

    def __init__(self, agent: AnyAgent, milliseconds: float) -> None:
        self.agent, self.milliseconds = agent, milliseconds
        self.decisions, self.seconds = 0, 0.0
        self._timed_decisions, self._timed_seconds = 0, 0.0

    def __getattr__(self, name: str) -> Any:
        if name == "agent":  # while it is copied
            raise AttributeError(name)
        value = getattr(self.agent, name)
        return partial(self._timed, value) if name == "search" else value

    def __call__(self, observations: Any, masks: Any) -> Any:
        """As the agent.

        Raises:
            AgentError: it failed, or was too slow.
        """
        inner: Any = self.agent
        return self._timed(inner, observations, masks)

    def _timed(self, ask: Callable[..., Any], what: Any, rows: Any) -> Any:
        is_first = self.decisions == 0
        begun = time.perf_counter()
        with own_code_of(self.agent.name):
            answer = ask(what, rows)
        seconds = time.perf_counter() - begun
        self.decisions += len(rows)
        self.seconds += seconds
        if is_first:
            return answer
        self._timed_decisions += len(rows)
        self._timed_seconds += seconds
        if 1000 * (self._timed_seconds - SPARE_SECONDS) > self.milliseconds * self._timed_decisions:
            mean = 1000 * self._timed_seconds / self._timed_decisions
            raise AgentError(
                f"agent {self.agent.name!r}: {mean:.0f} ms a move in {self._timed_decisions:,} moves; the track allows "
                f"{self.milliseconds:g} ms"
            )
        return answer


def stream_seed(contest: Contest, part: int, role: int) -> int:
    """The seed of an agent's random stream in a part."""
    key = [contest.seed, STREAMS, part, role]
    return int(np.random.SeedSequence(key).generate_state(1)[0])


def play_part(contest: Contest, part: int, seed: int | None = None) -> PlayedPart:
    """Play the deals of a part in every seating.

    Args:
        seed: of fresh deals; None: those of the track.

    Raises:
        AgentError: the agent failed, was too slow or cannot adapt.
        IllegalActionError: it answered with an illegal action.
    """
    first, count = contest.deals_of(part)
    seeds = deal_seeds(first + count, contest.seed if seed is None else seed)[first:]
    agent = adapted(contest, stream_seed(contest, part, 0))
    rival = make_agent(contest.rival, contest.ruleset, stream_seed(contest, part, 1))
    watched: Any = WatchedAgent(agent, contest.milliseconds)
    shares = []
    for seating in contest.seatings:
        cast = [watched if own else rival for own in seating]
        batch = deal_games(seeds, contest.ruleset, *cast)
        play_out(batch, by_seat(batch, *cast))
        own_share = shares_of(batch)[:, list(seating)].sum(axis=1)
        shares.append(np.clip(own_share, 0, 1).round(DIGITS).tolist())
    return PlayedPart(shares, watched.decisions, watched.seconds)


def adapted(contest: Contest, seed: int) -> AnyAgent:
    """The agent of a contest, after it has adapted if the contest says so.

    Raises:
        AgentError: it cannot adapt.
    """
    name = contest.agent
    kind = AgentName.read(name).kind
    if contest.minutes and kind == "policy":
        lesson = Lesson(name, contest.ruleset, round(contest.minutes * DECISIONS_A_MINUTE), TRAINED_FROM)
        (trained,) = train_policies([lesson], workers=1)
        return make_agent(trained.name, contest.ruleset, seed)
    agent = make_agent(name, contest.ruleset, seed)
    if isinstance(agent, ProcessAgent):
        agent.milliseconds, agent.told = contest.milliseconds, contest.told
    if contest.minutes:
        adapt = getattr(agent, "adapt", None)
        if adapt is None or adapt(contest.minutes) is False:
            raise AgentError(f"agent {name!r}: {CANNOT_ADAPT}; {AS_IT_IS}")
    return agent


def check_adapts(contest: Contest) -> None:
    """Refuse, before the first game, an agent that the contest lets adapt and that cannot.

    A process says so only when it is asked.

    Raises:
        AgentError: why it cannot.
    """
    name = contest.agent
    if AgentName.read(name).kind == "policy":
        try:
            check_parent(name, contest.ruleset)
            check_libraries()
        except AgentError as error:
            raise AgentError(f"{error}; {AS_IT_IS}") from None
    elif getattr(make_agent(name, contest.ruleset), "adapt", None) is None:
        raise AgentError(f"agent {name!r}: {CANNOT_ADAPT}; {AS_IT_IS}")


def what_it_sees(name: str, ruleset: Ruleset) -> str:
    """What an agent could look at."""
    if AgentName.read(name).kind == "process":
        return OBSERVES
    return SEES_ALL if searches(make_agent(name, ruleset)) else TRUSTED


def files_of(name: str, ruleset: Ruleset) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    return made_of(name, make_agent(name, ruleset))
