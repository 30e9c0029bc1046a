"""Tension: how long games stay open, measured and shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from channel_tunnel_agents.balance.measuring.game import measured_game
from channel_tunnel_agents.balance.measuring.judges import SCORE
from channel_tunnel_agents.balance.measuring.seats import EVEN
from channel_tunnel_agents.balance.measuring.tension import watch_games
from channel_tunnel_agents.balance.report.drawing import (
    FIRST_SEAT,
    INK,
    MUTED,
    NEUTRAL,
    STRESS,
    draw,
    legend_above,
    per_cent,
    whole_numbers,
)
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.game import ReportedGame
from channel_tunnel_agents.balance.report.measurements import Job, Measurement
from channel_tunnel_agents.balance.report.numbers import FEWEST, count, of_dict
from channel_tunnel_agents.balance.report.page import Chart, Data, Download, Item, Shown, Table
from channel_tunnel_agents.balance.report.records import COMMAND, at_the_table, games_before, named_games
from channel_tunnel_agents.players.policy.agent import PolicyAgent
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env.outside.terminal import percent

MEASURED = (
    ("turns", "turns per game, both {place}s", "plain"),
    ("lead_changes", "times the favourite changed", "plain"),
    ("winner_behind", "games whose winner was once behind", "share"),
    ("drama", "how far behind the winner was while behind", "share"),
    ("settled", "share of the game played after it was settled (90 % for the winner)", "share"),
    ("loser_peak", "the loser's best chance", "share"),
    ("comebacks", "games won from a chance of 25 % or less", "share"),
)

CHOSEN = {
    "dramatic": "The most dramatic game",
    "typical": "The most typical game",
    "lopsided": "The most lopsided game",
}
PART = 4  # of the deals


# --- measured ---


def judge_of(job: Job) -> str:
    """The judge of the first seat's chance to win: the agent's own value if it has one, which searches have not."""
    if job.agent_digest is not None and isinstance(make_agent(job.agent, job.ruleset), PolicyAgent):
        return job.agent
    return SCORE if job.settings.quick else measured_game(job.ruleset).judge


TENSION = Measurement(
    "tension",
    "tension",
    lambda job: {"games": job.deals_of(PART), "judge": judge_of(job)},
    lambda job: job.deals_of(PART),
    lambda job, advance: watch_games(
        job.agent, judge_of(job), job.ruleset, job.deals_of(PART), job.seed, job.workers, advance
    ),
)


# --- shown ---


def tension(evidence: Evidence) -> Shown:
    """The course of games between two copies of the page's agent."""
    found, game = evidence.measures.get("tension"), evidence.game
    if found is None:
        return evidence.why_missing("tension")
    if found["games"] < FEWEST:
        return f"{found['games']} games are too few for a claim"
    course = {key: of_dict(found["course"][key], style=style) for key, _, style in MEASURED}  # type: ignore[arg-type]
    lead = (
        f"The favourite changes {course['lead_changes']} times a game; {course['comebacks']} of games "
        f"are won by a {game.place} that once had a chance of 25 % or less; the last "
        f"{course['settled']} of a game are played when it is as good as decided.",
        _judge_words(found) + _without_drawn(evidence.ends_of(evidence.agent).drawn),
    )
    measured = tuple((text.format(place=game.place), course[key]) for key, text, _ in MEASURED)
    return lead, [
        _fan(found, game),
        Table("course", "In numbers", Data(("measure", "value"), measured)),
        _snowball(found, evidence.ruleset.spec.record.clock[1]),
        _deficits(found, game),
        _calibration(found, game),
        *_games(found, game, games_before("tension", evidence.measures, game.records)),
    ]


