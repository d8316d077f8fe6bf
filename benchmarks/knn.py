"""Nearest neighbours: citescape (exact, lists, and FAISS), hnswlib and pynndescent.

    python benchmarks/knn.py            both sizes, some minutes
    python benchmarks/knn.py --quick    a tenth of the first, results not kept

All peers get the same vectors in memory and return the 20 nearest papers of each paper by cosine,
without the paper itself. Times include building the index. Recall is measured on the same 500
papers for all peers.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import measure
import numpy as np
import synthetic

K, SAMPLE = 20, 500
EXACT = "citescape exact"
SIZES = (20_000, 120_000)
LARGE = (EXACT, "citescape ivf", "citescape hnsw", "hnswlib", "pynndescent")
"""Peers that also run at the larger size."""
NOTES = (
    "Vectors have 32 hidden dimensions in 200 clusters, with noise in all 768 dimensions, like "
    "vectors of encoders. `ivf` and `hnsw` search as widely as a recall of .95 on a sample "
    "needs. hnswlib (M 32, ef_construction 40, as FAISS) uses the lowest ef that reaches .95; "
    "the search for that value is not counted. pynndescent uses its defaults; a warm-up keeps "
    "its compilation out of the figures. The matrix product alone is the lower bound of any "
    "exact search. Each peer has two threads."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "recall": "recall",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "times_exact": "times exact",
    "extra_mb": "peak MB above vectors",
}
Rows = np.ndarray


def make_vectors(papers: int, seed: int = 0) -> Rows:
    """Vectors in 200 clusters."""
    return synthetic.make_vectors(papers, clusters=200, spread=0.7, seed=seed)


def run_citescape(values: Rows, method: str) -> Rows:
    """The package's search."""
    from citescape.search.neighbours import find_neighbours

    return find_neighbours(synthetic.as_vectors(values), K, method=method, threads=2).indices


def run_product(values: Rows, _: str) -> Rows:
    """Products of all pairs without selection: the lower bound of an exact search."""
    found = np.empty((1024, len(values)), np.float32)
    for start in range(0, len(values), 1024):
        part = values[start : start + 1024]
        np.matmul(part, values.T, out=found[: len(part)])
    return np.empty((0, K))


def run_hnswlib(values: Rows, effort: str) -> Rows:
    """HNSW by its authors with 32 links; requests one more, because a paper finds itself."""
    import hnswlib

    index = hnswlib.Index(space="cosine", dim=values.shape[1])
    index.init_index(max_elements=len(values), M=32, ef_construction=40, random_seed=1)
    index.set_num_threads(2)
    index.add_items(values)
    index.set_ef(int(effort))
    return without_self(index.knn_query(values, K + 1)[0])


def run_pynndescent(values: Rows, _: str) -> Rows:
    """Nearest neighbour descent."""
    import pynndescent

    index = pynndescent.NNDescent(
        values, metric="cosine", n_neighbors=K + 1, random_state=1, n_jobs=2
    )
    return without_self(index.neighbor_graph[0])


PEERS: dict[str, tuple[str, Callable[[Rows, str], Rows], tuple[str, ...]]] = {
    "matrix product alone": ("numpy", run_product, ("",)),
    EXACT: ("numpy", run_citescape, ("exact",)),
    "citescape ivf": ("numpy", run_citescape, ("ivf",)),
    "citescape hnsw": ("faiss", run_citescape, ("hnsw",)),
    "hnswlib": ("hnswlib", run_hnswlib, ("21", "32", "48", "72", "108")),
    "pynndescent": ("pynndescent", run_pynndescent, ("",)),
}
"""Peer -> library, function, and efforts, of which the lowest sufficient one is used."""


def without_self(found: Rows) -> Rows:
    """(n, K) without the own number of each row, or without the last if it is missing."""
    own = found == np.arange(len(found))[:, None]
    own[~own.any(1), -1] = True
    others: Rows = found[~own].reshape(len(found), -1)
    return others


def measured_recall(values: Rows, found: Rows) -> float | None:
    """Share of exact neighbours of 500 papers that were found."""
    if not len(found):
        return None
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    rows = np.random.default_rng(7).permutation(len(values))[:SAMPLE]
    scores = units[rows] @ units.T
    scores[np.arange(len(rows)), rows] = -np.inf
    best = np.argpartition(-scores, K, axis=1)[:, :K]
    pairs = zip(best, found[rows], strict=True)
    return float(np.mean([len(np.intersect1d(a, b)) / K for a, b in pairs]))


def child(peer: str, effort: str, path: str) -> None:
    """Measures one peer on the vectors at `path`, after a small warm-up."""
    values = np.load(path)
    run: Any = PEERS[peer][1]
    run(make_vectors(600, seed=1), effort)
    with measure.metered() as cost:
        found = run(values, effort)
    measure.report(cost, papers=len(values), recall=measured_recall(values, found))


def compare(papers: int, peers: tuple[str, ...], folder: str) -> list[measure.Row]:
    """The peers that are installed, on vectors of one size."""
    path = Path(folder) / "vectors.npy"
    np.save(path, make_vectors(papers))
    rows = []
    for peer in peers:
        library, _, efforts = PEERS[peer]
        if importlib.util.find_spec(library) is None:
            print(f"{peer}: {library} is not installed, left out")
            continue
        for effort in efforts:
            row = measure.run_alone(__file__, "--child", peer, effort, path)
            if (row["recall"] or 0) >= 0.95 or effort == efforts[-1]:
                break
        rows.append({"peer": peer, "effort": effort, **row})
        print(rows[-1], flush=True)
    return with_rates(rows)


def with_rates(rows: list[measure.Row]) -> list[measure.Row]:
    """Adds the time relative to the exact search, if that was run."""
    exact = {row["papers"]: row["cpu_seconds"] for row in rows if row["peer"] == EXACT}
    return [
        row | {"times_exact": round(row["cpu_seconds"] / exact[row["papers"]], 2)}
        if row["papers"] in exact
        else row
        for row in rows
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smaller size")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    with tempfile.TemporaryDirectory() as folder:
        if options.quick:
            rows = compare(SIZES[0] // 10, tuple(PEERS), folder)
        else:
            rows = compare(SIZES[0], tuple(PEERS), folder)
            rows += compare(SIZES[1], LARGE, folder)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    installed = {"numpy": "numpy", "faiss": "faiss-cpu", "numba": "numba"}
    installed |= {"hnswlib": "hnswlib", "pynndescent": "pynndescent"}
    libraries = [name for module, name in installed.items() if importlib.util.find_spec(module)]
    path = measure.write_results("knn", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
