"""What a page may request by name: rulesets, agents and record files. Nothing else is opened or
run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.heuristic import ARCHETYPES
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_env import Ruleset
from channel_tunnel_env.board.rulebook import goal, side_words
from channel_tunnel_env.documents import read_json
from channel_tunnel_env.engine.constants import SEATS
from channel_tunnel_env.ruleset import builtin_rulesets, load_1987_ruleset

PERSON = "person"
AGENTS = (
    *("random", *ARCHETYPES, "ismcts:1000"),
    *shipped.NAMES,
    f"{shipped.NAMES[-1]}-puct@300ms",
)
NAMES_SHOWN = 8


class Level(NamedTuple):
    """A rival by strength, for somebody who knows no agent's name."""

    name: str
    agent: str
    words: str


LEVELS = (
    Level("Beginner", "random", "Takes any move that is allowed. For your very first game."),
    Level(
        "Learner",
        shipped.NAMES[0],
        "Has learned a little, and beats the beginner most of the time.",
    ),
    Level(
        "Player",
        "heuristic",
        "Follows sound rules of thumb. Digs, keeps its course and takes cards.",
    ),
    Level(
        "Club player",
        shipped.NAMES[1],
        "Learned by playing against itself. Beats the player often.",
    ),
    Level("Master", shipped.NAMES[2], "Learned the same way for much longer. Hard to beat."),
    Level(
        "Expert", AGENTS[-1], "The master, and it looks ahead before each move. The strongest here."
    ),
)
"""Rivals from the weakest to the strongest, by the Elo of docs/results.md."""


@dataclass(frozen=True)
class Offers:
    """The rulesets, agents and record files of this server."""

    rulesets: dict[str, Ruleset]
    agents: tuple[str, ...] = AGENTS
    records: dict[str, Path] = field(default_factory=dict)

    @classmethod
    def of(
        cls, rulesets: Iterable[str] = (), agents: Sequence[str] = (), records: Iterable[Path] = ()
    ) -> Offers:
        """The built-in ones and those of the command line; `Players.check` tries to make agents.

        Raises:
            RulesetError: an invalid ruleset file.
            OSError: no such record file.
        """
        found = [load_1987_ruleset(name) for name in (*builtin_rulesets(), *rulesets)]
        named = {ruleset.name: ruleset for ruleset in found}
        files = {path.name: path for path in records}
        for path in files.values():
            path.open("rb").close()
        return cls(named, tuple(dict.fromkeys((*AGENTS, *agents))), files)

    def ruleset(self, name: str, agenda: bool | None = None) -> Ruleset:
        """An offered ruleset, with or without the Agenda (None: as the ruleset says).

        Raises:
            TableError: not offered.
        """
        if name not in self.rulesets:
            raise TableError(
                400,
                f"ruleset {_short(name)} is not offered here; there are {_listed(self.rulesets)}. A file "
                "is named on the command line: channel-tunnel table --ruleset FILE",
            )
        ruleset = self.rulesets[name]
        if agenda is None or agenda == ruleset.data.agenda.enabled:
            return ruleset
        changed = ruleset.with_values(
            {"agenda.enabled": agenda}, f"{name}-{'with' if agenda else 'without'}-agenda"
        )
        same = (r for r in self.rulesets.values() if r.digest == changed.digest)
        return next(same, changed)

    def agent(self, name: str, ruleset: Ruleset) -> str:
        """An offered agent's name for `make_agent`; `frozen:` if it was trained for other rules.

        Raises:
            TableError: not offered.
        """
        if name.removeprefix(FROZEN) not in self.agents and name not in self.agents:
            raise TableError(
                400,
                f"agent {_short(name)} is not offered here; there are {_listed(self.agents)}. Others "
                "are named on the command line: channel-tunnel table --agent NAME",
            )
        name = name.removeprefix(FROZEN)
        return name if fits(name, ruleset) else FROZEN + name

    def confine(self, entry: Any) -> Ruleset | None:
        """The ruleset that an uploaded file names; None if the file contains all of it.

        Raises:
            TableError: it names a file of this machine.
        """
        if isinstance(entry, dict):
            base = entry.get("base", "standard")
            if base not in builtin_rulesets():
                raise TableError(
                    400, f"ruleset base {_short(base)}: only built-in names may be used"
                )
            return None
        return self.ruleset(entry if isinstance(entry, str) else repr(entry))

    def record_file(self, name: str) -> Path:
        """A record file of the command line.

        Raises:
            TableError: not on the command line.
        """
        if name not in self.records:
            known = _listed(self.records) if self.records else "none; name one with --records"
            raise TableError(404, f"record file {_short(name)} is not offered; there are {known}")
        return self.records[name]

    def to_dict(self) -> dict[str, Any]:
        """The offers, for the page's dialogs."""
        return {
            "rulesets": [
                {
                    "name": name,
                    "title": ruleset.data.title,
                    "agenda": ruleset.data.agenda.enabled,
                    "goal": goal(ruleset),
                    "sides": {side: side_words(ruleset, side) for side in SEATS},
                    "frozen": [a for a in self.agents if not fits(a, ruleset)],
                }
                for name, ruleset in self.rulesets.items()
            ],
            "agents": list(self.agents),
            "levels": [level._asdict() for level in LEVELS if level.agent in self.agents],
            "judges": self.judges,
            "records": list(self.records),
        }

    @property
    def judges(self) -> list[str]:
        """Agents whose policy can be used for analysis, the strongest first."""
        runs = [a for a in self.agents if _is_run(a)]
        return [*runs, *reversed(shipped.NAMES)]


def policy_name(agent: str) -> str | None:
    """The shipped policy behind an agent's name, if there is one."""
    try:
        return AgentName.read(agent).shipped
    except AgentError:
        return None


def _is_run(agent: str) -> bool:
    """Whether an agent is a trained run's policy without search."""
    name = AgentName.read(agent)
    return name.kind == "policy" and name.folder is not None and name.way in ("", "sample")


def fits(agent: str, ruleset: Ruleset) -> bool:
    """Whether an agent was made for a ruleset; only for the shipped policies is this known in
    advance."""
    name = policy_name(agent)
    if name is None:
        return True
    card = read_json(shipped.FOLDER / name / shipped.CARD)
    return ruleset.has_digest(card["ruleset_digest"])


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:NAMES_SHOWN]) + (", ..." if len(found) > NAMES_SHOWN else "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
