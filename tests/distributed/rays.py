"""A Ray cluster on this machine: a head and raylets that tests may kill."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Raylets:
    """Raylets with one core each; the head has none, so that it runs no task."""

    def __init__(self, cluster: Any, count: int) -> None:
        self._cluster = cluster
        self.address: str = cluster.address
        self.nodes = [cluster.add_node(num_cpus=1) for _ in range(count)]

    def kill(self) -> None:
        """Kills one raylet with its workers, as if its machine were lost, and adds another."""
        node = self.nodes.pop(0)
        self._cluster.remove_node(node, allow_graceful=False)
        self.nodes.append(self._cluster.add_node(num_cpus=1))


@contextmanager
def start_raylets(count: int) -> Iterator[Raylets]:
    """A cluster with some raylets."""
    factory = logging.getLogRecordFactory()
    import ray  # which sets a factory of its own for the records of all loggers
    from ray.cluster_utils import Cluster

    head = {"num_cpus": 0, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield Raylets(cluster, count)
    finally:
        ray.shutdown()
        cluster.shutdown()
        logging.setLogRecordFactory(factory)
