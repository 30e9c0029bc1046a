"""The trained agents that come with the package, by game.

A folder holds a policy for each side, such as `britain.safetensors`, and `card.json`: what they were
trained for, with which command, and the measured results. `python -m
channel_tunnel_agents.players.shipped RUN NAME` makes one from a training run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from channel_tunnel_agents.base import FROZEN, AgentError
from channel_tunnel_agents.games import PerGame, agents_of
from channel_tunnel_agents.players.policy.card import MOVED, plays_all_rulesets, trained_for
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.outside.documents import read_json
from channel_tunnel_env.outside.hints import or_known

FOLDER = Path(__file__).parent
USUAL = "club"  # every game has one: plays by default
READERS: Mapping[str, str] = PerGame(lambda spec: spec.reader)
"""Game -> the trained agent that reads the rules and so plays every ruleset."""
OF_GAME: Mapping[str, tuple[str, ...]] = PerGame(lambda spec: spec.shipped)
"""Game -> the names of its trained agents, the weakest first, one that reads the rules last. Games share names."""
CARD = "card.json"


def trained_for_the_box(game: str) -> tuple[str, ...]:
    """The names of a game's trained agents without the one that reads the rules, the weakest first."""
    return tuple(name for name in OF_GAME.get(game, ()) if name != READERS.get(game))


NAMES = trained_for_the_box(DEFAULT_GAME)
"""Those of the default game trained for the standard ruleset."""


def games_of(name: str) -> tuple[str, ...]:
    """The games that have an agent of this name."""
    return tuple(game for game, names in OF_GAME.items() if name in names)


def folder_of(name: str, game: str = DEFAULT_GAME) -> Path:
    """The folder of a game's agent."""
    return (agents_of(game).shipped_folder or FOLDER / game) / name


def find_policy(name: str | Path, game: str = DEFAULT_GAME) -> Path:
    """The folder or file of a policy: "master", "frozen:master", "ppo:FOLDER", a folder or a file; else an AgentError."""
    spec = str(name).removeprefix(FROZEN).removeprefix("ppo:")
    names = OF_GAME.get(game, ())
    path = folder_of(spec, game) if spec in names else Path(spec)
    if not spec or not MOVED.get(path, path).exists():
        others = ("a run folder", "a .safetensors file")
        raise AgentError(f"policy {str(name)!r}: no such policy{or_known(spec, (*names, *others))}")
    return path


def fits(name: str, ruleset: Ruleset) -> bool:
    """Whether a game's agent was trained for a ruleset, or for all of its game."""
    card = read_json(folder_of(name, ruleset.spec.name) / CARD)
    return plays_all_rulesets(card) or trained_for(card, ruleset)


def best_for(ruleset: Ruleset) -> str:
    """The strongest agent of a game that plays a ruleset as it is: trained for it, or one that plays any rules."""
    game = ruleset.spec.name
    trained = [name for name in trained_for_the_box(game) if fits(name, ruleset)]
    return trained[-1] if trained else player_of_any_rules(game)


def reader_of(ruleset: Ruleset) -> str | None:
    """The policy that reads the rules of a game, at tables of two; None: there is none."""
    return READERS.get(ruleset.spec.name) if ruleset.num_seats == 2 else None


def player_of_any_rules(game: str) -> str:
    """The player for changed rules: the trained agent that reads them, else the best scripted player."""
    return READERS.get(game) or agents_of(game).ladder[-1]


def player_for(rulesets: Iterable[Ruleset]) -> str:
    """Who plays rulesets of one game by default: the usual player, if it was trained for each of them."""
    given = [*rulesets]
    if all(fits(USUAL, ruleset) for ruleset in given):
        return USUAL
    return player_of_any_rules(given[0].spec.name)
