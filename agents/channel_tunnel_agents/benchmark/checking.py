"""Does a card hold? Its numbers are computed again from its results, and a tenth of its games is played again.

The same deals: one part of every contest, which part is drawn or said. An agent that repeats itself (everything but a
search by the clock, a process and a module, which need not) plays the same games; where networks are computed on another
machine a game in a hundred may differ. For the others, the mean of the changes must not be certain: 0 lies in its
99.9 % interval. Fresh deals: the same number of new deals; the means of both must not differ by more than 99.9 % of
differences do between deals.

What is not found: an agent that was another one when the card was written, and plays as well as this one.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.contests import MS, Contest
from channel_tunnel_agents.benchmark.playing import files_of, play_part, what_it_sees
from channel_tunnel_agents.benchmark.running import (
    CARD,
    BenchmarkEntry,
    contests_of,
    opponents_of,
    reference_digest,
    reference_of,
)
from channel_tunnel_agents.benchmark.scoring import ROUNDED, score
from channel_tunnel_agents.matches.page import TIME_BUDGET
from channel_tunnel_agents.names import AgentName
from channel_tunnel_agents.program import command_words
from channel_tunnel_agents.statistics import student_reach
from channel_tunnel_env import __version__
from channel_tunnel_env.core.seeds import MAX_SEED
from channel_tunnel_env.outside.documents import quote
from channel_tunnel_env.outside.percent import percent
from channel_tunnel_env.tracks import PARTS, TrackError, load_track
from channel_tunnel_env.tracks.card import CardScore, ScoreCard, read_card

CONFIDENCE = 0.999  # a false alarm in a thousand cards
ODD_GAMES = 0.01  # of an agent that repeats itself: where rounding differs between machines
SHARE = "share"  # the unit of scores that need no reference
FRESH = 35  # part of the seed of fresh deals
PROGRAMS = ("module", "process")  # kinds of agents whose names say what is run
REPEATING = ("random", "scripted", "ismcts", "onnx", "policy")
Shares = NDArray[np.float64]


@dataclass(frozen=True)
class CheckedCard:
    """What a check found.

    Attributes:
        holds: whether what was played again fits the card.
        words: why, in a sentence.
        games: played again.
        differing: games whose result is another one; of fresh deals none is compared.
        skipped: opponents that are not those of the card any more.
        unchecked: titles of the scores that were read against a ladder or goals that are not here.
    """

    holds: bool
    words: str
    games: int
    differing: int
    skipped: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def check_numbers(card: ScoreCard, where: str, folder: Path) -> list[Contest]:
    """Compute the scores again from the results; returns the contests.

    Those of `unchecked_scores` are taken as they are.

    Args:
        folder: where trained agents are.

    Raises:
        TrackError: the results are not those of the track, or a score does not follow from them.
    """
    track = load_track(card.track.name)
    contests = contests_of(entry_of(card), folder)
    shapes = {key: (len(rows), {len(row) for row in rows}) for key, rows in card.results.items()}
    wanted = {each.key: (len(each.seatings), {each.deals}) for each in contests}
    if shapes != wanted:
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


def entry_of(card: ScoreCard) -> BenchmarkEntry:
    """The entry that a card says."""
    return BenchmarkEntry(load_track(card.track.name), card.agent.name, tuple(card.budgets), card.agent.train or "")


def check_card(
    path: Path,
    part: int,
    fresh: int | None = None,
    progress: Callable[[int], object] = lambda games: None,
    track: str = "",
    agent: str = "",
) -> CheckedCard:
    """Check a card's numbers and play a tenth of its games again.

    A card that comes from somebody else may name a program; it is run only if the caller names it too.

    Args:
        part: which of the parts, 0 to 9.
        fresh: seed of fresh deals; None: those of the card.
        progress: called with the number of games just finished.
        track, agent: that the card should be of; empty: any, but no agent that is a program.

    Raises:
        TrackError, DocumentError: the card is wrong, was changed, or is of another version of its track; one line.
        AgentError, VersionError: the agent cannot be made, is another one, or a program that the caller has not named.
    """
    if not 0 <= part < PARTS:
        raise TrackError(f"--part {part}: 0 to {PARTS - 1}")
    if fresh is not None and not 0 <= fresh <= MAX_SEED:
        raise TrackError(f"--fresh {fresh}: 0 to {MAX_SEED:,}")
    card = read_card(path)
    _check_named(card, path, track, agent)
    folder = path.parent if path.name == CARD else path.with_suffix("")
    contests = check_numbers(card, str(path), folder)
    unchecked = tuple(each.title for each in unchecked_scores(card))
    found = _play_again(card, contests, part, fresh, progress)
    return replace(found, unchecked=unchecked)


def _check_named(card: ScoreCard, path: Path, track: str, agent: str) -> None:
    """Refuse a card of another track or agent than the caller named, and a program that the caller did not name."""
    for found, given in ((card.track.name, track), (card.agent.name, agent)):
        if given not in ("", found):
            raise AgentError(f"{path}: a card of {quote(found)}, not of {quote(given)}")
    name = card.agent.name
    if not agent and AgentName.read(name).kind in PROGRAMS:
        words = [*command_words("benchmark"), card.track.name, name, "--check", str(path)]
        raise AgentError(
            f"{path}: its agent is a program, {quote(name)}; if you trust it, name it: {shlex.join(words)}"
        )


def _play_again(
    card: ScoreCard, contests: list[Contest], part: int, fresh: int | None, progress: Callable[[int], object]
) -> CheckedCard:
    """Play a tenth of the games of a card whose numbers have been checked."""
    first, known = contests[0], card.agent.files
    if known is not None and files_of(first.agent, first.ruleset) != known:
        return CheckedCard(False, f"{card.agent.name} is another one here: its files differ", 0, 0)
    sees = what_it_sees(first.agent, first.ruleset)
    if sees != card.agent.sees:
        words = f"{card.agent.name} sees {sees}, and not {card.agent.sees}"
        return CheckedCard(False, words, 0, 0)
    here = opponents_of(contests)
    skipped = tuple(name for name, digest in card.opponents.items() if here[name] != digest)
    contests = [each for each in contests if each.rival not in skipped]
    if not contests:
        return CheckedCard(False, "all its opponents are others here", 0, 0, skipped)
    again, before = [], []
    for contest in contests:
        first_deal, count = contest.deals_of(part)
        if not count:
            continue
        told = np.asarray(card.results[contest.key], np.float64)
        seed = None if fresh is None else _fresh_seed(contest, fresh)
        again.append(np.asarray(play_part(contest, part, seed).shares))
        before.append(told[:, first_deal : first_deal + count] if fresh is None else told)
        progress(count * len(contest.seatings))
    if not again:
        return CheckedCard(False, f"part {part} has no games of this card", 0, 0, skipped)
    if fresh is not None:
        return _fresh(before, again, skipped)
    return _same(card, before, again, skipped)


def _fresh_seed(contest: Contest, fresh: int) -> int:
    """The seed of a contest's fresh deals, which are the card's own for no `fresh`."""
    return int(np.random.SeedSequence([contest.seed, FRESH, fresh]).generate_state(1)[0])


def _same(card: ScoreCard, before: Sequence[Shares], again: Sequence[Shares], skipped: tuple[str, ...]) -> CheckedCard:
    """The same deals: game by game, or the mean change of a deal."""
    games = sum(shares.size for shares in again)
    differing = sum(int((one != other).sum()) for one, other in zip(before, again, strict=True))
    if not differing:
        return CheckedCard(True, "every game ended as the card says", games, 0, skipped)
    if repeats(card) and card.package == __version__:
        holds = differing <= ODD_GAMES * games
        words = f"{differing} of {games:,} games ended otherwise; {card.agent.name} repeats itself"
        return CheckedCard(holds, words, games, differing, skipped)
    changes = [(other - one).mean(axis=0) for one, other in zip(before, again, strict=True)]
    value, reach = _mean_and_reach(changes)
    words = f"the mean share changed by {100 * value:+.1f} points, {100 * reach:.1f} are possible by chance"
    return CheckedCard(abs(value) <= reach, words, games, differing, skipped)


def _fresh(before: Sequence[Shares], again: Sequence[Shares], skipped: tuple[str, ...]) -> CheckedCard:
    """Other deals: the difference of the means."""
    (one, one_reach), (other, other_reach) = (
        _mean_and_reach([shares.mean(axis=0) for shares in each]) for each in (before, again)
    )
    reach = float(np.hypot(one_reach, other_reach))
    words = (
        f"the mean share is {percent(other)} on fresh deals and {percent(one)} on the card; "
        f"{100 * reach:.1f} points are possible by chance"
    )
    games = sum(shares.size for shares in again)
    return CheckedCard(abs(other - one) <= reach, words, games, 0, skipped)


def _mean_and_reach(lists: Sequence[Shares]) -> tuple[float, float]:
    """The mean over contests of the mean over deals, and how far chance takes it.

    Deals that are all alike do not show how much deals differ: each contest's variance is at least that of one deal of all
    that differs by a half.
    """
    means = [float(shares.mean()) for shares in lists]
    spread = [
        max(float(shares.var(ddof=1)) if len(shares) > 1 else 0.25, 0.25 / len(shares)) / len(shares)
        for shares in lists
    ]
    freedom = max(1, sum(map(len, lists)) - len(lists))
    reach = student_reach(freedom, CONFIDENCE) * float(np.sqrt(sum(spread))) / len(lists)
    return float(np.mean(means)), reach


def repeats(card: ScoreCard) -> bool:
    """Whether the agent plays the same games again from the same seeds."""
    name = card.agent.name
    by_clock = bool(TIME_BUDGET.search(name)) or MS in name
    learns = load_track(card.track.name).kind in ("rules", "training") and any(card.budgets)
    return not by_clock and not learns and AgentName.read(name).kind in REPEATING
