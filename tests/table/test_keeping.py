"""No finished move is lost; many games fit; idle ones sleep and wake."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
import tracemalloc

import pytest

from channel_tunnel_agents.table.web.guard import host_names
from channel_tunnel_env import Game
from channel_tunnel_env.cli import main
from tests.table.helpers import PEOPLE, ROOT, Tab, open_table, refused


def test_what_a_killed_server_left_half_written_is_cleared(tmp_path) -> None:
    open_table(tmp_path)
    left = [tmp_path / "rooms" / f"0123456789ab.json{end}" for end in (".part", ".part.part")]
    for path in left:
        path.touch()
    open_table(tmp_path)
    assert not any(path.exists() for path in left)


def test_another_server_on_the_folder_goes_on_with_every_kind_of_game(tmp_path) -> None:
    client = open_table(tmp_path)
    tabs = [
        Tab.new(client, ruleset="agenda", seed=1, seats=PEOPLE, open=True),
        Tab.new(client, ruleset="tiny", seed=2, seats={"britain": "random", "france": "random"}, open=True),
    ]
    for tab in tabs:
        tab.play_on(25)
    tabs[0].change("undo")
    saved = json.dumps(tabs[0].get("position").json())
    tabs.append(Tab.new(client, position=saved, seats=PEOPLE))
    tabs[2].play_on(5)
    tabs.append(Tab.at(client, tabs[1].post("fork", ply=10, seats=PEOPLE)))
    tabs[3].play_on(3)
    before = [tab.view() for tab in tabs]
    other = open_table(tmp_path)
    assert [Tab(other, tab.key, tab.tokens).view() for tab in tabs] == before


def test_a_broken_file_spoils_no_other_game(tmp_path) -> None:
    client = open_table(tmp_path)
    good, bad = (Tab.new(client, ruleset="tiny", seed=i) for i in (1, 2))
    bad.file.write_text(bad.file.read_text()[:-40])
    other = open_table(tmp_path)
    assert Tab(other, good.key, good.tokens).view()["ply"] == 0
    assert "broken" in refused(Tab(other, bad.key, bad.tokens).get(), 410)


def test_an_idle_game_sleeps_with_its_record_on_disk_and_wakes(tmp_path) -> None:
    client = open_table(tmp_path, most=2, idle_seconds=0.0)
    tab = Tab.new(client, ruleset="tiny", seed=1, seats=PEOPLE)
    before = tab.play_on(8)
    for seed in range(5):
        Tab.new(client, ruleset="tiny", seed=seed)
    assert len(client.rooms) <= 2
    kept = json.loads(tab.file.read_text())
    assert len(Game.from_record(kept["record"]).actions) == 8
    assert tab.view() == before


def test_the_files_with_secrets_are_read_by_their_owner_only(tmp_path) -> None:
    tab = Tab.new(open_table(tmp_path), ruleset="tiny", seed=1)
    assert tab.file.stat().st_mode & 0o077 == 0


@pytest.mark.heavy
def test_fifty_games_at_once(client) -> None:
    seats = {"britain": "person", "france": "random"}
    tabs = [Tab.new(client, ruleset="standard", seed=i, seats=seats) for i in range(50)]
    for _ in range(2):
        for tab in tabs:
            tab.play_on(1)
    views = [tab.view() for tab in tabs]
    assert {view["ply"] for view in views} == {2}
    assert len({view["svg"] for view in views}) == 50, "each tab has a game of its own"


@pytest.mark.heavy
def test_a_long_game_takes_little_memory(client) -> None:
    """At 500 places this bounds what all games can take together."""

    def play_two() -> None:
        for seed in range(2):
            Tab.new(client, ruleset="tiny", seed=seed, seats=PEOPLE).play_on(40)

    play_two()  # what is made once
    tracemalloc.start()
    play_two()
    gc.collect()  # what nobody holds any more is not kept
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(client.rooms) == 4
    assert size / 2 < 250_000


# --- the command ----------------------------------------------------------------------------------


def test_the_page_and_its_parts_are_served_with_a_strict_policy(client) -> None:
    page = client.get("/")
    assert page.status_code == 200 and "New game" in page.text
    for name in re.findall(r'(?:src|href)="(static/[^"]+)"', page.text):
        assert client.get(f"/{name}").status_code == 200, name
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http" not in re.sub(r"http://www\.w3\.org/\S+", "", page.text), "nothing from the network"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--ruleset", "nothing.yaml"], "no such file"),
        (["--records", "nothing.jsonl"], "nothing.jsonl"),
        (["--port", "70000"], "cannot be used"),
        (["--patience", "-1"], "patience"),
    ],
)
def test_a_wrong_argument_is_one_line(words, message, tmp_path, capsys) -> None:
    assert main(["table", "--folder", str(tmp_path), *words]) == 2
    assert message in capsys.readouterr().err


def test_torch_is_loaded_only_for_a_policy(tmp_path) -> None:
    code = (
        "import sys; from pathlib import Path; from tests.table.helpers import *\n"
        f"client = open_table(Path({str(tmp_path)!r})); tab = Tab.new(client, ruleset='tiny', seed=1)\n"
        "tab.play_on(6); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_names_of_a_server() -> None:
    assert "localhost:8123" in host_names("127.0.0.1", 8123)
    assert "[::1]:8123" in host_names("::1", 8123)
    assert "box.lan:8123" in host_names("Box.lan", 8123)
