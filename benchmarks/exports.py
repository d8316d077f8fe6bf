"""Network files for Gephi and other programs: citescape and networkx.

    python benchmarks/exports.py            up to a million edges, two minutes
    python benchmarks/exports.py --quick    the smaller network, results not kept

Both get the same network with a title, a year and a number for each paper, as Arrow tables. The
time of networkx includes building its graph. networkx reads the files, which are compared.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import numpy as np
import synthetic

SIZES = {10_000: 100_000, 100_000: 1_000_000}
"""Papers -> edges."""
NOTES = (
    "Nodes have a title, a year and an importance, edges a weight. networkx needs a graph of "
    "Python objects first, which is counted; citescape joins columns of Arrow tables, slice by "
    "slice. Both write the same attributes; citescape adds node sizes to GEXF."
)
COLUMNS = {
    "peer": "peer",
    "format": "format",
    "papers": "papers",
    "edges": "edges",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "extra_mb": "peak MB above network",
    "times_slower": "times citescape, CPU",
}


def generate(papers: int) -> Any:
    """A random network of papers with attributes."""
    import pyarrow as pa

    from citescape.mapping.exports.attributed import AttributedNetwork
    from citescape.networks.network import build_network

    chance, edges = np.random.default_rng(0), SIZES[papers]
    ends = np.sort(chance.integers(0, papers, (edges * 2, 2)), axis=1)
    keys = np.unique(ends[ends[:, 0] < ends[:, 1]] @ [papers, 1])
    first, second = np.divmod(chance.choice(keys, edges, replace=False), papers)
    ids = synthetic.name_papers(papers)
    network = build_network(ids, (first, second), chance.random(edges))
    nodes = pa.table(
        {
            "id": ids,
            "title": [f"Effects of treatment {k} on yields in dry fields" for k in range(papers)],
            "year": chance.integers(1990, 2026, papers),
            "importance": chance.random(papers),
        }
    )
    return AttributedNetwork(network, nodes, pa.table({}), "knn")


def write_citescape(content: Any, form: str, path: Path) -> None:
    from citescape.mapping.exports.gexf import write_gexf
    from citescape.mapping.exports.graphml import write_graphml

    with path.open("wb") as sink:
        (write_gexf if form == "GEXF" else write_graphml)(content, sink)


def write_networkx(content: Any, form: str, path: Path) -> None:
    import networkx as nx

    graph, ids = nx.Graph(), content.network.ids.to_pylist()
    for node in content.nodes.to_pylist():
        title = {"label": node.pop("title")}
        graph.add_node(node.pop("id"), **title, **node)
    first, second, weights = content.network.upper()
    named = ([ids[k] for k in side.tolist()] for side in (first, second))
    graph.add_weighted_edges_from(zip(*named, weights.tolist(), strict=True))
    (nx.write_gexf if form == "GEXF" else nx.write_graphml_xml)(graph, path)


PEERS: dict[str, Callable[[Any, str, Path], None]] = {
    "citescape": write_citescape,
    "networkx": write_networkx,
}


def child(peer: str, form: str, papers: str) -> None:
    """Measures one peer and checks its file."""
    import networkx as nx

    content = generate(int(papers))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "network")
        with measure.metered() as cost:
            PEERS[peer](content, form, path)
        if int(papers) == min(SIZES):
            graph = (nx.read_gexf if form == "GEXF" else nx.read_graphml)(path)
            assert (len(graph), graph.size()) == (len(content.network), content.network.edges)
            assert np.isclose(graph.size("weight"), content.network.upper()[2].sum())
    measure.report(cost)


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the smaller network only")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    rows: list[measure.Row] = []
    for papers, edges in list(SIZES.items())[: 1 if options.quick else None]:
        for form in ("GEXF", "GraphML"):
            group: list[measure.Row] = [
                {"peer": peer, "format": form, "papers": papers, "edges": edges}
                | measure.run_alone(__file__, "--child", peer, form, papers)
                for peer in PEERS
            ]
            for row in group:
                row["times_slower"] = round(row["cpu_seconds"] / group[0]["cpu_seconds"], 1)
            rows += group
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    path = measure.write_results(
        "exports", rows, libraries=["pyarrow", "networkx"], notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
