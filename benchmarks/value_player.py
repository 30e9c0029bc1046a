"""A player in a process of its own that takes the legal action of the highest value, by a network of plain layers.

    channel-tunnel benchmark duel-v1 'process:python benchmarks/value_player.py runs/tianshou-dqn'

The layers are those that `benchmarks/tianshou_dqn.py` left. Numpy is all that is needed to play them. `answer_questions` is what any player
of the benchmark in Python says; `docs/how-to/benchmark-an-agent.md` has the protocol.
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from pathlib import Path
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


VALUES = "values.npz"  # of a folder: weights and biases in turn, as torch.nn.Linear has them


def best_actions(
    layers: list[NDArray[np.float32]], observations: NDArray[np.float32], masks: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """The best legal action of each row; rectifiers between the layers.

    Args:
        layers: weights (out, in) and biases (out,) in turn.
        observations, masks: (B, D) and (B, A).
    """
    values = observations
    for place in range(0, len(layers), 2):
        values = (values if place == 0 else np.maximum(values, 0)) @ layers[place].T + layers[place + 1]
    return np.where(masks, values, -np.inf).argmax(axis=1)


def main() -> None:
    """Play with the values of the folder that is named."""
    with np.load(Path(sys.argv[1]) / VALUES) as kept:
        layers = [kept[name] for name in kept.files]
    answer_questions(lambda observations, masks: best_actions(layers, observations, masks))


if __name__ == "__main__":
    main()
