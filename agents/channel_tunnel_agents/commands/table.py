"""`table`: play, watch, replay and analyse games in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import tyro

from channel_tunnel_env.cli.taking import RulesetsFirst


def table(
    port: int = 8000,
    host: str = "127.0.0.1",
    folder: Path = Path("runs/table"),
    ruleset: RulesetsFirst = (),
    agent: Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="NAME")] = (),
    records: Annotated[tyro.conf.UseAppendAction[tuple[Path, ...]], tyro.conf.arg(metavar="FILE.jsonl")] = (),
    name: Annotated[tyro.conf.UseAppendAction[tuple[str, ...]], tyro.conf.arg(metavar="HOST[:PORT]")] = (),
    patience: float = 20.0,
) -> int:
    """Open a table in the browser, for this machine only unless you give --host.

    For example:
        channel-tunnel table --port 8010

    Args:
        port: the port to listen on; 0 takes a free one.
        host: address to listen on; if it is reachable from other machines, the printed address
            contains a key that every player needs.
        folder: where every game is saved; games of an earlier run continue.
        ruleset: names or YAML files, offered in addition to the built-in ones.
        agent: an agent to offer in addition to the usual ones, such as ppo:FOLDER or module:attribute; may be
            given several times.
        records: files of game records to replay; may be given several times.
        name: host name under which browsers may reach the server through another machine; may be
            given several times.
        patience: seconds that an agent has for a decision beyond its own budget; after
            that it is stopped.
    """
    from channel_tunnel_agents.table.serve import serve  # its libraries come with an extra; the help needs none

    return serve(host, port, folder, ruleset, agent, records, name, patience)
