"""What is measured in the games of each game, shared by all commands: compare, gate, sweep and tune use these names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pandas as pd

from channel_tunnel_agents.balance.measuring.measure import Measure, find_measures
from channel_tunnel_agents.balance.measuring.own_measure import is_expression, own_measure
from channel_tunnel_agents.balance.measuring.seats import seat_measures
from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.games import Parts
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.rulesets.overlay import builtin_rulesets


@dataclass(frozen=True)
class Singles:
    """Measures of single pieces, which need one more table of the matches.

    Attributes:
        measures: of the pieces that two rulesets share.
        table: the table's name.
        join: games, that table -> games with the columns that the measures read.
    """

    measures: list[Measure]
    table: str
    join: Callable[[pd.DataFrame, pd.DataFrame], pd.DataFrame]


class NamedMeasures(dict[str, Measure]):
    """Measures by name; an expression names a measure of one's own, which is made when it is asked for."""

    def __missing__(self, name: str) -> Measure:
        if not is_expression(name):
            raise KeyError(name)
        return own_measure(name, self)


@dataclass(frozen=True)
class GameMeasures:
    """What is measured in one game.

    Attributes:
        known: by name; of two seats one of them is the first seat's share of wins.
        main: names of those that are reported unless others are asked for.
        player: plays every seat where a targets file names nobody.
        singles: two rulesets -> measures of the pieces they share, if there are any.
        of_seats: more of them at a table of more than two seats, which `compare` does not list: the seats' shares, the
            gap between them.
        at: the seats of a table -> what is known and main there; None where every table has the same seats.
        aims: names of those that a designer is offered as targets, as far as the table has them; none: the main ones.
    """

    known: Mapping[str, Measure]
    main: tuple[str, ...]
    player: str
    singles: Callable[[Ruleset, Ruleset], Singles] | None = None
    of_seats: Mapping[str, Measure] = field(default_factory=dict)
    at: Callable[[Sequence[str]], tuple[Mapping[str, Measure], tuple[str, ...]]] | None = None
    aims: tuple[str, ...] = ()

    @property
    def share(self) -> Measure:
        """The first seat's share of wins, in a game for two.

        Raises:
            AgentError: no measure of the game is a share of its seats.
        """
        found = [measure for measure in self.known.values() if measure.seats]
        if not found:
            raise AgentError(f"measures: none of {', '.join(self.known)} is a share of wins of a seat")
        return found[0]

    @property
    def named(self) -> NamedMeasures:
        """All that may be named, by name, and expressions over them."""
        return NamedMeasures({**self.of_seats, **self.known})

    @property
    def offered(self) -> Mapping[str, Measure]:
        """What a designer is offered as a target, by name: the seats' shares and the gap between them, too."""
        names = dict.fromkeys([*self.of_seats, *(self.aims or self.main)])
        return {name: self.named[name] for name in names if name in self.named}

    def find(self, names: Iterable[str]) -> list[Measure]:
        """Measures by name or expression; the main ones if none is named.

        Raises:
            AgentError: an unknown name, with the game that has it or the nearest ones, or no expression over names.
        """
        wanted = tuple(names) or self.main
        for name in wanted:
            others = [game for game, own in GAME_MEASURES.items() if name in own.known]
            if name not in self.named and others:
                if self.at is not None and self.at is GAME_MEASURES[others[0]].at:
                    raise AgentError(f"measure {quote(name)}: only at a table with another number of seats")
                raise AgentError(
                    f"measure {quote(name)}: unknown in this game; it belongs to {others[0]}: add --ruleset "
                    f"{builtin_rulesets(others[0])[0]}"
                )
        return find_measures(wanted, self.named)


GAME_MEASURES: Mapping[str, GameMeasures] = Parts("measures", "GAME", GameMeasures, plain="measures")


def measures_of(ruleset: Ruleset) -> GameMeasures:
    """What is measured in the game of a ruleset.

    Args:
        ruleset: it says how many seats there are.

    Returns:
        The measures; `named` has them all by name.

    Raises:
        AgentError: nothing is measured in that game, or only one seat is played.
    """
    game = ruleset.spec.name
    if game not in GAME_MEASURES:
        raise AgentError(f"ruleset {ruleset.name}: game {game}: games that are measured: {', '.join(GAME_MEASURES)}")
    if len(ruleset.played_seats) < 2:
        (alone,) = ruleset.played_seats
        raise AgentError(f"ruleset {ruleset.name}: only {alone} is played; what is measured takes two seats or more")
    own, seats = GAME_MEASURES[game], ruleset.seats
    by_seat = seat_measures(seats, ruleset.played_seats)
    if own.at is not None:
        known, main = own.at(seats)
        own = replace(own, known=known, main=main)
    return own if len(seats) == 2 else replace(own, of_seats=by_seat)


def check_seats(rulesets: Iterable[Ruleset]) -> None:
    """Refuse rulesets for different numbers of seats: their games have different figures.

    Raises:
        AgentError: two of them differ.
    """
    first, *others = rulesets
    seats = first.num_seats
    for other in others:
        if (found := other.num_seats) != seats:
            raise AgentError(
                f"ruleset {other.name}: {found} seats, and {first.name} has {seats}; compare it with "
                f"rules for as many: a file with base: {first.name} and players: {found}"
            )
