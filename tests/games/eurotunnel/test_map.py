"""The drawn map: its geometry agrees with the law, and everything on the board is in the picture."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import ImageFont

from channel_tunnel_env.drawing.png import FONTS
from channel_tunnel_env.games.eurotunnel.actions import all_actions
from channel_tunnel_env.games.eurotunnel.board.geometry import (
    OUT,
    PASSIVE,
    Border,
    GeometryData,
    Point,
    find_borders,
    load_geometry,
    province,
)
from channel_tunnel_env.games.eurotunnel.board.pieces import bowed
from channel_tunnel_env.games.eurotunnel.engine import constants as c
from channel_tunnel_env.games.eurotunnel.game import Game
from channel_tunnel_env.games.eurotunnel.provinces import load_board
from tests.random_games import play_on

from .arena import ruleset_with
from .table import read_tunnel, units_of

BOARD, MAP = load_board(), load_geometry()
ACTIONS = all_actions()
SEAS = {BOARD.provinces[i] for i in BOARD.of_kind(c.SEA)}
Box = tuple[float, float, float, float]

# --- geometry ------------------------------------------------------------------------------------------


def inner_borders() -> list[Border]:
    """Borders between provinces."""
    beyond = {OUT, *PASSIVE}
    return [border for border in MAP.borders if beyond.isdisjoint(border.areas)]


def test_provinces_share_a_border_exactly_where_a_unit_may_cross_it() -> None:
    drawn = {frozenset(map(province, border.areas)) for border in inner_borders()}
    law = {
        frozenset((BOARD.provinces[a], BOARD.provinces[b])) for a in range(c.NUM_PROVINCES) for b in BOARD.borders[a]
    }
    assert drawn == law


def test_armies_cross_every_border_on_land() -> None:
    drawn = {frozenset(b.areas) for b in inner_borders() if SEAS.isdisjoint(b.areas)}
    assert drawn == _steps(c.ARMY)


def test_fleets_cross_borders_at_sea_and_go_along_coasts_where_a_border_reaches_the_sea() -> None:
    """By coast, where a province has two."""
    at_sea = {frozenset(b.areas) for b in inner_borders() if SEAS.intersection(b.areas)}
    corners = {end for border in MAP.borders for end in border.ends}
    along = {
        frozenset(areas - SEAS)
        for areas in (set(corner.split("-")) for corner in corners)
        if len(areas & SEAS) == 1 and OUT not in areas
    }
    assert at_sea | along == _steps(c.FLEET)


def _steps(kind: int) -> set[frozenset[str]]:
    names = BOARD.locations
    return {frozenset((names[a], names[b])) for a, others in enumerate(BOARD.steps[kind]) for b in others}


def points_of(path: str) -> list[Point]:
    """A path of lines and quadratic curves as points, eight for a curve."""
    found: list[Point] = []
    for verb, numbers in re.findall(r"([MLQ])([-\d. ]+)", path):
        values = [float(value) for value in numbers.split()]
        ends = list(zip(values[::2], values[1::2], strict=True))
        if verb == "Q":
            (sx, sy), (bx, by), (ex, ey) = found[-1], *ends
            for t in np.linspace(0, 1, 9)[1:].tolist():
                a, b, e = (1 - t) ** 2, 2 * t * (1 - t), t**2
                found.append((a * sx + b * bx + e * ex, a * sy + b * by + e * ey))
        else:
            found += ends
    return found


@cache
def outline(area: str) -> tuple[Point, ...]:
    """The line round an area, its islands left out."""
    return tuple(points_of(MAP.outlines[area].partition("Z")[0]))


def test_the_areas_fill_the_picture() -> None:
    assert list(MAP.outlines) == [*BOARD.provinces, *PASSIVE]
    areas = [_area(outline(name)) for name in MAP.outlines]
    assert sum(map(abs, areas)) == pytest.approx(MAP.size[0] * MAP.size[1], rel=1e-4)


def _area(points: tuple[Point, ...]) -> float:
    x, y = np.array(points).T
    return float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)


def test_no_two_borders_cross() -> None:
    lines = []
    for border in MAP.borders:
        x, y = border.points[0]
        points = points_of(f"M{x} {y}{border.path_from(border.ends[0])}")
        lines.append(np.array(points))
    for (one, first), (other, second) in combinations(zip(MAP.borders, lines, strict=True), 2):
        assert not _cross(first, second), (one.areas, other.areas)


def _cross(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """Whether two lines cross other than at their ends."""
    if (one.min(0) > other.max(0)).any() or (other.min(0) > one.max(0)).any():
        return False
    a, b = one[:-1, None], one[1:, None]
    p, q = other[None, :-1], other[None, 1:]
    sides = _side(a, b, p) * _side(a, b, q), _side(p, q, a) * _side(p, q, b)
    return bool(((sides[0] < -1e-6) & (sides[1] < -1e-6)).any())


def _side(a: NDArray[np.float64], b: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
    """On which side of the line a-b a point lies."""
    (ux, uy), (vx, vy) = np.moveaxis(b - a, -1, 0), np.moveaxis(p - a, -1, 0)
    found: NDArray[np.float64] = np.asarray(ux * vy - uy * vx)
    return found


def test_a_corner_or_a_bend_that_belongs_to_nothing_is_named() -> None:
    data = {
        "size": (9, 9),
        "corners": {"ADR-ALB-TRI": (1, 1), "ADR-ALB-ION": (2, 2)},
        "bends": {"LON-PAR": [(1, 1)]},
        "idle": [],
        "islands": {},
        "units": {},
        "labels": {},
        "names": {},
    }
    with pytest.raises(ValueError, match=r"ADR-TRI: 1 corners.*bends.LON-PAR: no border"):
        find_borders(GeometryData.model_validate(data))


# --- what is written on it -----------------------------------------------------------------------------


def label_boxes() -> dict[str, Box]:
    """Codes and names by the text's box: left, top, right, bottom."""
    bold, plain = FONTS[0], FONTS[1]
    found = {}
    for name, at in MAP.labels.items():
        is_coast = "/" in name
        found[name] = _box(name.partition("/")[2] or name, at, bold, 11 if is_coast else 12.5)
    for name, (x, y) in MAP.names.items():
        for i, word in enumerate(BOARD.names[BOARD.index[name]].split()):
            found[f"{name} {word}"] = _box(word, (x, y + 12 * i), plain, 11)
    return found


