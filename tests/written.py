"""Reads cases that are written as YAML: thousands of lines, which every worker reads while it collects."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C takes a tenth of the time; a PyYAML without it reads the same."""


def read_yaml(path: Path) -> Any:
    """What a file holds."""
    return yaml.load(path.read_text("utf-8"), Loader=Loader)
