"""What an agent is, and how either kind is asked.

A plain agent maps what the seats to move see to actions: `agent(observations float32 (n, D), masks
bool (n, A)) -> int64 (n,)`, the same as an environment's opponent. A searching agent needs a game
to look ahead in: `agent.search(batch, rows)`. Both decide for the seat to move, so one agent can play
both seats.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from typing_extensions import TypeIs

from channel_tunnel_env import BatchGame, Game
from channel_tunnel_env.errors import GameOverError, IllegalActionError

MAX_MILLISECONDS = 60_000  # a search may take for a decision


class AgentError(ValueError):
    """An agent that is not known, cannot be loaded, or was given a wrong setting."""


class Agent(Protocol):
    """A decision maker."""

    name: str

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.bool_]
    ) -> NDArray[np.integer[Any]]:
        """One legal action for every row."""
        ...


class SearchAgent(Protocol):
    """A decision maker that looks ahead.

    It is handed true records, hidden cards included. It must deal anew what the seat to move cannot
    know (`engine.determinize`) before it looks at anything, and must leave the batch as it is.
    """

    name: str

    def search(self, batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A legal action for each of the given rows (n,), none of them over: int64 (n,)."""
        ...


AnyAgent = Agent | SearchAgent


def searches(agent: AnyAgent) -> TypeIs[SearchAgent]:
    """Whether an agent needs a game to look ahead in. As quick as it can be told: it is asked at every step."""
    return hasattr(agent, "search")


def is_blind(agent: AnyAgent) -> bool:
    """Whether an agent looks at the mask alone: it may say so by `blind = True` and is given no observations."""
    return bool(getattr(agent, "blind", False))


def check_milliseconds(milliseconds: float | None) -> None:
    """Refuse a search's time for a decision that is out of range; None is no limit.

    Raises:
        AgentError: says what is allowed.
    """
    if milliseconds is not None and not 0 < milliseconds <= MAX_MILLISECONDS:
        raise AgentError(f"{milliseconds:g} ms a decision: more than 0, at most {MAX_MILLISECONDS}")


def options_of(batch: BatchGame, rows: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many actions are legal in each of the rows (n,) that a search is to decide.

    Raises:
        GameOverError: the game of a row has ended.
    """
    options: NDArray[np.int64] = batch.masks[rows].sum(axis=1)
    if not options.all():
        raise GameOverError(f"row {rows[options.argmin()]}: the game is over, nothing to choose")
    return options


def choose_actions(
    agent: AnyAgent, batch: BatchGame, rows: NDArray[np.integer[Any]]
) -> NDArray[np.integer[Any]]:
    """What either kind of agent does in the given rows of a batch, none of them over: (n,).

    Raises:
        IllegalActionError: an answer that is not legal; names agent, row and action.
        AgentError: answers of another shape, or not whole numbers.
    """
    chosen: NDArray[np.integer[Any]]
    if searches(agent):
        chosen = agent.search(batch, rows)
    elif is_blind(agent):
        chosen = agent(batch.observations[:0], batch.masks[rows])
    else:
        chosen = agent(batch.observations[rows], batch.masks[rows])
    return _checked(agent, batch, rows, chosen)


def _checked(
    agent: AnyAgent, batch: BatchGame, rows: NDArray[np.integer[Any]], chosen: Any
) -> NDArray[np.integer[Any]]:
    """The answers, if all are legal: an agent's -1 is no "wait"."""
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
    """What either kind of agent does in a single game, which it leaves as it is."""
    return int(choose_actions(agent, BatchGame.from_games([game]), np.zeros(1, np.intp))[0])
