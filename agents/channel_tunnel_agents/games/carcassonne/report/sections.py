"""What only Carcassonne's page shows: points, tunnels, pieces and what never occurred, a section each."""

from __future__ import annotations

from functools import partial
from typing import Any

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    FIRST,
    GRID,
    NEUTRAL,
    ROW,
    SECOND,
    STRESS,
    draw,
    forest,
    legend_above,
    stacked,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.games import TOO_FEW, lead_chart, measure_table, measure_title, unused_rules
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, mean, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown
from channel_tunnel_agents.games.carcassonne import measures
from channel_tunnel_agents.statistics import estimate_mean
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.outside.sentences import capital, listed

PLACES = {
    "points_city": "cities",
    "points_road": "roads and tunnels",
    "points_cloister": "cloisters",
    "points_field": "fields",
}
TUNNELS = ("first_tokens", "tunnels", "half_tunnels", "missed_tunnels")
WAITING = ("behind_half", "behind_rival", "stuck", "turns_behind_half", "turns_behind_rival", "turns_stuck")
LEFT = ("left", "left_city", "left_road", "left_cloister", "left_field", "out_of_game", "draws")
LOOKS = ((STRESS, ""), (NEUTRAL, ""), (SECOND, "...."), (FIRST, "////"))


def _followers(evidence: Evidence) -> int:
    """The followers of both seats together."""
    return int(evidence.ruleset.data.players * evidence.ruleset.data.followers)


def _told(evidence: Evidence, name: str) -> Number:
    """A measure in games of the strongest agent against itself."""
    return evidence.figure(name, evidence.strongest)


# --- points ---


def _where_points_come_from(evidence: Evidence) -> str:
    """What points of both seats come from."""
    if evidence.strongest not in evidence.levels:
        return "How points are made cannot be said: too few games."
    parts = [f"{_told(evidence, name)} from {place}" for name, place in PLACES.items()]
    total = _told(evidence, "score")
    return f"{capital(evidence.game.all)} together make {total} points a game: {listed(parts)}."


def points(evidence: Evidence) -> Shown:
    """Points by source, and where the winner's lead comes from."""
    if not evidence.levels:
        return TOO_FEW
    table = measure_table(evidence, "points-table", f"Points of {evidence.game.all} together", ("score", *PLACES))
    lead = _lead(evidence) if evidence.is_of_two else ()
    return [_where_points_come_from(evidence)], [_sources(evidence), *lead, table]


def _sources(evidence: Evidence) -> Chart:
    """Stacked bars, the strongest agent on top."""
    names = evidence.levels[::-1]
    known = evidence.measures_known
    found = {
        place: [mean(known[name].of(evidence.own_games(agent))) for agent in names] for name, place in PLACES.items()
    }
    rows: tuple[Row, ...] = tuple((agent, *(found[p][i] for p in found)) for i, agent in enumerate(names))
    parts = {place: [number.value for number in numbers] for place, numbers in found.items()}
    return Chart(
        "points",
        "Points by source, the strongest agent on top",
        draw("points", partial(_paint_sources, names, parts, evidence.game.all), 1.2 + 1.4 * ROW * len(names)),
        Data(("agent", *found), rows),
        f"Means of a game, {evidence.game.all} together; each agent plays them all.",
        "Stacked bars of points by source and agent",
    )


def _paint_sources(names: list[str], parts: dict[str, list[float]], every: str, axis: Axes) -> None:
    stacked(axis, names, parts, LOOKS)
    axis.set_xlabel(f"points of {every}")
    legend_above(axis)


def _lead(evidence: Evidence) -> list[Chart]:
    """The winner's points less the loser's, by source."""
    games = evidence.own_games(evidence.strongest)
    decided = games[games["winner"] != "draw"]
    if len(decided) < FEWEST:
        return []
    title = f"Where the winner's lead comes from ({evidence.strongest_text})"
    return [lead_chart(evidence, decided, PLACES, title, (0.8, 1.3 * ROW))[0]]


# --- tunnels ---


def _what_tunnels_do(evidence: Evidence) -> str:
    """How often tunnels are built, and which seats half of one holds up."""
    if evidence.strongest not in evidence.levels:
        return "What tunnels do cannot be said: too few games."
    told = partial(_told, evidence)
    return (
        f"When {evidence.strongest} plays {evidence.game.all}, a game has {told('tunnels')} finished tunnels and "
        f"{told('half_tunnels')} half ones at its end. Of {_followers(evidence)} followers {told('behind_half')} are left behind half tunnels, "
        f"{told('behind_rival')} behind the rival's; during the game followers wait there for "
        f"{told('turns_behind_half')} turns, all of them added up."
    )


