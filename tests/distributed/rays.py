"""A Ray cluster on this machine: a head and raylets that tests may kill."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Raylets:
    """Raylets with one core each; the head has none, so that it runs no task."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._start()

    def _start(self, **head: Any) -> None:
        from ray.cluster_utils import Cluster

        head = {"num_cpus": 0, "include_dashboard": False, **head}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address
        self.nodes = [self._cluster.add_node(num_cpus=1) for _ in range(self._count)]

    def kill(self) -> None:
        """Kills one raylet with its workers, as if its machine were lost, and adds another."""
        node = self.nodes.pop(0)
        self._cluster.remove_node(node, allow_graceful=False)
        self.nodes.append(self._cluster.add_node(num_cpus=1))

    def kill_all(self) -> None:
        """Kills the head and all raylets."""
        for node in (*self.nodes, self._cluster.head_node):
            self._cluster.remove_node(node, allow_graceful=False)

    def restart(self) -> None:
        """Starts a head and raylets at the address of those that were killed."""
        self._start(gcs_server_port=int(self.address.rpartition(":")[2]))

    def stop(self) -> None:
        """Ends all."""
        self._cluster.shutdown()


@contextmanager
def start_raylets(count: int) -> Iterator[Raylets]:
    """A cluster with some raylets."""
    factory = logging.getLogRecordFactory()
    import ray  # which sets a factory of its own for the records of all loggers

    raylets = Raylets(count)
    try:
        yield raylets
    finally:
        ray.shutdown()
        raylets.stop()
        logging.setLogRecordFactory(factory)
