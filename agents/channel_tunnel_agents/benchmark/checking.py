"""Does a card hold? Its numbers are computed again from its results, its games are played again, and new deals beside them.

An agent that says it repeats itself plays the card's own deals: the same games again, but for a game in a hundred where
networks are computed on another machine. Every agent plays new deals, as many as the card has or some tenths of them. Their
scores are compared with the card's, each by the interval of a difference of two samples (MOVER, of Zou & Donner 2008), so
widened for the number of scores that an honest card passes 99 times in 100.

What is not found: a card that is better than its agent by less than these deals can see, which the check says; and an agent
that was another one when the card was written, and plays as well as this one.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.board import DEALS, figure_words
from channel_tunnel_agents.benchmark.contests import Contest
from channel_tunnel_agents.benchmark.playing import GUESTS, files_of_all, play_part, repeats, what_it_sees
from channel_tunnel_agents.benchmark.running import (
    CARD,
    BenchmarkEntry,
    contests_of,
    opponents_of,
    reference_digest,
    reference_of,
)
from channel_tunnel_agents.benchmark.scoring import ROUNDED, Results, score
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.sheet import Sheet
from channel_tunnel_agents.statistics import REACH
from channel_tunnel_env import __version__
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.tracks import PARTS, BenchmarkTrack, TrackError, load_track
from channel_tunnel_env.tracks.card import CardScore, ScoreCard, read_card

FALSE_ALARMS = 0.01  # of honest cards
POWER = 0.9  # with which a check finds the lift that it names
LIFTS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.3, 0.5)  # parts of all games that were lost and are said to be won
ODD_GAMES = 0.01  # of an agent that repeats itself: where rounding differs between machines
SHARE, WAY = "share", "way"  # units: of scores that need no reference, and of those that follow from shares


@dataclass(frozen=True)
class ComparedScore:
    """A score of the card beside that of new deals.

    Attributes:
        card, again: both.
        fits: whether their difference may be chance.
    """

    card: CardScore
    again: CardScore
    fits: bool


@dataclass(frozen=True)
class CheckedCard:
    """What a check found.

    Attributes:
        holds: whether what was played fits the card.
        words: why, in a sentence.
        games: played.
        differing: of the card's own games, those with another result.
        compared: the scores of new deals beside the card's.
        lift: the smallest of `LIFTS` that these deals would have found 9 times in 10; None: not even the largest.
        skipped: opponents that are not those of the card any more.
        unchecked: titles of the scores that were read against a ladder or goals that are not here.
    """

    holds: bool
    words: str
    games: int = 0
    differing: int = 0
    compared: tuple[ComparedScore, ...] = ()
    lift: float | None = None
    skipped: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()

    @property
    def sheet(self) -> Sheet:
        """The scores side by side."""
        rows = tuple(
            (each.card.title, figure_words(each.card), figure_words(each.again), "yes" if each.fits else "no")
            for each in self.compared
        )
        return Sheet("New deals", ("score", "card", "new deals", "fits"), rows)


def check_numbers(card: ScoreCard, where: str, folder: Path) -> list[Contest]:
    """Compute the scores again from the results; returns the contests.

    Those of `unchecked_scores` are taken as they are.

    Args:
        folder: where trained agents are.

    Raises:
        TrackError: the results are not those of the track, or a score does not follow from them.
    """
    track = load_track(card.track.name)
    entry = BenchmarkEntry(track, card.agent.name, tuple(card.budgets), card.agent.train or "")
    contests = contests_of(entry, folder)
    shapes = {key: (len(rows), {len(row) for row in rows}) for key, rows in card.results.items()}
    wanted = {each.key: (len(each.seatings), {each.deals}) for each in contests}
    drawn = {key: len(seeds) for key, seeds in card.deals.items()}
    if shapes != wanted or drawn not in ({}, {each.key: len(each.parts) for each in contests}):
        raise TrackError(f"{where}: its results are not those of {track.track}")
    unchecked = unchecked_scores(card)
    told = [each for each in card.scores if each not in unchecked]
    reference = reference_of(track)
    if reference_digest(reference) != card.reference:
        reference = None
    found = score(track, contests, card.results, reference, card.opponents)
    if [_words_of(each) for each in found] != [_words_of(each) for each in told]:
        raise TrackError(f"{where}: its scores are not those of {track.track}")
    for ours, theirs in zip(found, told, strict=True):
        one, other = ((each.value, each.low, each.high) for each in (ours, theirs))
        if not np.allclose(one, other, rtol=1e-4, atol=10.0**-ROUNDED):
            raise TrackError(
                f"{where}: {theirs.key}: {theirs.value} [{theirs.low}, {theirs.high}] does not follow from its "
                f"results, which give {ours.value} [{ours.low}, {ours.high}]"
            )
    return contests


def unchecked_scores(card: ScoreCard) -> list[CardScore]:
    """The ratings and ways of a card that was read against a ladder or goals that are not here."""
    if reference_digest(reference_of(load_track(card.track.name))) == card.reference:
        return []
    return [each for each in card.scores if each.unit != SHARE]


def _words_of(found: CardScore) -> dict[str, Any]:
    """What a score says beside its figures."""
    return found.model_dump(exclude={"value", "low", "high"})


def check_card(
    path: Path,
    parts: int = PARTS,
    progress: Callable[[int], object] = lambda games: None,
    track: str = "",
    agent: str = "",
) -> CheckedCard:
    """Check a card's numbers, and play.

    A card that comes from somebody else may name a program; it is run only if the caller names it too.

    Args:
        parts: how many tenths of the games are played, 1 to 10.
        progress: called with the number of games just finished.
        track, agent: that the card should be of; empty: any, but no agent that is a program.

    Raises:
        TrackError, DocumentError: the card is wrong, damaged, or of another version of its track; one line.
        AgentError, VersionError: the agent cannot be made, is another one, or a program that the caller has not named.
    """
    if not 1 <= parts <= PARTS:
        raise TrackError(f"--parts {parts}: 1 to {PARTS}")
    card = read_card(path)
    _check_named(card, path, track, agent)
    folder = path.parent if path.name == CARD else path.with_suffix("")
    contests = check_numbers(card, str(path), folder)
    found = _check_play(card, contests, parts, progress)
    return replace(found, unchecked=tuple(each.title for each in unchecked_scores(card)))


def _check_named(card: ScoreCard, path: Path, track: str, agent: str) -> None:
    """Refuse a card of another track or agent than the caller named, and a program that the caller did not name."""
    for found, given in ((card.track.name, track), (card.agent.name, agent)):
        if given not in ("", found):
            raise AgentError(f"{path}: a card of {quote(found)}, not of {quote(given)}")
    name = card.agent.name
    if not agent and AgentName.read(name).kind in GUESTS:
        words = [*command_words("benchmark"), card.track.name, name, "--check", str(path)]
        raise AgentError(
            f"{path}: its agent is a program, {quote(name)}; if you trust it, name it: {shlex.join(words)}"
        )


def _check_play(card: ScoreCard, contests: list[Contest], parts: int, progress: Callable[[int], object]) -> CheckedCard:
    """Play what a card whose numbers have been checked is held to."""
    name, ruleset = contests[0].agent, contests[0].ruleset
    known = card.agent.files
    if known is not None and files_of_all(contests) != known:
        return CheckedCard(False, f"{card.agent.name} is another one here: its files differ")
    here = {"sees": what_it_sees(name, ruleset), "repeats": repeats(name, ruleset)}
    for key, found in here.items():
        if found != (told := getattr(card.agent, key)):
            return CheckedCard(False, f"{card.agent.name} is another one here: {key} is {found}, and not {told}")
    rivals = opponents_of(contests)
    skipped = tuple(rival for rival, digest in card.opponents.items() if rivals[rival] != digest)
    kept = [each for each in contests if each.rival not in skipped]
    if not kept:
        return CheckedCard(False, "all its opponents are others here", skipped=skipped)
    solved = all(each.is_solved for each in kept)
    chosen = sorted(secrets.SystemRandom().sample(range(PARTS), PARTS if solved else parts))
    if not any(part in each.parts for each in kept for part in chosen):
        return CheckedCard(False, f"{parts} of {PARTS} parts have no games of this card", skipped=skipped)
    games = differing = 0
    if solved or (card.agent.repeats and card.deals and card.package == __version__):
        same = _play([each for each in kept if not each.minutes], chosen, card.deals, progress)
        for contest in kept:
            if contest.key in same:
                told = np.asarray(card.results[contest.key])[:, contest.are_in(chosen)]
                games, differing = games + told.size, differing + int((told != same[contest.key]).sum())
    if differing > ODD_GAMES * games:
        words = f"{differing} of {games:,} games ended otherwise; {card.agent.name} repeats itself"
        return CheckedCard(False, words, games, differing, skipped=skipped)
    if solved:
        return CheckedCard(True, f"{games} of {games} results are exactly the card's", games)
    new = _play(kept, chosen, {}, progress)
    compared, lift = compare(load_track(card.track.name), kept, card, new)
    odd = [each.card.title for each in compared if not each.fits]
    words = f"{games - differing:,} of {games:,} games ended as the card says; " if games else ""
    words += f"on new deals {', '.join(odd)} {'differs' if len(odd) == 1 else 'differ'} by more" if odd else ""
    words += "" if odd else f"on new deals no score of {len(compared)} differs by more"
    games += sum(len(row) for rows in new.values() for row in rows)
    return CheckedCard(not odd, f"{words} than chance", games, differing, compared, lift, skipped)


def _play(
    contests: Sequence[Contest],
    chosen: Sequence[int],
    deals: Mapping[str, Sequence[int]],
    progress: Callable[[int], object],
) -> dict[str, list[list[float]]]:
    """Some parts of contests, on these deals or on new ones: contest -> for each seating the shares."""
    found: dict[str, list[list[float]]] = {}
    for contest in contests:
        for place, part in enumerate(contest.parts):
            if part in chosen:
                rows = found.setdefault(contest.key, [[] for _ in contest.seatings])
                played = play_part(contest, part, deals[contest.key][place] if deals else None)
                for row, shares in zip(rows, played.shares, strict=True):
                    row.extend(shares)
                progress(contest.deals_of(part) * len(rows))
    return found


def compare(
    track: BenchmarkTrack, contests: Sequence[Contest], card: ScoreCard, new: Results
) -> tuple[tuple[ComparedScore, ...], float | None]:
    """The card's scores beside those of new deals, over the contests that were played; and the lift that they find."""
    played = [each for each in contests if each.key in new]
    fewer = [replace(each, deals=len(new[each.key][0]), whole_in=None) for each in played]
    reference = reference_of(track)

    def scores(contests: Sequence[Contest], results: Results) -> dict[str, CardScore]:
        found = score(track, contests, results, reference, card.opponents)
        return {each.key: each for each in found if each.sample == DEALS and each.unit != WAY}

    told, again = scores(played, card.results), scores(fewer, new)
    reach = float(norm.ppf(1 - FALSE_ALARMS / 2 / len(told)))
    compared = tuple(ComparedScore(told[key], again[key], _fits(told[key], again[key], reach)) for key in told)
    for lift in LIFTS:
        better = scores(played, {each.key: _lifted(card.results[each.key], lift) for each in played})
        far = reach + float(norm.ppf(POWER))
        if any(one.value - told[key].value > far * _errors(one, again[key])[0] for key, one in better.items()):
            return compared, lift
    return compared, None


def _errors(card: CardScore, again: CardScore) -> tuple[float, float]:
    """Standard errors of the difference of two independent estimates, if it is above and below 0."""
    above = np.hypot(card.value - card.low, again.high - again.value) / REACH
    return float(above), float(np.hypot(card.high - card.value, again.value - again.low) / REACH)


def _fits(card: CardScore, again: CardScore, reach: float) -> bool:
    above, below = _errors(card, again)
    return -reach * below <= card.value - again.value <= reach * above


def _lifted(rows: Sequence[Sequence[float]], part: float) -> list[list[float]]:
    """Shares of an agent that says it has won the worst of its games."""
    found = np.array(rows)
    for row in found:
        row[np.argsort(row, kind="stable")[: max(1, round(part * len(row)))]] = 1.0
    return found.tolist()  # type: ignore[no-any-return]
