"""`channel-tunnel adjudicate`: a position and a file of orders in, the phase in lines out."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from channel_tunnel_env.cli import main
from channel_tunnel_env.games.eurotunnel.adjudicate import adjudicate
from channel_tunnel_env.games.eurotunnel.game import Game

from .table import read_tunnel, units_of

UNITS = {"FRANCE": ["A PAR", "F BRE", "A MAR"], "GERMANY": ["A BUR"], "ENGLAND": ["A LON"]}
POSITION = {"phase": "S1901M", "units": units_of(UNITS), "tunnels": [read_tunnel("ENGLAND LON-PIC hidden")]}
ORDERS = """# what came by post
France
  A PAR \N{EN DASH} BUR
  A MAR s Par to Burgundy
  F BRE - XYZ
England: A LON - PAR
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A position and orders."""
    position, orders = tmp_path / "position.yaml", tmp_path / "orders.txt"
    position.write_text(yaml.safe_dump(POSITION))
    orders.write_text(ORDERS, encoding="utf-8")
    return str(position), str(orders)


def test_a_phase_is_told_line_by_line_and_goes_on_from_the_file_written(
    files, tmp_path: Path, monkeypatch, capsys
) -> None:
    after = tmp_path / "after.yaml"
    assert main(["adjudicate", *files, "--out", str(after)]) == 1, "a line was refused"
    assert capsys.readouterr().out.splitlines() == [
        "S1901M",
        "  ENGLAND  A LON H",
        "  FRANCE   F BRE H, A MAR S A PAR - BUR, A PAR - BUR",
        "  GERMANY  A BUR H (dislodged)",
        "dislodged: GERMANY A BUR may go R BEL or R GAS or R MUN or R PIC or R RUH",
        "not followed: ENGLAND 'A LON - PAR': no border that the unit can cross leads there",
        "refused: line 5, FRANCE 'F BRE - XYZ': no place 'XYZ'",
        "next: S1901R",
    ]
    typed = type("Typed", (), {"buffer": io.BytesIO(b"A BUR - MUN")})()
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["adjudicate", str(after), "-"]) == 0
    assert capsys.readouterr().out.splitlines() == ["S1901R", "  GERMANY  A BUR R MUN", "next: F1901M"]


def test_everything_is_printed_as_json_too(files, capsys) -> None:
    assert main(["adjudicate", *files, "--as-json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told == json.loads(json.dumps(adjudicate(POSITION, ORDERS)))


@pytest.mark.parametrize("code", ["utf-8-sig", "utf-16", "cp1252"])
def test_orders_are_read_whatever_program_wrote_them(files, code: str, capsys) -> None:
    Path(files[1]).write_bytes("FRANCE\r\nA PAR \N{EN DASH} PIC\r\n".encode(code))
    assert main(["adjudicate", *files]) == 0
    assert "A PAR - PIC" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"units": []}, "position.yaml: phase"),
        (POSITION | {"phase": "S1901A"}, "position.yaml: phase: 'S1901A'"),
        (POSITION | {"ruleset": "standard"}, "it has no written orders"),
        ([1], "position.yaml: [1]: a position file"),
    ],
)
def test_a_position_that_cannot_be_is_one_line(files, position: Any, words: str, capsys) -> None:
    Path(files[0]).write_text(yaml.safe_dump(position))
    assert main(["adjudicate", *files]) == 2
    told = capsys.readouterr()
    assert words in told.err and not told.out and len(told.err.splitlines()) == 1


def test_a_position_saved_from_a_game_is_taken(files, capsys) -> None:
    game = Game({"base": "eurotunnel", "name": "datc", "rulebook": "datc"})
    Path(files[0]).write_text(yaml.safe_dump(game.to_position()))
    Path(files[1]).write_text("Austria: A Vienna -> Galicia\nA MOS - UKR")
    assert main(["adjudicate", *files]) == 0
    told = capsys.readouterr().out
    assert "A BUD H, F TRI H, A VIE - GAL" in told and "A MOS - UKR" in told
