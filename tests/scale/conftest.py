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
    from tests.agents.saving import save_untrained

    return save_untrained(tmp_path_factory.mktemp("policy"), 16, 1, config={"trunk": "separate"})