def test_no_label_touches_another_at_the_size_that_a_page_gives_it() -> None:
    """In a window of 1280 x 800 pixels a unit of the map is 0.71 of one, and no letter has less than 12."""
    boxes = {name: _box(name.partition("/")[2] or name, at, FONTS[0], 12 / 0.71) for name, at in MAP.labels.items()}
    assert [pair for pair in combinations(boxes, 2) if _overlap(boxes[pair[0]], boxes[pair[1]])] == []


def _box(text: str, at: Point, font: str, size: float) -> Box:
    left, top, right, bottom = ImageFont.truetype(font, size).getbbox(text, anchor="ms")
    return at[0] + left, at[1] + top, at[0] + right, at[1] + bottom


def unit_box(place: str) -> Box:
    x, y = MAP.units[place]
    across = 18 if province(place) in SEAS or "/" in place else 11
    return x - across, y - 11, x + across, y + 11


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def test_the_fonts_are_as_measured() -> None:
    assert [Path(font).stem for font in FONTS] == ["DejaVuSans-Bold", "DejaVuSans"]


def test_every_place_has_a_unit_s_place_and_a_code() -> None:
    assert set(MAP.units) == set(BOARD.locations) == set(MAP.labels)
    assert set(MAP.names) <= SEAS


def test_no_label_overlaps_another_or_the_place_of_a_unit_or_leaves_the_picture() -> None:
    boxes = label_boxes()
    overlapping = [(one, other) for one, other in combinations(boxes, 2) if _overlap(boxes[one], boxes[other])]
    hidden = [(label, place) for label in boxes for place in MAP.units if _overlap(boxes[label], unit_box(place))]
    assert overlapping == [] and hidden == []
    width, height = MAP.size
    for name, (left, top, right, bottom) in boxes.items():
        assert left > 2 and top > 2 and right < width - 2 and bottom < height - 2, name


def test_units_and_codes_stand_in_their_provinces() -> None:
    for place, at in MAP.units.items():
        assert _holds(outline(province(place)), at), place
    for place, (x, y) in MAP.labels.items():
        assert _holds(outline(province(place)), (x, y - 4)), place


