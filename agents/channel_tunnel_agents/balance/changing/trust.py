"""Whether a player that reads the rules may judge them: found out before it speaks, and mended where it may not.

A player trained on thousands of rulesets is strong on most and lost on some, and its own games do not show which. So it
first plays the scripted player on the very rules. Where it does not win by enough, or a second policy judges its games
otherwise, a copy of it is trained on these rules alone for some minutes, and the better of the two speaks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from channel_tunnel_agents.balance.changing.tuned import MINUTES, TunedCopy, exact_copy, find_copy, tune_copy
from channel_tunnel_agents.balance.measuring.footing import DEALS, MANY_STOPPED, Footing, Pair, measure_footings
from channel_tunnel_agents.balance.measuring.second_opinion import measure_apart
from channel_tunnel_agents.base import AgentError, reads_rules, searches
from channel_tunnel_agents.games import agents_of
from channel_tunnel_agents.interrupt import STOPPING, StopRequest
from channel_tunnel_agents.learning.guards import TrainingCollapse, TrainingStopped
from channel_tunnel_agents.names import is_tuned
from channel_tunnel_agents.registry import make_agent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.outside.percent import percent
from channel_tunnel_env.outside.progress import Progress

STILL_OFF = "A player that trains for hours may find more, so a side's share can still be several points off."
BETTER_COPY = f"A copy tuned on them for {MINUTES:g} minutes may win a few points more (channel-tunnel adapt)."


@dataclass(frozen=True)
class Apart:
    """How far the values of a player and of a second policy lie apart.

    Attributes:
        second: name of the other policy.
        gap: between their chances of the first seat, 0 to 1; see `second_opinion`.
        most: how far they may lie apart before the player is doubted: see `AgentSpec`.
    """

    second: str
    gap: float
    most: float

    @property
    def is_wide(self) -> bool:
        """Whether they lie too far apart."""
        return self.gap > self.most

    @property
    def words(self) -> str:
        """Part of a sentence about the player."""
        return (
            f"{self.second} judges its positions otherwise: the chances that they give a side to win lie "
            f"{100 * self.gap:.0f} points apart ({100 * self.most:.0f} at most are usual)"
        )


@dataclass(frozen=True)
class Speaker:
    """Who speaks about a ruleset in the place of a player that reads the rules.

    Attributes:
        asked: name of the player.
        footing: that player against the scripted one.
        trusted: share of wins against the scripted one from which a player may judge the rules: see `AgentSpec`.
        copy: its copy tuned on the ruleset, if there is one.
        of_copy: the copy against the scripted player.
        why_not: why there is no copy, where one was needed.
        strong: share from which a copy is hardly better than the player; None: not known. See `AgentSpec`.
        apart: how far the values of the player and of a second policy lie apart; None: not measured.
    """

    asked: str
    footing: Footing
    trusted: float
    copy: TunedCopy | None = None
    of_copy: Footing | None = None
    why_not: str = ""
    strong: float | None = None
    apart: Apart | None = None

    @property
    def name(self) -> str:
        """Who plays: the better of the two."""
        if self.copy is None or self.of_copy is None:
            return self.asked
        return self.copy.name if self.of_copy.share.value > self.footing.share.value else self.asked

    @property
    def best(self) -> Footing:
        """How whoever plays fares against the scripted player."""
        return self.of_copy if self.of_copy is not None and self.name != self.asked else self.footing

    @property
    def is_trusted(self) -> bool:
        """Whether whoever plays wins enough against the scripted player, or one seat wins whoever plays.

        That the better seat leaves no more is believed where a copy was tuned and could win no more either.
        """
        return not self.is_doubted if self.of_copy is None else is_enough(self.best, self.trusted)

    @property
    def is_doubted(self) -> bool:
        """Whether the player asked for needs a copy: it wins too little, or a second policy judges its games otherwise."""
        return needs_copy(self.footing, self.trusted) or self.is_disputed

    @property
    def is_disputed(self) -> bool:
        """Whether a second policy judges its games otherwise."""
        return self.apart is not None and self.apart.is_wide

    @property
    def is_strong(self) -> bool:
        """Whether the player asked for wins so much that a copy tuned on the rules would hardly win more."""
        strong = self.strong is not None and is_strong(self.footing, self.strong)
        return strong and not self.is_disputed

    @property
    def may_gain(self) -> bool:
        """Whether a tuned copy may win some points more, as far as that was measured."""
        return self.strong is not None and not self.is_strong

    @property
    def lines(self) -> list[str]:
        """The verdict on the player, and on rules that end in nothing."""
        return [*_stopped_lines(self.best), self._verdict()]

    def _verdict(self) -> str:
        asked, rules, scripted = self.asked, self.footing.ruleset, self.footing.scripted
        if self.best.is_decided_by_seat:
            return (
                f"On {rules} one seat wins {percent(self.best.favoured, 0)} of the games whoever plays it, so how well "
                f"{asked} plays cannot be seen: mend that first."
            )
        wins = f"it wins {self.footing.percent} of its games against {scripted}, the scripted player"
        if self.apart is not None and self.is_disputed:
            wins = f"{wins}, but {self.apart.words}"
        if not self.is_doubted:
            praise = "is a strong player of" if self.is_strong else "is a good player of"
            return f"{asked} {praise} {rules}: {wins}.{self._of_a_copy()}"
        lost = f"{asked} {_lost(self.footing, self.trusted)} {rules}: {wins}"
        if self.copy is None or self.of_copy is None:
            care = "So take what it says of these rules with care."
            return " ".join(filter(None, (f"{lost}.", self.why_not, care)))
        trained = _trained(self.copy)
        if self.name == asked:
            no_more = f"and {trained} wins no more ({self.of_copy.percent})"
            if self.is_trusted:
                why = "" if self.is_disputed else ", where one seat is better off"
                return f"{asked} is a good player of {rules}{why}: {wins}, {no_more}."
            return f"{lost}, {no_more}. So take what either says with care."
        speaks = f"{lost}. The figures below come from {trained}, which wins {self.of_copy.percent}"
        if self.is_trusted:
            return f"{speaks}. {STILL_OFF}"
        return f"{speaks}, still less than {percent(self.trusted, 0)}: take them with care."

    def _of_a_copy(self) -> str:
        """What a copy adds to a player that may judge the rules: a sentence, or nothing."""
        if self.copy is None or self.of_copy is None:
            return f" {BETTER_COPY}" if self.may_gain else ""
        if self.name == self.asked:
            return ""
        return f" The figures below come from {_trained(self.copy)}, which wins {self.of_copy.percent}."

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "asked": self.asked,
            "speaks": self.name,
            "trusted": self.is_trusted,
            "apart": None if self.apart is None else self.apart.gap,
            "footing": self.footing.to_dict(),
            "of_copy": None if self.of_copy is None else self.of_copy.to_dict(),
            "minutes": None if self.copy is None else self.copy.minutes,
            "lines": self.lines,
        }


def _trained(copy: TunedCopy) -> str:
    return f"a copy trained on these rules alone for {copy.minutes:.2g} minutes"


def needs_copy(found: Footing, trusted: float) -> bool:
    """Whether a copy is to be tuned before the rules are judged.

    The better seat is no excuse yet: a copy that plays both seats better also makes them more alike.
    """
    return not found.is_decided_by_seat and found.share.value < trusted


def is_enough(found: Footing, trusted: float) -> bool:
    """Whether a player may judge the rules: it wins enough, as far as the better seat leaves room, or there is none."""
    return found.is_decided_by_seat or max(found.share.value, found.even_share) >= trusted


def _lost(found: Footing, trusted: float) -> str:
    """The fault of a player that wins too little; whether it is one cannot be seen where one seat is much better off."""
    return "may be out of its depth on" if is_enough(found, trusted) else "is out of its depth on"


def is_strong(found: Footing, strong: float) -> bool:
    """Whether a tuned copy would hardly win more; as in `needs_copy`, the better seat is no excuse."""
    return found.share.value >= strong


def trusted_share(ruleset: Ruleset) -> float:
    """The share against the scripted player from which a player may judge a ruleset of its game."""
    return agents_of(ruleset.spec.name).trusted


def strong_share(ruleset: Ruleset) -> float | None:
    """The share from which a tuned copy is hardly better than the player, if that was measured for the game."""
    return agents_of(ruleset.spec.name).strong


def readers_of(names: Iterable[str], ruleset: Ruleset) -> list[str]:
    """The players that read the rules and do not look ahead, tuned copies left out; none but for two seats."""
    return [name for name in dict.fromkeys(names) if not is_tuned(name) and _is_reader(name, ruleset)]


def _is_reader(name: str, ruleset: Ruleset) -> bool:
    """Whether a player, a tuned copy perhaps, reads the rules of a game for two and does not look ahead."""
    if ruleset.num_seats != 2:
        return False
    agent = make_agent(name, ruleset)
    return reads_rules(agent) and not searches(agent)


def find_speakers(
    names: Iterable[str],
    ruleset: Ruleset,
    minutes: float,
    deals: int = DEALS,
    workers: int | None = None,
    progress: Progress | None = None,
) -> list[Speaker]:
    """Test each player that reads the rules; where it fails, tune its copy. A copy that there is already is tested too.

    Args:
        names: of agents; those that do not read the rules are left out.
        minutes: of training for a copy, in all; 0: only a copy that there is already.
        deals: against the scripted player, two games each.
        workers: processes of the games.
        progress: shows the stages.

    Raises:
        AgentError, ChannelTunnelError: an unknown agent, or one that does not fit the ruleset.
        TrainingStopped: Ctrl-C while a copy was trained; it keeps what it has learnt.
    """
    shown = progress or Progress()
    pairs = [(name, ruleset) for name in readers_of(names, ruleset)]
    tested = _test(pairs, deals, workers, shown)
    return [_with_copy(each, ruleset, minutes, deals, workers, shown) for each in tested]


def _test(pairs: Sequence[Pair], deals: int, workers: int | None, progress: Progress) -> list[Speaker]:
    """Each player on its ruleset, without a copy so far."""
    if not pairs:
        return []
    stage = progress.begin("against the scripted player", 2 * deals * len(pairs))
    found = measure_footings(pairs, deals, workers, stage)
    rulesets = [ruleset for _, ruleset in pairs]
    return [
        Speaker(each.learner, each, trusted_share(ruleset), strong=strong_share(ruleset), apart=apart)
        for each, ruleset, apart in zip(found, rulesets, find_apart(found, rulesets, workers), strict=True)
    ]


def find_apart(
    footings: Sequence[Footing], rulesets: Sequence[Ruleset], workers: int | None = None
) -> list[Apart | None]:
    """How far the values of each player and of the game's second policy lie apart.

    None for other players than the game's reader, and for one that wins too little anyway.
    """
    pairs = list(zip(footings, rulesets, strict=True))
    seconds = [_second_to_ask(each, ruleset) for each, ruleset in pairs]
    asked = [
        (each.learner, second, ruleset)
        for (each, ruleset), second in zip(pairs, seconds, strict=True)
        if second is not None
    ]
    gaps = iter(measure_apart(asked, workers))
    return [
        Apart(second, next(gaps), agents_of(ruleset.spec.name).most_apart) if second else None
        for second, ruleset in zip(seconds, rulesets, strict=True)
    ]


def _second_to_ask(found: Footing, ruleset: Ruleset) -> str | None:
    """The second policy, where its word may change what is thought of the player."""
    spec = agents_of(ruleset.spec.name)
    settled = found.is_decided_by_seat or needs_copy(found, spec.trusted)
    return None if settled or found.learner != spec.reader else spec.second


def speaker_after(reader: str, ruleset: Ruleset, minutes: float) -> str:
    """Who would speak about a ruleset, for a measurement: a copy, where one is needed, has had so many minutes and no more.

    Released scores rest on it, so the share alone says whether one is needed: no second policy is asked.

    Raises:
        AgentError, OSError: see `exact_copy`.
    """
    (own,) = measure_footings([(reader, ruleset)], DEALS)
    alone = Speaker(reader, own, trusted_share(ruleset))
    if not alone.is_doubted:
        return reader
    return _beside(alone, exact_copy(reader, ruleset, minutes, threads=1), ruleset).name


def _with_copy(
    alone: Speaker, ruleset: Ruleset, minutes: float, deals: int, workers: int | None, progress: Progress
) -> Speaker:
    asked, why_not = alone.asked, "No copy was tuned on them (--adapt MINUTES does)."
    copy = find_copy(asked, ruleset)
    if minutes > 0 and alone.is_doubted:
        try:
            copy = _tune(asked, ruleset, minutes, progress)
        except (AgentError, OSError, TrainingCollapse) as error:
            why_not = f"No copy could be tuned on them: {error}."
    if copy is None:
        return replace(alone, why_not=why_not)
    return _beside(alone, copy, ruleset, deals, workers)


def _beside(
    alone: Speaker, copy: TunedCopy, ruleset: Ruleset, deals: int = DEALS, workers: int | None = None
) -> Speaker:
    """A player with its copy, which plays the scripted player too."""
    (of_copy,) = measure_footings([(copy.name, ruleset)], deals, workers)
    return replace(alone, copy=copy, of_copy=of_copy)


def _tune(asked: str, ruleset: Ruleset, minutes: float, progress: Progress) -> TunedCopy:
    """The copy, tuned; Ctrl-C ends this after the update in progress."""
    copy = tune_shown(asked, ruleset, minutes, progress)
    if copy.stopped:
        raise TrainingStopped(f"{copy.folder}: tuned for {copy.minutes:.1f} minutes, which are kept")
    return copy


def tune_shown(
    parent: str, ruleset: Ruleset, minutes: float, progress: Progress, threads: int | None = None
) -> TunedCopy:
    """`tune_copy` with its progress shown; Ctrl-C stops it after the update in progress."""
    stage = progress.begin(f"tuning {parent} on {ruleset.name}", 1.0)
    with StopRequest(lambda: progress.say(STOPPING)) as stop:
        return tune_copy(parent, ruleset, minutes, stage.reach, lambda: stop.asked, threads)


def speaking(names: Sequence[str], speakers: Iterable[Speaker]) -> tuple[str, ...]:
    """The names, with whoever speaks in the place of each player that reads the rules."""
    instead = {each.asked: each.name for each in speakers}
    return tuple(instead.get(name, name) for name in names)


def doubts(
    name: str, rulesets: Iterable[Ruleset], workers: int | None = None, progress: Progress | None = None
) -> list[str]:
    """What speaks against a player that reads the rules, or its copy, on some rulesets, a sentence each; nothing of
    other players."""
    pairs = [(name, ruleset) for ruleset in rulesets if _is_reader(name, ruleset)]
    tested = _test(pairs, DEALS, workers, progress or Progress())
    return [
        *(line for each in tested for line in _stopped_lines(each.footing)),
        *(each.lines[-1] for each in tested if each.is_doubted),
    ]


def trust_dict(speakers: Iterable[Speaker], doubtful: Sequence[str]) -> dict[str, Any]:
    """What is known of the players behind some figures, as JSON values."""
    return {"speakers": [each.to_dict() for each in speakers], "doubts": [*doubtful]}


def _stopped_lines(found: Footing) -> list[str]:
    if found.stopped < MANY_STOPPED:
        return []
    return [
        f"{percent(found.stopped, 0)} of the games on {found.ruleset} ended without a result, because they went nowhere: mend "
        "that before you ask whether the rules are fair."
    ]
