"""The policy and value network: a trunk, shared or one per seat, and two heads for each seat.

The network's name says what trunk and heads are: `mlp`, layers over the whole observation, or `game`, shaped
like the game (`games/NAME/network.py`).

A shared trunk learns from both seats' decisions, because both see the same board from their own
side; the heads differ because the two countries play differently. Ids and observations are relative
to the mover. `TorchJudge` asks networks, one per side, for logits and values.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from channel_tunnel_agents.games import Parts
from channel_tunnel_agents.games.spec import NetworkParts
from channel_tunnel_agents.players.policy.form import DEFAULT_FORM, Architecture, PolicyForm
from channel_tunnel_agents.players.policy.judge import Judged, places_of_sides

LOG2_E = 1 / math.log(2)
MASKED = -1e8  # the logit of an illegal action, as in sb3-contrib
SIDE = DEFAULT_FORM.side_column or 0  # 1.0 where the mover is the second side
_SHAPED: Mapping[str, NetworkParts] = Parts("network", "PARTS", NetworkParts)
"""By game, the parts of the network `game`."""
_TURNED: Mapping[str, type[nn.Module]] = Parts("turned_network", "TurnedNetwork", type)
"""By game, a module made of a policy's trunk, head and value, with their weights by the same names, which judges many rows
in less time: observations (n, D) -> logits (n, A) and values (n,), -1 to 1."""


def layers_of(inputs: int, width: int, depth: int) -> nn.Sequential:
    """[Linear, LayerNorm, ReLU] x depth."""
    layers: list[nn.Module] = []
    for i in range(depth):
        layers += [nn.Linear(width if i else inputs, width), nn.LayerNorm(width), nn.ReLU()]
    return nn.Sequential(*layers)


class Trunk(nn.Module):
    """Layers over the whole observation."""

    def __init__(self, width: int, depth: int, inputs: int) -> None:
        super().__init__()
        self.features = width
        self.layers = layers_of(inputs, width, depth)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, width)."""
        features: torch.Tensor = self.layers(observations)
        return features


class WholeValue(nn.Linear):
    """The value of the whole, whose numbers are the first of a game's features."""

    def __init__(self, width: int) -> None:
        super().__init__(width, 1)

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """float (n, features) -> float (n, 1)."""
        return super().forward(features[:, : self.in_features])


