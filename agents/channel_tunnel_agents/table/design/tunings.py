"""Training a policy for a draft: `channel-tunnel adapt` in the background, one at a time.

The policy lies where the command keeps it, by the digest of the rules; nothing of it is kept here. A training that is
stopped, or whose server ends, keeps what it has learnt.
"""

from __future__ import annotations

from typing import Any

from channel_tunnel_agents.balance.players.training import check_libraries, find_apart
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.table.design.jobs import RUNNING, OneAtATime, command_of
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset

CHOICES = (200_000, 600_000, 1_200_000, 4_000_000)  # decisions that the page offers
GRACE = 30.0  # seconds that a training has to end by itself: an update, and the writing of the policy
COMMAND = command_of(GRACE)


class Tunings(OneAtATime):
    """The latest training of a server. Every method may be called from several threads at once."""

    def __init__(self) -> None:
        super().__init__("the training", "no policy is being trained", GRACE)
        self._ruleset: Ruleset | None = None  # that it is about

    def start(self, parent: str, ruleset: Ruleset, file: str, decisions: int) -> None:
        """Train a policy for so many decisions more; while one is trained for these rules, nothing new begins.

        Args:
            parent: whom it starts from: a player that reads the rules.
            file: the overlay file of the rules.

        Raises:
            TableError: no torch, another policy is trained at this moment, or no room on the disk.
        """
        try:
            check_libraries()
        except AgentError as error:
            raise TableError(409, str(error)) from None
        with self.lock:
            if self.job is not None and self.job.state == RUNNING:
                if self._is_about(ruleset):
                    return
                raise TableError(409, "a policy is being trained for other rules; wait for it or stop it first")
            found = find_apart(parent, ruleset)
            whole = decisions + (found.decisions if found is not None else 0)
            rules = f"{ruleset.name}.yaml"
            words = ["adapt", rules, "--agent", parent, "--decisions", str(whole)]
            self.begin(COMMAND, words, {rules: file})
            self._ruleset = ruleset

    def _is_about(self, ruleset: Ruleset) -> bool:
        return self._ruleset is not None and self._ruleset.digest == ruleset.digest

    def look(self, ruleset: Ruleset | None = None) -> dict[str, Any]:
        """The latest training: its rules' name, its state and progress; empty if there was none since the server began.

        Args:
            ruleset: `here` says whether it is about these rules.
        """
        if self.job is None or self._ruleset is None:
            return {}
        about = {"name": self._ruleset.name, "here": ruleset is not None and self._is_about(ruleset)}
        return about | self.job.to_dict()
