"""What a network looks like as a whole, beside a random one (CIA, Table 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from scipy.sparse.csgraph import connected_components

from citescape.core.progress import Progress, silent
from citescape.networks.network import Floats, Network, share
from citescape.networks.paths import PathLength, measure_path_length
from citescape.networks.random_network import build_random_network
from citescape.networks.triangles import count_triangles, local_clustering, transitivity


@dataclass(frozen=True)
class NetworkReport:
    """Figures of a network with N papers and E undirected edges. None: not defined for it."""

    papers: int
    """N; those outside the core too."""
    core: int
    """Papers that the network is about."""
    edges: int
    """E."""
    mean_degree: float | None
    """2E / N."""
    density: float | None
    """2E / (N (N - 1)): the share of pairs that are edges."""
    components: int
    """Connected components; a paper alone is one."""
    largest: int
    """Papers of the largest component."""
    largest_share: float | None
    """The same as a share of N."""
    isolated: int
    """Papers without an edge."""
    local_clustering: float | None
    """Mean over papers of the share of pairs of neighbours that are linked (Watts and Strogatz);
    0 for papers with fewer than two neighbours, which count too."""
    transitivity: float | None
    """3 triangles / connected triples: the global clustering coefficient."""
    mean_strength: float | None
    """Sum of the weights at a paper's edges, the mean over papers; None for a random network, whose
    edges have no weights of their own."""
    path_length: PathLength | None
    """Between papers of the largest component."""
    random: NetworkReport | None = None
    """The same of a random network G(n, p) with equal papers and density; None if not wanted."""

    @property
    def connected(self) -> bool:
        """All papers hang together; not so for no papers."""
        return self.components == 1


def describe_network(
    network: Network,
    *,
    pairs: int = 10_000,
    seed: int = 0,
    beside_random: bool = True,
    progress: Progress = silent,
) -> NetworkReport:
    """Describes a network, and a random one of the same size and density beside it.

    All figures are exact but the path length, which is a mean over a sample of pairs with its
    standard error. Edges count alike whatever they weigh, `mean_strength` aside.

    Args:
        network: any.
        pairs: pairs of papers whose distance is measured; all of them where there are no more.
        seed: of the pairs and of the random network.
        beside_random: make the random network too.
        progress: told what is being counted.

    Raises:
        ConfigError: `pairs` is not positive.
    """
    told = _describe(network, pairs=pairs, seed=seed, progress=progress)
    if not beside_random:
        return told
    progress("building the random network")
    twin = build_random_network(network, seed=seed)
    beside = _describe(
        twin, pairs=pairs, seed=seed, progress=lambda text: progress(f"random network: {text}")
    )
    return replace(told, random=replace(beside, mean_strength=None))


def _describe(network: Network, *, pairs: int, seed: int, progress: Progress) -> NetworkReport:
    size, edges, degrees = len(network), network.edges, network.degrees
    weights: Floats = network.weights.data
    progress("finding connected components")
    components, largest = find_largest_component(network)
    progress("counting triangles")
    triangles = count_triangles(network)
    length = measure_path_length(network, largest, pairs=pairs, seed=seed, progress=progress)
    return NetworkReport(
        papers=size,
        core=int(network.in_core.sum()),
        edges=edges,
        mean_degree=mean_degree(size, edges),
        density=network.density,
        components=components,
        largest=len(largest),
        largest_share=share(len(largest), size),
        isolated=int((degrees == 0).sum()),
        local_clustering=local_clustering(degrees, triangles),
        transitivity=transitivity(degrees, triangles),
        mean_strength=share(math.fsum(weights.data), size),
        path_length=length,
    )


def find_largest_component(network: Network) -> tuple[int, npt.NDArray[np.int64]]:
    """How many connected components there are, and the positions of the papers of the largest.

    Of components of equal size that with the lowest id is taken.
    """
    if not len(network):
        return 0, np.empty(0, np.int64)
    count, labels = connected_components(network.weights, directed=False)
    sizes = np.bincount(labels)
    first = int(np.argmax(sizes[labels]))
    return int(count), np.flatnonzero(labels == labels[first])


def mean_degree(papers: int, edges: int) -> float | None:
    """2E / N; None without papers."""
    return share(2 * edges, papers)


def report_table(reports: Mapping[str, NetworkReport]) -> pa.Table:
    """Reports as rows, the random network of each below it.

    Args:
        reports: by name.

    Returns:
        network, random, and all figures; those of the path length in columns of their own.
    """
    rows = []
    for name, report in reports.items():
        beside = [(True, report.random)] if report.random else []
        for random, one in [(False, report), *beside]:
            rows.append({"network": name, "random": random, **_flat(one)})
    return pa.Table.from_pylist(rows)


def _flat(report: NetworkReport) -> dict[str, Any]:
    figures, length = asdict(report), report.path_length
    del figures["random"]
    figures["path_length"] = length.mean if length else None
    figures["path_length_error"] = length.standard_error if length else None
    figures["path_length_pairs"] = length.pairs if length else 0
    return figures