def _judge_words(found: dict[str, Any]) -> str:
    judge, agent = found["judge"], found["agent"]
    who = f"{judge}'s own estimate"
    if judge == "score":
        who = "an estimate from the points on the board"
    elif judge.startswith("rollout"):
        who = f"{judge.split(':')[1]} quick playouts from each position"
    error, ignorance = of_dict(found["error"]), of_dict(found["error_of_ignorance"])
    useless = " So it knows nothing of these games, and nothing in this chapter can be trusted."
    return (
        f"Small print: {count(found['games'])} games of {agent} against itself; chances are {who}. Its "
        f"mean squared error is {error.value:.3f}, against {ignorance.value:.3f} for knowing nothing.{useless if error.value >= ignorance.value else ''}"
    )


def _without_drawn(drawn: float) -> str:
    return f" Drawn games ({percent(drawn)} of all) are left out wherever a winner is asked for." if drawn else ""


def _fan(found: dict[str, Any], game: ReportedGame) -> Chart:
    points = found["fan"]
    quantiles = list(points[0]["quantiles"])
    rows = tuple(
        (point["played"], *(of_dict(point["quantiles"][q], style="share") for q in quantiles)) for point in points
    )
    columns = ("played", *(f"{percent(float(q), 0)} of games are below" for q in quantiles))
    return Chart(
        "fan",
        f"{game.at_first}'s chance of winning as the game goes on",
        draw("fan", partial(_paint_fan, game.first, rows), 2.7),
        Data(columns, rows),
        "The line is the middle game; half of all games lie in the dark band, nine in ten in the light "
        "one. A band that stays wide in the middle and opens late means that games stay open. n "
        f"{count(found['games'])}.",
        f"Fan of {game.first}'s chance by share of the game played",
    )


