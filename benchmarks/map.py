"""Maps of papers: citescape's layout beside umap-learn's, from vectors to places.

    python benchmarks/map.py            both sizes, some minutes
    python benchmarks/map.py --quick    a tenth of the first, results not kept

Every peer gets the same vectors in memory, 15 neighbours, min_dist .1, the same rounds and one
seed, which makes umap-learn work on one thread. What share of neighbours a map keeps is measured
against the exact neighbours of the same 1,000 papers for all.
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

NEIGHBOURS, MIN_DIST, SAMPLE, DIMENSIONS = 15, 0.1, 1000, 768
SIZES = (20_000, 120_000)
NOTES = (
    "Vectors are of 32 hidden dimensions, in clusters of some 60 papers, with noise in all 768. "
    "Kept: of the 10 papers nearest to one on the map, the share that is among its 14 nearest; "
    "other seeds move it by some hundredths. citescape seeks neighbours exactly up to 10,000 "
    "papers, then nine in ten of them (`ivf`), on two threads; `nearest known` takes them from the "
    "network of nearest papers that was clustered, as `platform map` does where there is one. "
    "umap-learn by default: nearest neighbour descent and a spectral start, all on one thread "
    "since it is seeded. Compilation is counted apart by a warm-up."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "kept": "neighbours kept",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "times_umap": "times umap-learn, CPU",
    "extra_mb": "peak MB beside vectors",
}
UMAP = "umap-learn"
Rows = np.ndarray


def make_vectors(papers: int, seed: int = 0) -> Rows:
    """(papers, 768) float32 in clusters of the size of small topics."""
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(max(papers // 60, 1), 32)).astype(np.float32)
    hidden = centres[chance.integers(0, len(centres), papers)]
    hidden += 0.5 * chance.normal(size=(papers, 32)).astype(np.float32)
    basis = chance.normal(size=(32, DIMENSIONS)).astype(np.float32)
    return hidden @ basis + chance.normal(size=(papers, DIMENSIONS)).astype(np.float32)


def as_vectors(values: Rows) -> Any:
    """Vectors of the package."""
    import pyarrow as pa

    from citescape.embeddings.vectors import Vectors

    ids = pa.array([f"p{k:07d}" for k in range(len(values))])
    return Vectors(pa.table({"id": ids}), values)


def run_citescape(values: Rows, network: Any) -> Rows:
    """The package's layout."""
    from citescape.maps.layout import LayoutConfig, place
    from citescape.maps.spaces import VectorSpace

    config = LayoutConfig(NEIGHBOURS, MIN_DIST)
    positions: Rows = place(VectorSpace(as_vectors(values), network), config).positions
    return positions


def run_umap(values: Rows, _: Any) -> Rows:
    """umap-learn as it is."""
    import umap

    found: Rows = umap.UMAP(
        n_neighbors=NEIGHBOURS, min_dist=MIN_DIST, metric="cosine", random_state=0
    ).fit_transform(values)
    return found


PEERS: dict[str, tuple[str, Callable[[Rows, Any], Rows]]] = {
    UMAP: ("umap", run_umap),
    "citescape": ("numba", run_citescape),
    "citescape, nearest known": ("numba", run_citescape),
}
KNOWN = "nearest known"


def link(values: Rows) -> Any:
    """The network of the 20 nearest of each paper, as `platform network build knn` makes it."""
    from citescape.embeddings.neighbours import find_neighbours
    from citescape.relatedness.nearest import link_nearest

    vectors = as_vectors(values)
    return link_nearest(vectors.ids, find_neighbours(vectors, 20, method="ivf", threads=2))


def measure_kept(values: Rows, positions: Rows) -> float:
    """Against the exact neighbours of 1,000 papers."""
    from scipy.spatial import cKDTree

    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    rows = np.random.default_rng(7).permutation(len(values))[:SAMPLE]
    near = np.asarray(cKDTree(positions).query(positions[rows], k=11)[1])
    scores = units[rows] @ units.T
    scores[np.arange(len(rows)), rows] = -np.inf
    best = np.argpartition(-scores, NEIGHBOURS - 1, axis=1)[:, : NEIGHBOURS - 1]
    kept = [len(np.intersect1d(a, b)) / 10 for a, b in zip(best, near, strict=True)]
    return round(float(np.mean(kept)), 4)


def child(peer: str, path: str) -> None:
    """Measures one peer on the vectors at `path`, after a small warm-up."""
    values = np.load(path)
    run = PEERS[peer][1]
    for papers in (600, 4200):  # from 4,096 umap-learn goes another way
        small = make_vectors(papers, seed=1)
        run(small, link(small) if KNOWN in peer else None)
    network = link(values) if KNOWN in peer else None
    with measure.metered() as cost:
        positions = run(values, network)
    measure.report(cost, papers=len(values), kept=measure_kept(values, positions))


def compare(papers: int, folder: str) -> list[measure.Row]:
    """The peers that are installed, on vectors of one size."""
    path = Path(folder) / "vectors.npy"
    np.save(path, make_vectors(papers))
    rows = []
    for peer, (library, _) in PEERS.items():
        if importlib.util.find_spec(library) is None:
            print(f"{peer}: {library} is not installed, left out")
            continue
        rows.append({"peer": peer, **measure.run_alone(__file__, "--child", peer, path)})
        print(rows[-1], flush=True)
    peers = [row["cpu_seconds"] for row in rows if row["peer"] == UMAP]
    return [
        row | {"times_umap": round(row["cpu_seconds"] / peers[0], 2)} if peers else row
        for row in rows
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smaller size")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    with tempfile.TemporaryDirectory() as folder:
        sizes = (SIZES[0] // 10,) if options.quick else SIZES
        rows = [row for papers in sizes for row in compare(papers, folder)]
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    installed = {"numpy": "numpy", "numba": "numba", "faiss": "faiss-cpu", "umap": "umap-learn"}
    installed |= {"pynndescent": "pynndescent"}
    libraries = [name for module, name in installed.items() if importlib.util.find_spec(module)]
    path = measure.write_results("map", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
