"""What a game tells the measurements of itself; what is measured in its games is in `measures`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.matches.arena import two_seats
from channel_tunnel_env import BatchGame, Ruleset

STEP = (-1, 1)
"""One down and one up."""
Turns = tuple[int, ...] | tuple[bool | str, ...]
"""How a lever is turned: steps of a number, or all words of a switch."""
Deficits = tuple[tuple[int, int | None], ...]


@dataclass(frozen=True)
class Effect:
    """A further effect of a lever, read off finished games.

    Attributes:
        title: its column on the page.
        of: one value per row of the batch.
        is_share: whether its values are shares, 0..1.
    """

    title: str
    of: Callable[[BatchGame], NDArray[Any]]
    is_share: bool = False


@dataclass(frozen=True)
class DeckOfLuck:
    """A deck whose order is all the luck of a game.

    Attributes:
        cards: field of the record with the cards in the order of drawing.
        size: field with their number.
        drawn: field with the number of those that nobody can re-deal any more.
    """

    cards: str
    size: str
    drawn: str


@dataclass(frozen=True)
class MeasuredGame:
    """A game of two seats.

    Attributes:
        levers: pattern of a key of the ruleset -> how that figure is turned; see `levers`.
        idle: a ruleset -> keys of figures that its switches leave without any effect.
        effects: further effects of a lever to report, by name.
        deficits: points behind at half-time, from and to; see `tension`.
        turn_phase: the phase in which a turn begins; None where each new count of the game's clock is a turn.
        stride: the interval, in rounds or turns, at which a snapshot is reported; see `tension.snowball`.
        playout: plays the playouts of a judge if nobody is named.
        judge: of games whose player has no value of its own.
        sources: a ruleset -> the sources of luck that it has.
        deck: the deck whose parts the luck is split by, if it is the only source.
    """

    levers: Mapping[str, Turns]
    idle: Callable[[Ruleset], frozenset[str]]
    effects: Mapping[str, Effect]
    deficits: Deficits
    turn_phase: int | None
    playout: str
    judge: str
    sources: Callable[[Ruleset], tuple[str, ...]]
    stride: int = 1
    deck: DeckOfLuck | None = None


MEASURED: Mapping[str, MeasuredGame] = Parts("measures", "LEVERS_AND_LUCK", MeasuredGame)


def measured_game(ruleset: Ruleset) -> MeasuredGame:
    """What the game of a ruleset tells of itself.

    Raises:
        AgentError: nothing is measured in that game, or the ruleset is for more than two seats.
    """
    found = turned_game(ruleset)
    two_seats(ruleset)
    return found


def turned_game(ruleset: Ruleset) -> MeasuredGame:
    """The same for what serves any number of seats: its levers and their effects.

    Raises:
        AgentError: nothing is measured in that game.
    """
    game = ruleset.spec.name
    if game not in MEASURED:
        raise AgentError(f"ruleset {ruleset.name}: game {game}: games that are measured: {', '.join(MEASURED)}")
    return MEASURED[game]
