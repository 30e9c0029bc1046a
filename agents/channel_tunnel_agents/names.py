"""Agents' names: the only place that parses them. Properties such as searching are the agent's.

The grammar, outermost first:

    name    = { "frozen:" } agent { "!" ( "ban" | "force" ) "=" FAMILY }
    agent   = "random" | ARCHETYPE | "ismcts:" BUDGET | "onnx:" FOLDER | policy | MODULE ":" ATTRIBUTE
    policy  = SHIPPED [ "-search" | "-puct" ] [ "@" NUMBER "ms" ]
            | "ppo" [ "-sample" | "-search" | "-puct" ] ":" FOLDER [ "@" NUMBER "ms" ]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.heuristic.weights import ARCHETYPES
from channel_tunnel_env.hints import did_you_mean

RESTRICTION = "!"
Kind = Literal["random", "scripted", "ismcts", "onnx", "policy", "module"]
Way = Literal["", "sample", "search", "puct"]

_POLICY = re.compile(
    r"(?:ppo(?:-(?P<own>sample|search|puct))?:(?P<folder>.+?)|"
    rf"(?P<shipped>{'|'.join(shipped.NAMES)})(?:-(?P<way>search|puct))?)(?:@(?P<ms>[0-9.]+)ms)?"
)


@dataclass(frozen=True)
class AgentName:
    """A parsed name.

    Attributes:
        kind: the kind of agent.
        plain: the name without restrictions.
        core: the plain name without "frozen:".
        restrictions: what follows each "!", such as "ban=finance".
        rest: what follows the first colon of the core, for a search or a module.
        folder: of a policy: a run's folder or that of ONNX files.
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
    def read(cls, name: str) -> AgentName:
        """Read a name.

        Raises:
            AgentError: no agent has this name; the message gives the nearest ones.
        """
        plain, *restrictions = name.split(RESTRICTION)
        core = plain
        while core.startswith(FROZEN):
            core = core.removeprefix(FROZEN)
        found = _read_core(core)
        if found is None:
            raise AgentError(_unknown(core))
        return cls(plain=plain, core=core, restrictions=tuple(restrictions), **found)

    @property
    def is_frozen(self) -> bool:
        """Whether the policy may have been trained for another ruleset."""
        return self.plain != self.core

    @property
    def attribute(self) -> tuple[str, str]:
        """Module and attribute of a "module" agent."""
        module, _, attribute = self.core.partition(":")
        return module, attribute


def _read_core(core: str) -> dict[str, Any] | None:
    """The fields of a name without "frozen:" and restrictions; None if it is not an agent's."""
    head, _, rest = core.partition(":")
    if core == "random":
        return {"kind": "random"}
    if core in ARCHETYPES:
        return {"kind": "scripted"}
    if head == "ismcts":
        return {"kind": "ismcts", "rest": rest}
    if head == "onnx" and rest:
        return {"kind": "onnx", "folder": rest}
    policy = _POLICY.fullmatch(core)
    if policy is not None:
        return {
            "kind": "policy",
            "folder": policy["folder"],
            "shipped": policy["shipped"],
            "way": policy["own"] or policy["way"] or "",
            "milliseconds": policy["ms"],
        }
    if rest and not head.startswith("ppo"):
        return {"kind": "module", "rest": rest}
    return None


def _unknown(name: str) -> str:
    known = ["random", *ARCHETYPES, *shipped.NAMES]
    known += [f"{policy}-{search}" for search in ("search", "puct") for policy in shipped.NAMES]
    known += ["ismcts:1000", "ismcts:50ms", "ppo:FOLDER", "ppo-search:FOLDER", "onnx:FOLDER"]
    known += ["module:attribute"]
    return f"agent {name!r}: known: {', '.join(known)}{did_you_mean(name, known)}"


def policy_place(name: str) -> str | None:
    """The folder or file that an agent's name gives for its policy; None if it gives none."""
    try:
        return AgentName.read(name).folder
    except AgentError:
        return None
