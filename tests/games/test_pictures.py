"""Pictures and films of every game: each class has its style, what cannot be drawn is refused, environments show it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

import channel_tunnel_env
from channel_tunnel_env import Game
from channel_tunnel_env.games.carcassonne.faces import pictures as carcassonne
from channel_tunnel_env.games.eurotunnel.faces import pictures as eurotunnel
from channel_tunnel_env.records.record import replay_plies
from tests.random_games import play_on

# A ruleset with much to draw, and what the names of its styles begin with.
GAMES: dict[str, tuple[Any, str]] = {
    "1987": ("agenda", "ct"),
    "carcassonne": ({"base": "carcassonne", "players": 6}, "cc"),
    "eurotunnel": ({"base": "eurotunnel", "max_year": 1902}, "et"),
}
each_game = pytest.mark.parametrize("name", GAMES)


@each_game
@pytest.mark.parametrize("theme", ["light", "dark", "auto"])
def test_every_class_of_a_picture_has_a_style(name: str, theme: str) -> None:
    rules, prefix = GAMES[name]
    game, used = Game(rules, 2), set()
    while not game.is_over:
        tree = ElementTree.fromstring(play_on(game, 2, 25).to_svg(theme=theme))
        sheet = next(e.text for e in tree.iter() if e.tag.endswith("style"))
        used |= {word for e in tree.iter() for word in (e.get("class") or "").split()}
        used -= {"target", f"{prefix}-{theme}"}
        assert [word for word in used if f".{prefix}-{theme} .{word}{{" not in str(sheet)] == []
    assert used


@each_game
def test_a_wrong_viewer_theme_or_width_is_refused_with_what_is_allowed(name: str) -> None:
    game = Game(GAMES[name][0], 1)
    if name != "carcassonne":  # which hides nothing that is drawn
        with pytest.raises(ValueError, match=rf"(side|seat) 'spain'.*{game.seats[0]}"):
            game.to_svg("spain")
    with pytest.raises(ValueError, match="theme 'blue': allowed: light, dark, auto"):
        game.to_svg(theme="blue")
    with pytest.raises(ValueError, match="width 0: a picture must be at least one pixel wide"):
        game.to_svg(width=0)


@pytest.mark.parametrize(("ruleset", "height"), [("carcassonne", 900), ("eurotunnel", None)])
def test_an_environment_shows_it_as_text_and_as_pixels(ruleset: str, height: int | None) -> None:
    env = channel_tunnel_env.raw_env(ruleset=ruleset, render_mode="ansi")
    env.reset(seed=3)
    assert env.render() == env.game.render()
    env, shapes = channel_tunnel_env.raw_env(ruleset=ruleset, render_mode="rgb_array"), set()
    env.reset(seed=3)
    for _ in range(6):
        pixels = env.render()
        shapes.add(pixels.shape)
        assert pixels.dtype == np.uint8 and pixels.std() > 10
        env.step(env.game.legal_ids()[0])
    (shape,) = shapes
    assert shape[1:] == (1200, 3) and height in (None, shape[0])


@pytest.mark.parametrize(
    ("pictures", "ruleset", "begins"),
    [
        (carcassonne, "carcassonne", lambda game, before: game.is_over or game.phase == "cell"),
        (
            eurotunnel,
            {"base": "eurotunnel", "max_year": 1901},
            lambda game, before: before is None or game.phase_name != before.phase_name,
        ),
    ],
    ids=["a frame for every tile", "a frame for every phase"],
)
def test_a_game_becomes_a_film(pictures: Any, ruleset: Any, begins: Callable[[Any, Any], bool], tmp_path: Path) -> None:
    record = play_on(Game(ruleset, 5), 5).record()
    frames = pictures.read_film(replay_plies(Game, record))
    games = [game.clone() for game in replay_plies(Game, record)]
    assert len(frames) == sum(begins(game, before) for before, game in zip([None, *games], games, strict=False)) >= 3
    path = tmp_path / "game.webp"
    assert pictures.write_film(frames[:3], path, width=200) == 3
    assert Image.open(path).n_frames == 3  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match="every 'round': allowed: turn, decision"):
        pictures.read_film([], every="round")