def _paint_fan(first: str, rows: tuple[tuple[Any, ...], ...], axis: Axes) -> None:
    played = [row[0] for row in rows]
    values = np.array([[number.value for number in row[1:]] for row in rows])
    axis.fill_between(played, values[:, 0], values[:, -1], color=FIRST_SEAT, alpha=0.18, lw=0)
    axis.fill_between(played, values[:, 1], values[:, -2], color=FIRST_SEAT, alpha=0.38, lw=0)
    axis.plot(played, values[:, values.shape[1] // 2], color=INK, lw=1.6)
    axis.axhline(EVEN, color=MUTED, lw=0.8)
    axis.set_ylim(0, 1)
    axis.set_xlim(0, 1)
    axis.set_xlabel("share of the game's turns played")
    axis.set_ylabel(f"{first}'s chance")
    per_cent(axis)
    per_cent(axis, x=False)


def _snowball(found: dict[str, Any], clock: str) -> Chart:
    rows = tuple(
        (row["round"], of_dict(row["leader_wins"], style="share"), of_dict(row["favourite_wins"], style="share"))
        for row in found["snowball"]
    )
    return Chart(
        "snowball",
        f"Does an early lead decide? Who is ahead when a {clock} starts, and wins",
        draw("snowball", partial(_paint_snowball, clock, rows), 2.6),
        Data((clock, "leader in points wins", "favourite wins"), rows),
        f"At 50 % a lead means nothing yet; a line that is high from the first {clock}s on means that "
        f"the rest is a formality. Late {clock}s exist in long games only.",
        f"Share of games that the leader at the start of a {clock} wins",
    )


def _paint_snowball(clock: str, rows: tuple[tuple[Any, ...], ...], axis: Axes) -> None:
    looks = (("leader in points", NEUTRAL, "s"), ("favourite", STRESS, "o"))
    for k, (label, colour, marker) in enumerate(looks, 1):
        shown = [(row[0], row[k]) for row in rows if row[k].shown]
        if not shown:
            continue
        rounds = [r for r, _ in shown]
        axis.fill_between(rounds, [n.low for _, n in shown], [n.high for _, n in shown], color=colour, alpha=0.25, lw=0)
        axis.plot(rounds, [n.value for _, n in shown], marker + "-", color=colour, ms=4, label=label)
    axis.axhline(EVEN, color=MUTED, lw=0.8)
    axis.set_ylim(0.4, 1)
    axis.set_xlabel(clock)
    whole_numbers(axis)
    per_cent(axis, x=False)
    legend_above(axis)


def _deficits(found: dict[str, Any], game: ReportedGame) -> Table:
    rows = tuple(
        (
            f"{row['least']} or more" if row["most"] is None else f"{row['least']} to {row['most']}",
            of_dict(row["win_rate"], style="share"),
        )
        for row in found["deficits"]
    )
    return Table(
        "comebacks", "Behind at half-time: how often it is still won", Data((f"{game.points} behind", "wins"), rows)
    )


def _calibration(found: dict[str, Any], game: ReportedGame) -> Chart:
    rows = tuple(
        (of_dict(row["chance"], style="share"), of_dict(row["result"], style="share"), row["turns"])
        for row in found["calibration"]
    )
    return Chart(
        "calibration",
        "Can the estimate be trusted?",
        draw("calibration", partial(_paint_calibration, rows), 2.8),
        Data((f"{game.first}'s chance as said", f"{game.first}'s wins", "turns"), rows),
        f"Points on the line: of positions said to be 70 % for {game.first}, {game.first} won 70 %.",
        "Calibration of the estimated chances",
    )


def _paint_calibration(rows: tuple[tuple[Any, ...], ...], axis: Axes) -> None:
    axis.plot([0, 1], [0, 1], color=MUTED, lw=0.8)
    for said, result, _ in rows:
        if result.shown:
            axis.plot([said.value] * 2, [result.low, result.high], color=INK, lw=1.4)
            axis.plot([said.value], [result.value], "o", color=INK, ms=4)
    axis.set_xlabel("said")
    axis.set_ylabel("happened")
    axis.set_xlim(0, 1)
    axis.set_ylim(0, 1)
    per_cent(axis)
    per_cent(axis, x=False)


def _games(found: dict[str, Any], words: ReportedGame, before: int = 0) -> list[Item]:
    """The chosen games; for `before` see `records.games_before`."""
    items: list[Item] = []
    winners = {1.0: f"{words.seats[0]} wins", 0.0: f"{words.seats[1]} wins"}
    for name in named_games(found):
        game, heading = found["chosen"][name], CHOSEN[name]
        winner = winners.get(game["points"], "drawn")
        turns = enumerate(zip(game["chance"], game["lead"], strict=True), start=1)
        rows: tuple[tuple[Any, ...], ...] = (
            *((turn, chance, lead) for turn, (chance, lead) in turns),
            ("result", game["points"], None),
        )
        chance = f"{percent(game['chance'][-1], 0)} for {words.first}"  # the last turn may still reverse the game
        before_the_last = f"Before the last turn the estimate was {chance}; the last point is the result."
        items.append(
            Chart(
                f"game-{name}",
                f"{heading}: {winner}",
                draw(f"game{name}", partial(_paint_game, words.first, game["chance"], game["points"]), 1.9),
                Data(("turn", f"{words.first}'s chance", f"{words.first}'s lead in points"), rows),
                f"{game['why'].capitalize()}. {before_the_last} Seed {game['seed']}. The link opens it at the table in the "
                f"browser, once this runs in the page's folder: {COMMAND}",
                f"{words.at_first}'s chance turn by turn, and the result",
                Download("record (channel-tunnel replay FILE)", f"{name}.jsonl", game["record"]),
                at_the_table(found, name, before),
            )
        )
    return items


def _paint_game(first: str, chance: list[float], points: float, axis: Axes) -> None:
    turns = np.arange(1, len(chance) + 1)
    axis.plot(turns, chance, color=FIRST_SEAT, lw=1.6)
    axis.plot([turns[-1], turns[-1] + 1], [chance[-1], points], ":", color=FIRST_SEAT, lw=1.6)
    axis.plot([turns[-1] + 1], [points], "o", color=FIRST_SEAT, ms=5, clip_on=False)
    axis.axhline(EVEN, color=MUTED, lw=0.8)
    axis.set_ylim(0, 1)
    axis.set_xlabel("turn")
    whole_numbers(axis)
    axis.set_ylabel(f"{first}'s chance")
    per_cent(axis, x=False)
