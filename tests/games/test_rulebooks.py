"""The rulebook of every game: whole, searchable, and with the figures and switches of the ruleset in play."""

from __future__ import annotations

import re
import string
from typing import Any

import pytest

from channel_tunnel_env import load_ruleset
from channel_tunnel_env.games.carcassonne.faces import rulebook as carcassonne
from channel_tunnel_env.games.eurotunnel.faces import rulebook as eurotunnel
from channel_tunnel_env.games.tunnel_1987 import rule_table
from channel_tunnel_env.games.tunnel_1987.faces import rulebook as tunnel_1987
from channel_tunnel_env.games.tunnel_1987.rule_words import figures

BOOKS = {"standard": tunnel_1987, "agenda": tunnel_1987, "tiny": tunnel_1987}
BOOKS |= {"carcassonne": carcassonne, "eurotunnel": eurotunnel}
SWITCHES: dict[str, list[dict[str, Any]]] = {
    "standard": [{}],
    "agenda": [{}],
    "tiny": [{}],
    "carcassonne": [
        {},
        {"tunnel": False},
        {"players": 3},
        {"players": 6, "robber_baron": True},
        {"small_city": 2},
        {"token_window": "before_meeple"},
        *({"farm_scoring": name} for name in ("second", "first", "none")),
        *({"tunnel_variant": name} for name in ("follower", "steal", "paired", "no_block")),
    ],
    "eurotunnel": [
        {},
        {"tunnels": False},
        {"permissions": False},
        {"tunnels_per_province": 4},
        {"tunnels_per_power": 2, "tunnels_per_turn": 2},
        {"rulebook": "datc"},
        {"draw_vote": True},
        {"absent": ["ITALY", "TURKEY"]},
        {"victory_centres": 20, "max_year": 1910},
        *({"limit_score": name} for name in ("dss", "centres", "pieces")),
    ],
}


def book_of(base: str, **changes: Any) -> tuple[list[str], str]:
    """The keys of the sections, and the whole text."""
    book = BOOKS[base].rulebook(load_ruleset(base).with_values(changes, "mine"))
    parts = [section["title"] for section in book]
    for section in book:
        assert section["blocks"]
        for block in section["blocks"]:
            parts += block.get("items", []) or [block["text"]]
    return [section["key"] for section in book], "\n".join(parts)


@pytest.mark.parametrize(
    ("base", "changes"), [(base, changes) for base, each in SWITCHES.items() for changes in each], ids=str
)
def test_every_section_has_an_anchor_and_every_link_a_section(base: str, changes: dict[str, Any]) -> None:
    keys, text = book_of(base, **changes)
    assert len(set(keys)) == len(keys) >= 10
    assert set(re.findall(r"\]\(#(\w+)\)", text)) <= set(keys)
    assert not re.search(r"[{}_]|  | \.|\bNone\b", text)


@pytest.mark.parametrize("base", ["carcassonne", "eurotunnel"])
def test_every_switch_changes_the_text(base: str) -> None:
    texts = [book_of(base, **changes)[1] for changes in SWITCHES[base]]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("base", "switch", "words"),
    [
        ("agenda", {"agenda.enabled": False}, "expansion|agenda card"),
        ("carcassonne", {"tunnel": False}, "token|tunnel|mouth"),
        ("eurotunnel", {"tunnels": False}, "tunnel|passage"),
        ("eurotunnel", {"tunnels_per_power": 0}, "tunnel|passage"),
        ("eurotunnel", {"permissions": False}, "permi"),
    ],
)
def test_what_is_not_played_is_not_told(base: str, switch: dict[str, Any], words: str) -> None:
    for changes, told in (({}, True), (switch, False)):
        assert bool(re.search(words, book_of(base, **changes)[1], re.IGNORECASE)) == told


