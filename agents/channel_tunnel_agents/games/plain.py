"""What is taken for a game that brings no agents of its own: random play, plain layers, what every game counts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from channel_tunnel_agents.balance.measuring.measure import Measure, column, distance
from channel_tunnel_agents.balance.measuring.measures import GameMeasures
from channel_tunnel_agents.games.spec import RANDOM, AgentSpec
from channel_tunnel_agents.matches.tables import GameTables, clock_column
from channel_tunnel_agents.players.policy.form import PolicyForm
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games import find_game, ruleset_folder

TABLES = GameTables(course=lambda states: {}, ends=lambda states, seats: {})


def make_spec(game: str) -> AgentSpec:
    """What is taken for a game.

    Raises:
        PluginError: the game itself cannot be used.
    """
    find_game(game)
    return AgentSpec(
        title=game,
        form=partial(_form, game),
        tables=lambda: TABLES,
        measures=partial(_measures, game),
    )


def _form(game: str) -> PolicyForm | None:
    """One policy for all seats; None where the built-in rulesets are seen in different sizes."""
    spec = find_game(game)
    rulesets = [load_ruleset(path) for path in sorted(ruleset_folder(game).glob("*.yaml"))]
    sizes = {spec.observation.size(ruleset) for ruleset in rulesets}
    if len(sizes) != 1:
        return None
    two = all(ruleset.num_seats == 2 for ruleset in rulesets)
    return PolicyForm(
        game=game,
        sides=("player",),
        side_column=None,
        phases=(),
        phase_column=0,
        observation_sizes=tuple(sizes),
        observation_version=1,
        action_version=1,
        networks=("mlp",),
        values_of_mover=True,
        credit="zero_sum" if two else "per_seat",
    )


def _measures(game: str) -> GameMeasures:
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
            Measure(f"share_{seat}", f"{seat}: share of the win", "share", column(f"share_{seat}"))
            for seat in seats
        ]
    found += [
        *(
            Measure(f"score_{seat}", f"{seat}: score", "points", column(f"score_{seat}"))
            for seat in seats
        ),
        Measure(clock, f"{clock} played", clock, column(clock)),
        Measure(
            "decisions", "decisions of all seats, forced ones too", "decisions", column("decisions")
        ),
    ]
    return {measure.name: measure for measure in found}, (found[0].name, clock)
