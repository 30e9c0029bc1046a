"""Tracks of one's own, from a YAML file, and games that are solved instead of played."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from channel_tunnel_agents.base import AgentError
from channel_tunnel_agents.benchmark.board import figure_words
from channel_tunnel_agents.benchmark.checking import check_card
from channel_tunnel_agents.benchmark.contests import list_contests
from channel_tunnel_agents.benchmark.running import CARD, BenchmarkEntry, enter
from channel_tunnel_agents.benchmark.scoring import score
from channel_tunnel_agents.commands import benchmark
from channel_tunnel_env import load_ruleset
from channel_tunnel_env.tracks import TrackError, load_track
from tests.agents.benchmark.test_running import resealed
from tests.sites import exact_games

PLAYED = """
track: ours
title: Ours
about: Two countries without water.
kind: tables
milliseconds: 1000
tables:
  - {{key: dry, ruleset: rules/dry.yaml, digest: "{digest}", opponents: [{opponent}], deals: 3}}
"""
SOLVED = """
track: small
title: Small games
about: Two of them.
kind: exact
milliseconds: 1000
exact:
  - {{key: kuhn, ruleset: kuhn, digest: "{kuhn}"}}
  - {{key: dice, ruleset: liars_dice, digest: "{liars_dice}"}}
"""


def own_track(folder: Path, opponent: str = "random") -> str:
    """A track whose ruleset lies beside it."""
    rules = folder / "rules" / "dry.yaml"
    rules.parent.mkdir()
    rules.write_text("base: tiny\nname: dry\ndiscs: {hand: 4}\n")
    track = folder / "ours.yaml"
    track.write_text(PLAYED.format(digest=load_ruleset(rules).digest, opponent=opponent))
    return str(track)


def test_a_track_of_ones_own_is_played_and_its_card_checked(tmp_path, monkeypatch) -> None:
    name = own_track(tmp_path)
    monkeypatch.chdir(tmp_path.parent)  # its ruleset is found from anywhere
    assert benchmark.main([name, "random", "--out", str(tmp_path / "out")]) == 0
    assert benchmark.main(["--check", str(tmp_path / "out" / CARD)]) == 0
    with (tmp_path / "ours.yaml").open("a") as file:
        file.write("# another one\n")
    with pytest.raises(TrackError, match=r"of another version of .*ours\.yaml"):
        check_card(tmp_path / "out" / CARD)


def test_a_wrong_track_of_ones_own_is_one_line(tmp_path, capsys) -> None:
    assert benchmark.main([own_track(tmp_path, opponent="nonesuch"), "random", "--out", str(tmp_path / "out")]) == 2
    assert benchmark.main([str(tmp_path / "none.yaml"), "random"]) == 2
    (tmp_path / "rules" / "dry.yaml").write_text("base: tiny\nname: dry\ndiscs: {hand: 5}\n")
    assert benchmark.main([str(tmp_path / "ours.yaml"), "random"]) == 2
    unknown, missing, other = capsys.readouterr().err.strip().splitlines()
    assert "'nonesuch'" in unknown and "there is no such file" in missing and "the track was made with" in other
    assert not (tmp_path / "out").exists()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A track of two small games."""
    with exact_games(tmp_path_factory.mktemp("site")):
        path = tmp_path_factory.mktemp("track") / "small.yaml"
        path.write_text(SOLVED.format(**{name: load_ruleset(name).digest for name in ("kuhn", "liars_dice")}))
        yield str(path)


def test_solved_games_are_scored_without_chance(small, tmp_path) -> None:
    """Uniform play of Kuhn poker loses 11/24 of a chip a game to best responses (OpenSpiel), of two that are at stake."""
    card = enter(BenchmarkEntry(load_track(small), "random"), tmp_path)
    mean, kuhn, dice = card.scores
    assert kuhn.value == pytest.approx((1 - 11 / 24 / 2) / 2, abs=1e-6)
    assert mean.value == pytest.approx((kuhn.value + dice.value) / 2, abs=1e-6)
    assert all(one.low == one.value == one.high and one.even == 0.5 for one in card.scores)
    assert figure_words(kuhn) == "38.5 %"
    assert check_card(tmp_path / CARD).holds


def test_a_solved_card_with_a_lifted_result_does_not_hold(small, tmp_path) -> None:
    track = load_track(small)
    card = enter(BenchmarkEntry(track, "random"), tmp_path)
    results = {**card.results, "kuhn v best response": [[0.5], [0.5]]}
    scores = score(track, list_contests(track, "random", []), results, None, {})
    resealed(card, tmp_path / CARD, results=results, scores=scores)
    found = check_card(tmp_path / CARD)
    assert not found.holds and found.differing == 2, found.words


@pytest.mark.parametrize(
    ("track", "agent", "why"),
    [
        ("small", "tests.agents.benchmark.guests:Lucky", "does not say that it repeats itself"),
        ("duel-v1", "ppo:runs/{ruleset}", "{ruleset} is filled in only by exact-v1"),
    ],
)
def test_an_agent_that_cannot_be_scored_so_is_refused(small, track, agent, why, tmp_path) -> None:
    with pytest.raises(AgentError, match=why):
        enter(BenchmarkEntry(load_track(small if track == "small" else track), agent), tmp_path)
