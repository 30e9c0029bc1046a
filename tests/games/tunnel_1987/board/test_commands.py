"""`draw` and `replay --animate`: pictures and films from files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from channel_tunnel_env import Game
from channel_tunnel_env.cli import main
from channel_tunnel_env.faces import plain_table, registry
from tests.random_games import walk

Image = pytest.importorskip("PIL.Image", reason="needs the extra `render`")
pytest.importorskip("resvg_py", reason="needs the extra `render`")

DOCS = Path(__file__).parents[4] / "docs" / "images"


def played(seed: int) -> Game:
    game = Game("tiny", seed)
    for _ in walk(game, seed):
        pass
    return game


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Two games on disk."""
    path = tmp_path / "games.jsonl"
    path.write_text("".join(json.dumps(played(seed).record()) + "\n" for seed in (1, 2)))
    return path


def error(argv: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(argv) == 2
    return capsys.readouterr().err.removeprefix("channel-tunnel: ").strip()


def test_a_moment_of_a_record_becomes_the_picture_of_that_moment(records: Path, tmp_path: Path) -> None:
    out, game = tmp_path / "board.svg", Game("tiny", 2)
    for number in walk(game, 2):
        if number == 5:
            break
    argv = ["draw", str(records), str(out), "--game", "2", "--ply", "5", "--viewer", "france"]
    assert main([*argv, "--theme", "dark", "--width", "450"]) == 0
    assert out.read_text(encoding="utf-8") == game.to_svg("france", "dark", width=450)


def test_a_position_becomes_a_png_of_the_width_asked_for(tmp_path: Path) -> None:
    position, out = tmp_path / "position.yaml", tmp_path / "board.png"
    position.write_text(yaml.safe_dump(played(1).to_position(), allow_unicode=True))
    assert main(["draw", str(position), str(out), "--width", "450"]) == 0
    assert Image.open(out).width == 450


def test_a_record_becomes_a_film_of_its_turns(
    records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "game.gif"
    argv = ["replay", str(records), "--animate", str(out), "--game", "2", "--width", "200"]
    assert main(argv) == 0
    turns = sum(a.split()[0] in ("place", "pass") for a in played(2).actions)
    assert turns <= Image.open(out).n_frames <= turns + 2
    assert f"wrote {out}: {Image.open(out).n_frames} frames" in capsys.readouterr().out


def test_what_cannot_be_drawn_says_why(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "board.png")
    assert error(["draw", str(records), "board.jpg"], capsys) == ("board.jpg: a picture is one of .svg, .png")
    assert "game 3" in error(["draw", str(records), out, "--game", "3"], capsys)
    assert "ply 999: game 1 has plies 0 to" in error(["draw", str(records), out, "--ply", "999"], capsys)
    assert "a PNG is light or dark" in error(["draw", str(records), out, "--theme", "auto"], capsys)
    film = ["replay", str(records), "--animate", str(tmp_path / "a.gif"), "--game"]
    assert "games 1 to 2" in error([*film, "0"], capsys)
    assert "games 1 to 2" in error([*film, "3"], capsys)


def test_a_game_that_nothing_draws_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = Game("tiny", 1).spec
    monkeypatch.setattr(registry, "has_part", lambda game, module: False)
    with pytest.raises(ValueError, match="the game tunnel_1987: it has no pictures, only text"):
        registry.pictures_of(spec)
    assert registry.table_of(spec) is plain_table


@pytest.mark.parametrize(
    ("record", "ply", "picture", "film", "width"),
    [
        ("game.jsonl", 93, "board.svg", "game.webp", 900),
        ("carcassonne.jsonl", 112, "carcassonne.svg", "carcassonne.webp", 700),
        ("eurotunnel.jsonl", 349, "eurotunnel.svg", "eurotunnel.webp", 700),
    ],
)
def test_the_pictures_of_the_documents_are_as_the_code_draws_them(
    tmp_path: Path, record: str, ply: int, picture: str, film: str, width: int
) -> None:
    """`make pictures` writes them."""
    out = tmp_path / "board.svg"
    argv = ["draw", str(DOCS / record), str(out), "--ply", str(ply), "--theme", "auto"]
    assert main(argv) == 0
    assert out.read_text(encoding="utf-8") == (DOCS / picture).read_text(encoding="utf-8")
    frames = Image.open(DOCS / film)
    assert frames.is_animated and frames.width == width
    assert (DOCS / film).stat().st_size < 1_500_000
