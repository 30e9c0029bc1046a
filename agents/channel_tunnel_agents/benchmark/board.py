"""The scores of a card as a sheet, and the cards of a folder as one page of tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from channel_tunnel_agents.benchmark.playing import SEES_ALL
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import Estimate, percent_words
from channel_tunnel_env.outside.files import write_whole
from channel_tunnel_env.outside.terminal import percent
from channel_tunnel_env.tracks import RELEASED, TrackError, load_track
from channel_tunnel_env.tracks.card import CardScore, ScoreCard, is_verified, read_card

TITLE = "Leaderboard"
WRITTEN = "<!-- Written by `channel-tunnel benchmark --board FOLDER` from the cards of its folder. -->"
ABOUT = (
    "Every line is a score card: a file with the scores, the results of every deal and the command that played them. A card is "
    "*claimed* at first, and *verified* (✓) once a maintainer has checked and signed it. "
    "Brackets are 95 % intervals. They say what other deals would change, unless a column names rulesets or seeds; rulesets, "
    "opponents and their measured strengths are fixed. Some figures of the games are reconstructed, because no source is known."
)
STAR = r"\*"  # a plain one would begin emphasis
LOOKS_AHEAD = "Is given the game and redeals its hidden cards."
KNOWN, KNEW = "†", "Was played on deals that were known before; deals are drawn during the games now."
NOTE = (
    "Written by `channel-tunnel benchmark --board docs/leaderboard`. "
    "[The benchmark](how-to/benchmark-an-agent.md) says what is measured, and how to enter."
)
ZERO_SHOT = "0 min, near", "0 min, far"  # keys of the shares without adaptation
DEALS, GAMES = "deals", "games"  # of a score: what was drawn to find it, or solved


@dataclass(frozen=True)
class BoardLine:
    """A card on the board, and its file."""

    file: Path
    card: ScoreCard

    @property
    def name(self) -> str:
        """The agent's name: that of the file, without the track's; on the card it may be a whole command."""
        return self.file.stem.removeprefix(f"{self.card.track.name}-")

    @property
    def marks(self) -> str:
        """What follows its name."""
        found = {STAR: self.card.agent.sees == SEES_ALL, KNOWN: not self.card.deals, "✓": is_verified(self.file)}
        return "".join(f" {mark}" for mark, is_so in found.items() if is_so)


def write_board(folder: Path) -> Path:
    """Write the cards of a folder as a table beside it, `FOLDER.md`.

    Raises:
        TrackError, DocumentError: one is no card, of another version of its track, or signed by a stranger.
        OSError: it cannot be written.
    """
    table = folder.with_name(f"{folder.name}.md")
    write_whole(table, board_markdown(folder).encode())
    return table


def read_lines(folder: Path) -> list[BoardLine]:
    """The cards of a folder; a TrackError if there are none, and what `read_card` raises."""
    lines = [BoardLine(path, read_card(path)) for path in sorted(folder.glob("*.json"))]
    if not lines:
        raise TrackError(f"{folder}: no score cards")
    return lines


def board_markdown(folder: Path) -> str:
    """The cards of a folder as tables in Markdown, a chapter for each track."""
    lines = read_lines(folder)
    words = [WRITTEN, "", f"# {TITLE}", "", ABOUT, "", NOTE]
    for name in RELEASED:
        mine = [line for line in lines if line.card.track.name == name]
        if not mine:
            continue
        mine.sort(key=lambda line: _rank(line.card), reverse=True)
        keys, titles = _columns(mine)
        head = ("agent", *(titles[key] for key in keys), "ms a move")
        words += ["", f"## {name}", "", load_track(name).title + ".", ""]
        words += [f"| {' | '.join(head)} |", "|---" + "|---:" * (len(head) - 1) + "|"]
        for line in mine:
            found = {score.key: score for score in line.card.scores}
            link = f"[{line.name}]({folder.name}/{line.file.name}){line.marks}"
            cells = [figure_words(found[key]) if key in found else "" for key in keys]
            words.append(f"| {' | '.join((link, *cells, f'{line.card.agent.milliseconds:.2g}'))} |")
        for mark, meaning in ((STAR, LOOKS_AHEAD), (KNOWN, KNEW)):
            words += ["", f"{mark} {meaning}"] if any(mark in line.marks for line in mine) else []
    return "\n".join(words) + "\n"


def _columns(lines: Sequence[BoardLine]) -> tuple[list[str], dict[str, str]]:
    """The keys of the scores that a line shows, ratings first; and their titles.

    If agents are rated at several budgets or with several seeds, only the ratings: a card has its shares too. Of
    changed rules the ways, and the shares without adaptation.
    """
    scores = {score.key: score for line in lines for score in line.card.scores}
    ratings = _ratings(scores.values())
    others = [key for key, score in scores.items() if score not in ratings]
    if any(score.unit == "way" for score in scores.values()):
        others = [key for key in others if scores[key].unit == "way" or _is_zero_shot(scores[key])]
    keys = [*(score.key for score in ratings), *([] if len(ratings) > 1 else others)]
    return keys, {key: _in_millions(scores[key].title) for key in keys}


def _ratings(scores: Iterable[CardScore]) -> list[CardScore]:
    """The ratings among some scores; one over several seeds comes before theirs."""
    return sorted((one for one in scores if one.unit == "Elo"), key=lambda one: one.sample == DEALS)


def _in_millions(title: str) -> str:
    """A title whose decisions are counted in millions: heads of columns are narrow."""
    return re.sub(r"[\d,]{7,}(?= decisions)", lambda found: f"{int(found[0].replace(',', '')) / 1e6:g} M", title)


def _rank(card: ScoreCard) -> float:
    """The rating that comes first, or the mean share, of changed rules that without adaptation."""
    ratings = _ratings(card.scores)
    shares = [each for each in card.scores if each.unit == "share"]
    alike = [each.value for each in shares if _is_zero_shot(each)] or [e.value for e in shares]
    return ratings[0].value if ratings else sum(alike) / len(alike)


def _is_zero_shot(score: CardScore) -> bool:
    """Whether a score is the share on the rulesets of a track without adaptation to them."""
    return score.key in ZERO_SHOT


def scores_sheet(card: ScoreCard) -> Sheet:
    """One row a score."""
    rows = tuple(
        (
            each.title,
            figure_words(each),
            f"{each.number:,} {each.sample}",
            "" if each.even is None else percent(each.even),
        )
        for each in card.scores
    )
    return Sheet(f"{card.agent.name} on {card.track.name}", ("score", "value", "over", "even"), rows)


def figure_words(score: CardScore) -> str:
    """The value with its interval."""
    if score.sample == GAMES:
        return percent(score.value)
    if score.unit == "share":
        return percent_words(Estimate(score.value, score.low, score.high))
    if score.unit == "Elo":
        return f"{score.value:+.0f} [{score.low:+.0f}, {score.high:+.0f}]"
    return f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]"
