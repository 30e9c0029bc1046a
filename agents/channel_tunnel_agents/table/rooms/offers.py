"""What a page may request by name: rulesets, agents and record files. Nothing else is opened or
run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from channel_tunnel_agents.balance.players.training import find_trained
from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.games import PerGame, agents_of
from channel_tunnel_agents.games.spec import RANDOM, Level
from channel_tunnel_agents.names import AgentName, is_tuned
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.scripted import names_in
from channel_tunnel_agents.table.errors import TableError
from channel_tunnel_agents.table.minds.reviewed import REVIEWED
from channel_tunnel_agents.table.rooms.people import seat_name
from channel_tunnel_env import Ruleset
from channel_tunnel_env.errors import PluginError
from channel_tunnel_env.faces.registry import table_of
from channel_tunnel_env.faces.table import ANALYSIS, TableFace
from channel_tunnel_env.games import BUILT_IN, DEFAULT_GAME, find_game, game_names, plugin_cache, plugin_problems
from channel_tunnel_env.outside.files import open_file
from channel_tunnel_env.outside.foreign import foreign_code, words_of
from channel_tunnel_env.rulesets.ruleset import builtin_file, builtin_rulesets, load_ruleset

REVIEW = "review"
PLAYERS = "players"  # the figure of rulesets that says how many play
NAMES_SHOWN = 8
LEVELS: Mapping[str, tuple[Level, ...]] = PerGame(lambda spec: spec.levels)
"""Game -> rivals from the weakest to the strongest."""


def agents_in(game: str) -> tuple[str, ...]:
    """The names of a game's agents, on offer without being named on the command line."""
    spec = agents_of(game)
    return (RANDOM, *names_in(game), *spec.searchers[:1], *spec.shipped, *spec.searchers[1:])


