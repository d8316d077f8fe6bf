"""Coupling and co-citation, top 20 of each paper or all: citescape, sparse_dot_topn and scipy.

    python benchmarks/shared.py            a million papers, ten million citations; some minutes
    python benchmarks/shared.py --quick    a tenth of it, results not kept

Results must agree: scipy must find the same papers, and sparse_dot_topn, which breaks ties
arbitrarily, the same numbers of common works.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

import measure
import numpy as np
from scipy.sparse import csr_array, csr_matrix, load_npz, save_npz

TOP, EACH = 20, 10
PAPERS = 1_000_000
SKEWS = (2.0, 2.5)
"""The work of rank k is cited in proportion to k^(1/skew - 1): the number of works with d citations
is proportional to d^-3 (Redner 1998) and to d^-2.67."""
Factors = tuple[csr_array, csr_array]
TASKS = ("coupling", "co-citation")
FILES = ("left.npz", "right.npz")
ALL = "coupling, all"
SHARE = 10
"""All entries are computed for a tenth of the papers, so that they fit into memory."""
SAMPLE = 20
"""scipy processes one of so many blocks of rows."""
BLOCK = 1_000
NOTES = (
    "A million papers with ten citations each on average. `most cited` is the in-degree of the "
    "most cited work; no list is cut. Each search returns the top 20 papers by works in common; "
    "ties are broken by the lower id. sparse_dot_topn breaks ties arbitrarily and also returns "
    "the paper itself, so it returns 21. The numbers of works in common must be equal, and for "
    "scipy the papers too. scipy multiplies 1,000 rows at a time and sorts the result, for every "
    "twentieth block: `CPU s` is extrapolated to all blocks, and `peak MB` excludes the result. "
    "One thread each unless the row names two. Inputs are prepared beforehand in the type that "
    "suits each peer (sparse_dot_topn: float32). `entries` counts the directed lists. `coupling, "
    "all` has a hundred thousand papers and all entries, compared with the whole product of "
    "scipy without its diagonal and with sorted rows."
)
COLUMNS = {
    "task": "network",
    "most_cited": "most cited",
    "peer": "peer",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "times_slower": "times slower",
    "extra_mb": "peak MB above inputs",
    "entries": "entries",
}


def make_citations(papers: int, skew: float, seed: int = 0) -> csr_array:
    """(papers, papers) citations as ones; ids do not depend on citation counts."""
    chance = np.random.default_rng(seed)
    edges = papers * EACH
    citing = chance.integers(0, papers, int(edges * 1.15))
    rank = (papers * chance.random(len(citing)) ** skew).astype(np.int64)
    cited = chance.permutation(papers)[rank]
    keys = np.unique((citing * papers + cited)[citing != cited])
    keys = np.sort(chance.choice(keys, min(edges, len(keys)), replace=False))
    starts = np.searchsorted(keys // papers, np.arange(papers + 1)).astype(np.int32)
    ones = np.ones(len(keys), np.int8)
    return csr_array((ones, (keys % papers).astype(np.int32), starts), shape=(papers, papers))


def make_factors(papers: int, skew: float, task: str) -> Factors:
    """Factors A and A', or A' and A."""
    cites = make_citations(papers, skew)
    cited_by = cites.T.tocsr()
    return (cited_by, cites) if task == "co-citation" else (cites, cited_by)


def blocks(papers: int) -> list[tuple[int, int]]:
    """Blocks of rows that scipy processes."""
    return [(first, first + BLOCK) for first in range(0, papers, BLOCK)][::SAMPLE]


def digest(*arrays: np.ndarray) -> str:
    joined = b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)
    return hashlib.sha256(joined).hexdigest()


def numbers(found: csr_array) -> str:
    """Numbers of common works of each row in descending order, for any papers."""
    rows = np.repeat(np.arange(found.shape[0], dtype=np.int64), np.diff(found.indptr))
    values = found.data.astype(np.int64)
    order = np.lexsort((-values, rows))
    return digest(rows[order], values[order])


def sampled(found: csr_array) -> str:
    """Hash of papers and numbers of the rows that scipy processes."""
    return hash_blocks([found[first:last] for first, last in blocks(found.shape[0])])


def hash_blocks(parts: list[csr_array]) -> str:
    """Hash of papers and numbers of some blocks of rows."""
    arrays = [array for part in parts for array in (part.indptr, part.indices, part.data)]
    return digest(*(array.astype(np.int64) for array in arrays))


def run_citescape(factors: Factors, threads: int) -> None:
    """The search of the package."""
    from citescape.networks.products import find_strongest

    small = make_factors(1_000, 2.0, "coupling")
    find_strongest(*small, top=TOP)  # compiled code is loaded
    with measure.metered() as cost:
        found = find_strongest(*factors, top=TOP, threads=threads)
    measure.report(cost, entries=found.nnz, numbers=numbers(found), sampled=sampled(found))


def run_topn(factors: Factors, threads: int) -> None:
    """sparse_dot_topn; the paper itself is removed afterwards, which is not measured."""
    from sparse_dot_topn import sp_matmul_topn

    left, right = (csr_matrix(factor.astype(np.float32)) for factor in factors)
    with measure.metered() as cost:
        found = sp_matmul_topn(left, right, top_n=TOP + 1, n_threads=threads)
    best = without_self(csr_array(found))
    measure.report(cost, entries=best.nnz, numbers=numbers(best))


def without_self(found: csr_array) -> csr_array:
    """The 20 largest values of each row, without the diagonal."""
    rows = np.repeat(np.arange(found.shape[0]), np.diff(found.indptr))
    other = found.indices != rows
    rows, columns, values = rows[other], found.indices[other], found.data[other]
    return best_of(rows, columns, values, shape=found.shape)


def best_of(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray, *, shape: tuple[int, int]
) -> csr_array:
    """The 20 largest values of each row, ties by column, from one sort."""
    order = np.lexsort((columns, -values, rows))
    rows, columns, values = rows[order], columns[order], values[order]
    first = np.searchsorted(rows, np.arange(shape[0]))
    kept = np.arange(len(rows)) - first[rows] < TOP
    best = csr_array((values[kept], (rows[kept], columns[kept])), shape=shape)
    best.sort_indices()
    return best


def run_scipy(factors: Factors, _: int) -> None:
    """Complete products of 1,000 rows at a time, then sorted."""
    left, right = (factor.astype(np.int32) for factor in factors)
    papers, parts = left.shape[0], []
    with measure.metered() as cost:
        for first, last in blocks(papers):
            found = (left[first:last] @ right).tocoo()
            rows, columns = found.coords
            other = columns != rows + first
            shape = (last - first, papers)
            parts.append(best_of(rows[other], columns[other], found.data[other], shape=shape))
    share = papers / (BLOCK * len(parts))
    cost.cpu_seconds = round(cost.cpu_seconds * share, 3)
    cost.wall_seconds = round(cost.wall_seconds * share, 3)
    measure.report(cost, sampled=hash_blocks(parts))


def run_all(factors: Factors, threads: int) -> None:
    """The search of the package for all entries."""
    from citescape.networks.products import find_strongest

    find_strongest(*make_factors(1_000, 2.0, ALL))  # compiled code is loaded
    with measure.metered() as cost:
        found = find_strongest(*factors, threads=threads)
    measure.report(cost, entries=found.nnz, sampled=hash_blocks([found]))


def run_product(factors: Factors, _: int) -> None:
    """The whole product by scipy."""
    left, right = (factor.astype(np.float64) for factor in factors)
    with measure.metered() as cost:
        found = (left @ right).tocsr()
        found.setdiag(0)
        found.eliminate_zeros()
        found.sort_indices()
    measure.report(cost, entries=found.nnz, sampled=hash_blocks([found]))


Peers = dict[str, tuple[Callable[[Factors, int], None], int]]
PEERS: Peers = {
    "citescape": (run_citescape, 1),
    "citescape, 2 threads": (run_citescape, 2),
    "sparse_dot_topn": (run_topn, 1),
    "scipy, block by block": (run_scipy, 1),
}
PEERS_OF_ALL: Peers = {
    "citescape, all": (run_all, 1),
    "citescape, all, 2 threads": (run_all, 2),
    "scipy, all at once": (run_product, 1),
}


def child(peer: str, folder: str) -> None:
    """Measures one peer on the factors in a folder."""
    run, threads = (PEERS | PEERS_OF_ALL)[peer]
    left, right = (csr_array(load_npz(Path(folder) / name)) for name in FILES)
    run((left, right), threads)


def compare(papers: int, skew: float, *, task: str, folder: str) -> list[measure.Row]:
    """A row per peer on one network; their results must agree."""
    factors = make_factors(papers, skew, task)
    for name, factor in zip(FILES, factors, strict=True):
        save_npz(Path(folder) / name, factor, compressed=False)
    degrees = [int(np.diff(factor.indptr).max()) for factor in factors]
    facts = {"task": task, "most_cited": degrees[task != "co-citation"], "papers": papers}
    rows = []
    for peer in PEERS_OF_ALL if task == ALL else PEERS:
        rows.append({**facts, "peer": peer, **measure.run_alone(__file__, "--child", peer, folder)})
        print({name: rows[-1].get(name) for name in COLUMNS}, flush=True)
    own = rows[0]
    for name in ("numbers", "sampled"):
        if len({row[name] for row in rows if name in row}) > 1:
            raise RuntimeError(f"{task}: what was found ({name}) is not the same")
    return [
        row | {"times_slower": round(row["cpu_seconds"] / own["cpu_seconds"], 2)} for row in rows
    ]


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the papers")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    papers, rows = PAPERS // 10 if options.quick else PAPERS, []
    for skew, task in product(SKEWS, TASKS):
        with tempfile.TemporaryDirectory() as folder:
            rows += compare(papers, skew, task=task, folder=folder)
    with tempfile.TemporaryDirectory() as folder:
        rows += compare(papers // SHARE, SKEWS[0], task=ALL, folder=folder)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    libraries = ("numpy", "scipy", "numba", "sparse-dot-topn")
    path = measure.write_results("shared", rows, libraries=libraries, notes=NOTES, columns=COLUMNS)
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
