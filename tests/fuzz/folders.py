"""Folders as a kill or a full disk may leave them: of a run, of measured games, of a table, of records."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from channel_tunnel_agents.base import AgentError
from channel_tunnel_env import ChannelTunnelError, Game, load_ruleset
from channel_tunnel_env.records.record import read_records, write_records
from tests.fuzz.mutations import Files, Random, change_files, pick

PART = "p0"
PLAN = {"games": 4, "seed": 1}


@cache
def _bases() -> dict[str, Files]:
    """What each kind of folder holds when all is well."""
    return {name: _made(make) for name, make in MAKERS.items()}


def _made(make: Any) -> Files:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def _make_run(folder: Path) -> None:
    from channel_tunnel_agents.players.policy.card import make_card
    from channel_tunnel_agents.players.policy.network import SeatPolicy
    from channel_tunnel_agents.players.policy.saved_policy import save_policies

    weights = {side: SeatPolicy(8, 1).state_dict() for side in ("britain", "france")}
    save_policies(folder, weights, make_card(load_ruleset("tiny"), width=8, depth=1))


def _make_store(folder: Path) -> None:
    import pandas as pd

    from channel_tunnel_agents.matches.store import TABLES, Store

    table = pd.DataFrame({"deal": [0, 1], "side": ["britain", "france"]})
    Store(PLAN, folder).write(PART, dict.fromkeys(TABLES, table))


def _make_table(folder: Path) -> None:
    from tests.table.helpers import PEOPLE, Tab, open_table

    tab = Tab.new(open_table(folder), ruleset="tiny", seed=1, seats=PEOPLE)
    tab.play_on(6)


def _make_records(folder: Path) -> None:
    games = []
    for seed in range(3):
        game = Game("tiny", seed)
        for _ in range(8):
            game.play(game.legal_ids()[0])
        games.append(game.record())
    write_records(folder / "games.jsonl", games)


MAKERS = {"run": _make_run, "store": _make_store, "table": _make_table, "records": _make_records}


def mutate(rng: Random) -> tuple[str, Files]:
    """A kind of folder, and its files."""
    kind = pick(rng, tuple(MAKERS))
    files = dict(_bases()[kind])
    for _ in range(int(rng.integers(1, 3))):
        change_files(rng, files, ".part")
    return kind, files


def check(data: tuple[str, Files], folder: Path) -> str:
    """Lay the folder out and open it as its command does."""
    kind, files = data
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content)
    return str(OPENERS[kind](folder))


def _open_run(folder: Path) -> str:
    from channel_tunnel_agents import make_agent

    try:
        make_agent(f"ppo:{folder}", load_ruleset("tiny"))
    except (ChannelTunnelError, AgentError):
        return "refused"
    return "accepted"


def _open_store(folder: Path) -> str:
    """A broken part is named, and to be played again: the folder itself is accepted."""
    from channel_tunnel_agents.matches.store import TABLES, Store

    said: list[str] = []
    try:
        store = Store(PLAN, folder, said.append)
        if store.has(PART):
            assert all(len(store.read(table)) for table in TABLES)
            return "accepted"
    except (ChannelTunnelError, OSError):  # a folder in the place of a file: the system names it
        pass
    return "refused"


def _open_table(folder: Path) -> str:
    from channel_tunnel_agents.table.errors import TableError
    from channel_tunnel_agents.table.rooms.storage import Storage

    try:
        storage = Storage(folder)
        for key in storage.keys():  # noqa: SIM118 - no dict
            list(storage.load(key)["plies"])
    except (TableError, ChannelTunnelError):
        return "refused"
    return "accepted"


def _open_records(folder: Path) -> str:
    """What can be read replays; a record added to it can be read."""
    import warnings

    path = folder / "games.jsonl"
    outcome, good = "accepted", []
    try:
        for record in read_records(path):
            good.append(record)
            Game.from_record(record)
    except (ChannelTunnelError, OSError):
        outcome = "refused"
    if outcome == "accepted" and path.is_file():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            write_records(path, good[:1])
        assert len(list(read_records(path))) == len(good) + len(good[:1])
    return outcome


OPENERS = {"run": _open_run, "store": _open_store, "table": _open_table, "records": _open_records}


def warm(folder: Path) -> None:
    """Load the libraries and compile what is called."""
    for kind, files in _bases().items():
        assert check((kind, files), folder / kind) == "accepted", kind
