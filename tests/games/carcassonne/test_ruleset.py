"""The ruleset of Carcassonne as a file: every figure says where it comes from."""

from __future__ import annotations

import pytest

from channel_tunnel_env import RulesetError, load_ruleset
from channel_tunnel_env.rulesets.settings import settings

MINE = {
    "base": "carcassonne",
    "name": "mine",
    "points": {"road": 2},
    "tiles": {"U": {"count": 7}, "NEW": {"count": 1, "fields": ["01234567"]}},
}


def test_what_a_designer_changes_is_of_the_house() -> None:
    sources = {s.key: s.provenance.source for s in settings(load_ruleset(MINE))}
    changed = ("points.road", "tiles.U.count", "tiles.NEW.count", "tiles.NEW.fields")
    assert {sources[key] for key in changed} == {"house"}
    assert sources["points.city"] == sources["tiles.U.roads"] == sources["tiles.V.count"] == "rulebook"


@pytest.mark.parametrize(
    ("tiles", "problem"),
    [
        ("3", "tiles.columns: 3: allowed: a mapping of columns"),
        ("{count: 3}", "tiles.columns.count: 3: allowed: source and why"),
        ("{count: {source: hearsay}}", "tiles.columns.count.source: 'hearsay': allowed: rulebook"),
    ],
)
def test_a_wrong_source_of_a_column_is_named(tiles, problem, tmp_path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(f"base: carcassonne\ntiles: {{columns: {tiles}}}\n")
    with pytest.raises(RulesetError, match="line 2") as refused:
        load_ruleset(path)
    assert problem in str(refused.value)
