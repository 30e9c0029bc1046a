"""The answer for somebody who knows no statistics: its words, its pictures, and the changes that it offers."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
import yaml

from channel_tunnel_agents.balance.report.levers import change_of, share_of, sure_of
from channel_tunnel_agents.balance.report.numbers import Number
from channel_tunnel_agents.balance.report.page import Page, PageSection, Words
from channel_tunnel_agents.balance.report.plain.parts import (
    EITHER,
    FIRST,
    SECOND,
    Bar,
    ChangeToTry,
    Coins,
    OnceMore,
    PlainAnswer,
)
from channel_tunnel_agents.balance.report.plain.players import about_player, player_name
from channel_tunnel_agents.balance.report.plain.since import LevelAnswer, since_words
from channel_tunnel_agents.balance.report.plain.trying import Aim, changes_to_try, line_of
from channel_tunnel_agents.balance.report.render import render
from channel_tunnel_env import load_ruleset

STATISTICS = re.compile(r"\bpp\b|Holm|\[|\]|95 ?%|p-value|interval|significan|confiden")
"""What nobody should need to know before "How we know" is opened."""
FAIR = (0.48, 0.52)


def plain_part(html: str) -> str:
    """The text of the plain answer."""
    part = html[html.index('<section id="plain"') : html.index('<details id="how-we-know"')]
    return unescape(re.sub(r"<[^>]+>", " ", part))


# --- from which skill on ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        ("no:F no:F", "F wins too often with every player here, from A to B."),
        ("yes no:F no:F", "F wins too often from B on; with A it is fair."),
        (
            "not_settled no:F",
            "F wins too often only with B, the strongest player here; with A these games cannot tell.",
        ),
        ("no:G no:F", "F wins too often only with B, the strongest player here; G wins too often with A."),
        (
            "no:F yes",
            "With B, the strongest player here, it is fair. With weaker ones it is not: F wins too often with A.",
        ),
        (
            "yes not_settled",
            "With B, the strongest player here, these games cannot tell whether it is fair; with weaker ones nothing unfair is shown.",
        ),
        (
            "no:F no:F not_settled",
            "With C, the strongest player here, these games cannot tell whether it is fair. With weaker ones it is not: F wins too "
            "often with A and B.",
        ),
        ("yes", "Only one player has played: A."),
    ],
)
def test_from_which_player_on_it_is_unfair_is_said(levels: str, words: str) -> None:
    named = []
    for player, told in zip("ABC", levels.split(), strict=False):
        answer, _, better = told.partition(":")
        unfair = f"{better} wins too often" if better else ""
        named.append(LevelAnswer(player, answer.replace("_", " "), unfair))
    assert since_words(named) == words


def test_players_have_the_names_of_their_levels() -> None:
    rules = load_ruleset("standard")
    assert player_name("heuristic", rules) == "Amateur"
    assert player_name("tuned:mine", rules) == "tuned:mine"
    assert player_name("random", load_ruleset("eurotunnel")) == "Random"
    assert about_player("random", load_ruleset("eurotunnel")) == "Takes any move that is allowed."
    assert player_name("tuned:adept-1a2b-draft-3c4d-self-2", rules) == "Trained policy 2"
    assert about_player("tuned:adept-1a2b-draft-3c4d-self-2", rules) == "Was trained for these rules only."
    assert player_name("greedy", load_ruleset("carcassonne")) == "Amateur"


# --- the changes ----------------------------------------------------------------------------------


def row(key: str, value: Any, share: float, change: float, wide: float, p: float) -> dict[str, Any]:
    def estimate(x: float) -> dict[str, float]:
        return {"value": x, "low": x - wide, "high": x + wide}

    return {"key": key, "value": value, "share": estimate(share), "change": estimate(change), "deals": 400, "p_holm": p}


def tried(lean: int, *rows: dict[str, Any]) -> tuple[ChangeToTry, ...]:
    aim = Aim(lambda was, now: f"{was:.2f} to {now:.2f}", (0.3, 0.7), FAIR, lean, "Britain")
    return changes_to_try(load_ruleset("standard"), [*rows], aim)


def test_a_change_says_whether_it_helps_and_how_sure_that_is() -> None:
    found = tried(
        1,
        row("discs.hand", 11, 0.49, 0.08, 0.02, 0.0001),
        row("discs.hand", 9, 0.45, 0.04, 0.03, 0.2),
        row("extra_finance", 3, 0.43, 0.02, 0.05, 0.6),
        row("extra_finance", 2, 0.60, 0.19, 0.02, 0.0001),
        row("discs.hand", 12, 0.56, 0.15, 0.02, 0.0001),
    )
    assert [each.bar.words for each in found] == [
        "Helps",
        "Probably helps",
        "Helps, but too much",
        "May help",
        "Goes too far",
    ]
    assert [each.bar.answer for each in found] == ["yes", "yes", "not settled", "not settled", "no"]
    assert found[0].told == "Players draw up to 11 discs instead of 10."
    assert found[0].effect == "0.41 to 0.49. This is more than luck."
    assert found[0].bar.was == pytest.approx(0.41)
    assert "try it on more deals" in found[3].effect


def test_a_change_helps_only_if_it_does_among_other_good_players() -> None:
    """On these deals both are more than luck; the interval of the first allows for players that may not see it."""
    rows = [row("discs.hand", 11, 0.49, 0.08, 0.02, 0.0001), row("discs.hand", 12, 0.56, 0.15, 0.02, 0.0001)]

    def among(each: Any) -> tuple[Number, Number]:
        return share_of(each).widened(0.06), change_of(each).widened(0.06)

    aim = Aim(lambda was, now: f"{was:.2f} to {now:.2f}", (0.3, 0.7), FAIR, 1, "Britain")
    open_, far = changes_to_try(load_ruleset("standard"), rows, aim, shown=among)
    assert (open_.bar.words, open_.bar.answer) == ("May help", "not settled")
    assert open_.effect == "0.41 to 0.49. This is more than luck here, but other good players may not see it."
    assert far.bar.words == "Helps, but too much", "its own games show it, whatever others make of it"
    assert sure_of(rows[0], among(rows[0])[1]) == "may be the players"


def test_a_change_that_may_turn_the_game_round_does_not_only_help() -> None:
    (found,) = tried(1, row("discs.hand", 11, 0.53, 0.12, 0.02, 0.0001))
    assert (found.bar.words, found.bar.answer) == ("Helps, perhaps too much", "yes")
    assert found.effect == "0.41 to 0.53. This is more than luck, but Britain may now win a little too often."
    assert tried(-1, row("discs.hand", 11, 0.47, -0.08, 0.02, 0.02))[0].bar.words == "Helps, perhaps too much"
    assert tried(-1, row("discs.hand", 11, 0.53, -0.08, 0.02, 0.0001))[0].bar.words == "Helps"
    (farther,) = tried(1, row("discs.hand", 11, 0.55, 0.06, 0.05, 0.0001))
    assert farther.bar.answer == "not settled" and "Britain may now win too often." in farther.effect


def test_where_nothing_needs_help_what_moves_the_share_most_comes_first() -> None:
    found = tried(
        0,
        row("extra_finance", 3, 0.50, 0.01, 0.05, 0.9),
        row("discs.hand", 12, 0.56, 0.07, 0.06, 0.001),
        row("discs.hand", 9, 0.40, -0.09, 0.12, 0.0001),
    )
    assert [(each.bar.words, each.value) for each in found] == [("Moves it", 9), ("Moves it", 12), ("May move it", 3)]


def test_where_nothing_needs_help_no_change_that_makes_it_unfair_is_offered() -> None:
    found = tried(0, row("discs.hand", 11, 0.7, 0.2, 0.02, 0.0001), row("discs.hand", 9, 0.51, 0.01, 0.03, 0.5))
    assert [(each.bar.words, each.value) for each in found] == [("May move it", 9)]


@pytest.mark.parametrize(
    ("base", "key", "value"),
    [
        ("standard", "discs.hand", 11),
        ("standard", "barriers.france.a.0", 4),
        ("standard", "deck.cards.extra_finance_1.points", 3),
        ("carcassonne", "followers", 6),
        ("eurotunnel", "max_year", 1905),
    ],
)
def test_the_line_to_copy_makes_the_change(base: str, key: str, value: int) -> None:
    rules = load_ruleset(base)
    turned = rules.with_values({key: value})
    line, replaced = line_of(rules, turned, key)
    assert "\n" not in line and replaced is None and line_of(rules, turned, key, rules) == (line, "")
    copied = load_ruleset({"base": base, "name": turned.name, **yaml.safe_load(line)})
    assert copied.flat[key] == value
    assert {k: v for k, v in copied.flat.items() if k != "title"} == {
        k: v for k, v in turned.flat.items() if k != "title"
    }


@pytest.mark.parametrize(
    ("key", "value", "line"),
    [
        ("storage.britain", 2, "storage: {france: 2}"),
        ("storage.france", 4, "storage: {britain: 5, france: 4}"),
        ("benefits.britain.a.1", "peek", "benefits: {britain: {a: {1: peek, 2: extra_disc}}, france: {b: {2: peek}}}"),
        ("barriers.france.a", [2, 4], ""),
        ("discs.hand", 12, "discs: {hand: 12}"),
        (
            "track_points.britain.b.5",
            8,
            "track_points: {britain: {b: [0, 1, 2, 4, 6, 8]}, france: {a: [0, 1, 2, 4, 6]}}",
        ),
    ],
)
def test_the_line_to_copy_keeps_what_the_file_changes_beside_it(key: str, value: Any, line: str) -> None:
    """The whole section is replaced, or taken out if nothing of it is left to change."""
    changes = {
        "storage": {"france": 2, "britain": 5},
        "benefits": {"britain": {"a": {1: "extra_disc", 2: "extra_disc"}}, "france": {"b": {2: "peek"}}},
        "barriers": {"france": {"a": [8, 9]}},
        "discs": {"hand": 11},
        "track_points": {"france": {"a": [0, 1, 2, 4, 6]}},  # shorter than in the box
    }
    rules = load_ruleset({"base": "standard", "name": "far", **changes})
    turned = rules.with_values({key: value})
    found, replaced = line_of(rules, turned, key, load_ruleset("standard"))
    assert replaced == key.split(".")[0]
    assert (yaml.safe_load(found) or {}) == (yaml.safe_load(line) or {})
    others = {name: each for name, each in changes.items() if name != replaced}
    copied = load_ruleset({"base": "standard", "name": turned.name, **others, **(yaml.safe_load(found) or {})})
    assert copied.digest == turned.digest


# --- the page -------------------------------------------------------------------------------------


MORE = OnceMore(6600, 0, "channel-tunnel report --ruleset mine.yaml --deals 6600")


def page(*careful: str, more: OnceMore | None = None) -> Page:
    number = Number(0.45, 0.41, 0.49, 400, "share")
    bar = Bar("Adept", number, (0.4, 0.6), "cannot tell yet", "not settled", FAIR)
    coins = Coins("", ((FIRST, 41), (EITHER, 8), (SECOND, 51)), "Of 100 coins 41 are Britain's.")
    change = ChangeToTry("One <more> disc.", "It helps.", bar, "switches.x", 'it\'s "so"', "discs: {hand: 11}")
    answer = PlainAnswer(
        "not settled", "Cannot tell.", ("Seen.",), (coins,), "Each coin.", "From A on.", (bar,), ("F", "B"), "Help?", "These.", (change,), careful,
        more,
    )  # fmt: skip
    changes = PageSection("changes", "What it changes", (), (Words(("a change",)),))
    figures = PageSection("beside", "In figures", ("It is 45 % [41, 49], +2 pp (Holm).",))
    return Page("Title", answer, (), (), (changes, figures), "About", (("B", "Britain"), ("F", "France")))


def test_statistics_stand_only_below_how_we_know() -> None:
    html = render(page())
    assert not STATISTICS.search(plain_part(html))
    places = [
        html.index(part) for part in ('id="front-changes"', 'id="plain"', 'id="how-we-know"', 'id="front-beside"')
    ]
    assert places == sorted(places)
    assert STATISTICS.search(html[places[-1] :])


def test_the_pictures_show_the_numbers() -> None:
    html = render(page())
    assert [html.count(f'<i class="{kind}"></i>') for kind in (FIRST, EITHER, SECOND)] == [41, 8, 51]
    assert 'class="fair" style="left: 40.00%; width: 20.00%"' in html
    assert 'class="span" style="left: 5.00%; width: 40.00%"' in html


def test_a_change_carries_its_figure_for_the_button_and_its_line_to_copy() -> None:
    html = render(page())
    button = re.search(r'<button type="button" class="try" data-key="([^"]+)" data-value="([^"]+)" hidden>', html)
    assert button and button[1] == "switches.x"
    assert yaml.safe_load(unescape(button[2])) == 'it\'s "so"'
    assert 'data-line="discs: {hand: 11}"' in html and "One &lt;more&gt; disc." in html


def test_more_deals_and_training_are_a_button_and_a_command_to_copy() -> None:
    html = render(page(more=MORE))
    assert 'data-deals="6600" data-decisions="0" hidden>Play 6,600 deals</button>' in html
    assert f'data-line="{MORE.command}"' in html
    assert "play-more" not in plain_part(render(page()))
    train = OnceMore(500, 1_200_000, "channel-tunnel report mine.yaml --verdict", "It takes about 9 min.")
    html = render(page(more=train))
    assert 'data-decisions="1200000" hidden>Train players for these rules</button>' in html
    assert "It takes about 9 min." in plain_part(html)


def test_a_page_whose_players_may_not_know_the_rules_says_so_at_once() -> None:
    told = plain_part(render(page("Adept wins 40 games of 100.", "Tune a copy.")))
    assert told.index("Adept wins 40 games of 100. Tune a copy.") < told.index("Cannot tell.")
    assert "Careful" not in plain_part(render(page()))
