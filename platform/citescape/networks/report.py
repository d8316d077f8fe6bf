"""Structure of a network, beside that of a random network (CIA, Table 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse.csgraph import connected_components

from citescape.core.progress import Progress, prefix, silent
from citescape.networks.network import Floats, Network, share
from citescape.networks.paths import PathLength, measure_path_length
from citescape.networks.random_network import build_random_network
from citescape.networks.triangles import count_triangles, local_clustering, transitivity


@dataclass(frozen=True)
class NetworkReport:
    """Figures of a network with N papers and E undirected edges; None if undefined."""

    papers: int
    """N, including papers outside the core."""
    core: int
    """Number of papers in the core."""
    edges: int
    """E."""
    mean_degree: float | None
    """2E / N."""
    density: float | None
    """2E / (N (N - 1)): the share of pairs that are edges."""
    components: int
    """Number of connected components; an isolated paper is a component."""
    largest: int
    """Number of papers of the largest component."""
    largest_share: float | None
    """`largest` as a share of N."""
    isolated: int
    """Number of papers without an edge."""
    local_clustering: float | None
    """Mean over papers of the share of pairs of neighbours that are linked (Watts and Strogatz);
    0 for papers with fewer than two neighbours."""
    transitivity: float | None
    """3 triangles / connected triples: the global clustering coefficient."""
    mean_strength: float | None
    """Mean over papers of the sum of the weights of a paper's edges; None for a random network,
    whose edges have no weights."""
    path_length: PathLength | None
    """Path length between papers of the largest component."""
    random: NetworkReport | None = None
    """Report of a random network G(n, p) with equal papers and density; None if not requested."""

    @property
    def connected(self) -> bool:
        """Whether there is exactly one component."""
        return self.components == 1


def describe_network(
    network: Network,
    *,
    pairs: int = 10_000,
    seed: int = 0,
    beside_random: bool = True,
    progress: Progress = silent,
) -> NetworkReport:
    """Describes the structure of a network, and of a random network of equal size and density.

    All figures are exact except the path length, a mean over a sample of pairs with its standard
    error. Only `mean_strength` depends on the weights of edges.

    Args:
        network: network to describe.
        pairs: maximum number of pairs of papers whose distance is measured.
        seed: random seed of the pairs and of the random network.
        beside_random: also describe a random network.
        progress: receives the name of each stage.

    Raises:
        ConfigError: `pairs` is not positive.
    """
    progress("finding connected components")
    components, largest = find_largest_component(network)
    progress("counting triangles")
    triangles, degrees = count_triangles(network), network.degrees
    length = measure_path_length(network, largest, pairs=pairs, seed=seed, progress=progress)
    weights: Floats = network.weights.data
    report = NetworkReport(
        papers=len(network),
        core=int(network.in_core.sum()),
        edges=network.edges,
        mean_degree=share(2 * network.edges, len(network)),
        density=network.density,
        components=components,
        largest=len(largest),
        largest_share=share(len(largest), len(network)),
        isolated=int((degrees == 0).sum()),
        local_clustering=local_clustering(degrees, triangles),
        transitivity=transitivity(degrees, triangles),
        mean_strength=share(math.fsum(weights.data), len(network)),
        path_length=length,
    )
    if not beside_random:
        return report
    progress("building the random network")
    random = describe_network(
        build_random_network(network, seed=seed),
        pairs=pairs,
        seed=seed,
        beside_random=False,
        progress=prefix(progress, "random network"),
    )
    return replace(report, random=replace(random, mean_strength=None))


def find_largest_component(network: Network) -> tuple[int, npt.NDArray[np.int64]]:
    """Finds the number of connected components, and positions of the papers of the largest.

    Among components of equal size it is the component with the lowest id.
    """
    if not len(network):
        return 0, np.empty(0, np.int64)
    count, labels = connected_components(network.weights, directed=False)
    sizes = np.bincount(labels)
    first = int(np.argmax(sizes[labels]))
    return int(count), np.flatnonzero(labels == labels[first])


def report_table(reports: Mapping[str, NetworkReport]) -> pa.Table:
    """Reports as rows, the random network of each below it.

    Returns:
        network, random, and all figures; the path length has separate columns.
    """
    rows: list[dict[str, Any]] = []
    for name, report in reports.items():
        for random, item in [(False, report), (True, report.random)]:
            if item is None:
                continue
            figures, length = asdict(item), item.path_length
            del figures["random"]
            figures["path_length"] = length.mean if length else None
            figures["path_length_error"] = length.standard_error if length else None
            figures["path_length_pairs"] = length.pairs if length else 0
            rows.append({"network": name, "random": random, **figures})
    return pa.Table.from_pylist(rows)
