"""The table as text shows every tile, follower and token where it lies."""

from __future__ import annotations

import re
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from channel_tunnel_env.games.carcassonne.board import excerpt, geometry, scenery
from channel_tunnel_env.games.carcassonne.board.completed import completed
from channel_tunnel_env.games.carcassonne.board.excerpt import table_svg
from channel_tunnel_env.games.carcassonne.board.page import draw_page
from channel_tunnel_env.games.carcassonne.engine import constants as c
from channel_tunnel_env.games.carcassonne.faces import pictures
from channel_tunnel_env.games.carcassonne.game import Game
from channel_tunnel_env.games.carcassonne.pieces import token_owner
from channel_tunnel_env.records.record import replay_plies
from tests.games.carcassonne.records import played

START = """\
      0
     .c.
   0 -.-
     ..."""


def test_a_game_begins_with_the_start_tile() -> None:
    text = Game(seed=3).render()
    assert text.startswith(START)
    assert "player_0: 0 points, 7 followers, 6 tunnel tokens" in text
    assert "Turn 1: player_0 has tile U, next choice: cell; 74 tiles left" in text


@pytest.mark.parametrize("seed", range(3))
def test_everything_on_the_table_is_shown_at_every_decision(seed: int) -> None:
    game, rng = Game({"base": "carcassonne", "players": 3}, seed), np.random.default_rng(seed)
    while not game.is_over:
        game.play(int(rng.choice(game.legal_ids())))
        table = game.render().split("\n\n")[0].splitlines()[1:]
        drawn = "".join(line[5:] for line in table)
        followers = game.state.follower[: int(game.state.first_node[int(game.state.tile_count)])]
        for seat in range(3):
            assert drawn.count(str(seat)) == (followers == seat).sum()
        assert len(drawn.replace(" ", "")) == 9 * int(game.state.tile_count)
    assert "won." in game.render()


def shapes(svg: str, style: str) -> list[ElementTree.Element]:
    """The picture's elements of a class."""
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == style]


@pytest.mark.parametrize("players", [2, 6])
def test_the_picture_has_every_tile_follower_and_token(players: int) -> None:
    for decisions in (0, 57, 110, 1000):
        game = played(decisions, players=players)
        state, svg = game.state, game.to_svg()
        lying = int(state.tile_count)
        assert svg[: svg.index('"place-m"')].count("<g data-tile=") == lying  # the tile in hand comes behind the table
        men = state.follower[: int(state.first_node[lying])]
        for seat in range(players):
            # One stands beside the seat's name, the others on the table and in its supply.
            expected = 1 + int((men == seat).sum()) + int(state.hand[seat])
            assert len(shapes(svg, f"seat{seat}")) == expected
        laid, left = int((state.mouth_colour >= 0).sum()), int(state.stock.sum())
        tokens = [e for name in c.TOKEN_COLOURS for e in shapes(svg, f"token-{name}")]
        assert len(tokens) == laid + left
        finished = int((state.mouth_partner >= 0).sum()) // 2
        assert len(shapes(svg, "linked")) == finished


def test_the_cells_that_may_be_chosen_are_targets_with_the_names_of_their_actions() -> None:
    game = played(40)
    while game.phase != "cell":
        game.play(game.legal_ids()[0])
    targets = [e.get("data-target") for e in shapes(game.to_svg(), "target")]
    assert targets == game.legal_actions()


def test_a_follower_stands_on_its_own_piece_of_the_tile() -> None:
    """No two pieces of a tile share a place, and a place turns with its tile."""
    for kind in Game().ruleset.data.tile_types():
        places = [geometry.standing_place(kind, segment) for segment in kind.segments]
        assert len({(round(x), round(y)) for x, y in places}) == len(places), kind.name
        assert all(0 < x < 100 and 0 < y < 100 for x, y in places)
    assert geometry.turned((50, 10), 1) == (90, 50)
    assert geometry.turned((50, 10), 4) == (50, 10)


def test_a_city_lies_within_its_tile_and_fills_what_its_sides_say() -> None:
    for sides in [(0,), (2,), (0, 3), (1, 3), (0, 1, 3), (0, 1, 2, 3)]:
        area, _ = geometry.city_outline(sides)
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", area)]
        assert min(numbers) >= 0 and max(numbers) <= 100, sides
    deepest = max(float(y) for y in re.findall(r"Q\S+ (\S+)", geometry.city_outline((0,))[0]))
    assert 20 < deepest < 50, "a city on the north side bends down into the tile"


# --- what is drawn on a tile ----------------------------------------------------------------------

FULL_BOARD = 100_000
"""Bytes of the drawing of a board on which all tiles lie."""


def test_a_full_board_is_light() -> None:
    game = played(1000)
    assert int(game.state.tile_count) > 70
    for drawn in (game.to_svg(theme="auto"), draw_page(game, "table"), table_svg(game)):
        assert len(drawn) < FULL_BOARD


