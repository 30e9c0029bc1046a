"""What an agent is, and how to query either kind.

A plain agent maps observations of the seats to move to actions: `agent(observations float32 (n, D),
masks bool (n, A)) -> int64 (n,)`, which is also the signature of an environment's opponent. A
searching agent needs a game to look ahead in: `agent.search(batch, rows)`. Both decide for the seat
to move, so one agent can play both seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeIs

from channel_tunnel_env import BatchGame, ChannelTunnelError, Game, Ruleset
from channel_tunnel_env.core.whole_numbers import given_seed
from channel_tunnel_env.errors import ForeignExitError, GameOverError, IllegalActionError, VersionError
from channel_tunnel_env.outside.foreign import foreign_code, words_of
from channel_tunnel_env.rulesets.overlay import builtin_rulesets

FROZEN = "frozen:"  # before an agent's name: its policy may have been trained for another ruleset
MAX_MILLISECONDS = 60_000  # the largest time budget of a search, per decision


class AgentError(ValueError):
    """An agent that is unknown, cannot be loaded, or was given an invalid setting."""


class AgentFailure(AgentError):
    """An agent's own code failed, or ended the program; its cause is what it raised."""


class Agent(Protocol):
    """A decision maker for the seats to move, called as `agent(observations, masks)`.

    Observations are float32 (n, D), masks bool (n, A), one row per game. It returns int (n,), a legal id for every row.

    Attributes:
        name: as shown in tables.
    """

    name: str

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.integer[Any]]:
        """One legal action for every row."""
        ...


class SearchAgent(Protocol):
    """A decision maker that looks ahead in the games themselves.

    It is given true records, hidden cards included. It must re-deal what the seat to move cannot
    know (`determinize`) before it looks at anything, or choose by what that does not change. It must
    not change the batch.

    Attributes:
        name: as shown in tables.
    """

    name: str

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Choose actions; must not change the batch.

        Args:
            batch: the games, hidden cards included.
            rows: int (n,), the rows to choose for, all of games that are not over.

        Returns:
            int64 (n,), a legal action for each of the rows.
        """
        ...


AnyAgent = Agent | SearchAgent


def searches(agent: AnyAgent) -> TypeIs[SearchAgent]:
    """Whether an agent needs a game to look ahead in. Must be fast: it is called at every step."""
    return hasattr(agent, "search")


def is_blind(agent: AnyAgent) -> bool:
    """Whether an agent uses the mask only: it sets `blind = True` and then gets no observations."""
    return bool(getattr(agent, "blind", False))


class DrawingAgent(Protocol):
    """An agent with a name that draws its actions and says how, so that a small game judges all that it may do, and not one game of it."""

    name: str

    def probabilities(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """With which probability it takes each action in each row (n, A): 0 if it is illegal."""
        ...


def draws(agent: object) -> TypeIs[DrawingAgent]:
    """Whether an agent is a `DrawingAgent` now: one with `greedy` set takes the likeliest action instead."""
    return hasattr(agent, "probabilities") and not getattr(agent, "greedy", False)


def reads_rules(agent: AnyAgent) -> bool:
    """Whether an agent plays any ruleset of its game by the rules it sees: it sets `reads_rules = True`."""
    return bool(getattr(agent, "reads_rules", False))


def keeps_choice(agent: AnyAgent) -> bool:
    """Whether what an agent chooses stays its choice when other actions are forbidden: it sets `keeps_choice = True`."""
    return bool(getattr(agent, "keeps_choice", False))


def takes_long(agent: AnyAgent) -> bool:
    """Whether an agent looks ahead and has not set `quick = True`, so that a few games are much work."""
    return searches(agent) and not getattr(agent, "quick", False)


def check_game(agent: str, game: str | Sequence[str], ruleset: Ruleset) -> None:
    """Refuse, with a VersionError that names both, a ruleset of a game that an agent does not play."""
    games = [game] if isinstance(game, str) else game
    if ruleset.spec.name not in games:
        own = next((rules for one in games for rules in builtin_rulesets(one)), "")
        raise VersionError(
            f"agent {agent!r} plays the game {' and '.join(games)}; ruleset {ruleset.name} is of the game "
            f"{ruleset.spec.name}" + (f"; add --ruleset {own}" if own else "")
        )


def agent_seed(seed: int) -> int:
    """A seed as an int; an AgentError says why it is none."""
    try:
        return given_seed(seed)
    except ValueError as error:
        raise AgentError(str(error)) from None


def check_milliseconds(milliseconds: float | None) -> None:
    """Refuse, with an AgentError, a search time per decision that is out of range; None means no limit."""
    if milliseconds is not None and not 0 < milliseconds <= MAX_MILLISECONDS:
        raise AgentError(f"{milliseconds:g} ms per decision: more than 0, at most {MAX_MILLISECONDS}")


def options_of(batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many actions are legal in each of the rows (n,) that a search is to decide; a GameOverError if its game has ended."""
    options: NDArray[np.int64] = batch.masks[rows].sum(axis=1)
    if not options.all():
        raise GameOverError(f"row {rows[options.argmin()]}: the game is over, nothing to choose")
    return options


@contextmanager
def own_code_of(name: str) -> Iterator[None]:
    """Context in which an agent's own code runs: an agent that fails, or ends the program, is named in one line.

    Raises:
        AgentFailure: what was raised, and where; errors of this package pass.
    """
    try:
        with foreign_code():
            yield
    except Exception as error:
        raised = error.__cause__ if isinstance(error, ForeignExitError) else error
        if isinstance(raised, ChannelTunnelError | AgentError):
            raise
        raise AgentFailure(f"agent {name!r}: {words_of(error)}") from raised


def choose_actions(agent: AnyAgent, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.integer[Any]]:
    """The actions (n,) of either kind of agent in rows (n,) of a batch, all of games that are not over.

    Raises:
        IllegalActionError: an illegal answer; names agent, row and action.
        AgentError: answers of the wrong shape, or not integers.
        AgentFailure: the agent's own code failed.
    """
    chosen: NDArray[np.integer[Any]]
    with own_code_of(agent.name):
        if searches(agent):
            chosen = agent.search(batch, rows)
        elif is_blind(agent):
            chosen = agent(batch.observations[:0], batch.masks[rows])
        else:
            chosen = agent(batch.numbers(rows), batch.masks[rows])
    return _checked(agent, batch, rows, chosen)


def _checked(
    agent: AnyAgent, batch: BatchGame, rows: NDArray[np.integer[Any]], chosen: Any
) -> NDArray[np.integer[Any]]:
    """The answers, if all are legal; -1 is not accepted as "wait"."""
    answers: NDArray[np.integer[Any]] = np.asarray(chosen)
    if answers.shape != rows.shape or answers.dtype.kind not in "iu":
        raise AgentError(
            f"agent {agent.name!r} answered {answers.dtype} of shape {answers.shape}; expected whole "
            f"numbers of shape {rows.shape}"
        )
    try:
        return batch.check(answers, rows)
    except IllegalActionError as error:
        raise type(error)(f"agent {agent.name!r}: {error}") from None


def choose_action(agent: AnyAgent, game: Game) -> int:
    """The action of either kind of agent in a single game, which is not changed."""
    return int(choose_actions(agent, BatchGame.from_games([game]), np.zeros(1, np.intp))[0])
