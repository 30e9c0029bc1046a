"""The page of a card, and one page of all cards of a folder: tables and plots, painted as reports are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes

from channel_tunnel_agents.balance.report.drawing import (
    FIRST_SEAT,
    INK,
    MUTED,
    ROW,
    draw,
    forest,
    per_cent,
)
from channel_tunnel_agents.balance.report.numbers import Number, Style
from channel_tunnel_agents.balance.report.page import (
    Cell,
    Chart,
    Data,
    Item,
    NextStep,
    Page,
    PageSection,
    Steps,
    Table,
    Verdict,
    Words,
)
from channel_tunnel_agents.balance.report.render import BOARD, alone, render
from channel_tunnel_agents.benchmark.playing import SEES_ALL
from channel_tunnel_agents.benchmark.scores_sheet import even_words, figure_words, title_words
from channel_tunnel_agents.benchmark.speed import UNITS
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.tracks import RELEASED, BenchmarkTrack, TrackError, load_track
from channel_tunnel_env.tracks.card import CardScore, ScoreCard, read_card

TITLE = "Leaderboard"
ABOUT = (
    "Every line is a score card: a file with the scores, the results of every deal and the command that repeats them. "
    "Brackets are 95 % intervals. They say what other deals would change, unless a column names rulesets or seeds; opponents "
    "and rulesets are fixed lists. Some figures of the games are reconstructed, because no source is known."
)
STAR = r"\*"  # a plain one would begin emphasis
LOOKS_AHEAD = "Is given the game, and deals anew what is hidden."
MARKDOWN_NOTE = (
    "[The same with plots](leaderboard-plots.html). Written by `channel-tunnel benchmark --board docs/leaderboard`. "
    "[The benchmark](benchmark.md) says what is measured, and how to enter."
)
ZERO_SHOT = "0 min, near", "0 min, far"  # keys of the shares without adaptation
DEALS = "deals"  # of a score: what was drawn to find it
STYLES: dict[str, Style] = {"share": "share", "Elo": "signed", "way": "plain"}


@dataclass(frozen=True)
class BoardLine:
    """A card on the board.

    Attributes:
        file: of the card.
    """

    file: Path
    card: ScoreCard

    @property
    def name(self) -> str:
        """Of the agent: that of the file, without the track's; on the card it may be a whole command."""
        return self.file.stem.removeprefix(f"{self.card.track.name}-")

    @property
    def is_search(self) -> bool:
        """Whether the agent is given the game, as searches are."""
        return self.card.agent.sees == SEES_ALL


def write_card_page(card: ScoreCard, path: Path) -> None:
    """Paint a card.

    Raises:
        OSError: it cannot be written.
    """
    write_whole(path, render(card_page(card), BOARD).encode())


def write_board(folder: Path) -> tuple[Path, Path]:
    """Paint the cards of a folder: a table beside it, `FOLDER.md`, and the page with plots, `FOLDER-plots.html`.

    Where there are cards of changed rules, `FOLDER.svg` is the plot of near against far.

    Raises:
        TrackError, DocumentError: one is no card, or of another version of its track.
        OSError: it cannot be written.
    """
    table, page = (
        folder.with_name(f"{folder.name}.md"),
        folder.with_name(f"{folder.name}-plots.html"),
    )
    write_whole(table, board_markdown(folder).encode())
    write_whole(page, paint_board(folder).encode())
    picture = board_picture(folder)
    if picture:
        write_whole(folder.with_suffix(".svg"), picture.encode())
    return table, page


def board_picture(folder: Path) -> str:
    """Near against far, of all cards of changed rules, as an SVG file; "" if there are none."""
    lines = [
        each for each in read_lines(folder) if load_track(each.card.track.name).kind == "rules"
    ]
    if not lines:
        return ""
    chart = _near_far("rules", lines)
    return alone(chart.svg, chart.says)


def paint_board(folder: Path) -> str:
    """The page of all cards of a folder."""
    return render(board_page(read_lines(folder)), BOARD)


def read_lines(folder: Path) -> list[BoardLine]:
    """The cards of a folder.

    Raises:
        TrackError: there are none; and what `read_card` raises.
    """
    lines = [BoardLine(path, read_card(path)) for path in sorted(folder.glob("*.json"))]
    if not lines:
        raise TrackError(f"{folder}: no score cards")
    return lines


