"""What the first page of a report says of every kind of outcome, and what it offers: a sample per kind, all in words.

Whoever knows no statistics must act rightly on it: change nothing of a fair game, mend games that get stuck first, try a
change only where one leads the right way, and make more games where these cannot tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from channel_tunnel_agents.balance.empirical.verdict import Ends
from channel_tunnel_agents.balance.judging import Judged
from channel_tunnel_agents.balance.measuring.seats import SeatShares
from channel_tunnel_agents.balance.players.population import SPEED
from channel_tunnel_agents.balance.report.evidence import Evidence
from channel_tunnel_agents.balance.report.growing import OPEN, OTHER_GAMES
from channel_tunnel_agents.balance.report.levers import LEVERS, among_good_players, lean_of
from channel_tunnel_agents.balance.report.plain.answer import plain_answer
from channel_tunnel_agents.balance.report.plain.parts import PlainAnswer
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.balance.verdict_words import verdict_lines
from channel_tunnel_agents.statistics import Estimate
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.outside.progress import duration
from tests.agents.balance.helpers import judged_of, trained
from tests.agents.balance.report.test_plain import STATISTICS, row
from tests.agents.balance.report.test_tables import job

MISSING = "not measured: left out by --levers 0"


@dataclass
class Sample:
    """Games and measurements, of which the plain answer is made.

    Attributes:
        drawn, commonest: games of a hundred that nobody wins, and decisions of a hundred for the same action.
        shares: of two seats the first seat's share of each player, the weakest first; of more every seat's: value and
            half width in games of a hundred.
        levers: lean, and the rows.
    """

    game: str
    shares: list[Any]
    deals: int = 400
    levers: tuple[int, list[dict[str, Any]]] | None = None
    drawn: int = 0
    stuck: bool = False
    commonest: int = 0
    agents: tuple[str, ...] = ()
    judged: Judged | None = None
    players: int = 2
    slow: bool = False
    open: tuple[str, ...] = ()
    missing: str = MISSING

    def answer(self) -> PlainAnswer:
        return plain_answer(self.evidence())

    def evidence(self) -> Sampled:
        rules = load_ruleset(self.game)
        if self.players > 2:
            rules = rules.with_values({"players": self.players}, "more")
        agents = self.agents or ("random", "heuristic", "adept")[-len(self.shares) :]
        results: Any = SimpleNamespace(
            seats=rules.seats, ruleset=rules, tournament=SimpleNamespace(agents=agents), searching=(), reading=()
        )
        settings = ReportSettings(self.game, agents, self.deals, quick=True, judged=self.judged)
        known = Sampled(settings, results, {}, {"levers": self.missing}, {}, "", open=self.open, sample=self)
        if self.levers is None:
            return known
        lean, rows = self.levers
        found = {"lean": lean, "agent": known.strongest, "chosen": rows}
        if not known.is_of_two:
            values = [one[0] for one in self.shares[-1]]
            found |= {"best": int(np.argmax(values)), "worst": int(np.argmin(values))}
        return replace(known, measures={LEVERS.name: found})


@dataclass(frozen=True)
class Sampled(Evidence):
    """What a sample says instead of games."""

    sample: Sample = field(kw_only=True)

    @property
    def by_strength(self) -> list[int]:  # type: ignore[override]
        return [*range(len(self.agents))]

    @property
    def slow(self) -> frozenset[str]:  # type: ignore[override]
        return frozenset(self.agents) if self.sample.slow else frozenset()

    def seats_of(self, agent: str) -> SeatShares:
        found = self.sample.shares[self.agents.index(agent)]
        if self.is_of_two:
            value, half = found
            found = [(value, half), (100 - value, half)]
        each = tuple(Estimate(*ends(one)) for one in found)
        gap = max(one.value for one in each) - min(one.value for one in each)
        return SeatShares(each, Estimate(gap, max(0, gap - 0.02), gap + 0.02), 0.5, self.sample.deals)

    def ends_of(self, agent: str) -> Ends:
        drawn = self.sample.drawn / 100
        return Ends(drawn if self.sample.stuck else 0.0, drawn, drawn * self.is_of_two, self.sample.commonest / 100)


def ends(of_hundred: tuple[float, float]) -> tuple[float, float, float]:
    value, half = (each / 100 for each in of_hundred)
    return value, max(0.0, value - half), min(1.0, value + half)


def turned(share: float, change: float, p: float = 0.0001, wide: float = 0.02, value: int = 11) -> dict[str, Any]:
    """A lever that leads to a share, in the words of 1987: the hand of discs."""
    return row("discs.hand", value, share, change, wide, p)


FAIR = Sample("standard", [(41, 3), (50, 1.5)], 5000)
IDLE = replace(FAIR, levers=(0, [turned(0.5, 0.0)]))
SLIGHTLY = Sample("standard", [(50, 1.5), (54, 1.5)], 5000, (-1, [turned(0.505, -0.035)]))
EDGE = Sample("standard", [(54, 1.96)], 2500)  # the interval ends at 52.04: not fair, whatever rounding says
CLEARLY = Sample("standard", [(30, 3), (31, 3)], 1000, (1, [turned(0.37, 0.06), turned(0.70, 0.39, value=14)]))
NONE_HELPS = Sample("standard", [(30, 3)], 1000, (1, [turned(0.25, -0.05)]))
DECIDED = Sample("standard", [(99, 1), (99.5, 0.5)], 400, (-1, [turned(0.97, -0.02)]))
NOT_TOLD = Sample("standard", [(45, 3), (46, 14)], 50, (0, [turned(0.5, 0.04, 0.4, 0.1)]))
ON_THE_EDGE = Sample("standard", [(48.3, 1.9)], 2800)
THINKS_LONG = Sample("standard", [(50, 12.6)], 60, agents=("tree",), slow=True)
FIRST_GAMES = Sample("standard", [(48, 14)], 50, open=(OTHER_GAMES,), missing=OPEN)
NEAR = Sample("standard", [(48, 5)], 400)
PROBABLY = Sample("standard", [(45, 4.4)], 500, (1, [turned(0.48, 0.03, 0.2, 0.05)]))
TOO_FEW = Sample("standard", [(50, 20)], 29, (0, [turned(0.5, 0.1)]))
DRAWN = Sample("carcassonne", [(50, 1.5)], 2000, drawn=40, agents=("greedy",))
STUCK = Sample("standard", [(50, 1.5)], 2000, drawn=60, stuck=True)
AGAINST = Sample("standard", [(44, 1.5)], 2000, (-1, [turned(0.5, -0.05)]))
MAY_HELP = Sample("standard", [(40, 4)], 600, (1, [turned(0.43, 0.03, 0.3, 0.05)]))
BASE = load_ruleset("standard")
# Adept wins little against the scripted player, and no policy was trained; the best of three; best responses gain much.
GUESSED = Sample("standard", [(38, 3), (50, 1.5)], 2000, judged=judged_of(BASE, [[0.5, 0.5], [0.6, 0.55]]))
POLICIES = [
    trained(BASE, 1),
    trained(BASE, 2),
    trained(BASE, 1, rivals=("adept",)),
    trained(BASE, 2, rivals=("adept",)),
]
KNOWN = Sample("standard", [(38, 3), (50, 1.5)], 2000, judged=judged_of(BASE, [[0.4] * 6, *[[0.5] * 6] * 5], POLICIES))
EXPLOITED = replace(KNOWN, judged=judged_of(BASE, [*[[0.4] * 6] * 4, *[[0.7, 0.7, 0.7, 0.7, 0.5, 0.5]] * 2], POLICIES))
FROZEN = Sample("standard", [(50, 1.5)], 2000, agents=("frozen:club",))
THREE = Sample("carcassonne", [[(34, 1), (33, 1), (33, 1)]], 9000, players=3, agents=("greedy",))
FOUR = Sample(
    "carcassonne", [[(31, 2), (25, 2), (25, 2), (19, 2)]], 4000, (-1, [row("followers", 6, 0.05, -0.07, 0.02, 0.0001)]),
    players=4, agents=("greedy",),
)  # fmt: skip
FIVE = Sample("carcassonne", [[(20, 1), *[(20, 3)] * 4]], 1500, players=5, agents=("greedy",))
SIX = Sample("carcassonne", [[(23, 5)] + [(15.4, 5)] * 5], 300, players=6, agents=("greedy",))
SEVEN = Sample(
    "eurotunnel", [[(14, 2), (14, 2), (22, 2), (14, 2), (6, 2), (14, 2), (16, 2)]], 1200, drawn=90, agents=("dumb",)
)  # fmt: skip

SAID: dict[str, tuple[Any, ...]] = {
    "fair": (
        FAIR,
        "Yes, it is fair.",
        [
            "Britain wins about 50 of 100 games and France 50.",
            "wins 48 to 52 of 100. You need not change anything for fairness.",
        ],
        "With Adept, the strongest player here, it is fair. With weaker ones it is not: France wins too often with Amateur.",
        "No change was tried in this report: left out by --levers 0.",
    ),
    "fair, and every change that moves it would make it unfair": (
        replace(FAIR, levers=(0, [turned(0.7, 0.2)])),
        "Yes, it is fair.",
        [],
        "",
        "Nothing needs a change. Each of the numbers that move it most makes it less fair as it was turned here, so none is offered.",
        [],
    ),
    "slightly unfair, and a change helps": (
        SLIGHTLY,
        "No, Britain wins a little too often.",
        ["wins 53 to 56 of 100, and none of that is fair. Try one of the changes below."],
        "Britain wins too often only with Adept, the strongest player here; with Amateur it is fair.",
        "Among all changes that were tried, one at a time, these helped France most, best first.",
        ["Helps"],
    ),
    "unfair by a hair": (
        EDGE,
        "No, Britain wins a little too often.",
        ["wins 53 to 56 of 100, and none of that is fair."],
        "Only one player has played: Adept.",
        "No change was tried",
    ),
    "clearly unfair, one change is not enough and one goes too far": (
        CLEARLY,
        "No, France wins far too often.",
        ["wins 28 to 34 of 100, and none of that is fair. Try one of the changes below."],
        "France wins too often with every player here, from Amateur to Adept.",
        "these helped Britain",
        ["Helps, not enough", "Goes too far"],
    ),
    "none helps": (
        NONE_HELPS,
        "No, France wins far too often.",
        ["and none of that is fair."],
        "",
        "None of the changes that were tried helped Britain. Take a larger step, or two changes at once, and make the report again.",
        [],
    ),
    "a decided seat": (
        DECIDED,
        "No, Britain wins nearly every game.",
        ["Britain wins about 100 of 100 games and France 0."],
        "Britain wins too often with every player here",
        "these helped France",
        ["Helps, not enough"],
    ),
    "these games cannot tell": (
        NOT_TOLD,
        "These games cannot tell yet.",
        ["wins 32 to 60 of 100", "Do not change much yet. About 6,700 deals would tell; here are 50."],
        "these games cannot tell whether it is fair",
        "Nothing is known to need a change.",
    ),
    "not far from fair": (
        NEAR,
        "Perhaps: it is not far from fair.",
        ["If that is near enough for you, change nothing. About 6,900 deals would tell; here are 400."],
    ),
    "probably unfair": (
        PROBABLY,
        "Probably not: France seems to win too often.",
        ["Do not change much yet"],
        "",
        "That Britain needs help is probable, not sure.",
        ["May help"],
    ),
    "too few deals": (
        TOO_FEW,
        "Too few games to tell.",
        ["Change nothing yet. About 6,600 deals would tell; here are 29."],
        "Only one player has played: Adept.",
        "More games must show which changes help.",
        [],
    ),
    "a game of many draws": (
        DRAWN,
        "Yes, it is fair.",
        [
            "the first seat wins about 30 of 100 games and the second seat 30; 40 are drawn. A draw counts as half a win: so the first "
            "seat has 50."
        ],
    ),
    "stalled rules": (
        STUCK,
        "60 of 100 games are stopped.",
        ["Britain wins about 20 of 100 games and France 20; 60 are drawn.", "Mend that before you ask who wins."],
    ),
    "contradictory hints": (
        AGAINST,
        "No, France wins a little too often.",
        ["and none of that is fair."],
        "",
        "with whom Britain is better off. None of them is offered here",
        [],
    ),
    "a guess from one player": (
        GUESSED,
        "Probably not: Britain seems to win too often.",
        ["More games would hardly narrow this", "a full report trains"],
    ),
    "a player that learnt other rules": (FROZEN, "Yes, it is fair.", [], "Club", ""),
    "three players of Carcassonne, fair": (
        THREE,
        "Yes, it is fair.",
        ["An equal part is 33", "You need not change anything for fairness."],
    ),
    "four, the first seat too often and the last too seldom": (
        FOUR,
        "No, the first seat wins too often and the fourth seat too seldom.",
        ["That is more than luck. Try one of the changes below."],
        "",
        "these helped the fourth seat",
    ),
    "five, not settled but near": (
        FIVE,
        "Perhaps: it is not far from fair.",
        ["About 9,300 deals would tell; here are 1,500."],
    ),
    "six, probably": (SIX, "Probably not: the first seat seems to win too often.", ["That may be luck."]),
    "at the very edge of fair": (
        ON_THE_EDGE,
        "Perhaps: it is not far from fair.",
        ["wins 46 to 50 of 100", "hardly any number of games would tell", "try a small change."],
    ),
    "not told by a player that thinks for long": (
        THINKS_LONG,
        "These games cannot tell yet.",
        ["To tell, it takes about 6,600 deals, more than tree can play, who thinks long about every move."],
    ),
    "the first games of many": (
        FIRST_GAMES,
        "These games cannot tell yet.",
        ["Do not change much yet. Most of the games are still to be played: wait for them."],
        "",
        "The changes were still to be tried when this page was written; load it again later.",
    ),
    "unfair, and a change may help": (
        MAY_HELP,
        "No, France wins too often.",
        ["and none of that is fair."],
        "",
        "None of them surely helps without going too far.",
    ),
    "seven powers, and nobody wins alone": (
        SEVEN,
        "No, France wins too often and Italy too seldom.",
        [
            "France gets about 22 of 100 wins and Italy about 6.",
            "In 90 of 100 games nobody wins alone; the rules then divide the win among several.",
        ],
    ),
    "seven powers, of which none ever wins": (
        replace(SEVEN, drawn=100),
        "No, France wins too often and Italy too seldom.",
        ["In 100 of 100 games nobody wins alone; the rules then divide the win among several."],
        "Only one player has played",
        "",
    ),
    "a game that is always drawn": (replace(DRAWN, drawn=97), "97 of 100 games have no winner.", ["Mend that before"]),
    "four seats, one of which always wins": (
        replace(FOUR, shares=[[(97, 1), (1, 1), (1, 1), (1, 1)]]),
        "No, the first seat wins nearly every game.",
        ["That is more than luck."],
    ),
    "two seats that only ever do one thing": (
        replace(CLEARLY, commonest=99),
        "99 of 100 decisions are for the same action.",
        ["Nearly every decision is for the same action."],
        "One action is always played with every player here",
        "no use before that is mended",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_every_kind_of_outcome_is_said_in_words_to_act_on(kind: str) -> None:
    sample, headline, sentences, since, help_lead, offered = (*SAID[kind], "", "", None)[:6]
    found = sample.answer()
    assert not isinstance(offered, list) or [each.bar.words for each in found.tries] == offered
    told = " ".join(found.sentences)
    assert found.headline == headline
    for each in sentences:
        assert each in told, told
    assert since in found.since and help_lead in found.help_lead, (found.since, found.help_lead)
    words = " ".join(
        [found.headline, told, found.since, found.help_title, found.help_lead, *found.careful, found.legend]
        + [word for each in found.tries for word in (each.told, each.effect, each.bar.words)]
    )
    assert not STATISTICS.search(words), words
    helps = any(each.bar.answer == "yes" for each in found.tries)
    assert ("changes below" in told) == (helps and found.answer == "no"), "only changes that help"
    assert "frozen:" not in words and "nan" not in words.split()
    if "Mend that" in told:
        assert "need not" not in told and "too often" not in words and "too seldom" not in words and not found.tries, (
            words
        )
    assert "are stopped" not in words or "Mend that" in told


def test_a_number_without_trained_policies_is_called_a_guess() -> None:
    told = " ".join(GUESSED.answer().careful)
    assert "No computer player has practised these rules" in told and "guess" in told
    assert "learnt other rules" in " ".join(FROZEN.answer().careful)
    assert FAIR.answer().careful == ()


def test_the_headline_is_that_of_good_players_and_not_of_the_page_s_strongest() -> None:
    assert KNOWN.answer().careful == ()
    assert "When good players play both" in " ".join(KNOWN.answer().sentences)
    assert "wins about 50 of 100" in " ".join(KNOWN.answer().sentences)
    assert "When Adept, the strongest player here, plays" in " ".join(GUESSED.answer().sentences)
    assert "wins about 55 of 100" in " ".join(GUESSED.answer().sentences), "of the verdict, not of the page's games"


def test_training_is_offered_for_what_deals_cannot_tell() -> None:
    """The luck of few deals is larger than the error of the players, but that alone leaves the answer open."""
    near = [[0.4] * 6, *[[0.545] * 6] * 5]
    judged = judged_of(BASE, near, POLICIES, deals=900)
    found = replace(KNOWN, judged=judged).answer()
    said, in_terminal = " ".join(found.sentences), " ".join(verdict_lines(judged, "standard"))
    assert found.answer == "not settled" and "More games would narrow this, but not settle it" in said
    assert "More games would narrow this, but not settle it" in in_terminal
    assert "practise for longer" in said
    assert found.more is not None and found.more.label == "Train players for these rules"
    least = min(each.decisions for each in POLICIES if not each.rivals)
    assert found.more.decisions == 2 * least and "--verdict --decisions" in found.more.command
    assert found.more.takes == f"It takes about {duration(2 * 4 * least / SPEED)} on two free cores."


def test_what_speaks_against_a_value_stays_before_the_answer() -> None:
    assert "A best response gains much" in " ".join(EXPLOITED.answer().careful)
    short = [replace(POLICIES[0], decisions=1000), *POLICIES[1:]]
    few = replace(KNOWN, judged=judged_of(BASE, [[0.4] * 6, *[[0.5] * 6] * 5], short))
    assert "fewer decisions of training than planned" in " ".join(few.answer().careful)


def test_the_strongest_player_is_no_weaker_one() -> None:
    told = Sample("standard", [(38, 1.5), (38, 1.5)], 2000, judged=judged_of(BASE, [[0.45] * 2] * 2)).answer().since
    assert told.endswith("With weaker ones it is not: France wins too often with Amateur.")


def test_the_number_is_of_the_players_that_the_seats_choose_and_names_them() -> None:
    told = replace(KNOWN, judged=judged_of(BASE, [[0.5, 0.6], [0.4, 0.5]])).answer()
    assert told.sentences[0].startswith("When Amateur plays both sides, Britain wins about 50 of")
    assert "a guess from how Amateur plays them" in told.careful[-1]


def test_what_a_verdict_found_wrong_is_counted_in_its_own_games() -> None:
    judged = KNOWN.judged
    stuck = replace(judged, verdict=replace(judged.verdict, ends=Ends(0.37, 0.37)))
    assert replace(KNOWN, judged=stuck).answer().headline == "37 of 100 games are stopped."
    assert "drawn" not in replace(KNOWN, drawn=30).answer().sentences[0], "good players draw no game"


def test_changes_help_the_side_that_good_players_leave_weak_and_neither_if_that_is_open() -> None:
    """Adept's own games show that Britain wins too seldom; what good players get is a guess with a wide interval."""
    shares = np.tile([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]], (200, 1))
    even, far = judged_of(BASE, [[0.5] * 2] * 2), judged_of(BASE, [[0.9] * 6] * 6, POLICIES)
    assert [lean_of(job(shares, BASE, judged))[0] for judged in (None, even, far)] == [1, 0, -1]
    assert replace(GUESSED, judged=even).answer().help_title == "What would help?"


def test_the_interval_of_a_change_allows_for_other_good_players_as_the_verdict_does() -> None:
    alone = Sample("standard", [(40, 1.5)], 2000, (1, [turned(0.49, 0.09)]))
    judged = replace(alone, judged=judged_of(BASE, [[0.4] * 6] * 6, POLICIES))
    own, among = alone.answer().tries[0], judged.answer().tries[0]
    assert own.bar.number.value == among.bar.number.value == 0.49 and own.effect == among.effect
    assert width(among.bar.number) > 1.5 * width(own.bar.number)
    (share, change), (wider_share, wider_change) = (
        among_good_players(each.evidence(), turned(0.49, 0.09)) for each in (alone, judged)
    )
    assert width(wider_share) > 1.5 * width(share) and width(wider_change) > width(change)


def width(number: Estimate) -> float:
    return number.high - number.low
