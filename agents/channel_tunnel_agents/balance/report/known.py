"""Measurements that were made beforehand, such as those of the base game, which every changed ruleset is compared with.

    FOLDER/NAME-KEY.json.gz     what `measurements` keeps of a measurement; KEY is the digest of its settings

They hold for one policy, one ruleset, one version and one number of deals; any other is measured as usual.
`benchmarks/known_measures.py` makes them.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from channel_tunnel_agents.matches.store import plan_digest
from channel_tunnel_env.outside.documents import parse_json
from channel_tunnel_env.outside.files import KEPT_BYTES, read_gzip, write_whole


def known_file(name: str, settings: dict[str, Any], folder: Path) -> Path:
    """Where a measurement of these settings is or would be."""
    return folder / f"{name}-{plan_digest(settings)}.json.gz"


def read_known(name: str, settings: dict[str, Any], folder: Path) -> Any:
    """The result of these very settings; None if it is not known."""
    path = known_file(name, settings, folder)
    if not path.exists():
        return None
    kept = parse_json(read_gzip(path, KEPT_BYTES), str(path))
    return kept["result"] if kept["settings"] == settings else None


def write_known(name: str, settings: dict[str, Any], result: Any, folder: Path) -> Path:
    """Keep a result; the same result gives the same bytes."""
    path = known_file(name, settings, folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"settings": settings, "result": result}, allow_nan=False)
    write_whole(path, gzip.compress(text.encode(), mtime=0))
    return path
