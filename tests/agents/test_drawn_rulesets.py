"""Rulesets drawn around the game's own: valid, near and far, and known by every figure; and runs that mix them."""

from __future__ import annotations

import re
from functools import cache

import pytest
import yaml

from channel_tunnel_agents import make_agent
from channel_tunnel_agents.balance.measuring.knowledge import known_to_reader
from channel_tunnel_agents.learning.config import ConfigError
from channel_tunnel_agents.learning.run_rulesets import rulesets_of_run
from channel_tunnel_agents.learning.training import TrainingRun
from channel_tunnel_agents.rulesets import SPACES
from channel_tunnel_env import Game, VersionError, load_ruleset
from channel_tunnel_env.rulesets.ruleset import AnyRuleset
from tests.agents.test_training import ROOT, small
from tests.random_games import play_on

SPACE = SPACES["tunnel_1987"]


@cache
def drawn() -> list[AnyRuleset]:
    """Many, of one seed."""
    return SPACE.draw(400, 1)


def test_the_same_seed_draws_the_same_rulesets_whatever_their_number() -> None:
    assert SPACE.draw(3, 1) == drawn()[:3]
    assert SPACE.draw(3, 6) != drawn()[:3]


def test_drawn_rulesets_differ_and_none_lies_outside() -> None:
    assert len({ruleset.digest for ruleset in drawn()}) == len(drawn())
    assert not [found for ruleset in drawn() for found in SPACE.outside(ruleset)]


def test_some_draws_are_near_the_box_and_others_far() -> None:
    base = load_ruleset("agenda").flat.items()
    sizes = [len(base ^ ruleset.flat.items()) for ruleset in drawn()]
    assert min(sizes) < 25 and max(sizes) > 80


def test_every_kind_of_figure_is_turned_in_some_draw() -> None:
    base, turned = load_ruleset("standard").flat, set()
    for ruleset in drawn():
        turned |= {key for key, value in ruleset.flat.items() if base.get(key) != value}
    idle = {pattern for pattern in SPACE.figures if not any(re.fullmatch(pattern, key) for key in turned)}
    assert idle == {r"switches\.auto_forced"}


def test_the_boxs_own_rulesets_lie_inside_and_a_far_figure_is_named() -> None:
    assert not SPACE.outside(load_ruleset("standard")) and not SPACE.outside(load_ruleset("agenda"))
    far = load_ruleset("standard").with_values({"extra_finance": 14})
    assert [str(found) for found in SPACE.outside(far)] == ["extra_finance 14 (1..12)"]


def test_the_page_lists_every_figure_and_its_values() -> None:
    page = (ROOT / "docs" / "reference" / "training-rulesets.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(.+)` \| (.+) \|$", page, re.MULTILINE)
    known = known_to_reader("tunnel_1987")
    assert listed == known.table()
    assert f"version {known.version})" in page


def test_themes_move_together_what_figures_one_by_one_never_do() -> None:
    """Sums of track points far below and above the box, short routes, politics: each in some draws of a hundred."""
    plain = [ruleset.plain() for ruleset in drawn()[:150]]
    boards = [each["track_points"].values() for each in plain]
    tracks = [sum(sum(points) for board in each for points in board.values()) for each in boards]
    politics = [each["scoring"]["political_duel"] + each["scoring"]["media_relations"] for each in plain]
    assert min(tracks) < 25 and max(tracks) > 180
    assert sum(points < 60 for points in tracks) > 10
    assert sum(each["route"]["length"] <= 6 for each in plain) > 7
    assert sum(points >= 12 for points in politics) > 4


def test_the_draws_of_the_track_are_still_made() -> None:
    second = SPACE.at(2)
    assert second.version == 2 and SPACE.at(3) is SPACE
    assert second.draw(1, 6)[0].digest == "da4552a0c59fdcd7"


def test_no_ruleset_kept_out_of_training_is_drawn() -> None:
    groups = yaml.safe_load((ROOT / "benchmarks" / "held_out.yaml").read_text(encoding="utf-8"))
    kept = [
        load_ruleset({"base": "standard", "name": name} | changes)
        for rulesets in groups.values()
        for name, changes in rulesets.items()
    ]
    assert {group: len(rulesets) for group, rulesets in groups.items()} == {"near": 12, "far": 12}
    assert not {each.digest for each in kept} & {each.digest for each in drawn()}
    assert not [found for each in kept for found in SPACE.outside(each)]


def test_drawn_rulesets_play_to_the_end() -> None:
    for ruleset in drawn()[:20]:
        assert play_on(Game(ruleset, 3), 2).is_over


MIXED = {"ruleset": "standard", "network": "game", "width": 32, "drawn_rulesets": 30}


