"""Behaviour cloning: a policy that learns, only from a Minari data set, to choose as its players chose.

    python -m channel_tunnel_agents.learning.cloning channel-tunnel/duel-mixed-v0 runs/cloned
    python -m channel_tunnel_agents.learning.cloning channel-tunnel/duel-mixed-v0 runs/cloned-winners --winners

Policy: cross-entropy on the chosen actions. Value: the episode's result. `--winners` leaves out the decisions of who did not
win, the simplest way to do better than the mean of the players. No game is played. The policies are played as
`ppo:FOLDER`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import tyro
from numpy.typing import NDArray
from torch.nn import functional

from channel_tunnel_agents.base import AgentError, agent_seed
from channel_tunnel_agents.matches.data_card import content_digest, load_dataset, reading
from channel_tunnel_agents.players.policy.card import make_card
from channel_tunnel_agents.players.policy.form import FORMS
from channel_tunnel_agents.players.policy.network import MASKED, SelfPlayNetwork, side_flags
from channel_tunnel_agents.players.policy.saved_policy import save_policies
from channel_tunnel_agents.program import complain
from channel_tunnel_env import ChannelTunnelError, Ruleset
from channel_tunnel_env.outside.terminal import percent, tolerate_any_terminal
from channel_tunnel_env.rulesets.ruleset import load_ruleset

ALGORITHM = "behaviour cloning"
VALUE_WEIGHT = 0.5


@dataclass(frozen=True)
class CloningConfig:
    """How to learn from a data set.

    Attributes:
        dataset: id of a local Minari data set, as `channel-tunnel generate --minari` writes it.
        folder: the policies'.
        ruleset: that was played.
        winners: learn only what was chosen by who won.
        epochs: passes over the data.
        batch: rows of a gradient step.
        rate: Adam's step size at the start; it falls to 0.
        width, depth: size of the network.
        seed: of the weights and of the order of the rows.
        threads: of torch.
    """

    dataset: Annotated[str, tyro.conf.Positional]
    folder: Annotated[Path, tyro.conf.Positional]
    ruleset: str = "standard"
    winners: bool = False
    epochs: int = 8
    batch: int = 512
    rate: float = 1e-3
    width: int = 128
    depth: int = 2
    seed: int = 1
    threads: int = 1

    def __post_init__(self) -> None:
        agent_seed(self.seed)


@dataclass(frozen=True)
class PlayedDecisions:
    """Decisions as rows: observations (n, D), masks (n, A), actions (n,), and results (n,) in the view of the value."""

    observations: NDArray[np.float32]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    results: NDArray[np.float32]


def read_steps(dataset: Any, ruleset: Ruleset, winners: bool) -> PlayedDecisions:
    """The decisions of a data set that fits a ruleset (`check_fits`); an AgentError if there are none."""
    kept: list[tuple[Any, ...]] = []
    name, form = dataset.spec.dataset_id, FORMS[ruleset.spec.name]
    with reading(name):
        for episode in dataset.iterate_episodes():
            _check_episode(episode, ruleset)
            result, count = float(episode.rewards[-1]) / ruleset.spec.outcome.stakes, len(episode.actions)
            if winners and result <= 0:
                continue
            turned = -1.0 if episode.infos["seat"][0] and not form.values_of_mover else 1.0
            kept.append(
                (
                    episode.observations[:count],
                    episode.infos["action_mask"][:count] > 0,
                    episode.actions,
                    np.full(count, turned * result, np.float32),
                )
            )
        if not kept:
            raise AgentError(f"{name}: no game has a winner, so there is nothing to learn")
        observations, masks, actions, results = map(np.concatenate, zip(*kept, strict=True))
    return PlayedDecisions(observations, masks, actions.astype(np.int64), results)


def _check_episode(episode: Any, ruleset: Ruleset) -> None:
    """Refuse, with a ValueError, an episode that no game can have."""
    actions, masks, rows = episode.actions, episode.infos["action_mask"], len(episode.actions) + 1
    spec = ruleset.spec
    for what, array, shape in (
        ("observations", episode.observations, (rows, int(spec.observation.size(ruleset)))),
        ("masks", masks, (rows, spec.actions.count)),
        ("rewards", episode.rewards, (rows - 1,)),
        ("seats", episode.infos["seat"], (rows,)),
    ):
        if array.shape != shape:
            raise ValueError(f"{what} of shape {array.shape}: {shape} is expected")
        if not np.isfinite(array).all():
            raise ValueError(f"{what} that are not finite")
    if actions.dtype.kind not in "iu" or not len(actions):
        raise ValueError(f"{len(actions)} actions of {actions.dtype}: whole numbers are expected")
    if actions.min() < 0 or actions.max() >= spec.actions.count:
        raise ValueError(f"actions {actions.min()} to {actions.max()}: there are {spec.actions.count}")
    if not masks[np.arange(len(actions)), actions].all():
        raise ValueError("an action that was not legal")
    seat = episode.infos["seat"][0]
    if not 0 <= seat < len(ruleset.seats):
        raise ValueError(f"seat {seat}: there are {len(ruleset.seats)}")


def check_fits(dataset: Any, ruleset: Ruleset) -> None:
    """Refuse, with an AgentError, a data set of other observations or actions, or without what is needed."""
    name, spec = dataset.spec.dataset_id, ruleset.spec
    sizes = int(dataset.observation_space.shape[0]), int(dataset.action_space.n)
    wanted = int(spec.observation.size(ruleset)), spec.actions.count
    if sizes != wanted:
        raise AgentError(
            f"{name}: observations of {sizes[0]} numbers and {sizes[1]} actions; {ruleset.name} has "
            f"{wanted[0]} and {wanted[1]}"
        )
    with reading(name):
        infos = next(iter(dataset.iterate_episodes())).infos or {}
    missing = [key for key in ("action_mask", "seat") if key not in infos]
    if missing:
        raise AgentError(f"{name}: its infos lack {' and '.join(missing)}; write the data set again")


def clone(config: CloningConfig, say: Any = print) -> Path:
    """Learn, and write the policies; returns their folder.

    Args:
        say: told of every pass.

    Raises:
        AgentError: no such data set, or one that does not fit.
        OSError: a file could not be written.
    """
    ruleset = load_ruleset(config.ruleset)
    form, dataset = FORMS[ruleset.spec.name], load_dataset(config.dataset)
    check_fits(dataset, ruleset)
    torch.set_num_threads(config.threads)
    torch.manual_seed(config.seed)
    steps = read_steps(dataset, ruleset, config.winners)
    kind = form.networks[0]
    network = SelfPlayNetwork(config.width, config.depth, "shared", kind, form)
    _fit(network, steps, config, say)
    card = make_card(
        ruleset,
        algorithm=ALGORITHM,
        network=kind,
        width=config.width,
        depth=config.depth,
        seed=config.seed,
        decisions=len(steps.actions) * config.epochs,
        dataset={
            "id": config.dataset,
            "sha256": content_digest(dataset),
            "steps": len(steps.actions),
            "winners": config.winners,
        },
    )
    save_policies(config.folder, network.all_weights(), card)
    return config.folder


def _fit(network: SelfPlayNetwork, steps: PlayedDecisions, config: CloningConfig, say: Any) -> None:
    rng, rows = np.random.default_rng(config.seed), len(steps.actions)
    updates = config.epochs * -(-rows // config.batch)
    optimizer = torch.optim.Adam(network.parameters(), config.rate)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, updates)
    for epoch in range(1, config.epochs + 1):
        order, agreed, losses = rng.permutation(rows), 0, 0.0
        for first in range(0, rows, config.batch):
            chosen = order[first : first + config.batch]
            log_probs, values = _judge(network, steps, chosen)
            actions = torch.from_numpy(steps.actions[chosen])
            loss = functional.nll_loss(log_probs, actions)
            results = torch.from_numpy(steps.results[chosen])
            whole = loss + VALUE_WEIGHT * functional.mse_loss(values, results)
            optimizer.zero_grad()
            whole.backward()
            optimizer.step()
            falling.step()
            agreed += int((log_probs.argmax(dim=1) == actions).sum())
            losses += float(loss.detach()) * len(chosen)
        say(f"pass {epoch} of {config.epochs}: cross-entropy {losses / rows:.3f}, same choice {percent(agreed / rows)}")


def _judge(
    network: SelfPlayNetwork, steps: PlayedDecisions, rows: NDArray[np.intp]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Log-probabilities (n, A) and values (n,) of some rows."""
    observations = torch.from_numpy(steps.observations[rows])
    side = side_flags(observations, network.form)[:, 0]
    features = network.features(observations)
    illegal = torch.from_numpy(~steps.masks[rows])
    logits = network.logits(features, side).masked_fill(illegal, MASKED)
    return torch.log_softmax(logits, dim=1), network.values(features, side)


def main(argv: list[str] | None = None) -> int:
    """Run the command; returns 0, or 2 for a wrong argument or data set."""
    tolerate_any_terminal()
    config = tyro.cli(CloningConfig, description=__doc__, args=argv)
    try:
        print(f"policies: {clone(config)}")
    except (AgentError, ChannelTunnelError, OSError) as error:
        return complain(error, 2)
    return 0


if __name__ == "__main__":
    sys.exit(main())