@dataclass(frozen=True)
class Offers:
    """The rulesets, agents and record files of this server."""

    rulesets: dict[str, Ruleset]
    agents: tuple[str, ...] = agents_in(DEFAULT_GAME)
    records: dict[str, Path] = field(default_factory=dict)
    first: str = "standard"
    """The ruleset that the page proposes."""

    @classmethod
    def of(cls, rulesets: Iterable[str] = (), agents: Sequence[str] = (), records: Iterable[Path] = ()) -> Offers:
        """The built-in ones and those of the command line; `Players.check` tries to make agents.

        Raises:
            RulesetError: an invalid ruleset file.
            DocumentError, OSError: no such record file.
        """
        wished = [load_ruleset(name) for name in rulesets]
        found = [rules for game in games_on_offer() for rules in _rulesets_of(game)] + wished
        named = {ruleset.name: ruleset for ruleset in found}
        files = {path.name: path for path in records}
        for path in files.values():
            open_file(path).close()
        usual = [name for ruleset in found for name in agents_in(ruleset.spec.name)]
        first = wished[0].name if wished else cls.first
        return cls(named, tuple(dict.fromkeys((*usual, *agents))), files, first)

    def ruleset(self, name: str, agenda: bool | None = None, players: int | None = None) -> Ruleset:
        """An offered ruleset, with or without the Agenda, for a number of players (None: as the ruleset says)."""
        if name not in self.rulesets:
            raise TableError(
                400,
                f"ruleset {_short(name)} is not offered here; there are {_listed(self.rulesets)}. A file "
                "is named on the command line: channel-tunnel table --ruleset FILE",
            )
        ruleset = self.rulesets[name]
        if players is not None and players != getattr(ruleset.data, PLAYERS, None):
            if players not in numbers_of_players(ruleset):
                allowed = ", ".join(map(str, numbers_of_players(ruleset))) or "as the ruleset says"
                raise TableError(400, f"players: {players}: allowed: {allowed}")
            ruleset = _for_players(ruleset, players)
        if agenda is None or agenda == _with_agenda(ruleset):
            return ruleset
        changed = ruleset.with_values({"agenda.enabled": agenda}, f"{name}-{'with' if agenda else 'without'}-agenda")
        same = (r for r in self.rulesets.values() if r.digest == changed.digest)
        return next(same, changed)

    def agent(self, name: str, ruleset: Ruleset) -> str:
        """An offered agent's name for `make_agent`; `frozen:` if it was trained for other rules."""
        if not self.has(name, ruleset):
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

    def has(self, name: str, ruleset: Ruleset) -> bool:
        """Whether an agent is offered for a ruleset; of one that reads the rules, what was trained from it is, too."""
        if name.removeprefix(FROZEN) in self.agents or name in self.agents:
            return True
        reader = shipped.READERS.get(ruleset.spec.name)
        if not is_tuned(name) or reader not in self.agents:
            return False
        return any(each.name == name for each in find_trained(reader, ruleset))

    def agents_of(self, ruleset: Ruleset) -> list[str]:
        """The offered agents that play a ruleset's game."""
        return [name for name in self.agents if plays(name, ruleset.spec.name)]

    def confine(self, entry: Any) -> Ruleset | None:
        """The ruleset that an uploaded file names; None if the file contains all of it."""
        if isinstance(entry, dict):
            base = entry.get("base", "standard")
            if not isinstance(base, str) or builtin_file(base) is None:
                raise TableError(400, f"ruleset base {_short(base)}: only built-in names may be used")
            return None
        return self.ruleset(entry if isinstance(entry, str) else repr(entry))

    def record_file(self, name: str) -> Path:
        """A record file of the command line."""
        if name not in self.records:
            known = _listed(self.records) if self.records else "no others; start the table with --records FILE"
            raise TableError(404, f"record file {_short(name)} is not offered; there are {known}")
        return self.records[name]

    def to_dict(self) -> dict[str, Any]:
        """The offers, for the page's dialogs."""
        return {
            "rulesets": [self._ruleset_to_dict(ruleset) for ruleset in self.rulesets.values()],
            "first": self.first,
            "agents": list(self.agents),
            "records": list(self.records),
        }

    def _ruleset_to_dict(self, ruleset: Ruleset) -> dict[str, Any]:
        face: TableFace = table_of(ruleset.spec)
        agents = self.agents_of(ruleset)
        numbers = numbers_of_players(ruleset)
        most = _for_players(ruleset, numbers[-1]) if numbers else ruleset
        return {
            "name": ruleset.name,
            "title": ruleset.data.title,
            "game": ruleset.spec.name,
            "extras": extras_of(ruleset.spec.name),
            "judges": self.judges_of(ruleset),
            "agenda": _with_agenda(ruleset),
            "goal": face.goal(ruleset),
            "players": {"usual": ruleset.data.players, "allowed": numbers} if numbers else None,
            "sides": {
                seat: {"title": seat_name(face, seat), "words": face.seat_words(most, seat)}
                for seat in most.played_seats
            },
            "agents": agents,
            "levels": self.levels_of(ruleset.spec.name),
            "usual": self.usual_rival(ruleset.spec.name),
            "stand_in": agents_of(ruleset.spec.name).ladder[-1],
            "frozen": [agent for agent in agents if not fits(agent, ruleset)],
        }

    def levels_of(self, game: str) -> list[dict[str, Any]]:
        """The levels of a game whose agents are offered."""
        return [level._asdict() for level in LEVELS[game] if level.agent in self.agents]

    def usual_rival(self, game: str) -> str:
        """The rival that is proposed first: of the trained levels the one nearest to the middle; "" if no level is offered."""
        agents = [level["agent"] for level in self.levels_of(game)]
        trained = [agent for agent in agents if agent in agents_of(game).shipped] or agents
        return min(trained, key=lambda agent: abs(agents.index(agent) - len(agents) // 2), default="")

    def beginner_of(self, ruleset: Ruleset) -> str:
        """The weakest agent that is offered, which takes the seat of somebody who leaves a game that goes on."""
        levels = self.levels_of(ruleset.spec.name)
        name = levels[0]["agent"] if levels else self.agents_of(ruleset)[0]
        return self.agent(name, ruleset)

    def judges_of(self, ruleset: Ruleset) -> list[str]:
        """Agents that may be asked about positions and moves of a ruleset, the proposed one first."""
        reviewed = REVIEWED.get(ruleset.spec.name)
        if reviewed is not None and reviewed.judge is not None:
            return [reviewed.judge]
        return self.judges if ANALYSIS in table_of(ruleset.spec).EXTRAS else []

    @property
    def judges(self) -> list[str]:
        """Agents whose policy can be used for analysis, the strongest first."""
        runs = [a for a in self.agents if _is_run(a)]
        return list(dict.fromkeys((*runs, *reversed(shipped.NAMES), *shipped.READERS.values())))


def extras_of(game: str) -> list[str]:
    """What the table offers beyond a game: what its face names, and a review where its moves are judged."""
    review = [REVIEW] if game in REVIEWED else []
    return sorted([*table_of(find_game(game)).EXTRAS, *review])


def games_on_offer() -> list[str]:
    """The games that the table offers, the default game first."""
    return [game for game in game_names() if game in BUILT_IN or game not in left_out()]


@plugin_cache
def left_out() -> Mapping[str, str]:
    """Games of other distributions that the table does not offer, by name, and why, in a sentence each."""
    found = plugin_problems()
    for game in game_names():
        if game not in BUILT_IN and game not in found:
            try:
                with foreign_code():
                    rulesets = {rules.name: rules for rules in _rulesets_of(game)}
                    Offers(rulesets, agents_in(game)).to_dict()
            except Exception as error:
                known = isinstance(error, PluginError)
                found[game] = str(error) if known else f"the game {game}: {words_of(error)}"
    return MappingProxyType(found)


def _rulesets_of(game: str) -> list[Ruleset]:
    return [load_ruleset(name) for name in builtin_rulesets(game)]


def numbers_of_players(ruleset: Ruleset) -> tuple[int, ...]:
    """How many may play, where a figure of the ruleset says it; none where the game has its seats."""
    field = type(ruleset.data).model_fields.get(PLAYERS)
    if field is None:
        return ()
    least = next(limit.ge for limit in field.metadata if hasattr(limit, "ge"))
    most = next(limit.le for limit in field.metadata if hasattr(limit, "le"))
    return tuple(range(least, most + 1))


@lru_cache(maxsize=32)
def _for_players(ruleset: Ruleset, players: int) -> Ruleset:
    """The same rules, under the same title, for another number of players."""
    values = ruleset.plain() | {PLAYERS: players, "name": f"{ruleset.name}-{players}-players"}
    return load_ruleset(values | {"game": ruleset.spec.name})


def _with_agenda(ruleset: Ruleset) -> bool | None:
    """Whether the Agenda expansion is played; None in a game that has none."""
    agenda = getattr(ruleset.data, "agenda", None)
    return None if agenda is None else bool(agenda.enabled)


def plays(agent: str, game: str) -> bool:
    """Whether a game has an agent of this name, as far as names tell."""
    games = AgentName.read(agent).games
    return not games or game in games


def _is_run(agent: str) -> bool:
    """Whether an agent is a trained run's policy without search."""
    name = AgentName.read(agent)
    return name.kind == "policy" and name.folder is not None and name.way in ("", "sample")


def fits(agent: str, ruleset: Ruleset) -> bool:
    """Whether an agent was made for a ruleset; only for the shipped policies is this known in
    advance."""
    try:
        name = AgentName.read(agent).shipped
    except AgentError:
        return True
    return name is None or shipped.fits(name, ruleset)


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    return ", ".join(found[:NAMES_SHOWN]) + (", ..." if len(found) > NAMES_SHOWN else "")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
