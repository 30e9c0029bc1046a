"""What a Python player of the benchmark says in a process of its own; `docs/how-to/benchmark-an-agent.md` has the protocol."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Choose = Callable[[NDArray[np.float32], NDArray[np.bool_]], NDArray[np.int64]]


def answer_questions(choose: Choose) -> None:
    """Answer the questions of the standard input, line by line, until there are no more.

    Args:
        choose: observations (B, D) and masks (B, A) -> legal actions (B,).
    """
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            answer: dict[str, Any] = {"type": "ready", "observations": "base64"}
        elif asked["type"] == "act":
            actions = choose(*_arrays(asked["rows"]))
            answer = {"type": "actions", "id": asked["id"], "actions": [int(each) for each in actions]}
        else:
            answer = {"type": "cannot"}
        print(json.dumps(answer), flush=True)


def _arrays(rows: list[dict[str, Any]]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    observations = [np.frombuffer(base64.b64decode(row["observation"]), "<f4") for row in rows]
    masks = [[digit == "1" for digit in row["mask"]] for row in rows]
    return np.stack(observations), np.array(masks)
