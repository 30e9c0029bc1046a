"""The pool: past selves that hold one seat in some of the games.

Without them a policy may forget how to beat what it no longer meets. Rivals are drawn separately
for each seat; the more uncertain a snapshot's games against the learner, the likelier it is drawn.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.saved_policy import load_policy
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_env import Ruleset
from channel_tunnel_env.envs.sb3 import SelfPlayVecEnv
from channel_tunnel_env.outside.documents import quote

FLOOR = 0.1  # weight of a snapshot that always wins or always loses
MEMORY = 0.99  # decay of the running win rate, per game


class SnapshotPool:
    """Snapshots in a folder; `slots` of them at a time play in the last places of `env.rivals`.

    Args:
        folder: holds one folder per snapshot, each with policies for all sides.
        env: the games; its last `slots` rivals are the pool's.
        slots: rivals at a time; each has a policy for every side, drawn separately.
        device: of torch, where they think.
    """

    def __init__(self, folder: Path, env: SelfPlayVecEnv, slots: int, ruleset: Ruleset, device: Any = "cpu") -> None:
        self.folder = folder
        self.env = env
        self.ruleset, self.device = ruleset, device
        self.first_place = len(env.rivals) - slots
        self.sides = FORMS[ruleset.spec.name].sides
        self.names: list[str] = []
        self.rates: dict[str, list[float]] = {}  # the learner's win rate against each of its sides
        self.playing: list[list[str]] = [[""] * len(self.sides) for _ in range(slots)]
        # Rows whose game began against the current rival; only those count.
        self._counted = np.zeros(env.num_envs, np.bool_)

    def add(self, name: str) -> None:
        """Add the snapshot saved as `folder/name`."""
        self.names.append(name)
        self.rates[name] = [0.5] * len(self.sides)

    def weights(self, side: int) -> NDArray[np.float64]:
        """Probability of each snapshot for the side it would play."""
        rates = np.array([self.rates[name][side] for name in self.names])
        weights = FLOOR + rates * (1 - rates)
        return np.asarray(weights / weights.sum(), dtype=np.float64)

    def draw(self, rng: np.random.Generator) -> None:
        """Draw new rivals for all slots."""
        if not self.names:
            return
        for slot in range(len(self.playing)):
            chosen = [self.names[rng.choice(len(self.names), p=self.weights(side))] for side in range(len(self.sides))]
            self._seat(slot, chosen)
        self._counted[:] = False

    def _seat(self, slot: int, names: list[str]) -> None:
        policies = {
            side: load_policy(self.folder / name / f"{side}.safetensors", self.ruleset)[0].to(self.device)
            for side, name in zip(self.sides, names, strict=True)
        }
        self.playing[slot] = list(names)
        self.env.rivals[self.first_place + slot] = TorchAgent(policies, "pool", greedy=False)

    def count(self, rows: NDArray[np.intp], outcomes: NDArray[np.float64]) -> None:
        """Record the games that ended in `rows`; `outcomes`: 1 where the first seat won, -1 where the second did."""
        for row, outcome in zip(rows, outcomes, strict=True):
            slot = int(self.env.rival_of[row]) - self.first_place
            if slot < 0:
                continue
            seat = int(self.env.rival_seat[row])
            side = seat if len(self.sides) > 1 else 0
            name = self.playing[slot][side]
            if name and self._counted[row]:
                won = 0.5 + 0.5 * (outcome if seat == 1 else -outcome)
                rates = self.rates[name]
                rates[side] = MEMORY * rates[side] + (1 - MEMORY) * float(won)
            self._counted[row] = True

    def state(self) -> dict[str, Any]:
        """The state that a checkpoint saves; the policies stay in their folders."""
        return {"names": self.names, "rates": self.rates, "playing": self.playing, "counted": self._counted.tolist()}

    def _check(self, state: dict[str, Any]) -> None:
        """Names are those of folders in the pool's, each with a rate for every side."""
        names = state["names"]
        for name in names:
            if not isinstance(name, str) or Path(name).name != name or name in ("", ".."):
                raise ValueError(f"snapshot {quote(name)}: the name of a folder is needed")
        for name, rates in state["rates"].items():
            if len(rates) != len(self.sides) or not all(0 <= rate <= 1 for rate in rates):
                raise ValueError(f"snapshot {quote(name)}: rates {quote(rates)}")
        if set(state["rates"]) != set(names):
            raise ValueError("each snapshot needs its rates, and no other has any")
        for seated in state["playing"]:
            if len(seated) != len(self.sides) or not {*seated} <= {"", *names}:
                raise ValueError(f"snapshots that play: {quote(seated)}: allowed: {quote(names)}")

    def restore(self, state: dict[str, Any]) -> None:
        """Restore a `state`. If the number of slots or games has changed, places stay empty.

        Raises:
            ValueError, KeyError, TypeError: no pool can have this state.
            VersionError: a snapshot that plays cannot be loaded.
        """
        self._check(state)
        self.names = list(state["names"])
        self.rates = {name: list(rates) for name, rates in state["rates"].items()}
        if len(state["playing"]) != len(self.playing) or len(state["counted"]) != self.env.num_envs:
            return
        self._counted[:] = state["counted"]
        for slot, names in enumerate(state["playing"]):
            if names[0]:
                self._seat(slot, names)