NEW_FIGURES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "agenda": (
        {
            **{f"deviation.penalties.{i}": n for i, n in enumerate((0, 2, 3, 5, 8))},
            "scoring.centre_bonus": 6,
            "scoring.political_duel": 7,
            "barriers.france.a.0": 9,
            "storage.france": 4,
            "agenda.points.repairs": 5,
            "switches.first_player_card": "last_to_pass",
            "switches.final_tunnel_deviation_check": True,
            "switches.stalemate_result": "draw",
            "switches.technology_without_move": "when_blocked",
            "switches.null_actions": True,
            "discs.keep_limit": 3,
        },
        [
            *("0, 2, 3, 5, 8 points", "gets 6 points", "7 points each", "9 M before space 2", "4 in France"),
            *("**Repairs**, 5 points", "The last to pass", "on the last space, too", "This is a draw"),
            *("you may still spend money", "only Tunnel must be possible", "at most 3 in all"),
        ],
    ),
    "carcassonne": (
        {
            **{f"points.{name}": n for name, n in {"road": 3, "city": 4, "shield": 5, "cloister": 11}.items()},
            **{"points.farm": 6, "points.city_open": 7, "followers": 5, "players": 3},
            **{"token_sets_three": 1, "table": 20, "robber_baron": True},
        },
        [
            *("**Road**: 3 points for each tile", "4 points for each tile, and 5 points for each shield"),
            *("**Cloister**: 11 points", "6 points for each complete city", "**City**: 7 points for each tile"),
            *("**5 followers**", "With 3 players each has 2 tokens of one colour", "more than 20 columns"),
            "Robber Baron",
        ],
    ),
    "eurotunnel": (
        {"victory_centres": 20, "max_year": 1910, "tunnels_per_power": 2, "absent": ["ITALY"]},
        ["owns 20 centres", "Fall of 1910", "**2** in a game", "No player holds Italy."],
    ),
}
OLD_FIGURES = {
    "carcassonne": ["With 2 players each has 2 tokens in each of 3 colours", "**76 tiles**"],
    "eurotunnel": ["owns 18 centres", "Fall of 1920", "**4** in a game", "213 such pairs", "34 supply centres"],
}


@pytest.mark.parametrize("base", NEW_FIGURES)
def test_figures_are_those_of_the_ruleset(base: str) -> None:
    changes, new = NEW_FIGURES[base]
    before, after = book_of(base)[1], book_of(base, **changes)[1]
    assert [words for words in new if words not in after or words in before] == []
    assert [words for words in OLD_FIGURES.get(base, []) if words not in before] == []


@pytest.mark.parametrize(("book", "base"), [(carcassonne, "carcassonne"), (eurotunnel, "eurotunnel")])
def test_every_figure_is_used(book: Any, base: str) -> None:
    text = book.SOURCE.read_text(encoding="utf-8")
    used = {name for _, name, _, _ in string.Formatter().parse(text) if name}
    assert used == set(book.figures(load_ruleset(base).data))


def test_no_figure_of_carcassonne_is_written_in_the_text() -> None:
    assert not re.search(r"\d", carcassonne.SOURCE.read_text(encoding="utf-8"))


def test_no_figure_of_1987_is_written_twice() -> None:
    """The text has no number of the game; only card costs and structure are digits."""
    source = tunnel_1987.SOURCE.read_text(encoding="utf-8")
    digits = {line for line in source.splitlines() if re.search(r"\d", line.lstrip("#- "))}
    allowed = ("**Discard 1**", "**Place 1**", "**Place 1-2**", "0 to 5 different", "from 0 to")
    assert all(any(words in line for words in allowed) for line in digits), digits
    tables = (rule_table.RULES, rule_table.SIDE_RULES, rule_table.ABILITIES, rule_table.AGENDA)
    texts = [source, str(rule_table.SUMMARY), *map(str, tables)]
    ruleset = load_ruleset("standard")
    used = set(re.findall(r"\{(\w+)\}", "\n".join(texts))) - set(ruleset.plain())
    assert used == set(figures(ruleset))
