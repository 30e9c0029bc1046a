"""Agents in separate processes: one that hangs or dies is ended, and no other agent waits for it.

Each agent has a queue: its questions are asked one after another. Queues share a few processes, so
a hung agent blocks only one of them, until its time is up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.table.errors import TableError, one_line
from channel_tunnel_agents.table.minds.agent_process import ANSWER, MADE, READY, AgentQuestion, Key, pack_game
from channel_tunnel_env import Ruleset
from channel_tunnel_env.core.game import Game

PATIENCE_SECONDS = 20.0  # for a decision, beyond the agent's own budget
MAKING_SECONDS = 100.0  # extra for an agent's first answer of a kind in a process: it loads, and may compile
START_SECONDS = 900.0  # for a process to load the engine, or to compile it if it is not cached
PROCESSES = 3
MOST_LINES = 64
# Torch's threads wait for each other within every product of matrices. On cores that others use too, such a wait lasts
# until the core is free again, and a decision takes a hundred times as long.
ONE_THREAD = {"OMP_NUM_THREADS": "1"}
START = "from channel_tunnel_agents.table.minds.agent_process import main; main()"
LOGGER = logging.getLogger("channel_tunnel_agents.table")


class Hung(Exception):
    """No answer in time."""


class Gone(Exception):
    """The process has ended."""


class AgentProcess:
    """A process that runs `agent_process`, and what it has been sent so far."""

    def __init__(self) -> None:
        ours, theirs = Pipe()
        paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", START, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,  # the server handles Ctrl-C and ends its processes itself
                env={**ONE_THREAD, **os.environ, "PYTHONPATH": paths},
            )
        self._pipe = ours
        self._is_ready = False
        self.made: set[Key] = set()
        self._answered: set[tuple[Key, str]] = set()
        self._rulesets: set[str] = set()

    def ask(self, question: AgentQuestion, patience: float, making: float) -> Any:
        """The answer to a question.

        Args:
            patience: seconds for a decision, beyond the agent's own budget.
            making: extra seconds for its first answer to such a question here: one that was made may compile in its first decision.

        Raises:
            Hung: no answer in time.
            Gone: the process has ended.
            TableError: the agent cannot be made, or fails.
        """
        key, of = question.key, (question.key, question.job)
        seconds = patience + (0 if of in self._answered else making)
        if key.digest in self._rulesets:
            question = question._replace(ruleset=None)
        try:
            if not self._is_ready:
                self._is_ready = self._receive(START_SECONDS) == (READY,)
            self._pipe.send((seconds, question))
            self._rulesets.add(key.digest)
            kind, *rest = self._receive(seconds)
            if kind == MADE:
                kind, *rest = self._receive(seconds + rest[0])
        except (EOFError, OSError):
            raise Gone from None
        if kind != ANSWER:
            raise TableError(*rest)
        self.made.add(key)
        self._answered.add(of)
        return rest[0]

    def _receive(self, seconds: float) -> tuple[Any, ...]:
        if not self._pipe.poll(seconds):
            raise Hung(seconds)
        answer: tuple[Any, ...] = self._pipe.recv()
        return answer

    def end(self) -> None:
        """Kill the process; callers waiting for an answer get `Gone`."""
        self._process.kill()
        self._process.wait()


class AgentPool:
    """The agents of a server, by name and ruleset.

    Args:
        patience: seconds for a decision, beyond an agent's own budget.
        making: extra seconds for an agent's first answer of a kind.
    """

    def __init__(self, patience: float = PATIENCE_SECONDS, making: float = MAKING_SECONDS) -> None:
        self.patience = patience
        self.making = making
        self._lines: OrderedDict[Key, ThreadPoolExecutor] = OrderedDict()
        self._hung_at: dict[Key, float] = {}
        self._places = threading.Semaphore(PROCESSES)
        self._guard = threading.Lock()
        self._idle: list[AgentProcess] = []
        self._all: set[AgentProcess] = set()
        self._closed = False

    async def choose(self, name: str, game: Game) -> int:
        """An agent's legal action in a game.

        Raises:
            TableError: the agent cannot be made, fails, hangs, or answers with an illegal action.
        """
        action = await self.ask(name, game.ruleset, "choose", game)
        if action not in game.legal_ids():
            raise TableError(502, f"the agent {name!r} failed: {action!r} is not a legal action here")
        return int(action)

    async def ask(self, name: str, ruleset: Ruleset, job: str, game: Game | None = None, *more: Any) -> Any:
        """Run a job with an agent that was made for a ruleset.

        Args:
            job: see `agent_process.JOBS`.
            game: used in its current state; it may continue while the agent thinks.

        Raises:
            TableError: the agent cannot be made, fails or hangs, or the server is stopping.
        """
        key, asked = Key(name, ruleset.digest), time.monotonic()
        question = AgentQuestion(key, ruleset, job, None if game is None else pack_game(game), more)

        def work() -> Any:
            if self._hung_at.get(key, -1.0) >= asked:  # while this question waited in its queue
                raise self._hung(key)
            return self._ask(question)

        return await asyncio.get_running_loop().run_in_executor(self._line(key), work)

    def prepare(self, name: str, game: Game) -> None:
        """Make an agent before its first decision, without waiting for it.

        An agent of ours also decides once, so that what it loads or compiles then is there; an
        agent from elsewhere is only made, because it may remember what it is asked. A failure is reported
        where the agent is asked for its move.
        """
        key = Key(name, game.ruleset.digest)
        with self._guard:
            if any(key in process.made for process in self._all):
                return
        job = "make" if AgentName.read(name).kind == "module" else "choose"
        question = AgentQuestion(key, game.ruleset, job, pack_game(game))

        def work() -> None:
            with contextlib.suppress(TableError):
                self._ask(question)

        with contextlib.suppress(TableError):  # the server is stopping
            self._line(key).submit(work)

    def check(self, name: str, ruleset: Ruleset) -> None:
        """Check that an agent can be made, for the rules that it was trained on."""
        key = Key(name if name.startswith(FROZEN) else FROZEN + name, ruleset.digest)
        self._ask(AgentQuestion(key, ruleset, "make"))

    def warm(self) -> None:
        """Start a process in advance for the first question."""
        with self._guard:
            if not self._all and not self._closed:
                self._idle.append(self._start())

    def close(self) -> None:
        """Kill every process; callers waiting for an agent get an error that the server is
        stopping."""
        with self._guard:
            self._closed = True
            ending = [*self._all]
            lines = [*self._lines.values()]
        for process in ending:
            process.end()
        for line in lines:
            line.shutdown(wait=False, cancel_futures=True)

    def _line(self, key: Key) -> ThreadPoolExecutor:
        with self._guard:
            if self._closed:
                raise _stopping()
            if key not in self._lines:
                self._lines[key] = ThreadPoolExecutor(1, "agent")
                if len(self._lines) > MOST_LINES:
                    dropped, line = self._lines.popitem(last=False)
                    self._hung_at.pop(dropped, None)
                    line.shutdown(wait=False)
            self._lines.move_to_end(key)
            return self._lines[key]

    def _ask(self, question: AgentQuestion) -> Any:
        with self._places:
            process = self._take(question.key)
            try:
                answer = process.ask(question, self.patience, self.making)
            except (Hung, Gone) as error:
                self._lose(process)
                raise self._say(question.key, error) from None
            except TableError as error:
                self._give_back(process)
                if error.status >= 500:
                    LOGGER.warning("%s", one_line(error.sentence))
                raise
            except BaseException:
                self._lose(process)
                raise
            self._give_back(process)
            return answer

    def _take(self, key: Key) -> AgentProcess:
        """An idle process, preferably one that has already made the agent; else a new one."""
        with self._guard:
            if self._closed:
                raise _stopping()
            if not self._idle:
                return self._start()
            found = next((p for p in self._idle if key in p.made), self._idle[-1])
            self._idle.remove(found)
            return found

    def _start(self) -> AgentProcess:
        process = AgentProcess()
        self._all.add(process)
        return process

    def _give_back(self, process: AgentProcess) -> None:
        with self._guard:
            self._idle.append(process)

    def _lose(self, process: AgentProcess) -> None:
        with self._guard:
            self._all.discard(process)
        process.end()

    def _say(self, key: Key, error: Hung | Gone) -> TableError:
        """The error for a question without an answer; everybody in the queue gets the same."""
        if self._closed:
            return _stopping()
        if isinstance(error, Hung):
            self._hung_at[key] = time.monotonic()
            told = self._hung(key)
        else:
            told = TableError(502, f"the agent {key.name!r} failed: its process ended")
        LOGGER.warning("%s", one_line(told.sentence))
        return told

    def _hung(self, key: Key) -> TableError:
        return TableError(504, f"the agent {key.name!r} did not answer in time ({self.patience:g} s) and was ended")


def _stopping() -> TableError:
    return TableError(503, "the server is stopping; the game is kept")


def first_decision(game: Game, side: str) -> Game:
    """A position in which a side is to decide, soon after a game's: for an agent to try itself at."""
    ahead = game.clone()
    while not ahead.is_over and ahead.to_play != side:
        ahead.play(ahead.legal_ids()[0])
    return game if ahead.is_over else ahead
