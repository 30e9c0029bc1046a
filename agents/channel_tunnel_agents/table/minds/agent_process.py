"""The other end of `players`: a process that makes agents and answers one question at a time.

It sends (READY,) on the pipe whose descriptor is its only argument. Then it reads each (seconds, `AgentQuestion`), after
so many seconds it may end itself, and sends (MADE, the agent's own budget in seconds), then (ANSWER, value) or (ERROR, status,
sentence). It exits when the pipe closes, even while an agent hangs: a thread watches the pipe, and
a C library timer works without the interpreter.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np

from channel_tunnel_agents.base import AgentError, AgentFailure, choose_action
from channel_tunnel_agents.players.policy.card import policy_folder, policy_paths
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_agents.table.errors import one_line
from channel_tunnel_agents.table.minds.analysis import judge_position, search_position
from channel_tunnel_agents.table.minds.reviewed import REVIEWED, ReviewedGame, Stretch
from channel_tunnel_env import BatchGame, Game, Ruleset, VersionError
from channel_tunnel_env.core.game import Game as AnyGame

READY, MADE, ANSWER, ERROR = "ready", "made", "answer", "error"
MOST_AGENTS = 16  # a search keeps up to 40 MB, a policy 5
GRACE_SECONDS = 10.0  # after the limit, for the server to kill this process itself
MOST_WORDS = 300  # characters of an agent's error message


Files = tuple[tuple[int, int], ...]
"""The state of an agent's files: (time of change in ns, bytes) of each."""


class Key(NamedTuple):
    """Identifies an agent: its name and the digest of the ruleset it was made for."""

    name: str
    digest: str


class AgentQuestion(NamedTuple):
    """A question to an agent that was made for a ruleset.

    Attributes:
        ruleset: None if the process already has it.
        job: a key of `JOBS`.
        states: record of the game in question, see `pack_game`; None if the job needs none.
        more: further arguments of the job.
    """

    key: Key
    ruleset: Ruleset | None
    job: str
    states: bytes | None = None
    more: tuple[Any, ...] = ()


def _weigh(agent: Any, game: Any, actions: tuple[int, ...], seat: str) -> Any:
    try:
        return _reviewed(game.ruleset).weigh(agent, Stretch(game, actions, seat))
    except ImportError as error:  # its intervals need libraries that playing does not
        raise AgentError(f"a review needs more: pip install 'channel-tunnel-env[report]' ({error})") from None


def _suspect(agent: Any, game: Any, seat: str, stretches: list[Any]) -> list[float]:
    """`stretches`: (states, actions) of each; `game` is any of theirs."""
    rules = game.ruleset
    found = [Stretch(unpack_game(states, rules), actions, seat) for states, actions in stretches]
    return [float(loss) for loss in _reviewed(rules).suspect(agent, found)]


def _reviewed(ruleset: Ruleset) -> ReviewedGame:
    reviewed = REVIEWED.get(ruleset.spec.name)
    if reviewed is None:
        raise AgentError(f"moves of the game {ruleset.spec.name} are not reviewed")
    return reviewed


def _estimate(agent: Any, game: None, observations: Any, masks: Any) -> list[float]:
    return [float(value) for value in agent.think(observations, masks)[1]]


JOBS: dict[str, Callable[..., Any]] = {
    "make": lambda agent, game: None,  # that was the job
    "choose": choose_action,
    "judge": judge_position,
    "search": search_position,
    "weigh": _weigh,
    "suspect": _suspect,
    "estimate": _estimate,
}


