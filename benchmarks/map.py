"""Maps of papers: layouts of citescape and umap-learn, from vectors to coordinates.

    python benchmarks/map.py            both sizes, some half an hour
    python benchmarks/map.py --quick    a tenth of the first, results not kept

All peers get the same vectors in memory, 15 neighbours, min_dist .1 and a seed, with which
umap-learn uses one thread. The share of kept neighbours is measured on exact neighbours of the same
10,000 papers; with fewer papers the error is as large as the differences.
"""

from __future__ import annotations

import argparse
import importlib.util
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import measure
import numpy as np
import synthetic

NEIGHBOURS, MIN_DIST, SAMPLE, NEAR = 15, 0.1, 10_000, 10
BLOCK = 1000
"""Number of papers per block of distances to all papers."""
SMALL, LARGE = 20_000, 120_000
SEEDS = 3
"""Kept neighbours are means over these seeds; costs are those of the first."""
ROUNDS = 200
"""Rounds of the optimisation only, like umap-learn with more than 10,000 points."""
NOTES = (
    "Vectors have 32 hidden dimensions, in clusters of about 60 papers, with noise in all 768 "
    "dimensions. `neighbours kept`: of the 10 papers nearest to a paper by vectors, the share "
    "that is among the 10 nearest on the map, for 10,000 papers; mean and range of three seeds. "
    "citescape searches neighbours exactly up to 10,000 papers and above that with a recall of "
    "nine in ten (`ivf`), on two threads, and makes 300 rounds over this number of papers. "
    "`exact neighbours` searches all of them. `given neighbours` takes them from the network of "
    "nearest papers that was clustered, as `platform map` does if there is such a network. "
    "umap-learn runs with its defaults: nearest neighbour descent, a spectral start and 200 "
    "rounds over this number of papers, all on one thread because it is seeded. `optimisation "
    "only` gets the same memberships and the same start, prepared beforehand, and makes 200 "
    "rounds. A warm-up keeps compilation out of the figures."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "kept": "neighbours kept",
    "range": "range of seeds",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "times_umap": "times umap-learn, CPU",
    "extra_mb": "peak MB above vectors",
}
UMAP = "umap-learn"
OPTIMISATION = ", optimisation only"
Rows = np.ndarray