def test_every_tile_refers_to_a_drawing_in_the_same_picture() -> None:
    game = played(90)
    for drawn in (game.to_svg(), game.to_svg(theme="auto"), draw_page(game, "phone"), table_svg(game)):
        referred, defined = (set(re.findall(f'{mark}([^"]+)"', drawn)) for mark in ('href="#', ' id="'))
        assert referred == defined
        assert len(re.findall("<use ", drawn)) >= int(game.state.tile_count) > len(defined)


def test_pictures_of_two_themes_on_one_page_share_no_drawing() -> None:
    light, dark = (set(re.findall(' id="([^"]+)"', played(40).to_svg(theme=theme))) for theme in ("light", "dark"))
    assert light and not light & dark


def test_nothing_stands_where_a_follower_does_nor_on_a_road() -> None:
    for kind in Game().ruleset.data.tile_types():
        grown = [place for places in scenery.growing(kind).values() for place in places]
        cities = [s for s in kind.segments if s.kind == c.CITY]
        built = [place for city in cities for place, _ in scenery.built(kind, city)]
        for segment in kind.segments:
            standing = geometry.standing_place(kind, segment)
            assert all(dist(standing, place) > 12 for place in grown + built), kind.name
            if segment.kind == c.ROAD:
                road = geometry.road_points(kind, segment)
                assert all(dist(p, place) > 9 for p in road for place in grown + built), kind.name
        outlines = [geometry.city_polygon(city.sides) for city in cities]
        for place in grown:
            assert not any(geometry.contains(outline, place) for outline in outlines), kind.name
        for place in built:
            assert any(geometry.contains(outline, place) for outline in outlines), kind.name


def test_every_field_city_and_cloister_has_something_of_its_own_to_see() -> None:
    for kind in Game().ruleset.data.tile_types():
        if any(s.kind == c.FIELD and len(s.halves) > 2 for s in kind.segments):
            assert scenery.growing(kind)["blade"], kind.name
        for city in (s for s in kind.segments if s.kind == c.CITY and len(s.sides) > 1):
            assert len(scenery.built(kind, city)) > 3, kind.name


# --- what is marked on the table ------------------------------------------------------------------


def marks(svg: str, name: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(svg).iter() if e.get("data-mark") == name]


def test_the_start_tile_is_marked_where_it_lies() -> None:
    for decisions in (0, 60, 1000):
        (mark,) = marks(played(decisions).to_svg(), "start")
        assert mark.get("transform") == "translate(0 0)", "places are counted from it"
        assert mark[0].text == "the start tile"
        assert {"start", "compass"} == {e.get("class") for e in mark[1:]}


@pytest.mark.parametrize("players", [2, 3, 6])
def test_a_half_tunnel_has_its_owners_colour_and_number(players: int) -> None:
    seen = 0
    for seed in range(6):
        game = played(140, seed, players=players)
        halves = marks(game.to_svg(), "half")
        waiting = [colour for colour in range(c.NUM_TOKEN_COLOURS) if game.state.half[colour] >= 0]
        assert len(halves) == len(waiting)
        for colour, half in zip(sorted(waiting, key=lambda k: int(game.state.half[k])), halves, strict=True):
            owner = token_owner(game.ruleset.data, colour)
            assert half[0].text == f"half tunnel of Player {owner}"
            classes = [e.get("class") for e in half]
            assert f"waiting{owner}" in classes and f"owner{owner}" in classes
            assert [e.text for e in half if e.get("class") == f"seat{owner}-t"] == [str(owner)]
            seen += 1
    assert seen


def test_a_half_tunnel_of_a_common_stock_has_no_owner() -> None:
    halves = [half for seed in range(8) for half in marks(played(100, seed, tunnel_variant="paired").to_svg(), "half")]
    assert halves
    for half in halves:
        assert half[0].text == "half tunnel"
        assert "waiting" in {e.get("class") for e in half}
        assert not any(str(e.get("class")).startswith("owner") for e in half)


def test_the_rings_of_the_seats_differ_without_their_colours() -> None:
    sheet = played(3).to_svg()
    rings = re.findall(r"\.waiting\d\{[^}]*stroke-dasharray:([^}]*)\}", sheet)
    assert len(rings) == len(set(rings)) == c.MAX_SEATS


def test_columns_and_rows_are_named_from_the_start_tile_on() -> None:
    for decisions in (0, 60, 1000):
        game = played(decisions)
        names = [e.text for e in shapes(game.to_svg(), "place-m")]
        assert names.count("start") == 2
        state = game.state
        furthest = ((state.west, "W"), (state.east, "E"), (state.north, "N"), (state.south, "S"))
        for away, way in furthest:
            assert not away or f"{abs(int(away))} {way}" in names


def test_the_tiles_that_are_face_down_are_counted_beside_the_table() -> None:
    for decisions in (0, 60, 120):
        game = played(decisions)
        svg = game.to_svg()
        counts = [int(n) for n in re.findall("\u00d7(\\d+)", svg)]
        assert sum(counts) == int(game.state.deck_size) - int(game.state.drawn) > 0
    assert "Face down" not in played(1000).to_svg()


