"""What a page may request by name: rulesets, agents and record files. Nothing else is opened or
run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.levels import AGENTS, LEVELS
from channel_tunnel_env import Ruleset
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.faces.table import TableFace
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.rulesets.ruleset import builtin_file, builtin_rulesets, load_ruleset

PERSON = "person"
NAMES_SHOWN = 8


@dataclass(frozen=True)
class Offers:
    """The rulesets, agents and record files of this server."""

    rulesets: dict[str, Ruleset]
    agents: tuple[str, ...] = AGENTS[DEFAULT_GAME]
    records: dict[str, Path] = field(default_factory=dict)
    first: str = "standard"
    """The ruleset that the page proposes."""

    @classmethod
    def of(
        cls, rulesets: Iterable[str] = (), agents: Sequence[str] = (), records: Iterable[Path] = ()
    ) -> Offers:
        """The built-in ones and those of the command line; `Players.check` tries to make agents.

        Raises:
            RulesetError: an invalid ruleset file.
            OSError: no such record file.
        """
        wished = [load_ruleset(name) for name in rulesets]
        found = [*map(load_ruleset, builtin_rulesets()), *wished]
        named = {ruleset.name: ruleset for ruleset in found}
        files = {path.name: path for path in records}
        for path in files.values():
            path.open("rb").close()
        usual = [name for ruleset in found for name in AGENTS[ruleset.spec.name]]
        first = wished[0].name if wished else cls.first
        return cls(named, tuple(dict.fromkeys((*usual, *agents))), files, first)

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
        if agenda is None or agenda == _with_agenda(ruleset):
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
        if not plays(name, ruleset.spec.name):
            raise TableError(
                400,
                f"agent {_short(name)} does not play {ruleset.data.title}; there are "
                f"{_listed(self.agents_of(ruleset))}",
            )
        return name if fits(name, ruleset) else FROZEN + name

    def agents_of(self, ruleset: Ruleset) -> list[str]:
        """The offered agents that play a ruleset's game."""
        return [name for name in self.agents if plays(name, ruleset.spec.name)]

    def confine(self, entry: Any) -> Ruleset | None:
        """The ruleset that an uploaded file names; None if the file contains all of it.

        Raises:
            TableError: it names a file of this machine.
        """
        if isinstance(entry, dict):
            base = entry.get("base", "standard")
            if not isinstance(base, str) or builtin_file(base) is None:
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
            "rulesets": [self._ruleset_to_dict(ruleset) for ruleset in self.rulesets.values()],
            "first": self.first,
            "agents": list(self.agents),
            "levels": self.levels_of(*dict.fromkeys(r.spec.name for r in self.rulesets.values())),
            "judges": self.judges,
            "records": list(self.records),
        }

    def _ruleset_to_dict(self, ruleset: Ruleset) -> dict[str, Any]:
        face: TableFace = table_of(ruleset.spec)
        agents = self.agents_of(ruleset)
        return {
            "name": ruleset.name,
            "title": ruleset.data.title,
            "game": ruleset.spec.name,
            "extras": sorted(face.EXTRAS),
            "agenda": _with_agenda(ruleset),
            "goal": face.goal(ruleset),
            "sides": {
                seat: {"title": face.seat_title(seat), "words": face.seat_words(ruleset, seat)}
                for seat in ruleset.spec.seats.names(ruleset)
            },
            "agents": agents,
            "levels": self.levels_of(ruleset.spec.name),
            "frozen": [agent for agent in agents if not fits(agent, ruleset)],
        }

    def levels_of(self, *games: str) -> list[dict[str, Any]]:
        """The levels of some games whose agents are offered."""
        found = [level for game in games for level in LEVELS[game]]
        return [level._asdict() for level in found if level.agent in self.agents]

    @property
    def judges(self) -> list[str]:
        """Agents whose policy can be used for analysis, the strongest first."""
        runs = [a for a in self.agents if _is_run(a)]
        return [*runs, *reversed(shipped.NAMES), *shipped.READERS.values()]


def _with_agenda(ruleset: Ruleset) -> bool | None:
    """Whether the Agenda expansion is played; None in a game that has none."""
    agenda = getattr(ruleset.data, "agenda", None)
    return None if agenda is None else bool(agenda.enabled)


def plays(agent: str, game: str) -> bool:
    """Whether a game has an agent of this name, as far as names tell."""
    games = AgentName.read(agent).games
    return not games or game in games


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
    return shipped.fits(name, ruleset)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:NAMES_SHOWN]) + (", ..." if len(found) > NAMES_SHOWN else "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
