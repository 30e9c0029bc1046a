"""The process of an agent that is a module's: `python -P -m channel_tunnel_agents.players.module_process MODULE:ATTRIBUTE`.

It gets what every agent in a process gets (`players.process_agent`), and nothing of the process that plays the games. What the
module prints goes to standard error.
"""

from __future__ import annotations

import base64
import json
import os
import sys
from typing import Any

import numpy as np

from channel_tunnel_agents.base import AgentError, AnyAgent, is_blind, own_code_of, searches
from channel_tunnel_agents.players.own_agents import make_module_agent
from channel_tunnel_agents.players.sources import sources_digest
from channel_tunnel_env import ChannelTunnelError, load_ruleset

ADAPT = "adapt"


class Guest:
    """The agent `MODULE:ATTRIBUTE`, made anew for every hello."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.agent: Any = None
        self.width = 0

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message; an AgentError if there is no such agent, it needs the game itself, or its code fails."""
        with own_code_of(self.name):
            if asked["type"] == "hello":
                return self._begin(asked)
            if asked["type"] == ADAPT:
                adapt = getattr(self.agent, ADAPT, None)
                can = adapt is not None and (not asked["minutes"] or adapt(asked["minutes"]) is not False)
                return {"type": "adapted" if can else "cannot"}
            masks = np.array([[digit == "1" for digit in row["mask"]] for row in asked["rows"]])
            actions = np.asarray(self.agent(self._seen(asked["rows"]), masks))
            return {"type": "actions", "id": asked["id"], "actions": actions.tolist()}

    def _begin(self, asked: dict[str, Any]) -> dict[str, Any]:
        ruleset, self.width = load_ruleset(asked["ruleset"]), asked["observation_size"]
        agent: AnyAgent = make_module_agent(self.name, ruleset, asked["seed"])
        if searches(agent):
            raise AgentError(
                "it searches, which needs the game itself; a module in a process of its own gets only observations"
            )
        self.agent = agent
        return {
            "type": "ready",
            "name": self.name,
            "observations": "none" if is_blind(agent) else "base64",
            "repeats": bool(getattr(agent, "repeats", False)),
            "files": sources_digest(self.name, getattr(agent, "func", agent)),
        }

    def _seen(self, rows: list[dict[str, Any]]) -> Any:
        if is_blind(self.agent):
            return np.empty((0, self.width), np.float32)
        return np.array([np.frombuffer(base64.b64decode(row["observation"]), "<f4") for row in rows], np.float32)


def main() -> None:
    """Answer until the questions end; the module finds neither the questions nor the answers where it looks for them."""
    guest = Guest(sys.argv[1])
    questions, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    for line in questions:
        try:
            answer = json.dumps(guest.answer(json.loads(line)))
        except (AgentError, ChannelTunnelError, TypeError) as error:
            message = str(error).removeprefix(f"agent {guest.name!r}: ")
            answer = json.dumps({"type": "error", "message": message})
        print(answer, file=answers, flush=True)


if __name__ == "__main__":
    main()
