"""Neighbours as kernels take them."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from citescape.networks.links import read_links
from citescape.networks.network import Network
from tests.networks.graphs import as_networkx, networks


@given(networks())
def test_neighbours_ascend(network: Network) -> None:
    links, graph = read_links(network), as_networkx(network)
    assert (links.indptr.dtype, links.neighbours.dtype) == (np.int64, np.int32)
    for paper in range(len(network)):
        near = links.neighbours[links.indptr[paper] : links.indptr[paper + 1]]
        assert near.tolist() == sorted(graph[paper])
