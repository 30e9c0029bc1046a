"""The cards of docs/leaderboard: their numbers follow, the table is theirs, and a sample is played again; opponents are those of the ladder."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.benchmark.board import board_markdown
from channel_tunnel_agents.benchmark.checking import check_card, check_numbers
from channel_tunnel_agents.benchmark.contests import budgets_of, list_contests
from channel_tunnel_agents.benchmark.running import opponents_of, reference_digest, reference_of
from channel_tunnel_agents.matches.arena import play_match
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.tracks import FILES, RELEASED, TrackError, load_track
from channel_tunnel_env.tracks.card import MAINTAINERS, NAMESPACE, card_text, read_card
from tests.sites import exact_games

DOCS = Path(__file__).parents[3] / "docs"
CARDS = sorted((DOCS / "leaderboard").glob("*.json"))


@pytest.fixture(scope="module", autouse=True)
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The games of docs/examples on the path, which some cards are of."""
    with exact_games(tmp_path_factory.mktemp("site")):
        yield


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


@pytest.mark.parametrize("name", [name for name in RELEASED if load_track(name).ladder])
def test_every_opponent_of_a_ladder_is_played_by_what_its_strength_was_measured_with(name) -> None:
    track = load_track(name)
    reference = reference_of(track)
    assert reference is not None
    found = opponents_of(list_contests(track, "random", budgets_of(track)[:1]))
    assert found and found == {rival: reference[FILES][rival] for rival in found}


def test_a_tenth_of_a_card_is_played_again_and_holds() -> None:
    found = check_card(DOCS / "leaderboard" / "duel-v1-random.json", 1)
    assert found.holds and found.games == 640 and not found.differing and not found.skipped


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="no OpenSSH here")
def test_only_a_maintainers_signature_makes_a_card_verified(tmp_path: Path) -> None:
    card = tmp_path / "cards" / "duel-v1-random.json"
    card.parent.mkdir()
    shutil.copyfile(DOCS / "leaderboard" / card.name, card)
    for name in ("maintainer", "stranger"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name], check=True)
    key = (tmp_path / "maintainer.pub").read_text().strip()
    (card.parent / MAINTAINERS).write_text(f"maintainer {key}\n")
    assert "✓ |" not in board_markdown(card.parent)
    sign = ["ssh-keygen", "-q", "-Y", "sign", "-n", NAMESPACE, "-f"]
    subprocess.run([*sign, tmp_path / "maintainer", card], check=True, capture_output=True)
    assert "✓ |" in board_markdown(card.parent)
    signature = card.with_name(f"{card.name}.sig")
    whole = card.read_bytes()
    card.write_bytes(whole.replace(b'"games"', b' "games"'))
    kept = signature.read_bytes()
    for stranger in (False, True):
        if stranger:
            card.write_bytes(whole)
            signature.unlink()
            subprocess.run([*sign, tmp_path / "stranger", card], check=True, capture_output=True)
            assert signature.read_bytes() != kept
        with pytest.raises(TrackError, match=r"\.sig: expected a signature of duel-v1-random\.json") as told:
            board_markdown(card.parent)
        assert "\n" not in str(told.value)


def test_the_table_is_that_of_the_cards() -> None:
    assert (DOCS / "leaderboard.md").read_text(encoding="utf-8") == board_markdown(DOCS / "leaderboard")


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
    assert "| [master-search](leaderboard/search-v1-master-search.json) \\* " in words
    assert "| [club](leaderboard/duel-v1-club.json) \\*" not in words
    assert words.count("Is given the game") >= 2 and "process:" not in words


def test_a_folder_without_cards_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrackError, match="no score cards"):
        board_markdown(tmp_path)


def test_the_player_of_the_page_plays(tmp_path: Path) -> None:
    page = (DOCS / "how-to" / "benchmark-an-agent.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    path, tiny = tmp_path / "my_agent.py", load_ruleset("tiny")
    path.write_text(code, encoding="utf-8")
    agent = make_agent(f"process:{shlex.quote(sys.executable)} {path}", tiny)
    assert play_match(agent, make_agent("random", tiny), 4, 1, tiny).games == 4
