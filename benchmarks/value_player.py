"""A player in a process of its own that takes the legal action of the highest value, by a network of plain layers.

    channel-tunnel benchmark duel-v1 'process:python benchmarks/value_player.py runs/tianshou-dqn'

The layers are those that `benchmarks/tianshou_dqn.py` left. Numpy is all that is needed to play them.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from process_player import answer_questions

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