def _holds(points: tuple[Point, ...], at: Point) -> bool:
    """Whether a point lies within a closed line: a ray from it crosses the line an odd number of times."""
    x, y = at
    ends = zip(points, (*points[1:], points[0]), strict=True)
    return bool(
        sum((ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax for (ax, ay), (bx, by) in ends) % 2
    )


# --- pictures ------------------------------------------------------------------------------------------


def shapes(svg: str, style: str) -> list[ElementTree.Element]:
    """The picture's elements whose class begins so, followed by a power's number at most."""
    return [e for e in ElementTree.fromstring(svg).iter() if re.fullmatch(rf"{style}\d?", e.get("class") or "")]


LEGEND = {"unit": 2, "move": 1, "case": 1, "stop": 1, "lost": 1, "hold": 1, "dug": 1, "secret": 1}


def count(svg: str, style: str) -> int:
    """Drawn on the map: without the legend, and without the units on the powers' cards."""
    cards = c.NUM_POWERS if style == "unit" else 0
    return len(shapes(svg, style)) - LEGEND.get(style, 0) - cards


def test_the_picture_has_every_unit_every_centre_and_every_order() -> None:
    game, seen = Game(ruleset_with(max_year=1902), 3), set()
    while not game.is_over:
        play_on(game, 3, 25)
        state, svg = game.state, game.to_svg()
        lost = int((state.told_result >= c.DISLODGED).sum()) if game.phase == "retreats" else 0
        assert count(svg, "unit") == (state.unit_power >= 0).sum() + lost
        assert count(svg, "lost") == lost
        land = [state.owner[i] for i in BOARD.land]
        assert len(shapes(svg, "own")) == sum(owner >= 0 for owner in land)
        kinds = [ACTIONS[i].kind for i in state.told_order[state.told_order >= 0]]
        moves = sum(kind in (c.MOVE, c.VIA, c.TUNNEL) for kind in kinds)
        assert count(svg, "move") == count(svg, "case") == moves
        seen |= set(kinds)
    assert {c.HOLD, c.MOVE, c.SUPPORT_HOLD, c.SUPPORT_MOVE} <= seen
    assert "% share" in svg


def position(tunnels: list[str]) -> dict[str, object]:
    return {
        "phase": "S1901M",
        "units": units_of(
            {
                "ENGLAND": ["A LON", "F NTH", "A YOR"],
                "FRANCE": ["A PIC", "A PAR", "A BUR"],
                "GERMANY": ["A MUN", "A RUH"],
            }
        ),
        "centres": {"ENGLAND": ["LON", "EDI", "LVP"], "FRANCE": ["PAR", "BRE", "MAR"], "GERMANY": ["MUN", "KIE"]},
        "tunnels": [read_tunnel(line) for line in tunnels],
    }


RULES = ruleset_with(auto_forced=False)


ORDERS = {
    "A LON": "* ~ PIC",  # fails: a unit stands there that does not leave
    "F NTH": "* C YOR - BEL",
    "A YOR": "* - BEL",
    "A PIC": "* S BUR - BEL",  # cut through the tunnel, and Belgium stays empty
    "A BUR": "* - BEL",
    "A PAR": "* S PIC",
    "A MUN": "* H",
    "A RUH": "* S MUN",
}


def test_every_kind_of_order_is_drawn_and_failures_are_marked() -> None:
    game = Game.from_position(position(["ENGLAND LON-PIC hidden +FRANCE"]), RULES)
    while game.phase == "movement" and game.turn == 1:
        game.play(ORDERS[game.asked_unit] if game.asked_unit else "PERMIT DONE")
    svg = game.to_svg()
    results = {
        place: c.RESULTS[int(game.state.told_result[BOARD.index[place]])]
        for place in ("LON", "NTH", "YOR", "PIC", "BUR", "PAR", "MUN", "RUH")
    }
    failed = [place for place, result in results.items() if result in ("failed", "cut")]
    assert failed == ["LON", "YOR", "PIC", "BUR"]
    assert count(svg, "stop") == len(failed) and count(svg, "hold") == 1
    assert count(svg, "move") == 3 and len(shapes(svg, "ferry")) == 1 + 1
    assert len(shapes(svg, "help")) == 3 + 1  # one of each more in the legend
    assert count(svg, "dug") == 1 and count(svg, "secret") == 0


def test_a_tunnel_is_drawn_for_who_knows_it() -> None:
    tunnels = ["ENGLAND LON-PIC hidden +FRANCE", "GERMANY MUN-MAR open", "FRANCE BEL-LON hidden"]
    game = Game.from_position(position(tunnels), RULES)
    found = {
        viewer: (count(game.to_svg(viewer), "dug"), count(game.to_svg(viewer), "secret"))
        for viewer in (None, "england", "france", "germany")
    }
    assert found == {None: (1, 2), "england": (1, 1), "france": (1, 2), "germany": (1, 0)}


def test_a_viewer_reads_what_it_is_asked_but_not_what_others_are() -> None:
    game = Game(seed=1)
    assert "Austria is asked for an order" in game.to_svg("austria")
    england = game.to_svg("england")
    assert "As England knows it. England waits for others" in england
    assert len(shapes(game.to_svg("austria"), "now")) == 1 and not shapes(england, "now")


def test_every_province_is_a_target_with_its_name() -> None:
    targets = shapes(Game(seed=1).to_svg(), "target")
    assert sorted(str(e.get("data-target")) for e in targets) == sorted(BOARD.provinces)
    labels = {e.get("data-target"): e.get("aria-label") for e in targets}
    assert labels["LON"] == "London, supply centre, owned by England"
    assert labels["NTH"] == "North Sea"


def test_a_long_title_is_cut_off() -> None:
    game = Game({"base": "eurotunnel", "title": "tunnels " * 12}, 1)
    heads = [e.text or "" for e in shapes(game.to_svg(), "h1")]
    assert len(heads) == 1 and len(heads[0]) == 46 and heads[0].endswith("…")


def test_a_part_of_a_curve_lies_on_it() -> None:
    line = bowed((0, 0), (100, 40), 0.2)
    part = line.between(0.25, 0.75)
    assert part.at(0) == pytest.approx(line.at(0.25)) and part.at(1) == pytest.approx(line.at(0.75))
    assert part.at(0.5) == pytest.approx(line.at(0.5))
