"""Trained policies for use in other programs: load by name, evaluate arrays, train further, save.

    from channel_tunnel_agents.players.pretrained import load_policy

    policy = load_policy("master")
    logits, probabilities, values = policy.evaluate(observations, masks)

See docs/how-to/use-pretrained.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from channel_tunnel_agents.base import FROZEN
from channel_tunnel_agents.players import shipped
from channel_tunnel_agents.players.policy import saved_policy
from channel_tunnel_agents.players.policy.card import ALSO, DRAWN, OTHER_RULES, check_card, digest_of, policy_paths
from channel_tunnel_agents.players.policy.judge import log_probabilities, probabilities, refuse_bytes
from channel_tunnel_agents.players.policy.network import SeatPolicy
from channel_tunnel_agents.players.policy.torch_agent import TorchAgent
from channel_tunnel_agents.players.shipped import find_policy
from channel_tunnel_env import Ruleset
from channel_tunnel_env.games import DEFAULT_GAME
from channel_tunnel_env.rulesets.ruleset import load_ruleset


class PolicyOutput(NamedTuple):
    """A policy's output for observations of shape (..., D).

    Attributes:
        logits: float32 (..., A), of all actions, legal or not.
        probabilities: float32 (..., A), 0 where illegal; every row sums to 1.
        values: float32 (...), the expected result for the seat to move: -1 a loss, 1 a win.
    """

    logits: NDArray[np.float32]
    probabilities: NDArray[np.float32]
    values: NDArray[np.float32]


def load_policy(
    name: str | Path, ruleset: str | Path | Ruleset | None = "standard", game: str = DEFAULT_GAME
) -> PretrainedPolicy:
    """Load a trained policy for both seats, or for one from a single file.

    Args:
        name: "rookie", "club", "adept" or "master"; a folder of a training run or of its snapshots; a file of one seat.
        ruleset: the rules it must fit; with None, or "frozen:" before the name, this is not
            checked.
        game: whose shipped policies are meant where no ruleset is given; games share names.

    Raises:
        AgentError: no such policy.
        VersionError: trained for another ruleset or version, or the file is not a policy.
    """
    rules = None if ruleset is None else load_ruleset(ruleset)
    path = find_policy(name, rules.spec.name if rules is not None else game)
    if str(name).startswith(FROZEN):
        rules = None
    files = policy_paths(path)
    loaded = {side: saved_policy.load_policy(file, rules) for side, file in files.items()}
    return PretrainedPolicy(
        str(name),
        {side: policy for side, (policy, _) in loaded.items()},
        {side: card for side, (_, card) in loaded.items()},
        {side: digest_of([file]) for side, file in files.items()},
    )


class PretrainedPolicy:
    """One network per side, with the card that says how it was made.

    Attributes:
        name: as given by the caller.
        networks: side -> torch module, float32, in evaluation mode: can be trained like any other.
        cards: side -> its file's metadata: ruleset, versions, width, depth, decisions, config.
        digests: side -> 16 hex digits of its file's SHA-256.
    """

    def __init__(
        self, name: str, networks: dict[str, SeatPolicy], cards: dict[str, dict[str, Any]], digests: dict[str, str]
    ) -> None:
        self.name = name
        self.networks = networks
        self.cards = cards
        self.digests = digests
        self._agent = TorchAgent(networks, name)

    def check_ruleset(self, ruleset: Ruleset) -> None:
        """Refuse a ruleset that it was not trained for, unless it was loaded as `frozen:`.

        Args:
            ruleset: the one to be played.

        Raises:
            VersionError: names both rulesets.
        """
        for card in () if self.name.startswith(FROZEN) else self.cards.values():
            check_card(card, Path(self.name), ruleset, OTHER_RULES)

    @property
    def card(self) -> dict[str, Any]:
        """The common part of the seats' cards: everything except the side."""
        card = next(iter(self.cards.values()))
        return {key: value for key, value in card.items() if key != "side"}

    def evaluate(self, observations: ArrayLike, masks: ArrayLike) -> PolicyOutput:
        """Evaluate positions; seats may be mixed, each row goes through its mover's network.

        Args:
            observations: (..., D), as the environments give them.
            masks: (..., A), true or nonzero where legal.

        Raises:
            ValueError: bytes, wrong shapes, a row without a legal action, or a seat that was not loaded.
        """
        form = self._agent.form
        rows, legal, shape = self._checked(observations, masks)
        logits, values = self._agent.judge(rows)
        if not form.values_of_mover:
            values = np.where(form.side_of_rows(rows) == 0, values, -values)
        chances = probabilities(log_probabilities(logits, legal)).astype(np.float32)
        return PolicyOutput(
            logits.reshape(*shape, form.num_actions), chances.reshape(*shape, form.num_actions), values.reshape(shape)
        )

    def __call__(self, observations: ArrayLike, masks: ArrayLike) -> NDArray[np.int64]:
        """The likeliest legal action per row, int64 (...): a policy is an agent and an opponent.

        Raises:
            ValueError: as `evaluate`.
        """
        rows, legal, shape = self._checked(observations, masks)
        return self._agent(rows, legal).reshape(shape)

    def _checked(
        self, observations: ArrayLike, masks: ArrayLike
    ) -> tuple[NDArray[np.float32], NDArray[np.bool_], tuple[int, ...]]:
        """Observations as rows (n, D), masks (n, A), and the original leading shape.

        Raises:
            ValueError: see `evaluate`.
        """
        size, actions = self.card["observation_size"], self._agent.form.num_actions
        refuse_bytes(np.asarray(observations))
        seen, legal = np.asarray(observations, np.float32), np.asarray(masks) != 0
        shape = seen.shape[:-1]
        if seen.shape != (*shape, size) or legal.shape != (*shape, actions):
            raise ValueError(
                f"observations {seen.shape} and masks {legal.shape}: (..., {size}) and "
                f"(..., {actions}) are needed, alike in front"
            )
        seen, legal = seen.reshape(-1, size), legal.reshape(-1, actions)
        if not legal.any(axis=1).all():
            row = int(legal.any(axis=1).argmin())
            raise ValueError(f"row {row}: no action is legal; is the game over?")
        return seen, legal, shape

    def save(self, folder: str | Path, **notes: Any) -> Path:
        """Write the current networks, one file per seat; their card names this policy as parent.

        Args:
            folder: created if necessary; plays as `ppo:FOLDER`.
            notes: added to the card, such as how the networks were trained.

        Returns:
            The folder.

        Raises:
            ValueError: the card holds an entry of that name already.
            OSError: a file could not be written; the previous one is intact.
        """
        reserved = sorted(notes.keys() & {*self.card, "side", "parent"})
        if reserved:
            raise ValueError(f"notes {', '.join(reserved)}: the card holds these already")
        folder = Path(folder)
        weights = {side: network.state_dict() for side, network in self.networks.items()}
        saved_policy.save_policies(folder, weights, {**self.card, "parent": self.parent(), **notes})
        return folder

    def parent(self) -> dict[str, Any]:
        """The `parent` entry for the card of a derived policy; no path, because the policy may be
        copied."""
        card = self.card
        known: dict[str, Any] = {
            key: card[key] for key in ("ruleset", "ruleset_digest", ALSO, DRAWN, "decisions") if key in card
        }
        name = self.name.removeprefix(FROZEN)
        return {"name": name if shipped.games_of(name) else Path(name).name, **known, "sha256": self.digests}
