"""Asks a question in another process, in which nothing is compiled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

ASK = """
import json, sys
from {module} import {name}
print(json.dumps({name}(*json.loads(sys.argv[1]))))
"""


def interpreted(question: Callable[..., Any], *arguments: int | str, warnings: tuple[str, ...] = ("ignore",)) -> Any:
    """What a public function of a test module gives there.

    Args:
        question: gives what JSON can hold.
        warnings: filters as after Python's option `-W`, the last ones first.
    """
    filters = [word for one in warnings for word in ("-W", one)]
    code = ASK.format(module=question.__module__, name=question.__name__)
    done = subprocess.run(
        [sys.executable, *filters, "-c", code, json.dumps(arguments)],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)
