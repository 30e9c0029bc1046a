"""A window cut out of a picture shows what the picture shows there, in both themes, and little more."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as Tree

import pytest

from channel_tunnel_env.drawing import crop

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "agents" / "channel_tunnel_agents" / "table" / "static" / "games"
PICTURE = f"""<svg xmlns="{crop.SVG}" class="x-auto" viewBox="0 0 300 300" role="group" aria-label="all">
<style>.x-auto .far{{fill:red}}.x-auto .near{{fill:blue}}@media (prefers-color-scheme:dark){{.x-auto .far{{fill:pink}}.x-auto .near{{fill:navy}}}}</style>
<rect class="far" x="250" y="250" width="20" height="20"/>
<g class="target" data-target="a" transform="translate(90 100) scale(2)"><title>a</title>
<path class="near" d="M5 5L10 10"/><circle class="far" cx="95" cy="95" r="2"/></g>
<g transform="translate(200 200)"><text class="far" x="60" y="60">far</text></g></svg>"""


def commands() -> list[list[str]]:
    """The arguments of the windows that `make pictures` cuts."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [words.split() for words in re.findall(r"drawing\.crop (.*)", makefile)]


def test_shapes_and_style_rules_beyond_the_box_are_left_out() -> None:
    found = crop.cut(PICTURE, (80, 90, 130, 140))
    root = Tree.fromstring(found)
    assert root.get("viewBox") == "80 90 50 50" and "label" not in found and "data-" not in found
    assert [each.tag.rpartition("}")[2] for each in root.iter()] == ["svg", "style", "g", "path"]
    assert found.count(".near{") == 2 and ".far" not in found


def test_letters_have_a_least_size_and_classes_can_be_left_out() -> None:
    picture = PICTURE.replace("fill:blue", "font-size:9px;fill:blue")
    assert "font-size:9px" in crop.cut(picture, (80, 90, 130, 140))
    found = crop.cut(picture, (0, 0, 300, 300), 13.5, ["far"])
    assert "font-size:13.5px" in found and 'class="far"' not in found


@pytest.mark.parametrize("words", commands(), ids=lambda words: Path(words[1]).stem)
def test_the_windows_of_the_first_screen_are_cut_from_the_pictures(tmp_path, words) -> None:
    picture, kept, *box = words
    out = tmp_path / "window.svg"
    crop.main(str(ROOT / picture), str(out), *box)
    cut = out.read_text(encoding="utf-8")
    assert cut == (ROOT / kept).read_text(encoding="utf-8") and len(cut) < 30_000
    across, down = float(box[2]), float(box[3])
    assert across / down == pytest.approx(320 / 120, 0.01), "the room that the page has for it"
    assert "prefers-color-scheme:dark" in cut


def test_every_game_but_one_with_shared_parts_is_cut() -> None:
    cut = {Path(words[1]).name for words in commands()}
    assert {path.name for path in GAMES.glob("*.svg")} - cut == {"carcassonne.svg"}