def _lines_of(track: str, lines: Sequence[BoardLine]) -> list[BoardLine]:
    """Those of a track, the best first."""
    mine = [line for line in lines if line.card.track.name == track]
    return sorted(mine, key=lambda line: _rank(line.card), reverse=True)


def board_markdown(folder: Path) -> str:
    """The cards of a folder as tables in Markdown, a chapter for each track."""
    lines = read_lines(folder)
    words = [f"# {TITLE}", "", ABOUT, "", MARKDOWN_NOTE]
    for name in RELEASED:
        mine = _lines_of(name, lines)
        if not mine:
            continue
        keys, titles = _columns(mine)
        head = ("agent", *(titles[key] for key in keys), "ms a move")
        words += ["", f"## {name}", "", load_track(name).title + ".", ""]
        words += [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
        for line in mine:
            found = {score.key: score for score in line.card.scores}
            link = f"[{line.name}]({folder.name}/{line.file.name}){f' {STAR}' if line.is_search else ''}"
            cells = [figure_words(found[key]) if key in found else "" for key in keys]
            words.append(f"| {' | '.join((link, *cells, f'{line.card.agent.milliseconds:.2g}'))} |")
        if any(line.is_search for line in mine):
            words += ["", f"{STAR} {LOOKS_AHEAD}"]
    return "\n".join(words) + "\n"


def card_page(card: ScoreCard) -> Page:
    """A card as a page."""
    track = load_track(card.track.name)
    named = [(title_words(each, card), each) for each in card.scores]
    rows = tuple((title, _cell(each), each.sample, even_words(each)) for title, each in named)
    table = Table("scores", "Scores", Data(("score", "value", "sample", "between equals"), rows))
    items: list[Item] = [table, *_forests("card", named)]
    sections = (
        PageSection("scores", track.title, (track.about,), tuple(items)),
        PageSection("again", "Play it again", (), (_commands(card),)),
        PageSection("about", "How it was played", (), (Words(tuple(_facts(card))),)),
    )
    about = (
        f"Score card of {card.agent.name} on {card.track.name}, {card.games:,} games, {card.played}"
    )
    return _page(f"{card.agent.name} on {card.track.name}", about, sections)


def _page(title: str, about: str, sections: Sequence[PageSection]) -> Page:
    return Page(title, Verdict("", "", ()), (), front=tuple(sections), about=about)


def _cell(score: CardScore) -> Cell:
    """A figure that sorts; of few rulesets or seeds, where a report would make no claim, as text."""
    if score.sample != DEALS:
        return figure_words(score)
    return Number(score.value, score.low, score.high, score.number, STYLES[score.unit])


def _forests(key: str, named: Sequence[tuple[str, CardScore]]) -> list[Chart]:
    """A chart for each unit that occurs more than once."""
    charts = []
    for unit in STYLES:
        found = [(name, each) for name, each in named if each.unit == unit]
        if len(found) > 1:
            charts.append(_forest(f"{key}{unit.lower()}", unit, found))
    return charts


def _forest(key: str, unit: str, found: Sequence[tuple[str, CardScore]]) -> Chart:
    names = [name for name, _ in found]
    numbers = [
        Number(each.value, each.low, each.high, max(each.number, 30), STYLES[unit])
        for _, each in found
    ]

    def paint(axis: Axes) -> None:
        forest(axis, names, numbers)
        if unit == "share":
            per_cent(axis)
        axis.set_xlabel(
            {"share": "share of the points", "Elo": "Elo points above random"}.get(unit, unit)
        )

    data = Data(
        ("name", "value", "low", "high"), tuple((n, e.value, e.low, e.high) for n, e in found)
    )
    says = "; ".join(f"{name}: {figure_words(each)}" for name, each in found)
    svg = draw(re.sub(r"\W", "", key), paint, height=0.7 + ROW * len(names), width=6.4)
    title = {"share": "Shares", "Elo": "Ratings", "way": "Ways"}[unit]
    return Chart(key, title, svg, data, "Lines are 95 % intervals.", says)


def _commands(card: ScoreCard) -> Steps:
    return Steps(
        "again",
        "",
        (
            NextStep("Play it.", card.command),
            NextStep("Check the card.", "channel-tunnel benchmark --check card.json"),
        ),
    )


def _facts(card: ScoreCard) -> list[str]:
    machine = card.machine
    speed = ", ".join(
        f"{value:,.3g} {UNITS.get(kind, kind)} a second" for kind, value in machine.speed.items()
    )
    opponents = ", ".join(f"{name} {files or ''}".strip() for name, files in card.opponents.items())
    return [
        f"The agent saw {card.agent.sees}; a move took {card.agent.milliseconds:.3g} ms on average.",
        f"{card.decisions:,} decisions of the agent in {card.games:,} games; seed {card.seed}.",
        f"{card.wall_seconds:,.0f} s, of the processor {card.processor_seconds:,.0f} s.",
        f"{machine.processor}, {machine.cores} cores, {machine.system}; Python {machine.python}, numpy {machine.numpy}, "
        f"numba {machine.numba}; package {card.package}.",
        f"One core does {speed}.",
        f"Track {card.track.name}, digest {card.track.digest}.",
        f"Opponents: {opponents}.",
    ]


def board_page(lines: Sequence[BoardLine]) -> Page:
    """All cards, a section for each track that has some."""
    sections = []
    for name in RELEASED:
        if mine := _lines_of(name, lines):
            sections.append(_track_section(load_track(name), mine))
    enter = NextStep("Enter an agent of yours.", "channel-tunnel benchmark duel-v1 my_module:agent")
    how = PageSection(
        "enter", "Enter", ("docs/benchmark.md says how.",), (Steps("enter", "", (enter,)),)
    )
    return _page(TITLE, ABOUT, (*sections, how))


def _track_section(track: BenchmarkTrack, lines: Sequence[BoardLine]) -> PageSection:
    keys, titles = _columns(lines)
    rows = []
    for line in lines:
        found = {score.key: score for score in line.card.scores}
        cells = [_cell(found[key]) if key in found else None for key in keys]
        agent = line.card.agent
        rows.append((line.name, *cells, agent.milliseconds, line.card.decisions, agent.sees))
    columns = ("agent", *(titles[key] for key in keys), "ms a move", "decisions", "sees")
    plain = re.sub(r"\W", "", track.track)
    items: list[Item] = [Table(plain, track.title, Data(columns, tuple(rows)))]
    items += _plots(plain, track, lines)
    return PageSection(track.track, f"{track.track}: {track.title}", (track.about,), tuple(items))


def _columns(lines: Sequence[BoardLine]) -> tuple[list[str], dict[str, str]]:
    """The keys of the scores that a line shows, ratings first; and their titles.

    Where agents are rated at several budgets or with several seeds, the ratings alone: a card has its shares too. Of
    changed rules the ways, and the shares without adaptation.
    """
    found = {score.key: (score, line.card) for line in lines for score in line.card.scores}
    scores = {key: score for key, (score, _) in found.items()}
    ratings = _ratings(scores.values())
    others = [key for key, score in scores.items() if score not in ratings]
    if any(score.unit == "way" for score in scores.values()):
        others = [key for key in others if scores[key].unit == "way" or _is_zero_shot(scores[key])]
    keys = [*(score.key for score in ratings), *([] if len(ratings) > 1 else others)]
    return keys, {key: _in_millions(title_words(*found[key])) for key in keys}


def _ratings(scores: Iterable[CardScore]) -> list[CardScore]:
    """The ratings among some scores; one over several seeds comes before theirs."""
    return sorted((one for one in scores if one.unit == "Elo"), key=lambda one: one.sample == DEALS)


def _in_millions(title: str) -> str:
    """A title whose decisions are counted in millions: heads of columns are narrow."""
    return re.sub(
        r"[\d,]{7,}(?= decisions)",
        lambda found: f"{int(found[0].replace(',', '')) / 1e6:g} M",
        title,
    )


def _rank(card: ScoreCard) -> float:
    """The rating that comes first, or the mean share, of changed rules that without adaptation."""
    ratings = _ratings(card.scores)
    shares = [each for each in card.scores if each.unit == "share"]
    alike = [each.value for each in shares if _is_zero_shot(each)] or [e.value for e in shares]
    return ratings[0].value if ratings else sum(alike) / len(alike)


def _is_zero_shot(score: CardScore) -> bool:
    """Whether a score is the share on the rulesets of a track without adaptation to them."""
    return score.key in ZERO_SHOT


def _plots(key: str, track: BenchmarkTrack, lines: Sequence[BoardLine]) -> list[Item]:
    if track.kind == "rules":
        return [_near_far(key, lines)]
    if track.kind in ("search", "training"):
        return [_by_budget(key, track, lines)]
    named = [(line.name, each) for line in lines for each in line.card.scores if each.unit == "Elo"]
    return [_forest(f"{key}rating", "Elo", named)] if named else []


def _near_far(key: str, lines: Sequence[BoardLine]) -> Chart:
    """Shares on near rulesets against those on far ones, zero-shot."""
    points: list[tuple[str, CardScore, CardScore]] = []
    for line in lines:
        found = {each.key: each for each in line.card.scores}
        near, far = map(found.get, ZERO_SHOT)
        if near is not None and far is not None:
            points.append((line.name, near, far))

    def paint(axis: Axes) -> None:
        axis.plot([0, 1], [0, 1], color=MUTED, lw=0.8, ls=":")
        for name, near, far in points:
            _cross(axis, name, near, far)
        axis.set_xlim(0, 1)
        axis.set_ylim(0, 1)
        axis.set_xlabel("share on near rulesets")
        axis.set_ylabel("share on far rulesets")
        per_cent(axis)
        per_cent(axis, x=False)
        axis.grid()

    data = Data(("agent", "near", "far"), tuple((n, a.value, b.value) for n, a, b in points))
    says = "; ".join(f"{n}: near {figure_words(a)}, far {figure_words(b)}" for n, a, b in points)
    reading = "Against the scripted player. On the dotted line an agent is as good far from the box as near it."
    svg = draw(f"{key}nearfar", paint, height=4.4)
    return Chart(f"{key}nearfar", "Near against far, zero-shot", svg, data, reading, says)


def _cross(axis: Axes, name: str, across: CardScore, up: CardScore) -> None:
    axis.plot([across.low, across.high], [up.value, up.value], color=FIRST_SEAT, lw=1.4)
    axis.plot([across.value, across.value], [up.low, up.high], color=FIRST_SEAT, lw=1.4)
    axis.plot([across.value], [up.value], marker="o", color=INK, ms=4)
    axis.annotate(name, (across.value, up.value), (5, -11), textcoords="offset points", fontsize=8)


def _by_budget(key: str, track: BenchmarkTrack, lines: Sequence[BoardLine]) -> Chart:
    """Ratings against milliseconds or decisions, on a logarithmic axis."""
    curves: list[tuple[str, list[tuple[int, CardScore]]]] = []
    for line in lines:
        found = [
            (budget, each)
            for budget in line.card.budgets
            for each in line.card.scores
            if each.unit == "Elo" and re.search(rf"\b{budget} (ms|decisions)$", each.key)
        ]
        curves.append((line.name, found))
    unit = "milliseconds a move" if track.kind == "search" else "decisions of training"
    svg = draw(f"{key}budget", partial(_paint_curves, curves=curves, unit=unit), height=3.4)
    rows = tuple(
        (n, budget, each.value, each.low, each.high)
        for n, curve in curves
        for budget, each in curve
    )
    says = "; ".join(
        f"{n} at {budget}: {figure_words(each)}" for n, curve in curves for budget, each in curve
    )
    data = Data(("agent", unit, "rating", "low", "high"), rows)
    return Chart(f"{key}budget", f"Rating by {unit}", svg, data, "", says)


def _paint_curves(axis: Axes, curves: Any, unit: str) -> None:
    for name, curve in curves:
        budgets, values = [b for b, _ in curve], [each.value for _, each in curve]
        axis.plot(budgets, values, marker="o", ms=4, color=INK, lw=1.2)
        for budget, each in curve:
            axis.plot([budget, budget], [each.low, each.high], color=INK, lw=1.2)
        if curve:
            axis.annotate(
                name, (budgets[-1], values[-1]), (4, 4), textcoords="offset points", fontsize=8
            )
    axis.set_xscale("log")
    axis.set_xlabel(unit)
    axis.set_ylabel("Elo points above random")
    axis.grid()
