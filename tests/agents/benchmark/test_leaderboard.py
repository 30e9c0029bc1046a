"""The cards of docs/leaderboard: their numbers follow, the table is theirs, and a sample is played again."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.benchmark.board import board_markdown, board_picture, paint_board
from channel_tunnel_agents.benchmark.checking import check_card, check_numbers
from channel_tunnel_agents.benchmark.running import reference_digest, reference_of
from channel_tunnel_agents.benchmark.scores_sheet import scores_sheet
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.tracks import TrackError, load_track
from channel_tunnel_env.tracks.card import card_text, read_card

DOCS = Path(__file__).parents[3] / "docs"
CARDS = sorted((DOCS / "leaderboard").glob("*.json"))


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_the_scores_of_every_card_follow_from_its_results(path: Path, tmp_path: Path) -> None:
    card = read_card(path)
    assert path.name.startswith(f"{card.track.name}-")
    check_numbers(card, path.name, tmp_path)


@pytest.mark.parametrize("path", CARDS, ids=lambda path: path.stem)
def test_every_card_is_read_against_what_was_measured_last(path: Path) -> None:
    """Otherwise it has no rating and no way beside the cards that are."""
    card = read_card(path)
    assert card.reference == reference_digest(reference_of(load_track(card.track.name)))


def test_a_tenth_of_a_card_is_played_again_and_holds() -> None:
    found = check_card(DOCS / "leaderboard" / "duel-v1-random.json", 4)
    assert found.holds and found.games >= 400 and not found.skipped


def test_the_card_of_an_earlier_agent_holds_though_another_one_bears_its_name() -> None:
    path = DOCS / "leaderboard" / "duel-v1-adept-3.json"
    assert read_card(path).agent.name == "adept"
    found = check_card(path, 4)
    assert found.holds and found.games >= 400, found


def test_the_table_is_that_of_the_cards() -> None:
    assert (DOCS / "leaderboard.md").read_text(encoding="utf-8") == board_markdown(
        DOCS / "leaderboard"
    )


def test_an_opponent_is_called_what_it_is_called_today() -> None:
    """A newer agent bears the name that adept-3 had when its strength was measured."""
    (head,) = re.findall(
        r"^\| agent \| Rating \| duel v .*", board_markdown(DOCS / "leaderboard"), re.M
    )
    assert "| duel v adept-3 |" in head and "| duel v adept |" not in head
    card = read_card(DOCS / "leaderboard" / "duel-v1-random.json")
    assert "duel v adept-3" in [row[0] for row in scores_sheet(card).rows]


def test_of_several_budgets_or_seeds_the_table_has_the_ratings_alone_the_best_first() -> None:
    """A line for every share against every opponent would be wider than a page."""
    words = board_markdown(DOCS / "leaderboard")
    chapter = words.partition("## few-decisions-v1")[2].partition("## ")[0]
    head, _, *lines = [line for line in chapter.splitlines() if line.startswith("|")]
    assert head.startswith("| agent | Rating after 1 M decisions |") and " v " not in head
    ratings = [float(line.split("|")[2].split()[0]) for line in lines]
    assert ratings == sorted(ratings, reverse=True)
    heads = [line for line in words.splitlines() if line.startswith("| agent")]
    assert max(line.count("|") for line in heads) < 12


def test_three_budgets_of_changed_rules_leave_the_table_as_wide_as_a_page(tmp_path: Path) -> None:
    card = read_card(DOCS / "leaderboard" / "rules-v1-heuristic.json")
    shares = [one for one in card.scores if one.unit == "share"]
    scores = [
        one.model_copy(update=change)
        for minutes in (0, 1, 10)
        for share in shares
        for one in [share.model_copy(update={"key": share.key.replace("0 min", f"{minutes} min")})]
        for change in ({}, {"key": f"{one.key}, way", "unit": "way", "even": None})
        if not (change and one.sample == "rulesets")
    ]
    (tmp_path / "all").mkdir()
    changed = card.model_copy(update={"scores": scores})
    (tmp_path / "all" / "rules-v1-all.json").write_text(card_text(changed), encoding="utf-8")
    head = next(x for x in board_markdown(tmp_path / "all").splitlines() if x.startswith("| agent"))
    assert head.count("|") < 12, head


def test_searches_are_marked() -> None:
    words = board_markdown(DOCS / "leaderboard")
    assert "| [ismcts-30](leaderboard/duel-v1-ismcts-30.json) \\* |" in words
    assert "| [club](leaderboard/duel-v1-club.json) |" in words
    assert words.count("Is given the game") >= 2 and "the game" in paint_board(DOCS / "leaderboard")


def test_the_picture_is_that_of_the_cards_and_has_both_themes() -> None:
    words = (DOCS / "leaderboard.svg").read_text(encoding="utf-8")
    picture = fromstring(words)
    (title,) = picture.findall("{*}title")
    assert fromstring(board_picture(DOCS / "leaderboard")).findtext("{*}title") == title.text
    lines = [path.stem for path in CARDS if path.stem.startswith("rules-v1")]
    assert all(stem.removeprefix("rules-v1-") in str(title.text) for stem in lines)
    used = set(re.findall(r"var\((--[\w-]+)\)", words))
    assert used and all(words.count(f"{name}:") == 2 for name in used)


def test_the_page_has_every_track_and_plots_and_names_no_agent_by_a_command() -> None:
    html = paint_board(DOCS / "leaderboard")
    for path in CARDS:
        assert f'id="{read_card(path).track.name}"' in html
    assert "process:" not in html and "process:" not in board_markdown(DOCS / "leaderboard")
    assert "near rulesets" in html and html.count("<svg") >= 2


def test_a_folder_without_cards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrackError, match="no score cards"):
        paint_board(tmp_path)


def test_the_player_of_the_page_plays(tmp_path: Path) -> None:
    page = (DOCS / "benchmark.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path, tiny = tmp_path / "my_agent.py", load_ruleset("tiny")
    path.write_text(code, encoding="utf-8")
    agent = make_agent(f"process:{shlex.quote(sys.executable)} {path}", tiny)
    assert play_match(agent, make_agent("random", tiny), 4, 1, tiny).games == 4