class Answerer:
    """The agents of this process; the least recently used one is dropped.

    A policy whose files have changed since is read again: a copy that was tuned for longer, or a run in training.
    """

    def __init__(self, pipe: Connection) -> None:
        self.pipe = pipe
        self.agents: OrderedDict[Key, tuple[Any, Files]] = OrderedDict()
        self.rulesets: dict[str, Ruleset] = {}
        self.nowhere = Path(os.devnull).open("w")  # noqa: SIM115  open as long as the process

    def answer(self, seconds: float, asked: AgentQuestion) -> None:
        """Answer one question; any failure of the agent becomes an error with a sentence."""
        faulthandler.dump_traceback_later(seconds + GRACE_SECONDS, exit=True, file=self.nowhere)
        try:
            agent = self._agent(asked)
            self.pipe.send((MADE, budget_seconds(agent)))
            game = self._game(asked)
            self.pipe.send((ANSWER, JOBS[asked.job](agent, game, *asked.more)))
        except AgentFailure as failure:
            self._fail_of(asked, failure.__cause__ or failure)
        except (AgentError, VersionError) as error:
            self._fail(409, str(error))
        except BaseException as error:  # SystemExit too: an agent may do anything
            self._fail_of(asked, error)
        finally:
            faulthandler.cancel_dump_traceback_later()

    def _fail_of(self, asked: AgentQuestion, error: BaseException) -> None:
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        self._fail(502, f"the agent {asked.key.name!r} failed: {what}")

    def _fail(self, status: int, sentence: str) -> None:
        self.pipe.send((ERROR, status, one_line(sentence, MOST_WORDS)))

    def _agent(self, asked: AgentQuestion) -> Any:
        if asked.ruleset is not None:
            self.rulesets[asked.key.digest] = asked.ruleset
        agent, files = self.agents.get(asked.key, (None, ()))
        if agent is None or _files_of(agent) not in ((), files):
            agent = make_agent(asked.key.name, self.rulesets[asked.key.digest])
            self.agents[asked.key] = agent, _files_of(agent)
            if len(self.agents) > MOST_AGENTS:
                self.agents.popitem(last=False)
        self.agents.move_to_end(asked.key)
        return agent

    def _game(self, asked: AgentQuestion) -> Game | None:
        if asked.states is None:
            return None
        return unpack_game(asked.states, self.rulesets[asked.key.digest])


def _files_of(agent: Any) -> Files:
    """The state of the files that a policy was read from; empty for an agent without, or if they are gone."""
    folder = policy_folder(agent)
    if folder is None:
        return ()
    try:
        found = [file.stat() for file in policy_paths(folder).values()]
    except (OSError, VersionError):
        return ()
    return tuple((each.st_mtime_ns, each.st_size) for each in found)


def pack_game(game: AnyGame) -> bytes:
    """A game's state record, without its list of decisions."""
    return game.states.tobytes()


def unpack_game(states: bytes, ruleset: Ruleset) -> Game:
    """The game of a record that `pack_game` wrote."""
    record = np.frombuffer(bytearray(states), ruleset.spec.record.dtype)
    return Game.from_states(record, ruleset)


def budget_seconds(agent: Any) -> float:
    """An agent's own time limit per decision; 0 if it has none."""
    milliseconds = getattr(agent, "milliseconds", None)
    if milliseconds is None:
        milliseconds = getattr(getattr(agent, "settings", None), "milliseconds", None)
    return float(milliseconds) / 1000 if isinstance(milliseconds, int | float) else 0.0


def _read(pipe: Connection, asked: SimpleQueue[tuple[float, AgentQuestion]]) -> None:
    """Pass questions on; when the pipe closes the process exits, even if an agent is busy."""
    try:
        while True:
            asked.put(pipe.recv())
    except (EOFError, OSError):
        os._exit(0)


def main() -> None:
    """Answer questions until the pipe closes."""
    pipe = Connection(int(sys.argv[1]))
    asked: SimpleQueue[tuple[float, AgentQuestion]] = SimpleQueue()
    threading.Thread(target=_read, args=(pipe, asked), daemon=True).start()
    BatchGame.from_games([Game("tiny", 1)])  # loads, or compiles, what every question needs
    answerer = Answerer(pipe)
    pipe.send((READY,))
    try:
        while True:
            answerer.answer(*asked.get())
    except OSError:  # the server has gone
        os._exit(0)
