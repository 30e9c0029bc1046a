"""What each seat has, at every level of skill."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.empirical.verdict import SLIGHT
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.report.drawing import FIRST_SEAT, INK, NEUTRAL, SECOND_SEAT, draw, per_cent
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.games import TOO_FEW
from channel_tunnel_agents.balance.report.headline import fair_words, possible
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, mean, of_estimate
from channel_tunnel_agents.balance.report.page import Chart, Data, Row, Shown, Table
from channel_tunnel_agents.statistics import REACH
from channel_tunnel_env.outside.terminal import percent

LEVELS = 3
MARGIN_BINS = 25


def seats(evidence: Evidence) -> Shown:
    """The seats' shares for every agent that plays them all; of two, also the final lead."""
    agents = evidence.levels
    if not agents:
        return TOO_FEW
    few = len(evidence.agents) < LEVELS
    lead = (f"Fewer than {LEVELS} levels of skill were played; name more with --agents.",) * few
    return lead, [_table(evidence, agents), *(_margin(evidence) if evidence.is_of_two else ())]


def _table(evidence: Evidence, agents: list[str]) -> Table:
    """Two seats: a row an agent, the weakest first. More: a row a seat and a column an agent, the strongest first."""
    game = evidence.game
    within = f"within {fair_words(evidence.even)} %?"
    cancels = f"One agent plays every {game.place} of the same deals, so skill cancels out and what is left is the {game.place}."
    found = {agent: evidence.fairness_of(agent) for agent in agents}
    if evidence.is_of_two:
        rows = [
            (name, of_estimate(each.shares[0], each.deals, "share"), each.answer.value, possible(each, game))
            for name, each in found.items()
        ]
        reading = (
            f"{cancels} What counts for the rules is the strongest. 'Slightly': by at most {percent(SLIGHT * EVEN, 0)}. "
            f"To tell a share of 50 % to one point takes about {count(round((REACH / 0.01) ** 2 / 4))} deals."
        )
        columns = ("agent", f"{game.heads[0]} wins", within, "what the games leave possible")
        return Table("side-table", "Every agent", Data(columns, tuple(rows)), reading)
    seats = {agent: evidence.seats_of(agent) for agent in reversed(agents)}
    by_seat: list[Row] = [
        (head, *(evidence.numbers_of(agent)[place] for agent in seats)) for place, head in enumerate(game.heads)
    ]
    by_seat.append(("best less worst", *(of_estimate(each.gap, each.deals, "share") for each in seats.values())))
    by_seat.append(("p of equal seats", *(each.p for each in seats.values())))
    by_seat.append((within, *(found[agent].answer.value for agent in seats)))
    reading = (
        f"{cancels} The intervals of one column hold together with 95 % confidence (Bonferroni); 'best less worst' joins those of all pairs, because "
        "luck makes some seat the best even where all are alike. The p-value is that of Hotelling's T squared."
    )
    return Table("seat-table", "Every agent, the strongest first", Data((game.place, *seats), tuple(by_seat)), reading)


def _margin(evidence: Evidence) -> tuple[Chart, ...]:
    own = evidence.own_games(evidence.strongest)
    if len(own) < FEWEST:
        return ()
    game, margin = evidence.game, own["margin"].to_numpy(np.float64)
    limit = max(1, math.ceil(float(np.quantile(np.abs(margin), 0.995))))
    width = max(1, math.ceil((2 * limit + 1) / MARGIN_BINS))
    half = width * (math.ceil((limit + 0.5) / width)) + width / 2
    edges = np.arange(-half, half + width / 2, width)
    counts, _ = np.histogram(np.clip(margin, edges[0], edges[-1]), edges)
    middles = (edges[:-1] + edges[1:]) / 2
    rows = tuple((float(x), int(n)) for x, n in zip(middles, counts, strict=True))
    return (
        Chart(
            "margin",
            f"{game.at_first}'s lead in victory points at the end ({evidence.strongest_text})",
            draw("margin", partial(_paint_margin, game, middles, counts, width)),
            Data(("lead", "games"), rows),
            f"On average {mean(margin, 'signed')} points, n {count(len(own))}." + game.margin_note,
            "Histogram of the final lead",
        ),
    )


def _paint_margin(game: ReportedGame, middles: np.ndarray, counts: np.ndarray, width: float, axis: Axes) -> None:
    colours = [SECOND_SEAT if x < 0 else FIRST_SEAT if x > 0 else NEUTRAL for x in middles]
    axis.bar(middles, counts / counts.sum(), width * 0.9, color=colours)
    axis.axvline(0, color=INK, lw=0.8)
    axis.set_xlabel(game.towards_first("ahead"))
    axis.set_ylabel("share of games")
    per_cent(axis, x=False)
