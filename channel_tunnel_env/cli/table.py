"""`table`: play, watch, replay and analyse games in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from channel_tunnel_env.cli.agents_module import load_agents_module


def table(
    port: int = 8000,
    host: str = "127.0.0.1",
    folder: Path = Path("runs/table"),
    ruleset: Annotated[
        tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME|FILE")
    ] = (),
    agent: Annotated[
        tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME")
    ] = (),
    records: Annotated[
        tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FILE.jsonl")
    ] = (),
    name: Annotated[
        tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="HOST[:PORT]")
    ] = (),
    patience: float = 20.0,
) -> int:
    """Set the table in the browser, on this machine only unless --host says otherwise.

    Args:
        port: 0 takes a free one.
        host: address to listen on; beyond this machine the printed address holds a key that everybody needs.
        folder: keeps every game; those of an earlier run go on.
        ruleset: offered beside the built-in ones; may be given several times.
        agent: offered beside the usual ones, such as ppo:FOLDER or module:attribute; likewise.
        records: files of game records to replay, likewise.
        name: that browsers may call the server by, where it is reached through another machine; likewise.
        patience: seconds that an agent has for a decision, beyond its own budget; then it is stopped.
    """
    serve = load_agents_module("channel_tunnel_agents.table.serve", "table", "table,train").serve
    return int(serve(host, port, folder, ruleset, agent, records, name, patience))
