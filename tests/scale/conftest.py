"""A cluster of two nodes on loopback for the tests, and a policy that does not take part in them by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from channel_tunnel_agents.cluster.ray_parallel import QUIET, RayCluster


@pytest.fixture(scope="session")
def nodes() -> Iterator[Any]:
    """Two nodes with a core each."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        for name, value in QUIET.items():
            patch.setenv(name, value)
        cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        cluster.add_node(num_cpus=1)
        yield cluster
        cluster.shutdown()


@pytest.fixture(scope="session")
def cluster(nodes: Any) -> Iterator[RayCluster]:
    """The two nodes, joined. As they share this machine's disk, the code need not travel (one test says
    that it does), and the engine is not compiled anew."""
    import ray

    ray.init(address=nodes.address, log_to_driver=False)
    yield RayCluster()
    ray.shutdown()


@pytest.fixture(scope="session")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untrained policy of the tiny game, for both seats."""
    import torch

    from channel_tunnel_agents.players.policy.card import make_card
    from channel_tunnel_agents.players.policy.network import SelfPlayNetwork
    from channel_tunnel_agents.players.policy.saved_policy import save_policies
    from channel_tunnel_env import load_ruleset
    from channel_tunnel_env.games.tunnel_1987.engine import constants as c

    torch.manual_seed(1)
    network = SelfPlayNetwork(16, 1, "separate")
    folder = tmp_path_factory.mktemp("policy")
    card = make_card(load_ruleset("tiny"), width=16, depth=1, config={"trunk": "separate"})
    save_policies(folder, {side: network.seat_weights(side) for side in c.SEATS}, card)
    return folder