@pytest.mark.heavy
def test_a_mixed_run_plays_many_rulesets_and_its_policy_plays_any(tmp_path) -> None:
    run = TrainingRun(small(tmp_path, **MIXED, decisions=64 * 32 * 8))
    first = run.env.batch.states["ruleset"].copy()
    run.train()
    assert (run.env.batch.states["ruleset"] != first).mean() > 0.2  # games that have ended
    agent = make_agent(f"ppo:{run.folder}", load_ruleset("standard").with_values({"discs.hand": 7}))
    assert agent is not None
    with pytest.raises(VersionError, match="carcassonne"):
        make_agent(f"ppo:{run.folder}", load_ruleset("carcassonne"))


def test_a_mixed_run_goes_on_only_with_its_own_ruleset(tmp_path) -> None:
    config = small(tmp_path, **MIXED)
    TrainingRun(config).train()
    other = config.model_copy(update={"ruleset": "agenda", "decisions": 8192})
    with pytest.raises(VersionError, match="keeps its ruleset"):
        TrainingRun(other, resume=True)


def test_a_quarter_of_the_rulesets_are_the_games_own(tmp_path) -> None:
    config = small(tmp_path, **MIXED)
    rulesets = rulesets_of_run(config, load_ruleset("standard"), [])
    own = [ruleset for ruleset in rulesets if not ruleset.name.startswith("drawn")]
    assert len(own) / len(rulesets) == pytest.approx(1 / 4)
    assert {ruleset.name for ruleset in own} == {"standard", "agenda"}


def test_a_game_without_a_space_is_refused(tmp_path) -> None:
    config = small(tmp_path, ruleset="eurotunnel", network="game", drawn_rulesets=3, pool_slots=0)
    known = "tunnel_1987, carcassonne"
    with pytest.raises(ConfigError, match=f"drawn_rulesets: eurotunnel has no drawn rulesets; only for {known}"):
        TrainingRun(config)


HOUSE_RULES = SPACES["carcassonne"]


def test_draws_of_carcassonne_change_the_house_rules_that_a_policy_sees_and_nothing_else() -> None:
    drawn = HOUSE_RULES.draw(120, 4)
    base = load_ruleset("carcassonne").flat.items()
    changed = {key for each in drawn for key, _ in each.flat.items() - base}
    assert changed - {"name", "title"} == {key for key, figure in HOUSE_RULES.figures.items() if figure.turned}
    assert len({each.digest for each in drawn}) > 80
    assert not [found for each in drawn for found in HOUSE_RULES.outside(each)]
    dear = load_ruleset("carcassonne").with_values({"points.road": 3})
    assert [str(found) for found in HOUSE_RULES.outside(dear)] == ["points.road 3 (1)"]


def test_the_draws_of_a_run_are_for_as_many_seats_as_its_ruleset() -> None:
    four = load_ruleset("carcassonne").with_values({"players": 4})
    drawn = HOUSE_RULES.at_table_of(four).draw(30, 4)
    assert {each.flat["players"] for each in drawn} == {4}
    assert not [found for each in drawn for found in HOUSE_RULES.outside(each)]
    two = HOUSE_RULES.at_table_of(load_ruleset("carcassonne")).draw(30, 4)
    assert [each.digest for each in two] == [each.digest for each in HOUSE_RULES.draw(30, 4)]


def test_carcassonnes_far_rulesets_are_never_drawn() -> None:
    path = ROOT / "benchmarks" / "held_out_carcassonne.yaml"
    groups = {
        group: [load_ruleset({"base": "carcassonne"} | changes) for changes in rulesets.values()]
        for group, rulesets in yaml.safe_load(path.read_text(encoding="utf-8")).items()
    }
    drawn = {each.digest for each in HOUSE_RULES.draw(300, 3)}
    assert not {each.digest for group in ("far", "blind") for each in groups[group]} & drawn
    assert all(HOUSE_RULES.outside(each) for each in groups["blind"])


@pytest.mark.parametrize("players", [2, 4])
def test_a_run_by_drawn_house_rules_of_carcassonne_plays_all_of_them(tmp_path, players) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(f"base: carcassonne\nname: mine\nplayers: {players}\n")
    config = small(
        tmp_path, ruleset=str(rules), network="game", width=16, drawn_rulesets=9,
        pool_slots=0, rivals=(), rival_share=0.0, num_games=32, steps=8, batch_size=128, decisions=256,
    )  # fmt: skip
    run = TrainingRun(config)
    run.train()
    steal = load_ruleset("carcassonne").with_values({"tunnel_variant": "steal"})
    for seats in (2, 3, 6):
        assert make_agent(f"ppo:{run.folder}", steal.with_values({"players": seats})) is not None
