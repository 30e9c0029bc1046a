"""What a report on Carcassonne shows, and the sections of its page that no other game has."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report import front, headline, sections
from channel_tunnel_agents.balance.report.contents import Contents, Section
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
from channel_tunnel_agents.balance.report.measurements import DECK_LUCK, LEVERS, MEETINGS, TENSION, VARIANCE
from channel_tunnel_agents.balance.report.numbers import FEWEST, Number, mean
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown
from channel_tunnel_agents.balance.report.sections.games import (
    TOO_FEW,
    lead_chart,
    measure_table,
    measure_title,
    unused_rules,
)
from channel_tunnel_agents.games.carcassonne.report import drawn, topics
from channel_tunnel_agents.games.carcassonne.report.topics import PLACES, unused

TUNNELS = ("first_tokens", "tunnels", "half_tunnels", "missed_tunnels")
WAITING = ("behind_half", "behind_rival", "stuck", "turns_behind_half", "turns_behind_rival", "turns_stuck")
LEFT = ("left", "left_city", "left_road", "left_cloister", "left_field", "out_of_game", "draws")
LOOKS = ((STRESS, ""), (NEUTRAL, ""), (SECOND, "...."), (FIRST, "////"))


def points(evidence: Evidence) -> Shown:
    """Points by source, and where the winner's lead comes from."""
    if not evidence.levels:
        return TOO_FEW
    table = measure_table(evidence, "points-table", f"Points of {evidence.game.all} together", ("score", *PLACES))
    lead = _lead(evidence) if evidence.is_of_two else ()
    return [topics.points(evidence, {})], [_sources(evidence), *lead, table]


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
    return [topics.tunnels(evidence, {})], [_bars(evidence), built, waiting]


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


def followers(evidence: Evidence) -> Shown:
    """What is left on the table or never gets there."""
    if not evidence.levels:
        return TOO_FEW
    reading = "Farmers always stay; other followers stay where nothing was completed."
    table = measure_table(evidence, "followers", "What is left at the end", LEFT, reading)
    return [topics.pieces(evidence, {})], [table]


def health(evidence: Evidence) -> Shown:
    """Rules that no game of any agent ever used."""
    lead, table = unused_rules(evidence, unused(evidence))
    return [lead], [table]


OWN: dict[str, Section] = {"points": points, "tunnels": tunnels, "followers": followers, "health": health}


CONTENTS = Contents(
    {
        "The seats": headline.fair,
        "Turns": headline.seats_note,
        "The change": headline.against_base,
        "Skill levels": headline.levels,
        "Tunnels": topics.tunnels,
        "Points": topics.points,
        "Tiles and tokens": topics.pieces,
        "Never used": topics.never_used,
        "Skill and luck": headline.skill,
    },
    (front.changes, front.beside, front.levers, drawn.drawn, front.unknown),
    sections.OF_EVERY_GAME | OWN,
    (MEETINGS, drawn.BOARDS, LEVERS, DECK_LUCK, VARIANCE, TENSION),
)
