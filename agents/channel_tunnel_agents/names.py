"""Agents' names: the only place that parses them. Properties such as searching are the agent's.

The grammar, outermost first:

    name    = { "frozen:" } agent { "!" ( "ban" | "force" ) "=" FAMILY }
    agent   = "random" | SCRIPTED | "ismcts:" BUDGET | policy | "process:" COMMAND
            | MODULE ":" ATTRIBUTE
    policy  = SHIPPED [ "-search" | "-puct" ] [ "@" NUMBER "ms" ]
            | ( "ppo" | "tuned" ) [ "-sample" | "-search" | "-puct" ] ":" FOLDER [ "@" NUMBER "ms" ]

The folder of a policy trained for one ruleset is in `runs/tuned`, or where the environment says (`TUNED_HOME`). A name belongs to one game, to several that have a player of this name, or to all of them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.games import AGENT_SPECS
from channel_tunnel_agents.games.spec import RANDOM
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.scripted import PLAYERS, TREES, games_of
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.hints import or_known

RESTRICTION = "!"
TUNED = "tuned"  # before the name of a policy that was trained for one ruleset ...
TUNED_HOME = "CHANNEL_TUNNEL_TUNED"  # environment variable: the folder of these policies ...
TUNED_RUNS = Path(os.environ.get(TUNED_HOME) or Path("runs") / TUNED)  # ... which is usually this
GONE = "onnx"  # before a folder that the export wrote, which is for other programs
Kind = Literal["random", "scripted", "ismcts", "policy", "process", "module"]
Way = Literal["", "sample", "search", "puct"]


@dataclass(frozen=True)
class AgentName:
    """A parsed name.

    Attributes:
        kind: the kind of agent.
        plain: the name without restrictions.
        core: the plain name without "frozen:".
        restrictions: what follows each "!", such as "ban=finance".
        rest: what follows the first colon of the core, for a search, a process or a module.
        folder: of a policy: a run's folder or one side's file.
        shipped: name of a policy that comes with the package.
        way: how a policy plays: its most likely action, sampled, or with a search.
        milliseconds: time budget of a search, as written.
    """

    kind: Kind
    plain: str
    core: str
    restrictions: tuple[str, ...] = ()
    rest: str = ""
    folder: str | None = None
    shipped: str | None = None
    way: Way = ""
    milliseconds: str | None = None

    @classmethod
    def read(cls, name: str, game: str | None = None) -> AgentName:
        """Read a name.

        Args:
            name: the name.
            game: the one to be played, whose agents an error's message then gives; None: those of all.

        Raises:
            AgentError: no agent has this name; the message gives the nearest ones.
        """
        plain, *restrictions = name.split(RESTRICTION)
        core = plain
        while core.startswith(FROZEN):
            core = core.removeprefix(FROZEN)
        found = _read_core(core)
        if found is None:
            raise AgentError(_unknown(core, game))
        return cls(plain=plain, core=core, restrictions=tuple(restrictions), **found)

    @property
    def games(self) -> tuple[str, ...]:
        """The games that have an agent of this name; empty: all, or that of its policy's card."""
        if self.kind in ("random", "ismcts", "process", "module") or self.folder is not None:
            return ()
        if self.shipped is not None:
            return tuple(shipped.games_of(self.shipped))
        return games_of(self.core) or (DEFAULT_GAME,)

    @property
    def game(self) -> str | None:
        """The game that the agent plays; None: several, or that of its policy's card."""
        return self.games[0] if len(self.games) == 1 else None

    @property
    def is_frozen(self) -> bool:
        """Whether the policy may have been trained for another ruleset."""
        return self.plain != self.core

    @property
    def is_tuned(self) -> bool:
        """Whether it is a policy that was trained for one ruleset."""
        return is_tuned(self.core)

    @property
    def attribute(self) -> tuple[str, str]:
        """Module and attribute of a "module" agent."""
        module, _, attribute = self.core.partition(":")
        return module, attribute


def is_tuned(name: str) -> bool:
    """Whether a name is that of a policy that was trained for one ruleset."""
    return name.partition(":")[0].partition("-")[0] == TUNED and ":" in name


def _read_core(core: str) -> dict[str, Any] | None:
    """The fields of a name without "frozen:" and restrictions; None if it is not an agent's."""
    head, _, rest = core.partition(":")
    if core == RANDOM:
        return {"kind": "random"}
    if games_of(core):
        return {"kind": "scripted"}
    if head == "ismcts":
        return {"kind": "ismcts", "rest": rest}
    if head == "process" and rest:
        return {"kind": "process", "rest": rest}
    trained = tuple(sorted({name for names in shipped.OF_GAME.values() for name in names}))
    policy = _policy_pattern(trained).fullmatch(core)
    if policy is not None:
        return {
            "kind": "policy",
            "folder": str(TUNED_RUNS / policy["folder"]) if policy["home"] == TUNED else policy["folder"],
            "shipped": policy["shipped"],
            "way": policy["own"] or policy["way"] or "",
            "milliseconds": policy["ms"],
        }
    if rest and head != GONE and not head.startswith(("ppo", TUNED)):
        return {"kind": "module", "rest": rest}
    return None


@cache
def _policy_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """What a policy's name looks like, given those of the trained agents."""
    return re.compile(
        rf"(?:(?P<home>ppo|{TUNED})(?:-(?P<own>sample|search|puct))?:(?P<folder>.+?)|"
        rf"(?P<shipped>{'|'.join(map(re.escape, names))})(?:-(?P<way>search|puct))?)(?:@(?P<ms>[0-9.]+)ms)?"
    )


def _unknown(name: str, game: str | None) -> str:
    if name.startswith(f"{GONE}:"):
        return (
            f"agent {name!r}: {GONE}:FOLDER is gone: ppo:FOLDER plays the saved policy itself, without torch if its "
            "network has the size of a shipped one"
        )
    known = [RANDOM]
    for one, players in PLAYERS.items():
        known += [name for name in players.NAMES if game in (None, one) and name not in known]
    trained = {name for one, names in shipped.OF_GAME.items() if game in (None, one) for name in names}
    known += sorted(trained)
    for one, spec in AGENT_SPECS.items():
        if one in TREES and game in (None, one):
            known += [f"{policy}-{way}" for way in ("search", "puct") for policy in spec.shipped]
            known.append("ppo-search:FOLDER")
    known += ["ppo:FOLDER", f"{TUNED}:COPY", "ismcts:1000", "ismcts:50ms", "process:COMMAND", "module:attribute"]
    return f"agent {name!r}: no such agent{or_known(name, known)}"


def policy_place(name: str) -> str | None:
    """Where the policy of an agent lies, if the name says so.

    Args:
        name: an agent's, such as "ppo:runs/demo".

    Returns:
        The folder or file; None if the name gives none.
    """
    try:
        return AgentName.read(name).folder
    except AgentError:
        return None
