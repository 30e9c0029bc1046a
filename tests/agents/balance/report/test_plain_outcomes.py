"""What the first page of a report says of every kind of outcome, and what it offers: a sample per kind, all in words.

Whoever knows no statistics must act rightly on it: change nothing of a fair game, mend games that get stuck first, try a
change only where one leads the right way, and make more games where these cannot tell.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from channel_tunnel_agents.balance.changing.trust import Speaker
from channel_tunnel_agents.balance.changing.tuned import TunedCopy
from channel_tunnel_agents.balance.measuring.footing import Footing
from channel_tunnel_agents.balance.measuring.seats import SeatShares
from channel_tunnel_agents.balance.report.games import REPORTED, TABLES
from channel_tunnel_agents.balance.report.growing import OTHER_GAMES
from channel_tunnel_agents.balance.report.measurements import LEVERS, TABLE_LEVERS, lean_of
from channel_tunnel_agents.balance.report.numbers import Number
from channel_tunnel_agents.balance.report.plain import more_seats, two_seats
from channel_tunnel_agents.balance.report.plain.open_answer import Known, deals_needed
from channel_tunnel_agents.balance.report.plain.parts import PlainAnswer
from channel_tunnel_agents.balance.report.settings import ReportSettings
from channel_tunnel_agents.statistics import Estimate, rate_of
from channel_tunnel_env import load_ruleset
from tests.agents.balance.report.test_plain import STATISTICS, row

GAMES = 100
MISSING = "not measured: left out by --levers 0"


def games(seats: tuple[str, ...], drawn: int, stuck: str, number: int = GAMES) -> pd.DataFrame:
    """Games of which so many of a hundred have no winner; they end by the cause `stuck`, if there is one."""
    without = np.arange(number) < drawn * number // 100
    winner = np.where(without, "draw", seats[0])
    return pd.DataFrame({"winner": winner, "end_cause": np.where(without, stuck, "other")})


@dataclass
class Sample:
    """Games and measurements, of which the plain answer is made.

    Attributes:
        shares: of two seats the first seat's share of each player, the weakest first; of more every seat's: value and
            half width in games of a hundred.
        levers: lean, and the rows.
    """

    game: str
    shares: list[Any]
    deals: int = 400
    levers: tuple[int, list[dict[str, Any]]] | None = None
    drawn: int = 0
    stuck: str = ""
    agents: tuple[str, ...] = ()
    speakers: tuple[Speaker, ...] = ()
    players: int = 2
    footings: list[Footing] = field(default_factory=list)
    slow: bool = False
    open: tuple[str, ...] = ()

    def answer(self) -> PlainAnswer:
        rules = load_ruleset(self.game)
        if self.players > 2 and self.game == "carcassonne":
            rules = rules.with_values({"players": self.players}, "more")
        seats = rules.spec.seats.names(rules)
        agents = self.agents or ("random", "heuristic", "adept")[-len(self.shares) :]
        own = games(seats, self.drawn, self.stuck, self.deals)
        known = SimpleNamespace(
            ruleset=rules,
            agents=agents,
            by_strength=[*range(len(agents))],
            strongest=agents[-1],
            measures={},
            why_missing=lambda name: MISSING,
            own_games=lambda agent: own,
            results=SimpleNamespace(seats=seats),
            settings=ReportSettings(self.game, agents, self.deals, quick=True, speakers=self.speakers),
            footings=self.footings,
            slow=frozenset(agents) if self.slow else frozenset(),
            open=self.open,
        )
        return self.two(known) if len(seats) == 2 else self.more(known)

    def two(self, known: Any) -> PlainAnswer:
        known.game = REPORTED[known.ruleset.spec.name]
        known.first_share = lambda i: Number(*ends(self.shares[i]), self.deals, "share")
        if self.levers is not None:
            lean, rows = self.levers
            known.measures[LEVERS.name] = {"lean": lean, "agent": known.strongest, "chosen": rows}
        return two_seats.plain_answer(known)

    def more(self, known: Any) -> PlainAnswer:
        known.game, known.even = TABLES[known.ruleset.spec.name], 1 / len(known.results.seats)
        known.seats, known.unplayed = known.results.seats, []

        def seats_of(agent: str) -> SeatShares:
            found = self.shares[known.agents.index(agent)]
            each = tuple(Estimate(*ends(one)) for one in found)
            values = [one.value for one in each]
            gap = max(values) - min(values)
            return SeatShares(each, Estimate(gap, max(0, gap - 0.02), gap + 0.02), 0.5, self.deals)

        known.seats_of = seats_of
        if self.levers is not None:
            lean, rows = self.levers
            values = [one[0] for one in self.shares[-1]]
            pair = {"best": int(np.argmax(values)), "worst": int(np.argmin(values))}
            found = {"lean": lean, "agent": known.strongest, "chosen": rows, **pair}
            known.measures[TABLE_LEVERS.name] = found
        return more_seats.plain_answer(known)


def ends(of_hundred: tuple[float, float]) -> tuple[float, float, float]:
    value, half = (each / 100 for each in of_hundred)
    return value, max(0.0, value - half), min(1.0, value + half)


def footing(share: float) -> Footing:
    return Footing("adept", "heuristic", "mine", Estimate(share, share - 0.1, share + 0.1), 100)


def turned(share: float, change: float, p: float = 0.0001, wide: float = 0.02, value: int = 11) -> dict[str, Any]:
    """A lever that leads to a share, in the words of 1987: the hand of discs."""
    return row("discs.hand", value, share, change, wide, p)


FAIR = Sample("standard", [(41, 3), (50, 1.5)], 5000)
SLIGHTLY = Sample("standard", [(50, 1.5), (54, 1.5)], 5000, (-1, [turned(0.505, -0.035)]))
EDGE = Sample("standard", [(54, 1.96)], 2500)  # the interval ends at 52.04: not fair, whatever rounding says
CLEARLY = Sample("standard", [(30, 3), (31, 3)], 1000, (1, [turned(0.37, 0.06), turned(0.70, 0.39, value=14)]))
NONE_HELPS = Sample("standard", [(30, 3)], 1000, (1, [turned(0.25, -0.05)]))
DECIDED = Sample("standard", [(99, 1), (99.5, 0.5)], 400, (-1, [turned(0.97, -0.02)]))
NOT_TOLD = Sample("standard", [(45, 3), (46, 14)], 50, (0, [turned(0.5, 0.04, 0.4, 0.1)]))
ON_THE_EDGE = Sample("standard", [(48.3, 1.9)], 2800)
THINKS_LONG = Sample("standard", [(50, 12.6)], 60, agents=("tree",), slow=True)
FIRST_GAMES = Sample("standard", [(48, 14)], 50, open=(OTHER_GAMES,))
NEAR = Sample("standard", [(48, 5)], 400)
PROBABLY = Sample("standard", [(45, 4.4)], 500, (1, [turned(0.48, 0.03, 0.2, 0.05)]))
TOO_FEW = Sample("standard", [(50, 20)], 20, (0, [turned(0.5, 0.1)]))
DRAWN = Sample("carcassonne", [(50, 1.5)], 2000, drawn=40, agents=("greedy",))
STUCK = Sample("standard", [(50, 1.5)], 2000, drawn=60, stuck="empty_rounds")
AGAINST = Sample("standard", [(44, 1.5)], 2000, (-1, [turned(0.5, -0.05)]))
UNTRIED = Sample("standard", [(40, 3)], 1000)
MAY_HELP = Sample("standard", [(40, 4)], 600, (1, [turned(0.43, 0.03, 0.3, 0.05)]))
WEAK = Sample("standard", [(38, 3), (50, 1.5)], 2000, speakers=(Speaker("adept", footing(0.45), 0.8),))
FROZEN = Sample("standard", [(50, 1.5)], 2000, agents=("frozen:club",))
THREE = Sample("carcassonne", [[(34, 1), (33, 1), (33, 1)]], 9000, players=3, agents=("greedy",))
FOUR = Sample(
    "carcassonne", [[(31, 2), (25, 2), (25, 2), (19, 2)]], 4000, (-1, [row("followers", 6, 0.05, -0.07, 0.02, 0.0001)]),
    players=4, agents=("greedy",),
)  # fmt: skip
FIVE = Sample("carcassonne", [[(20, 3)] * 5], 1500, players=5, agents=("greedy",))
SIX = Sample("carcassonne", [[(23, 5)] + [(15.4, 5)] * 5], 300, players=6, agents=("greedy",))
SEVEN = Sample(
    "eurotunnel", [[(14, 2), (14, 2), (22, 2), (14, 2), (6, 2), (14, 2), (16, 2)]], 1200, drawn=90, agents=("dumb",)
)  # fmt: skip

SAID = {
    "fair": (
        FAIR,
        "Yes, it is fair.",
        [
            "Britain wins about 50 of 100 games and France 50.",
            "lies between 48 and 52. You need not change anything for fairness.",
        ],
        "With Adept, the strongest player here, it is fair. With weaker ones it is not: France wins too often with Amateur.",
        "No change was tried in this report: left out by --levers 0.",
    ),
    "slightly unfair, and a change helps": (
        SLIGHTLY,
        "No, Britain wins a little too often.",
        ["lies between 53 and 56, and none of that is fair. Try one of the changes below."],
        "Britain wins too often with Adept alone, the strongest player here; with Amateur it is fair.",
        "Of all numbers that were tried, one at a time, these did most for France, the best first.",
    ),
    "unfair by a hair": (
        EDGE,
        "No, Britain wins a little too often.",
        ["lies between 53 and 56, and none of that is fair."],
        "Only one player has played: Adept.",
        "No change was tried",
    ),
    "clearly unfair, one change is not enough and one goes too far": (
        CLEARLY,
        "No, France wins far too often.",
        ["lies between 28 and 34, and none of that is fair. Try one of the changes below."],
        "France wins too often with every player here, from Amateur to Adept.",
        "these did most for Britain",
    ),
    "none helps": (
        NONE_HELPS,
        "No, France wins far too often.",
        ["and none of that is fair."],
        "",
        "None of the changes that were tried helped Britain. Take a larger step, or two changes at once, and make the report again.",
    ),
    "a decided seat": (
        DECIDED,
        "No, Britain wins nearly every game.",
        ["Britain wins about 100 of 100 games and France 0."],
        "Britain wins too often with every player here",
        "these did most for France",
    ),
    "these games cannot tell": (
        NOT_TOLD,
        "These games cannot tell yet.",
        ["lies between 32 and 60", "Do not change much yet. About 6,700 deals would tell; here are 50."],
        "these games cannot tell whether it is fair",
        "Nothing is known to need a change.",
    ),
    "not far from fair": (
        NEAR,
        "Perhaps: it is not far from fair.",
        ["If that is near enough for you, change nothing. About 6,900 deals would tell; here are 400."],
        "",
        "",
    ),
    "probably unfair": (
        PROBABLY,
        "Probably not: France seems to win too often.",
        ["Do not change much yet"],
        "",
        "That Britain needs help is probable, not sure.",
    ),
    "too few deals": (
        TOO_FEW,
        "Too few games to tell.",
        ["Change nothing yet. About 6,600 deals would tell; here are 20."],
        "Only one player has played: Adept.",
        "More games must show which changes help.",
    ),
    "a game of many draws": (
        DRAWN,
        "Yes, it is fair.",
        [
            "the first seat wins about 30 of 100 games and the second seat 30; 40 are drawn. A draw counts as half a win: so the first "
            "seat has 50."
        ],
        "",
        "",
    ),
    "stalled rules": (
        STUCK,
        "60 of 100 games get stuck.",
        ["Britain wins about 20 of 100 games and France 20; 60 are drawn.", "Mend that before you ask who wins."],
        "",
        "",
    ),
    "contradictory hints": (
        AGAINST,
        "No, France wins a little too often.",
        ["and none of that is fair."],
        "",
        "with whom Britain is better off. None of them is offered here",
    ),
    "unfair, and nothing was tried": (
        UNTRIED,
        "No, France wins too often.",
        ["and none of that is fair."],
        "",
        "No change was tried in this report",
    ),
    "a player out of its depth": (WEAK, "Yes, it is fair.", [], "", ""),
    "a player that learnt other rules": (FROZEN, "Yes, it is fair.", [], "Club", ""),
    "three players of Carcassonne, fair": (
        THREE,
        "Yes, it is fair.",
        ["An equal part is 33", "You need not change anything for fairness."],
        "",
        "",
    ),
    "four, the first seat too often and the last too seldom": (
        FOUR,
        "No, the first seat wins too often and the fourth seat too seldom.",
        ["That is more than luck. Try one of the changes below."],
        "",
        "these did most for the fourth seat",
    ),
    "five, not settled but near": (
        FIVE,
        "Perhaps: it is not far from fair.",
        ["About 9,300 deals would tell; here are 1,500."],
        "",
        "",
    ),
    "six, probably": (SIX, "Probably not: the first seat seems to win too often.", ["That may be luck."], "", ""),
    "at the very edge of fair": (
        ON_THE_EDGE,
        "Perhaps: it is not far from fair.",
        ["lies between 46 and 50", "hardly any number of games would tell", "try a small change."],
        "",
        "",
    ),
    "not told by a player that thinks for long": (
        THINKS_LONG,
        "These games cannot tell yet.",
        ["To tell, it takes about 6,600 deals, more than tree can play, who thinks long about every move."],
        "",
        "",
    ),
    "the first games of many": (
        FIRST_GAMES,
        "These games cannot tell yet.",
        ["Do not change much yet. Most of the games are still to be played: wait for them."],
        "",
        "",
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
        "",
        "",
    ),
    "seven powers, of which none ever wins": (
        replace(SEVEN, drawn=100),
        "100 of 100 games have no winner.",
        ["In 100 of 100 games nobody wins alone; the rules then divide the win among several."],
        "",
        "",
    ),
}


@pytest.mark.parametrize("kind", SAID)
def test_every_kind_of_outcome_is_said_in_words_to_act_on(kind: str) -> None:
    sample, headline, sentences, since, help_lead = SAID[kind]
    found = sample.answer()
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
    assert ("get stuck" in words) == ("Mend that" in told) and not ("get stuck" in words and "need not" in told)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("slightly unfair, and a change helps", ["Helps"]),
        ("clearly unfair, one change is not enough and one goes too far", ["Helps, not enough", "Goes too far"]),
        ("none helps", []),
        ("contradictory hints", []),
        ("too few deals", []),
        ("probably unfair", ["May help"]),
        ("a decided seat", ["Helps, not enough"]),
    ],
)
def test_every_change_that_is_offered_says_what_it_does(kind: str, words: list[str]) -> None:
    found = SAID[kind][0].answer()
    assert [each.bar.words for each in found.tries] == words


def test_a_player_out_of_its_depth_is_told_of_before_the_answer() -> None:
    told = " ".join(WEAK.answer().careful)
    assert "Adept wins 45 games of 100 against Amateur" in told and "may be wrong" in told
    assert "Tune a copy now" in told
    copy = TunedCopy("tuned:adept-1-standard-2", Path("runs"), 3.0)
    lost = Speaker("adept", footing(0.45), 0.8, copy, footing(0.7))
    (*_, last) = replace(WEAK, speakers=(lost,)).answer().careful
    assert "train its copy for longer" in last and "Tune it longer" in last
    assert "learnt other rules" in " ".join(FROZEN.answer().careful)
    assert FAIR.answer().careful == ()


def test_a_level_below_the_scripted_player_is_meant_to_lose_to_it() -> None:
    """Nothing is to be mended about that; another policy that loses to it is told of."""
    shares, names = [(40, 3), (38, 3), (50, 1.5)], ("rookie", "heuristic", "master")
    learner = replace(footing(0.37), learner="rookie")
    found = Sample("standard", shares, 2000, agents=names, footings=[learner])
    assert found.answer().careful == ()
    other = replace(learner, learner="club")
    (first, *_) = replace(found, footings=[other]).answer().careful
    assert "Club player wins 37 games of 100" in first


def test_draws_do_not_make_a_side_need_help() -> None:
    """Of a fair game of many draws the first side wins fewer than half; a draw is half a win."""
    points = np.repeat([1.0, 0.5, 0.0], [120, 160, 120])
    match = SimpleNamespace(points=lambda seat: points, games=400, wins=lambda seat: 120)
    results = SimpleNamespace(
        tournament=SimpleNamespace(agents=("adept",)),
        matches={(0, 0): match},
        seats=("britain", "france"),
        first_seat=lambda pairing: rate_of(120, 400),
    )
    assert lean_of(results, "adept") == 0  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", SAID)
def test_a_report_that_would_tell_is_offered_where_and_only_where_games_are_wanted(kind: str) -> None:
    found = SAID[kind][0].answer()
    told = " ".join(found.sentences)
    assert (found.more is not None) == ("deals would tell" in told)
    if found.more is not None:
        words = shlex.split(found.more.command)
        assert f"{found.more.deals:,} deals would tell" in told
        assert int(words[words.index("--deals") + 1]) == found.more.deals
        assert words[words.index("--levers") + 1] == "0" and "--quick" in words, "nothing but what tells is played"
        players = SAID[kind][0].agents or ("heuristic", "adept")
        last = words.index("--agents") + len(words[words.index("--agents") + 1 : words.index("--deals")])
        assert words[last] == players[-1], "the strongest plays, and the one before it"
        own = ReportSettings(SAID[kind][0].game, quick=True).folder
        assert Path(words[words.index("--out") + 1]) != own, "a finished page is never written over"


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize(
    ("game", "player"), [("standard", "adept"), ("carcassonne", "greedy"), ("eurotunnel", "greedy")]
)
def test_as_many_deals_are_played_as_are_asked_for(game: str, player: str, quick: bool) -> None:
    """Else a report would promise that more deals tell, and the next would play no more of them."""
    settings = ReportSettings(game, ("random", player), 5200, quick)
    played = settings.tournament()
    for seating in played.seatings:
        assert played.deals_at(seating) == 5200


@pytest.mark.parametrize("deals", [50, 400, 2500])
@pytest.mark.parametrize("truth", [0.5, 0.54, 0.44, 0.3])
def test_the_deals_that_are_named_do_tell_four_times_of_five(deals: int, truth: float) -> None:
    half = 1.96 * np.sqrt(truth * (1 - truth) / deals)
    needed = deals_needed(Known(deals, half, abs(abs(truth - 0.5) - 0.02)))
    assert needed is not None
    shares = np.random.default_rng(1).binomial(needed, truth, 4000) / needed
    ends_at = 1.96 * np.sqrt(shares * (1 - shares) / needed)
    off = abs(shares - 0.5)
    told = (off + ends_at <= 0.02) | (off - ends_at > 0.02)
    assert told.mean() > 0.75
