"""Pixels, windows and films: the same picture, the same on every machine."""

from __future__ import annotations

import builtins
import importlib
import io
import sys
from pathlib import Path

import numpy as np
import pytest

from channel_tunnel_env import Game
from channel_tunnel_env.drawing.png import FONTS, to_png
from channel_tunnel_env.games.tunnel_1987.board.picture import compose
from channel_tunnel_env.games.tunnel_1987.board.view import read_board
from channel_tunnel_env.games.tunnel_1987.faces import pictures
from channel_tunnel_env.games.tunnel_1987.faces.pictures import paint, read_film, to_rgb, write_film
from channel_tunnel_env.outside.foreign import need
from tests.games.tunnel_1987.positions import met
from tests.random_games import walk

Image = pytest.importorskip("PIL.Image", reason="needs the extra `render`")
pytest.importorskip("resvg_py", reason="needs the extra `render`")


def late_game(name: str = "agenda", seed: int = 5, decisions: int = 90) -> Game:
    game = Game(name, seed)
    for _ in walk(game, seed, eager=True, most=decisions):
        pass
    return game


def opened(png: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


# --- pixels -------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_drawn_part_by_part_it_is_the_picture_drawn_at_once(theme: str) -> None:
    game = late_game()
    whole = opened(to_png(game.to_svg(theme=theme), 1200))
    parts = to_rgb(game, 1200, theme=theme)
    assert parts.dtype == np.uint8 and parts.shape == whole.shape
    difference = np.abs(parts - whole).max(axis=2)
    assert difference.max() < 64
    assert (difference > 8).mean() < 0.001, "only the smoothing of edges differs"


def test_at_other_widths_the_parts_meet_as_well() -> None:
    game = late_game()
    for width in (900, 600):
        whole = opened(to_png(game.to_svg(), width))
        parts = to_rgb(game, width)
        height = min(len(whole), len(parts))
        assert abs(len(whole) - len(parts)) <= 1 and parts.shape[1] == width
        assert np.abs(parts[:height] - whole[:height]).mean() < 1


def test_a_frame_does_not_depend_on_the_frames_before() -> None:
    """Kept parts are found by all that they look like."""
    game = Game("agenda", 2)
    fresh = []
    for number in walk(game, 2, eager=True, most=40):
        if number % 8 == 0:
            pictures._tile.cache_clear()
            fresh.append((game.clone(), to_rgb(game, 600)))
    for seen, pixels in reversed(fresh):
        assert (to_rgb(seen, 600) == pixels).all()


def test_what_a_viewer_does_not_know_is_not_in_its_pixels() -> None:
    game = late_game("standard", decisions=40)
    other = game.determinize("france", seed=3)
    other._actions, other._last_seat = list(game._actions), game._last_seat
    assert (to_rgb(game, 600, "france") == to_rgb(other, 600, "france")).all()
    assert (to_rgb(game, 600) != to_rgb(other, 600)).any()


def test_an_array_given_away_is_the_callers_own() -> None:
    game = Game(seed=1)
    pixels = to_rgb(game, 300)
    before = pixels.copy()
    pixels[:] = 0
    assert (to_rgb(game, 300) == before).all()


def test_colours_and_letters_stand_where_they_belong() -> None:
    """A coarse look at one known position, the same on every machine: no digest of smoothed edges."""
    game = Game("standard", 1)
    place = read_board(game).routes[0].places[0]
    picture = compose(read_board(game), "wide")
    route = next(p for p in picture.parts if "route:britain:0" in p.content)
    pixels = to_rgb(game, 1200)
    cell = pixels[int(route.y) + 52 : int(route.y) + 106, int(route.x) + 66 : int(route.x) + 120]
    fill = {
        "blue": (86, 180, 233),
        "black": (44, 44, 46),
        "orange": (232, 121, 58),
        "yellow": (244, 220, 74),
        "white": (255, 255, 255),
    }[str(place.colour)]
    share = (np.abs(cell - np.array(fill)).max(axis=2) <= 2).mean()
    assert 0.1 < share < 0.3, "the token takes its part of the cell, less its letter"


def test_letters_are_drawn_from_the_bundled_fonts() -> None:
    assert len(FONTS) == 2 and all(Path(font).is_file() for font in FONTS)
    assert (Path(FONTS[0]).parent / "LICENSE_DEJAVU").is_file()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="20" font-family="DejaVu Sans">'
        '<rect width="60" height="20" fill="#fff"/><text y="15" font-size="14">\u00e9\u00d7\u2026</text></svg>'
    )
    assert (opened(to_png(svg)) < 100).sum() > 60


def test_wrong_arguments_are_named() -> None:
    game = Game(seed=1)
    with pytest.raises(ValueError, match="theme 'auto': allowed: light, dark"):
        to_rgb(game, theme="auto")
    with pytest.raises(ValueError, match="width 0"):
        to_rgb(game, 0)
    with pytest.raises(ValueError, match="width -1"):
        to_png(game.to_svg(), -1)
    assert to_rgb(game, 1).shape[1] == 1, "however small"


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, real = Game(seed=1).to_svg(), builtins.__import__

    def without(name: str, *rest: object) -> object:
        if name.split(".")[0] == "resvg_py":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.delitem(sys.modules, "resvg_py", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    monkeypatch.setattr(importlib, "import_module", without)
    message = r"needs resvg-py: pip install 'channel-tunnel-env\[render\]'"
    with pytest.raises(ImportError, match=message):
        to_png(drawn)
    with pytest.raises(ImportError, match=message):
        need("resvg_py")


# --- films --------------------------------------------------------------------------------------


def plies() -> list[Game]:
    return met("tiny", seed=3, games=1)


@pytest.mark.parametrize("suffix", [".gif", ".webp", ".png"])
def test_a_film_has_as_many_frames_as_told_and_their_size(tmp_path: Path, suffix: str) -> None:
    boards = read_film(plies())[:9]
    path = tmp_path / f"game{suffix}"
    assert write_film(boards, path, width=300, seconds=0.5) == len(boards) == 9
    film = Image.open(path)
    assert film.n_frames == 9
    assert film.size == (300, len(paint(compose(boards[0], "wide"), 300, "light")))


def test_every_decision_or_every_turn() -> None:
    games = plies()
    turns, decisions = read_film(games), read_film(games, every="decision")
    assert len(decisions) == len(games)
    begun = [a for a in games[-1].actions if a.split()[0] in ("place", "pass")]
    assert len(begun) <= len(turns) <= len(begun) + 2
    assert all(b.last is None or b.last.action.split()[0] in ("place", "pass") for b in turns)
    assert turns[0] == decisions[0] and turns[-1].result == decisions[-1].result != ""


def test_a_film_of_one_object_that_moves_on_is_a_film_of_its_positions() -> None:
    game = Game("tiny", 3)
    moving = read_film(game for _ in walk(game, 3, eager=True))
    assert moving == read_film(plies())


def test_a_film_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    boards = read_film(plies()[:1])
    with pytest.raises(ValueError, match=r"a.avi: allowed suffixes of a film: .gif, .webp"):
        write_film(boards, tmp_path / "a.avi")
    with pytest.raises(ValueError, match="at least one frame"):
        write_film([], tmp_path / "a.gif")
    with pytest.raises(ValueError, match="seconds 0"):
        write_film(boards, tmp_path / "a.gif", seconds=0)
    with pytest.raises(ValueError, match="theme 'auto'"):
        write_film(boards, tmp_path / "a.gif", theme="auto")
    with pytest.raises(ValueError, match="every 'round': allowed: turn, decision"):
        read_film(plies()[:1], every="round")