class SeatModules(nn.Module):
    """One module per side; every row goes through its own side's."""

    def __init__(self, modules: dict[str, nn.Module]) -> None:
        super().__init__()
        self.sides = tuple(modules)
        for side, module in modules.items():
            self.add_module(side, module)
        self.features: int = getattr(self.of(self.sides[0]), "features", 0)  # of a trunk

    def of(self, side: str) -> nn.Module:
        """A side's module."""
        return self.get_submodule(side)

    def forward(self, rows: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """float (n, inputs), side flags (n,), 1 for the second side -> float (n, outputs)."""
        if len(self.sides) == 1:
            found: torch.Tensor = self.of(self.sides[0])(rows)
            return found
        is_second = side > 0.5
        if rows.is_cuda:
            return self.both(rows, is_second)
        first = len(rows) - int(is_second.sum())
        in_order = bool(is_second[first:].all())
        if in_order:  # as in a minibatch: no copies, and a quicker way back
            ordered = rows.split([first, len(rows) - first])
            parts = [self.of(one)(part) for one, part in zip(self.sides, ordered, strict=True)]
            return torch.cat(parts)
        places = [(~is_second).nonzero()[:, 0], is_second.nonzero()[:, 0]]
        parts = [self.of(one)(rows[at]) for one, at in zip(self.sides, places, strict=True)]
        both = torch.cat(parts)
        # Restore the order of the rows: part k belongs to row order[k].
        return torch.empty_like(both).index_copy(0, torch.cat(places), both)

    def both(self, rows: torch.Tensor, is_second: torch.Tensor) -> torch.Tensor:
        """`forward` of two sides through both modules: more to calculate, but a GPU need not be waited for to count rows."""
        first, second = (self.of(one)(rows) for one in self.sides)
        return torch.where(is_second[:, None], second, first)


class SeatPolicy(nn.Module):
    """The policy of one side only: trunk and heads, for playing."""

    def __init__(self, width: int, depth: int, network: Architecture = "mlp", form: PolicyForm = DEFAULT_FORM) -> None:
        super().__init__()
        self.form = form
        self.trunk = new_trunk(width, depth, network, form)
        self.policy, self.value = new_heads(width, network, form)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """float (n, D) -> logits (n, A), value (n,) in the view that the form says, -1 to 1."""
        return self.answers(self.trunk(observations))

    def answers(self, features: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """float (n, width) of the trunk -> as `forward`."""
        return self.policy(features), bounded(self.value(features)[:, 0])


class SeatWeights(ABC):
    """The weights of all sides' policies in one module, by side; `form` is that of the game's policies."""

    form: PolicyForm

    @property
    @abstractmethod
    def parts(self) -> tuple[nn.Module, SeatModules, SeatModules]:
        """Trunk, policy heads, value heads."""

    def seat_weights(self, side: str) -> dict[str, torch.Tensor]:
        """The state dict of `SeatPolicy` for one side, copied."""
        trunk, policy, value = self.parts
        own = trunk.of(side) if isinstance(trunk, SeatModules) else trunk
        return {
            f"{part}.{name}": tensor.detach().cpu().clone()
            for part, module in (("trunk", own), ("policy", policy.of(side)), ("value", value.of(side)))
            for name, tensor in module.state_dict().items()
        }

    def all_weights(self) -> dict[str, dict[str, torch.Tensor]]:
        """The state dicts of `SeatPolicy`, by side."""
        return {side: self.seat_weights(side) for side in self.form.sides}

    def load_seat_weights(self, policies: dict[str, SeatPolicy]) -> None:
        """Take over the weights of all sides' policies.

        Raises:
            ValueError: the policies have separate trunks but these share one; or a seat is missing.
            RuntimeError: they have another width or depth.
        """
        trunk, policy, value = self.parts
        for side in policy.sides:
            if side not in policies:
                raise ValueError(f"no policy for {side}: those of {' and '.join(policy.sides)} are needed")
        trunks = [policies[side].trunk.state_dict() for side in policy.sides]
        if not isinstance(trunk, SeatModules):
            if not have_equal_trunks(policies):
                raise ValueError("the seats' trunks differ: set trunk: separate")
            trunk.load_state_dict(trunks[0])
        for side, weights in zip(policy.sides, trunks, strict=True):
            if isinstance(trunk, SeatModules):
                trunk.of(side).load_state_dict(weights)
            policy.of(side).load_state_dict(policies[side].policy.state_dict())
            value.of(side).load_state_dict(policies[side].value.state_dict())


class SelfPlayNetwork(SeatWeights, nn.Module):
    """The policies of all sides as one module: every row goes through its mover's network.

    Args:
        width, depth: size of a trunk.
        trunk: "shared" by all sides, or "separate".
        network: "mlp" or "game".
        form: of the game's policies.
    """

    def __init__(
        self,
        width: int,
        depth: int,
        trunk: str = "shared",
        network: Architecture = "mlp",
        form: PolicyForm = DEFAULT_FORM,
    ) -> None:
        super().__init__()
        self.form = form
        self.trunk = make_trunk(width, depth, trunk == "shared", network, form)
        self.policy, self.value = make_heads(width, network, form)
        initialise(self.trunk, self.policy, self.value)

    def features(self, observations: torch.Tensor) -> torch.Tensor:
        """float (n, D) -> float (n, width)."""
        return run_trunk(self.trunk, observations, self.form)

    def logits(self, features: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """Features (n, width), side flags (n,) -> logits (n, A)."""
        return self.policy(features, side)

    def values(self, features: torch.Tensor, side: torch.Tensor) -> torch.Tensor:
        """Features (n, width), side flags (n,) -> unbounded values (n,) in the view that the form says."""
        return self.value(features, side)[:, 0]

    @property
    def parts(self) -> tuple[nn.Module, SeatModules, SeatModules]:
        """See `SeatWeights`."""
        return self.trunk, self.policy, self.value


# --- the parts of all sides' networks, for any containing module
# ------------------------------------


def new_trunk(width: int, depth: int, network: Architecture, form: PolicyForm) -> nn.Module:
    """A trunk; its `features` is the number of its outputs."""
    if network == "mlp":
        return Trunk(width, depth, form.observation_sizes[0])
    trunk: nn.Module = _SHAPED[form.game].trunk(width, depth)
    return trunk


def new_heads(width: int, network: Architecture, form: PolicyForm) -> tuple[nn.Module, nn.Module]:
    """A policy head and a value head."""
    if network == "mlp":
        return nn.Linear(width, form.num_actions), nn.Linear(width, 1)
    return _SHAPED[form.game].policy(width), WholeValue(width)


def for_many_rows(policy: SeatPolicy, network: Architecture) -> nn.Module | None:
    """The same answers, within rounding, by weights of the same names, quicker for many rows; None: there is no such way."""
    make = None if network == "mlp" else _TURNED.get(policy.form.game)
    found: nn.Module | None = make and make(policy.trunk, policy.policy, policy.value)
    return found


def make_trunk(
    width: int, depth: int, shared: bool, network: Architecture = "mlp", form: PolicyForm = DEFAULT_FORM
) -> nn.Module:
    """One trunk for all sides, or one for each."""
    if shared:
        return new_trunk(width, depth, network, form)
    return SeatModules({side: new_trunk(width, depth, network, form) for side in form.sides})


def make_heads(
    width: int, network: Architecture = "mlp", form: PolicyForm = DEFAULT_FORM
) -> tuple[SeatModules, SeatModules]:
    """The policy heads and the value heads."""
    made = {side: new_heads(width, network, form) for side in form.sides}
    policies = {side: policy for side, (policy, _) in made.items()}
    return SeatModules(policies), SeatModules({side: value for side, (_, value) in made.items()})


def initialise(trunk: nn.Module, policy: nn.Module, value: nn.Module) -> None:
    """Orthogonal weights that give a nearly uniform policy; biases 0."""
    for part, gain in ((trunk, math.sqrt(2)), (policy, 0.01), (value, 1.0)):
        part.apply(partial(_init_orthogonal, gain=gain))


def _init_orthogonal(module: nn.Module, gain: float) -> None:
    if isinstance(module, nn.Linear):
        nn.init.orthogonal_(module.weight, gain=gain)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


def side_flags(observations: torch.Tensor, form: PolicyForm) -> torch.Tensor:
    """float (n, D) -> float (n, 1), 1 where the mover is the second side."""
    if form.side_column is None:
        return observations.new_zeros(len(observations), 1)
    return observations[:, form.side_column : form.side_column + 1]


def run_trunk(trunk: nn.Module, observations: torch.Tensor, form: PolicyForm) -> torch.Tensor:
    """float (n, D) -> float (n, width), through the shared trunk or each mover's own."""
    if isinstance(trunk, SeatModules):
        return trunk(observations, side_flags(observations, form)[:, 0])
    features: torch.Tensor = trunk(observations)
    return features


def join_equal_trunks(policies: dict[str, SeatPolicy]) -> dict[str, SeatPolicy]:
    """Give all sides' policies the first one's trunk if theirs are equal, so that a mixed batch passes it once.

    Policies that are trained apart must not be joined.
    """
    first, *others = policies.values()
    if others and have_equal_trunks(policies):
        for policy in others:
            policy.trunk = first.trunk
    return policies


def have_equal_trunks(policies: dict[str, SeatPolicy]) -> bool:
    """Whether the trunks of all sides' policies have the same weights."""
    first, *others = (policy.trunk.state_dict() for policy in policies.values())
    return all(first.keys() == other.keys() and all(torch.equal(first[k], other[k]) for k in first) for other in others)


def bounded(values: torch.Tensor) -> torch.Tensor:
    """Values clipped to the range of results: -1, a loss, to 1, a win.

    If the linear head exceeds 1, winning at once looks worse than playing on: without clipping, a
    policy learns to put off the last Tunnel of a won game for ever.
    """
    return values.clamp(-1.0, 1.0)


def probabilities(log_probs: torch.Tensor) -> torch.Tensor:
    """exp in base 2: the CPU's exp is ten times slower for results of 0, most of a masked row."""
    return torch.exp2(log_probs * LOG2_E)


def sample(log_probs: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Sample one action per row from log-probabilities (n, A), by inversion: (n,).

    Several times as fast as `torch.multinomial` or Gumbel noise on a CPU.
    """
    cumulated = probabilities(log_probs).cumsum(dim=1)
    uniform = torch.rand(len(log_probs), generator=generator, device=log_probs.device)
    # Slightly below the last sum, so that rounding cannot select beyond the last legal action.
    level = uniform[:, None] * (cumulated[:, -1:] * 0.999999)
    found = torch.searchsorted(cumulated, level, right=True)[:, 0]
    return found.clamp_(max=log_probs.shape[1] - 1)  # of a row that is no numbers: an id, which the games refuse


def has_fast_bfloat16(device: torch.device) -> bool:
    """Whether the device multiplies bfloat16 matrices faster than float32 ones."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    return bool(torch.cpu._is_avx512_bf16_supported() or torch.cpu._is_amx_tile_supported())


class InMoversView(torch.nn.Module):
    """A network of one side, for programs that know no view but the mover's.

    Args:
        network: observations -> logits, and values in the view of the first seat.
        is_first: the side is that seat.
    """

    def __init__(self, network: torch.nn.Module, is_first: bool) -> None:
        super().__init__()
        self.network, self.is_first = network, is_first

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits (n, A) and values (n,) of observations (n, D)."""
        logits, values = self.network(observations)
        return logits, values if self.is_first else -values


class TorchJudge:
    """One network per side.

    Args:
        policies: side -> its network, at least one. Equal trunks become one.
    """

    def __init__(self, policies: dict[str, SeatPolicy]) -> None:
        self.policies = join_equal_trunks(policies)

    @property
    def form(self) -> PolicyForm:
        """The form of the policies."""
        return next(iter(self.policies.values())).form

    @property
    def sides(self) -> tuple[str, ...]:
        """Those that it has a network for."""
        return tuple(self.policies)

    def judge(self, observations: NDArray[np.float32]) -> Judged:
        """See `Judge`."""
        logits, values = self.judge_rows(observations)
        return logits.numpy(), values.numpy()

    @torch.inference_mode()
    def judge_rows(self, observations: NDArray[np.float32]) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values as `judge`, as tensors, wherever the networks are."""
        device = next(next(iter(self.policies.values())).value.parameters()).device
        logits, values = self._answer(observations, torch.from_numpy(np.ascontiguousarray(observations)).to(device))
        return logits.cpu(), values.cpu()

    def _answer(self, observations: NDArray[np.float32], rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        own = places_of_sides(self, observations)
        if len(own) == 1:  # as in a match: no need to split the rows
            found: tuple[torch.Tensor, torch.Tensor] = self.policies[next(iter(own))](rows)
            return found
        trunks = {self.policies[side].trunk for side in own}
        is_shared = len(trunks) == 1
        if is_shared:  # one pass for all sides: much faster where rows are few
            rows = trunks.pop()(rows)
        logits, values = rows.new_empty(len(rows), self.form.num_actions), rows.new_empty(len(rows))
        for side, places in own.items():
            policy = self.policies[side]
            logits[places], values[places] = (policy.answers if is_shared else policy)(rows[places])
        return logits, values
