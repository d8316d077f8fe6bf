"""The structure report of networks: citescape, igraph and networkx.

    python benchmarks/network_report.py            up to 10 million edges, some minutes
    python benchmarks/network_report.py --quick    a tenth of the smallest, results not kept

All peers get the same edges; building the graph is not counted. Each computes the connected
components, both clustering coefficients and the distances of the same pairs of papers. The results
must agree.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import measure
import numpy as np
import synthetic

CITESCAPE, WHOLE = "citescape", "citescape, whole report"
LINKS, COMPARED = 10, 10
SMALL, LARGE = 100_000, 1_000_000
NOTES = (
    "`small world`: a ring on which each paper is linked to the ten papers before it, and one "
    "link in ten is moved to a random paper. `hubs`: each paper cites ten earlier ones, and "
    "early papers far more often. Distances are between two papers, for as many pairs as each "
    "peer can do in a reasonable time: networkx searches from both ends as citescape does, "
    "igraph from one. The whole report measures 10,000 pairs and includes the random network of "
    "equal density, its generation and its description. Peers that have threads use two. igraph "
    "is under the GPL."
)
COLUMNS = {
    "peer": "peer",
    "network": "network",
    "edges": "edges",
    "components": "components, CPU s",
    "clustering": "clustering, CPU s",
    "pairs": "pairs",
    "a_pair": "CPU ms per pair",
    "report": "whole report, CPU s",
    "report_wall": "wall s",
    "extra_mb": "peak MB above network",
}
Ends = np.ndarray


class Peer(NamedTuple):
    """Functions of a library for each part."""

    library: str
    build: Callable[[int, Ends], Any]
    components: Callable[[Any], int]
    clustering: Callable[[Any], tuple[float, float]]
    """Mean local and global coefficient."""
    distances: Callable[[Any, Ends], list[int]]
    pairs: dict[int, int]
    """Papers of the network -> number of measured pairs."""


def small_world(papers: int) -> Ends:
    """Ends (edges, 2) of a network of linked neighbours with some long-range links."""
    chance = np.random.default_rng(0)
    first = np.repeat(np.arange(papers), LINKS)
    second = (first + np.tile(np.arange(1, LINKS + 1), papers)) % papers
    moved = chance.random(len(first)) < 0.1
    second[moved] = chance.integers(0, papers, moved.sum())
    return np.stack([first, second], axis=1)


def hubs(papers: int) -> Ends:
    """Ends (edges, 2) of a network in which a few papers have many neighbours."""
    first = np.repeat(np.arange(papers), LINKS)
    second = (first * np.random.default_rng(0).random(len(first)) ** 3).astype(np.int64)
    return np.stack([first, second], axis=1)


NETWORKS: dict[str, Callable[[int], Ends]] = {"small world": small_world, "hubs": hubs}


def distinct(ends: Ends, papers: int) -> Ends:
    """Distinct edges without loops."""
    low, high = ends.min(1), ends.max(1)
    keys = np.unique((low * papers + high)[low < high])
    return np.stack([keys // papers, keys % papers], axis=1)


def build_ours(papers: int, ends: Ends) -> Any:
    """A network of the package."""
    from citescape.networks.network import build_network

    return build_network(
        synthetic.name_papers(papers), (ends[:, 0], ends[:, 1]), np.ones(len(ends))
    )


def our_components(network: Any) -> int:
    from citescape.networks.report import find_largest_component

    return find_largest_component(network)[0]


def our_clustering(network: Any) -> tuple[float, float]:
    from citescape.networks.triangles import count_triangles, local_clustering, transitivity

    triangles, degrees = count_triangles(network), network.degrees
    return local_clustering(degrees, triangles) or 0, transitivity(degrees, triangles) or 0


def our_distances(network: Any, pairs: Ends) -> list[int]:
    from citescape.networks.paths import measure_distances

    found: list[int] = measure_distances(network, (pairs[:, 0], pairs[:, 1])).tolist()
    return found


def build_igraph(papers: int, ends: Ends) -> Any:
    import igraph

    return igraph.Graph(papers, edges=ends)


def igraph_clustering(graph: Any) -> tuple[float, float]:
    local = graph.transitivity_avglocal_undirected(mode="zero")
    return local, graph.transitivity_undirected()


def igraph_distances(graph: Any, pairs: Ends) -> list[int]:
    return [int(graph.distances(first, second)[0][0]) for first, second in pairs.tolist()]


def build_networkx(papers: int, ends: Ends) -> Any:
    import networkx as nx

    graph = nx.empty_graph(papers)
    graph.add_edges_from(ends.tolist())
    return graph


def networkx_components(graph: Any) -> int:
    import networkx as nx

    return int(nx.number_connected_components(graph))


def networkx_clustering(graph: Any) -> tuple[float, float]:
    import networkx as nx

    return nx.average_clustering(graph), nx.transitivity(graph)


def networkx_distances(graph: Any, pairs: Ends) -> list[int]:
    import networkx as nx

    return [len(nx.bidirectional_shortest_path(graph, *pair)) - 1 for pair in pairs.tolist()]


PEERS = {
    CITESCAPE: Peer(
        "numba",
        build_ours,
        our_components,
        our_clustering,
        our_distances,
        {SMALL // 10: 10_000, SMALL: 10_000, LARGE: 10_000},
    ),
    "igraph": Peer(
        "igraph",
        build_igraph,
        lambda graph: len(graph.connected_components()),
        igraph_clustering,
        igraph_distances,
        {SMALL // 10: 100, SMALL: 100, LARGE: 10},
    ),
    "networkx": Peer(
        "networkx",
        build_networkx,
        networkx_components,
        networkx_clustering,
        networkx_distances,
        {SMALL // 10: 100, SMALL: 100},
    ),
}


def child(peer: str, name: str, papers: int) -> None:
    """Measures one peer on one network, after a small warm-up."""
    chosen = PEERS.get(peer, PEERS[CITESCAPE])
    ends = distinct(NETWORKS[name](papers), papers)
    graph = chosen.build(papers, ends)
    warm = chosen.build(300, distinct(small_world(300), 300))
    if peer == WHOLE:
        describe(warm)
        with measure.metered() as cost:
            describe(graph)
        spent = {"report": cost.cpu_seconds, "report_wall": cost.wall_seconds}
        return measure.report(cost, edges=len(ends), **spent)
    do_parts(chosen, warm, np.array([[0, 50]]))
    drawn = np.random.default_rng(1).integers(0, papers, (chosen.pairs[papers], 2))
    with measure.metered() as cost:
        figures = do_parts(chosen, graph, drawn)
    measure.report(cost, edges=len(ends), **figures)


def describe(network: Any) -> None:
    from citescape.networks.report import describe_network

    describe_network(network)


def do_parts(peer: Peer, graph: Any, pairs: Ends) -> measure.Row:
    """Result and time of each part."""
    seconds: list[float] = []
    found: list[Any] = []
    for part in (
        lambda: peer.components(graph),
        lambda: peer.clustering(graph),
        lambda: peer.distances(graph, pairs),
    ):
        begun = time.process_time()
        found.append(part())
        seconds.append(round(time.process_time() - begun, 4))
    return {
        "components": seconds[0],
        "clustering": seconds[1],
        "pairs": len(pairs),
        "a_pair": round(1000 * seconds[2] / len(pairs), 4),
        "found": [found[0], *found[1], *found[2][:COMPARED]],
    }


def compare(name: str, papers: int) -> list[measure.Row]:
    """The peers that are installed, on one network."""
    rows = []
    for peer in [*PEERS, WHOLE]:
        chosen = PEERS.get(peer, PEERS[CITESCAPE])
        if papers not in chosen.pairs:
            continue
        if importlib.util.find_spec(chosen.library) is None:
            print(f"{peer}: {chosen.library} is not installed, left out")
            continue
        row = measure.run_alone(__file__, "--child", peer, name, papers)
        rows.append({"peer": peer, "network": name, "papers": papers, **row})
        print(rows[-1], flush=True)
    check([row.pop("found") for row in rows if "found" in row])
    return rows


def check(found: list[list[float]]) -> None:
    """Raises RuntimeError if peers disagree."""
    for figures in found:
        if not all(
            math.isclose(a, b, rel_tol=1e-9) for a, b in zip(found[0], figures, strict=True)
        ):
            raise RuntimeError(f"the peers disagree: {found[0]} and {figures}")


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smallest network")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        peer, name, papers = options.child
        return child(peer, name, int(papers))
    if options.quick:
        rows = compare("small world", SMALL // 10)
    else:
        rows = compare("small world", SMALL) + compare("small world", LARGE)
        rows += compare("hubs", LARGE)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    known = ("numba", "scipy", "igraph", "networkx")
    libraries = [name for name in known if importlib.util.find_spec(name)]
    path = measure.write_results(
        "network_report", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
