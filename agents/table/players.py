"""Agents off the event loop: made on first use, asked in threads, one question at a time each."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from agents import make_agent
from agents.base import AgentError, choose_action
from agents.table.errors import TableError
from channel_tunnel_env import Game, VersionError

THREADS = 2
MOST_AGENTS = 16  # a search keeps up to 40 MB, a policy 5
T = TypeVar("T")


class Players:
    """The agents of a server, by name and ruleset; the one least recently asked is let go."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, "agent")
        self._agents: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._locks: dict[tuple[str, str], threading.Lock] = {}
        self._guard = threading.Lock()

    async def choose(self, name: str, game: Game) -> int:
        """What an agent does in a game, which is copied first.

        Raises:
            TableError: the agent cannot be made, or fails.
        """
        position = game.clone()
        return await self.ask(name, position, lambda agent: choose_action(agent, position))

    async def ask(self, name: str, game: Game, work: Callable[[Any], T]) -> T:
        """Something done with an agent that fits a game, in a thread.

        Raises:
            TableError: the agent cannot be made, or fails.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, self._work, name, game, work)

    def _work(self, name: str, game: Game, work: Callable[[Any], T]) -> T:
        key = (name, game.ruleset.digest)
        with self._guard:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            try:
                return work(self._agent(key, game))
            except TableError:
                raise
            except (AgentError, VersionError) as error:
                raise TableError(409, str(error)) from None
            except Exception as error:
                raise TableError(500, f"agent {name!r} failed: {error}") from error

    def _agent(self, key: tuple[str, str], game: Game) -> Any:
        with self._guard:
            if key in self._agents:
                self._agents.move_to_end(key)
                return self._agents[key]
        agent = make_agent(key[0], game.ruleset)
        with self._guard:
            self._agents[key] = agent
            if len(self._agents) > MOST_AGENTS:
                dropped, _ = self._agents.popitem(last=False)
                if not self._locks[dropped].locked():
                    del self._locks[dropped]
        return agent

    def close(self) -> None:
        """Stop the threads."""
        self._pool.shutdown(wait=False, cancel_futures=True)
