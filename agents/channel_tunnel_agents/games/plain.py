"""Parts of a game without its own: plain layers for policies, and what every game counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from channel_tunnel_agents.balance.measuring.measure import Measure, column, distance
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_agents.games.spec import RANDOM
from channel_tunnel_agents.matches.tables import GameTables, clock_column
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import find_game, ruleset_folder

TABLES = GameTables(course=lambda states: {}, ends=lambda states, seats: {})


def tables(game: str) -> GameTables:
    """What is kept of its matches: only what every game has."""
    return TABLES


def form(game: str) -> PolicyForm | None:
    """One policy for all seats; None where the built-in rulesets are seen in different sizes."""
    spec = find_game(game)
    rulesets = [load_ruleset(path) for path in sorted(ruleset_folder(game).glob("*.yaml"))]
    sizes = {spec.observation.size(ruleset) for ruleset in rulesets}
    if len(sizes) != 1:
        return None
    two = all(ruleset.num_seats == 2 for ruleset in rulesets)
    return PolicyForm(
        game=game, observation_sizes=tuple(sizes), networks=("mlp",), credit="zero_sum" if two else "per_seat"
    )


def measures(game: str) -> GameMeasures:
    """What is measured in its games: shares, scores, their length."""
    spec = find_game(game)
    ruleset = load_ruleset(next(iter(sorted(ruleset_folder(game).glob("*.yaml")))))
    known, main = _measured_at(clock_column(spec), ruleset.seats)
    return GameMeasures(known, main, RANDOM, at=partial(_measured_at, clock_column(spec)))


def _measured_at(clock: str, seats: Sequence[str]) -> tuple[dict[str, Measure], tuple[str, ...]]:
    """What is measured at a table of these seats, and the names of the main ones."""
    if len(seats) == 2:
        names = (f"the seat {seats[0]}", f"the seat {seats[1]}")
        won = column(f"{seats[0]}_points")
        first = Measure("first_seat_wins", "the first seat's share of wins", "share", won, names)
        lead = Measure("margin", "the first seat's lead at the end", "points", column("margin"))
        found = [first, lead, distance()]
    else:
        found = [
            Measure(f"share_{seat}", f"{seat}: share of the win", "share", column(f"share_{seat}")) for seat in seats
        ]
    found += [
        *(Measure(f"score_{seat}", f"{seat}: score", "points", column(f"score_{seat}")) for seat in seats),
        Measure(clock, f"{clock} played", clock, column(clock)),
        Measure("decisions", "decisions of all seats, forced ones too", "decisions", column("decisions")),
    ]
    return {measure.name: measure for measure in found}, (found[0].name, clock)
