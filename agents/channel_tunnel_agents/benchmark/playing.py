"""One part of a contest, played; the agent's time is taken and held to the limit.

The agent has been started before the deals are drawn, and their seed is in no file, argument or variable before its games
have ended. Code that is not ours runs in processes of its own, one for each seating: no process meets a deal twice.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from channel_tunnel_agents.balance.players.training import TrainingTask, check_libraries, check_parent, train_policies
from channel_tunnel_agents.base import AgentError, AnyAgent, own_code_of, searches
from channel_tunnel_agents.benchmark.contests import Contest
from channel_tunnel_agents.exact.solving import answer
from channel_tunnel_agents.exact.tree import grow_tree
from channel_tunnel_agents.matches.arena import by_seat, deal_games, deal_seeds, play_out, shares_of
from channel_tunnel_agents.matches.tournament import made_of
from channel_tunnel_agents.matches.tournament_report import TIME_BUDGET
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players.process_agent import ProcessAgent, unreadable
from channel_tunnel_agents.registry import innermost, make_agent, make_apart
from channel_tunnel_env import Ruleset

STREAMS = 34  # part of every agent's seed
SEED_BITS = 63
DIGITS = 6  # of a share
SPARE_SECONDS = 5.0
DECISIONS_A_MINUTE = 300_000
"""For which a policy that reads the rules is trained in place of a minute: the result must not depend on the machine."""
TRAINED_FROM = 0  # seed of that training; reports use others
CANNOT_ADAPT, AS_IT_IS = "it cannot adapt to a ruleset", "--budgets 0 plays it as it is"
GUESTS = ("module", "process")  # kinds of agents that are code of others; their names say what is run
REPEATING = ("random", "scripted", "ismcts", "policy")  # kinds that play the same games again
OBSERVES, TRUSTED, SEES_ALL = "observations", "observations, in this process", "the game"


@dataclass(frozen=True)
class PlayedPart:
    """What a part gave.

    Attributes:
        shares: for each seating the agent's share of each deal.
        decisions, seconds: of the agent: how many, and the time that it took.
        deals: the seed of the deals.
    """

    shares: list[list[float]]
    decisions: int
    seconds: float
    deals: int


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
        """As the agent; an AgentError if it failed, or was too slow."""
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


def stream_of(*key: int) -> int:
    """The seed of a random stream."""
    return int(np.random.SeedSequence([*key, STREAMS]).generate_state(1)[0])


def play_part(contest: Contest, part: int, deals: int | None = None) -> PlayedPart:
    """Play the deals of a part in every seating.

    Args:
        deals: the seed of deals that were played before; None: drawn, once the agent has been started.

    Raises:
        AgentError: the agent failed, was too slow or cannot adapt.
        IllegalActionError: it answered with an illegal action.
    """
    if contest.is_solved:
        return _solve(contest)
    count = contest.deals_of(part)
    agents = [
        WatchedAgent(adapted(contest, stream_of(*contest.key.encode(), part, place), place), contest.milliseconds)
        for place in range(len(contest.seatings))
    ]
    with unreadable():
        drawn = secrets.randbits(SEED_BITS) if deals is None else deals
        rival = make_agent(contest.rival, contest.ruleset, stream_of(drawn))
        shares = []
        for agent, seating in zip(agents, contest.seatings, strict=True):
            cast: list[Any] = [agent if own else rival for own in seating]
            batch = deal_games(deal_seeds(count, drawn), contest.ruleset, *cast)
            play_out(batch, by_seat(batch, *cast))
            own_share = shares_of(batch)[:, list(seating)].sum(axis=1)
            shares.append(np.clip(own_share, 0, 1).round(DIGITS).tolist())
    decisions, seconds = sum(agent.decisions for agent in agents), sum(agent.seconds for agent in agents)
    return PlayedPart(shares, decisions, seconds, drawn)


def _solve(contest: Contest) -> PlayedPart:
    """What an agent gets in each seat against the best response to it, from all luck of a small game."""
    begun = time.perf_counter()
    tree = grow_tree(contest.ruleset, adapted(contest, stream_of(*contest.key.encode())))
    seconds = time.perf_counter() - begun
    stakes = contest.ruleset.spec.outcome.stakes
    shares = [[round((1 - won / stakes) / 2, DIGITS)] for won in reversed(answer(tree).responses)]
    return PlayedPart(shares, len(tree.actions), seconds, 0)


def adapted(contest: Contest, seed: int, place: int = 0) -> AnyAgent:
    """The agent of a contest, started, after it has adapted if the contest says so; an AgentError if it cannot."""
    name = contest.agent
    if contest.minutes and AgentName.read(name).kind == "policy":
        task = TrainingTask(name, contest.ruleset, round(contest.minutes * DECISIONS_A_MINUTE), TRAINED_FROM)
        (trained,) = train_policies([task], workers=1)
        return make_agent(trained.name, contest.ruleset, seed)
    agent = make_apart(name, contest.ruleset, seed, place)
    inner = innermost(agent)
    if isinstance(inner, ProcessAgent):
        inner.milliseconds, inner.told = contest.milliseconds, contest.told
        inner.start()
    if contest.minutes:
        _adapt(agent, contest.minutes)
    return agent


def _adapt(agent: AnyAgent, minutes: float) -> None:
    """Let an agent adapt, with 0 minutes only say whether it can."""
    adapt = getattr(agent, "adapt", None)
    if adapt is None or adapt(minutes) is False:
        raise AgentError(f"agent {agent.name!r}: {CANNOT_ADAPT}; {AS_IT_IS}")


def check_adapts(contest: Contest) -> None:
    """Refuse, before the first game, an agent that the contest lets adapt and that cannot: an AgentError says why."""
    name = contest.agent
    if AgentName.read(name).kind != "policy":
        _adapt(make_apart(name, contest.ruleset), 0.0)
        return
    try:
        check_parent(name, contest.ruleset)
        check_libraries()
    except AgentError as error:
        raise AgentError(f"{error}; {AS_IT_IS}") from None


def what_it_sees(name: str, ruleset: Ruleset) -> str:
    """What an agent could look at."""
    if AgentName.read(name).kind in GUESTS:
        return OBSERVES
    return SEES_ALL if searches(make_agent(name, ruleset)) else TRUSTED


def files_of_all(contests: Sequence[Contest]) -> str | None:
    """`files_of` the agents of some contests: on small rulesets each may have one of its own."""
    found = [files_of(name, ruleset) for name, ruleset in {each.agent: each.ruleset for each in contests}.items()]
    if len(found) == 1 or not any(found):
        return found[0]
    return hashlib.sha256(" ".join(map(str, found)).encode()).hexdigest()


def files_of(name: str, ruleset: Ruleset) -> str | None:
    """A digest of what an agent is made of beside this package; None: nothing, or it cannot be told."""
    agent = make_apart(name, ruleset)
    if AgentName.read(name).kind == "module":  # told by its process: to read it here would run it here
        files = innermost(agent).start().get("files")
        return files if isinstance(files, str) else None
    return made_of(name, agent)


def repeats(name: str, ruleset: Ruleset) -> bool:
    """Whether an agent plays the same games again from the same seeds; of code of others, whether it says so."""
    kind = AgentName.read(name).kind
    if kind in GUESTS:
        return innermost(make_apart(name, ruleset)).start().get("repeats") is True
    return kind in REPEATING and not TIME_BUDGET.search(name)
