"""Who sits where at the tables of a tournament. A seating names an agent, by its number, for every seat.

Two seats: every agent in the first against every agent in the second, itself included.

More seats, `mixed`: every set of as many different agents as there are seats, each of them around the table in both
directions from every seat; if there are fewer agents than seats, every way to fill the seats with all of them.

More seats, `one against the rest`: every agent in every seat, with every other agent in all the others; and every
agent in all seats. For games in which seats differ much and a table of rivals is the measure.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from channel_tunnel_agents.games import PerGame
from channel_tunnel_agents.games.spec import MIXED
from channel_tunnel_env import Ruleset

Seating = tuple[int, ...]
KINDS: Mapping[str, str] = PerGame(lambda spec: spec.seating)
"""By game, the tables of more than two seats."""


def list_seatings(ruleset: Ruleset, agents: int, mirror: bool = False) -> list[Seating]:
    """Every table of a tournament of `agents` agents.

    Args:
        mirror: every agent plays only itself.
    """
    seats = ruleset.num_seats
    if mirror:
        return [(i,) * seats for i in range(agents)]
    if seats == 2:
        return list(itertools.product(range(agents), repeat=2))
    if KINDS[ruleset.spec.name] == MIXED:
        return _mixed(agents, seats)
    return _one_against_the_rest(agents, seats, ruleset.played_places)


def _one_against_the_rest(agents: int, seats: int, played: Sequence[int]) -> list[Seating]:
    found = []
    for one, rest in itertools.product(range(agents), repeat=2):
        places = played if one != rest else [0]  # with itself every place is the same table
        found += [(rest,) * place + (one,) + (rest,) * (seats - place - 1) for place in places]
    return found


def _mixed(agents: int, seats: int) -> list[Seating]:
    if agents >= seats:
        chosen = list(itertools.combinations(range(agents), seats))
    else:
        filled = itertools.combinations_with_replacement(range(agents), seats)
        chosen = [table for table in filled if len(set(table)) == agents]
    return [seating for table in chosen for seating in _around(table)]


def _around(table: Seating) -> list[Seating]:
    """The same neighbours from every seat on, in both directions, each seating once."""
    turned = [way[start:] + way[:start] for way in (table, table[::-1]) for start in range(len(table))]
    return list(dict.fromkeys(turned))