# --- what has just been completed -----------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 4])
def test_what_scores_during_the_game_is_named_as_completed_once(players: int) -> None:
    named: set[tuple[int, ...]] = set()
    rng, game = np.random.default_rng(5), Game({"base": "carcassonne", "players": players}, 5)
    points = 0
    while not game.is_over:
        before = game.clone()
        game.play(int(rng.choice(game.legal_ids())))
        features = completed(before, game)
        for feature in features:
            assert not named & {feature.nodes}
            named.add(feature.nodes)
        if game.is_over:
            break
        gained = game.state.tally_points - before.state.tally_points
        for kind in range(c.NUM_KINDS):
            of_kind = [feature for feature in features if feature.kind == kind]
            scored = {seat: int(gained[seat, kind]) for seat in range(players) if gained[seat, kind]}
            assert of_kind or not scored, "points come from something that is lit"
            if len(of_kind) == 1:
                assert of_kind[0].points == scored
                points += sum(scored.values())
    assert len(named) > 5 and points > 5


def test_what_was_completed_is_lit_piece_by_piece_and_named_with_its_points() -> None:
    rng, game, seen = np.random.default_rng(5), Game("carcassonne", 5), set()
    while not game.is_over:
        before = game.clone()
        game.play(int(rng.choice(game.legal_ids())))
        drawn = draw_page(game, "table", before)
        features = completed(before, game)
        lit = re.findall('data-lit="([a-z]+)" role="img" aria-label="([^"]+)"', drawn)
        assert lit == [(c.KINDS[feature.kind], feature.words) for feature in features]
        pieces = len(re.findall('class="lit-(?:area|road|close)"', drawn))
        assert pieces == sum(len(feature.nodes) for feature in features)
        for feature in features:
            seen.add(c.KINDS[feature.kind])
            for seat, points in feature.points.items():
                assert f"{points} points for Player {seat}" in feature.words
                assert f">+{points}</text>" in drawn
    assert {"city", "road"} <= seen


def test_a_still_picture_and_a_film_light_what_the_last_turn_completed() -> None:
    rng, game, begun, seen = np.random.default_rng(5), Game("carcassonne", 5), None, 0
    lit: list[str] = []
    while not game.is_over:
        if game.phase == "cell":
            lit = [feature.words for feature in completed(begun, game)] if begun else []
            begun = game.clone()
        if game.phase == "cell" or (lit and game.phase == "rotate"):
            seen += bool(lit)
            assert labels_of_light(game.to_svg()) == lit
        if game.phase == "claim":
            assert "data-lit" not in game.to_svg(), "another tile lies"
        game.play(int(rng.choice(game.legal_ids())))
        if seen > 3:
            break
    frames = pictures.read_film(replay_plies(Game, game.record()))
    assert any(labels_of_light(dark) for _, dark in frames)
    assert all(labels_of_light(light) == labels_of_light(dark) for light, dark in frames)


def labels_of_light(svg: str) -> list[str]:
    """What is lit in a picture, in words."""
    return re.findall('data-lit="[a-z]+" role="img" aria-label="([^"]+)"', svg)


def test_a_position_without_decisions_lights_nothing() -> None:
    game = played(200)
    assert "data-lit" not in Game.from_position(game.to_position(), game.ruleset).to_svg()


def test_a_tile_at_rest_lights_nothing() -> None:
    game = played(60)
    assert completed(game, game) == []
    assert "data-lit" not in draw_page(game, "table", game)


def test_the_picture_of_the_first_screen_is_as_the_code_draws_it(tmp_path: Path) -> None:
    """`make pictures` writes it: a window onto the table, light, in both themes, no piece cut by its edge."""
    out, root = tmp_path / "window.svg", Path(__file__).parents[3]
    excerpt.main(str(root / "docs/images/carcassonne.jsonl"), str(out))
    drawn = out.read_text(encoding="utf-8")
    kept = root / "agents/channel_tunnel_agents/table/static/games/carcassonne.svg"
    assert drawn == kept.read_text(encoding="utf-8") and len(drawn) < 30_000
    x, y, across, down = map(float, re.search(r'viewBox="([^"]+)"', drawn)[1].split())
    assert across / down == pytest.approx(320 / 120, 1e-3), "the room that the page has for it"
    places = re.findall(r'class="seat\d" [^>]+translate\(([-\d.]+) ([-\d.]+)\)', drawn)
    pawns = [(float(left) - x, float(top) - y) for left, top in places]
    assert len([pawn for pawn in pawns if 0 < pawn[0] < across and 0 < pawn[1] < down]) > 3
    for left, top in pawns:
        whole = 15 <= left <= across - 15 and 19 <= top <= down - 14
        assert whole or not (-15 < left < across + 15 and -14 < top < down + 19), (left, top)
    shades = drawn.split("@media (prefers-color-scheme:dark)")
    used = set(re.findall(r'class="([a-z0-9-]+)"', drawn)) - {"cc-auto"}
    assert len(shades) == 2 and all(f" .{name}{{" in shade for name in used for shade in shades)