class Peer(NamedTuple):
    """How a library computes a map."""

    library: str
    prepare: Callable[[Rows], Any]
    """Prepares the input from vectors; not measured."""
    run: Callable[[Any, int], Rows]
    """Computes coordinates from the input and a seed."""
    sizes: tuple[int, ...] = (SMALL // 10, SMALL, LARGE)


def make_vectors(papers: int, seed: int = 0) -> Rows:
    """Vectors in clusters of the size of small topics."""
    return synthetic.make_vectors(papers, clusters=max(papers // 60, 1), spread=0.5, seed=seed)


def as_space(values: Rows) -> Any:
    from citescape.mapping.maps.spaces import VectorSpace

    return VectorSpace(synthetic.as_vectors(values))


def as_linked(values: Rows) -> Any:
    """Space with the network of the 20 nearest papers, as built by `platform network build knn`."""
    from citescape.mapping.maps.spaces import VectorSpace
    from citescape.networks.nearest import link_nearest
    from citescape.search.neighbours import find_neighbours

    vectors = synthetic.as_vectors(values)
    network = link_nearest(vectors.ids, find_neighbours(vectors, 20, method="ivf", threads=2))
    return VectorSpace(vectors, lambda: network)


def as_exact(values: Rows) -> Any:
    """Space with exact search of neighbours at any size."""
    from citescape.mapping.maps.nearest import NearestPoints
    from citescape.mapping.maps.spaces import VectorSpace
    from citescape.search.neighbours import find_neighbours

    class Exact(VectorSpace):
        def nearest(self, k: int, *, seed: int) -> NearestPoints:
            found = find_neighbours(self.vectors, k, method="exact", threads=2)
            return NearestPoints(
                found.indices, np.maximum(1.0 - found.scores.astype(np.float64), 0.0)
            )

    return Exact(synthetic.as_vectors(values))


def as_memberships(values: Rows) -> Any:
    """Input of the optimisation."""
    from citescape.mapping.maps.fuzzy import join_nearest
    from citescape.mapping.maps.nearest import search_nearest
    from citescape.mapping.maps.starts import start_from_vectors

    vectors = synthetic.as_vectors(values)
    joined = join_nearest(search_nearest(vectors, NEIGHBOURS - 1))
    return joined, start_from_vectors(vectors)


def run_citescape(space: Any, seed: int) -> Rows:
    """The package's layout."""
    from citescape.mapping.maps.config import LayoutConfig
    from citescape.mapping.maps.layout import place

    positions: Rows = place(space, LayoutConfig(NEIGHBOURS, MIN_DIST, seed=seed)).positions
    return positions


def run_umap(values: Rows, seed: int) -> Rows:
    """umap-learn as it is."""
    import umap

    found: Rows = umap.UMAP(
        n_neighbors=NEIGHBOURS, min_dist=MIN_DIST, metric="cosine", random_state=seed
    ).fit_transform(values)
    return found


def run_optimisation(given: Any, seed: int) -> Rows:
    """The optimisation of the package."""
    from citescape.mapping.maps.optimise import fit_curve, optimise

    found: Rows = optimise(*given, curve=fit_curve(MIN_DIST), epochs=ROUNDS, seed=seed)
    return found


def run_umap_optimisation(given: Any, seed: int) -> Rows:
    """The optimisation of umap-learn, on one thread, which is its default with a seed."""
    from umap.umap_ import simplicial_set_embedding

    from citescape.mapping.maps.optimise import fit_curve

    joined, start = given
    curve, chance = fit_curve(MIN_DIST), np.random.RandomState(seed)
    settings: Any = (2, 1.0, curve.a, curve.b, 1.0, 5, ROUNDS, start.astype(np.float32), chance)
    rest: Any = ("cosine", {}, False, {}, False)
    found: Rows = simplicial_set_embedding(start, joined.copy(), *settings, *rest)[0]
    return found


_LESS = (SMALL // 10, SMALL)
PEERS = {
    UMAP: Peer("umap", lambda values: values, run_umap),
    "citescape": Peer("numba", as_space, run_citescape),
    "citescape, exact neighbours": Peer("numba", as_exact, run_citescape, _LESS),
    "citescape, given neighbours": Peer("numba", as_linked, run_citescape),
    UMAP + OPTIMISATION: Peer("umap", as_memberships, run_umap_optimisation, _LESS),
    "citescape" + OPTIMISATION: Peer("numba", as_memberships, run_optimisation, _LESS),
}


def find_nearest(values: Rows) -> tuple[Rows, Rows]:
    """Rows (q,) of evaluated papers, and (q, 10) their nearest papers."""
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    rows = np.random.default_rng(7).permutation(len(values))[:SAMPLE]
    best = np.empty((len(rows), NEAR), np.int64)
    for first in range(0, len(rows), BLOCK):
        some = rows[first : first + BLOCK]
        scores = units[some] @ units.T
        scores[np.arange(len(some)), some] = -np.inf
        best[first : first + BLOCK] = np.argpartition(-scores, NEAR, axis=1)[:, :NEAR]
    return rows, best


def measure_kept(nearest: tuple[Rows, Rows], positions: Rows) -> float:
    """Share of the nearest papers that are also among the nearest on a map."""
    from scipy.spatial import cKDTree

    rows, best = nearest
    near = np.asarray(cKDTree(positions).query(positions[rows], k=NEAR + 1)[1])
    kept = [len(np.intersect1d(a, b)) / NEAR for a, b in zip(best, near, strict=True)]
    return round(float(np.mean(kept)), 4)


def child(name: str, path: str) -> None:
    """Measures one peer on the vectors at `path`, after a small warm-up."""
    values, peer = np.load(path), PEERS[name]
    for papers in (600, 4200):  # umap-learn uses another algorithm from 4,096
        peer.run(peer.prepare(make_vectors(papers, seed=1)), 0)
    given = peer.prepare(values)
    with measure.metered() as cost:
        found = [peer.run(given, 0)]
    found += [peer.run(given, seed) for seed in range(1, SEEDS)]
    nearest = find_nearest(values)
    kept = [measure_kept(nearest, positions) for positions in found]
    seed_range = f"{min(kept):.3f} to {max(kept):.3f}" if len(kept) > 1 else ""
    measure.report(cost, papers=len(values), kept=float(np.mean(kept)), range=seed_range)


def compare(papers: int, folder: str) -> list[measure.Row]:
    """The peers that are installed, on vectors of one size."""
    path = Path(folder) / "vectors.npy"
    np.save(path, make_vectors(papers))
    rows = []
    for name, peer in PEERS.items():
        if papers not in peer.sizes:
            continue
        if importlib.util.find_spec(peer.library) is None:
            print(f"{name}: {peer.library} is not installed, left out")
            continue
        rows.append({"peer": name, **measure.run_alone(__file__, "--child", name, path)})
        print(rows[-1], flush=True)
    return with_rates(rows)


def with_rates(rows: list[measure.Row]) -> list[measure.Row]:
    """Adds the time relative to umap-learn, also for the optimisation only."""
    spent = {row["peer"]: row["cpu_seconds"] for row in rows}
    for row in rows:
        peer = UMAP + (OPTIMISATION if row["peer"].endswith(OPTIMISATION) else "")
        if peer in spent:
            row["times_umap"] = round(row["cpu_seconds"] / spent[peer], 2)
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the smaller size")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    with tempfile.TemporaryDirectory() as folder:
        sizes = (SMALL // 10,) if options.quick else (SMALL, LARGE)
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