def tunnels(evidence: Evidence) -> Shown:
    """What is built, and which seats it holds up."""
    if not evidence.ruleset.data.tunnel:
        return "these rules have no tunnels"
    if not evidence.levels:
        return TOO_FEW
    built = measure_table(evidence, "tunnels-built", "Tunnels built", TUNNELS)
    waiting = measure_table(
        evidence,
        "tunnels-waiting",
        "Followers that half tunnels hold up",
        WAITING,
        "A half tunnel has one token: its road cannot be completed. Turns are added up over all followers: "
        "two that wait for three turns are six.",
    )
    return [_what_tunnels_do(evidence)], [_bars(evidence), built, waiting]


def _bars(evidence: Evidence) -> Chart:
    """A few measures of the strongest agent, here and in the base."""
    known, agent, names = (
        evidence.measures_known,
        evidence.strongest,
        ("tunnels", "half_tunnels", "behind_half", "behind_rival"),
    )
    own = evidence.own_games(agent)
    found = evidence.differences(agent, names)
    rows: list[tuple[str, Number]] = []
    for name in names:
        rows.append((measure_title(evidence, name), mean(known[name].of(own))))
        if name in found and evidence.base is not None:
            there = found[name].one
            was = Number(there.value, there.low, there.high, found[name].deals)
            rows.append((f"… in {evidence.base.title}", was))
    return Chart(
        "tunnels",
        f"What tunnels do in a game ({evidence.strongest_text})",
        draw("tunnels", partial(_paint_bars, rows), 0.6 + 1.3 * ROW * len(rows)),
        Data(("what", "a game"), tuple(rows)),
        f"Means of a game, {evidence.game.all} together.",
        "Tunnels and followers of a game",
    )


def _paint_bars(rows: list[tuple[str, Number]], axis: Axes) -> None:
    forest(axis, [row[0] for row in rows], [row[1] for row in rows])
    axis.axvline(0, color=GRID, lw=0.8)
    axis.set_xlim(left=0)


# --- followers, tiles and tokens ---


def _pieces(evidence: Evidence) -> str:
    """How much of what the box holds is used."""
    if evidence.strongest not in evidence.levels:
        return "How many pieces are used cannot be said: too few games."
    own = evidence.own_games(evidence.strongest)
    turns, decisions = int(own["turns"].median()), round(evidence.choices(evidence.strongest))
    nowhere, left, farmers = (_told(evidence, name) for name in ("out_of_game", "left", "left_field"))
    return (
        f"A typical game has {turns} turns and {decisions} decisions; {nowhere} tiles fit nowhere. Of "
        f"{_followers(evidence)} followers {left} are still on the table at the end, {farmers} of them farmers{_tokens(evidence)}."
    )


def _tokens(evidence: Evidence) -> str:
    """The tokens that are laid, as the end of a sentence."""
    data = evidence.ruleset.data
    if not data.tunnel:
        return ""
    own = evidence.own_games(evidence.strongest)
    laid = sum(evidence.measures_known[name].of(own) for name in ("first_tokens", "tunnels"))
    number = of_estimate(estimate_mean(laid), len(own))
    return f"; of {c.TOKENS_OF_A_COLOUR * data.token_colours} tunnel tokens {number} are laid"


def followers(evidence: Evidence) -> Shown:
    """What is left on the table or never gets there."""
    if not evidence.levels:
        return TOO_FEW
    reading = "Farmers always stay; other followers stay where nothing was completed."
    table = measure_table(evidence, "followers", "What is left at the end", LEFT, reading)
    return [_pieces(evidence)], [table]


# --- what never occurred ---


def health(evidence: Evidence) -> Shown:
    """Rules that no game of any agent ever used."""
    lead, table = unused_rules(evidence, unused(evidence))
    return [lead], [table]


def unused(evidence: Evidence) -> list[tuple[str, list[str]]]:
    """What never occurred, by kind of rule; what the ruleset switches off is not counted."""
    games, data = evidence.games, evidence.ruleset.data
    seats = evidence.results.seats

    def ever(name: str) -> bool:
        return any(games[f"{name}_{seat}"].any() for seat in seats)

    points = [
        f"points from {place}"
        for kind, place in measures.PLACES.items()
        if _can_score(data, kind) and not ever(f"points_{kind}")
    ]
    tokens = {"first_tokens": "a half tunnel begun", "tunnels": "a tunnel finished"}
    laid = [words for name, words in tokens.items() if data.tunnel and not ever(name)]
    ends = {"a shared win": (games["winner"] == "draw").any(), "a tile that fits nowhere": games["out_of_game"].any()}
    return [
        ("sources of points", points),
        ("tunnels", laid),
        ("events", [words for words, seen in ends.items() if not seen]),
    ]


def _can_score(data: Any, kind: str) -> bool:
    """Whether a ruleset has this source of points at all, and it is worth any."""
    named = {"field": "farm", "city": ("city", "shield")}.get(kind, kind)
    if not any(points for name, points in data.points.model_dump().items() if name.startswith(named)):
        return False
    if kind == "field":
        return bool(data.farm_scoring != "none")
    return any(piece.kind == c.KINDS.index(kind) for tile in data.tile_types() if tile.count for piece in tile.segments)
