"""Trained policies as an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from channel_tunnel_agents.base import AgentError, agent_seed
from channel_tunnel_agents.players.policy.card import OTHER_RULES, check_card, plays_all_rulesets, policy_paths
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, PolicyForm, form_of
from channel_tunnel_agents.players.policy.graphs import find_graph, load_runtime
from channel_tunnel_agents.players.policy.judge import (
    Judge,
    Judged,
    best_actions,
    draw_actions,
    log_probabilities,
    probabilities,
    refuse_bytes,
)
from channel_tunnel_agents.players.policy.onnx_judge import OnnxJudge
from channel_tunnel_agents.players.policy.saved_policy import Weights, make_policy, read_policy
from channel_tunnel_env import Ruleset


class PolicyAgent:
    """Plays with one policy per side.

    Args:
        judge: the policies; a side that it misses cannot be played.
        greedy: take the most likely action; else draw one by its probability.

    Attributes:
        folder: it was loaded from; None for weights.
        reads_rules: its policies were trained on many rulesets, and play any.
        cards: of its policies, by file; empty for an agent that may play any rules (`frozen:`).
    """

    def __init__(self, judge: Judge, name: str = "ppo", greedy: bool = True, seed: int = 0) -> None:
        self.network = judge
        self.name = name
        self.greedy = greedy
        self.folder: Path | None = None
        self.reads_rules = False
        self.cards: dict[Path, dict[str, Any]] = {}
        self._rng = np.random.default_rng(agent_seed(seed))

    @classmethod
    def load(cls, path: str | Path, ruleset: Ruleset | None = None, greedy: bool = True, seed: int = 0) -> PolicyAgent:
        """Load from a run folder or one side's file.

        Raises:
            VersionError: made for another ruleset or version, or not a policy.
            AgentError: nothing that could play it is installed.
        """
        files = policy_paths(Path(path))
        judge, cards = open_judge(files, ruleset)
        agent = cls(judge, f"ppo:{path}", greedy, seed)
        agent.folder = Path(path)
        agent.cards = dict(zip(files.values(), cards, strict=True))
        agent.reads_rules = all(plays_all_rulesets(card) for card in cards)
        return agent

    def check_ruleset(self, ruleset: Ruleset) -> None:
        """Refuse to play a ruleset that its policies were not trained for: a VersionError names the file and both rulesets."""
        for file, card in self.cards.items():
            check_card(card, file, ruleset, OTHER_RULES)

    @property
    def form(self) -> PolicyForm:
        """That of its policies."""
        return self.network.form

    @property
    def keeps_choice(self) -> bool:
        """The most likely action stays the most likely one when others are forbidden."""
        return self.greedy

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that it plays."""
        return self.network.sides

    def reseed(self, seed: int) -> None:
        """Re-seed the drawing of actions."""
        self._rng = np.random.default_rng(agent_seed(seed))

    def __call__(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        """One action per row, by the policy of the row's side."""
        if self.greedy:
            return best_actions(self.judge(observations)[0], masks)
        return self._draw(observations, masks)

    def _draw(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.int64]:
        log_probs, _ = self.think(observations, masks)
        return draw_actions(log_probs, self._rng.random(len(log_probs), np.float32))

    def probabilities(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> NDArray[np.float64]:
        """The probability of each action (n, A), whether it draws or not."""
        return probabilities(self.think(observations, masks)[0])

    def think(self, observations: NDArray[np.float32], masks: NDArray[np.bool_]) -> Judged:
        """Log-probabilities (n, A), minus infinity if illegal, and values (n,).

        Values are in the view that the form says (in the 1987 game Britain's), from -1, a sure loss,
        to 1.
        """
        logits, values = self.judge(observations)
        return log_probabilities(logits, masks), values

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """Logits (n, A) of all actions, legal or not, and values (n,) as in `think`; a ValueError for bytes, or if a side has no policy."""
        refuse_bytes(observations)
        try:
            return self.network.judge(observations)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None


# --- who judges for a saved policy: ONNX Runtime if there are graphs of its networks, else torch --


Read = dict[str, tuple[Weights, dict[str, Any]]]
"""Side -> weights and card."""
PLAY = "pip install 'channel-tunnel-env[play]'"


def open_judge(files: dict[str, Path], ruleset: Ruleset | None = None) -> tuple[Judge, list[dict[str, Any]]]:
    """The policies of some sides, ready to be asked, and their cards.

    Raises:
        VersionError: a file that does not fit or is broken, or a graph that cannot be played.
        AgentError: no library that can play them is installed.
    """
    read = {side: read_policy(file, ruleset) for side, file in files.items()}
    cards = [card for _, card in read.values()]
    judge = _without_torch(read) or _with_torch(read)
    return judge, cards


def _without_torch(read: Read) -> OnnxJudge | None:
    """The networks played by ONNX Runtime; None where it, or a graph of one of them, is missing."""
    networks = {}
    for side, (weights, card) in read.items():
        graph = find_graph(card)
        if graph is None:
            return None
        networks[side] = graph, weights
    try:
        load_runtime()
    except ImportError:
        return None
    card = next(iter(read.values()))[1]
    return OnnxJudge(form_of(card) or DEFAULT_FORM, networks, card["observation_size"])


def _with_torch(read: Read) -> Judge:
    try:
        from channel_tunnel_agents.players.policy.network import TorchJudge
    except ImportError as error:
        raise AgentError(f"onnxruntime is needed to play a policy: {PLAY} ({error})") from None
    return TorchJudge({side: make_policy(*each) for side, each in read.items()})
