"""Ranking a pool by vectors: citescape, FAISS, numpy, and the matrix product alone.

    python benchmarks/pool.py            60,000 papers, and a million searched in part; minutes
    python benchmarks/pool.py --quick    6,000 papers, results not kept

All peers get the same vectors of length 1 in memory. For 128 queries outside the pool they return
the 500 papers with the highest cosine, sorted. Each runs five times after a first run; the fastest
run counts, because other work on the machine can only add to it.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from typing import Any

import measure
import numpy as np
import synthetic

K, QUERIES, PAPERS, REPEATS = 500, 128, 60_000, 5
PART = 100_000
LARGE, TEST_QUERIES = 1_000_000, 3800
"""A pool of MDCR and its number of queries; times are extrapolated from 128 queries."""
PRODUCT, OURS, FLAT = "matrix product alone", "citescape", "FAISS Flat"
NOTES = (
    "128 queries, 768 dimensions, the best 500 papers of the pool. Vectors have 32 hidden "
    "dimensions in 200 clusters, as in the benchmark of nearest neighbours, normalised to length "
    "1. Times are the minimum of five runs after a first one. `citescape` searches a prepared "
    "pool, as an index of FAISS is. `pool preparation included` also copies the vectors of the "
    "pool and computes their lengths, which is done once for all queries. numpy runs query by "
    "query: product, argpartition, sort. Memory excludes the vectors and includes the products "
    "of a block. Each peer has two threads, except the product alone: two threads of OpenBLAS "
    "would wait for each other in loops, which costs more. `rate of the product` is the CPU time "
    "of the product over that of the peer. The results are compared with those of numpy. Minutes "
    "are extrapolated from 128 queries by wall time."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "ms_query": "CPU ms per query",
    "rate": "rate of the product",
    "times": "times citescape",
    "extra_mb": "peak MB above vectors",
    "same": "share equal to numpy",
    "minutes": "minutes for 3,800 queries, 2 cores",
}
Rows = np.ndarray


def make_vectors(papers: int) -> tuple[Rows, Rows]:
    """Pool and queries of length 1; a large pool is computed in parts to save memory."""
    pool = np.empty((papers, synthetic.DIMENSIONS), np.float32)
    for first in range(0, papers, PART):
        size = min(PART, papers - first)
        values = synthetic.make_vectors(size + QUERIES, clusters=200, spread=0.7, seed=first)
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        pool[first : first + size] = values[:size]
    return pool, values[size:].copy()


def prepare_product(pool: Rows, queries: Rows) -> Callable[[], Any]:
    """Products of all pairs without selection, on one thread."""
    from citescape.core.cores import plain_blas

    found = np.empty((len(queries), len(pool)), np.float32)

    def multiply() -> Rows:
        with plain_blas():
            return np.matmul(queries, pool.T, out=found)[:0]

    return multiply


def prepare_search(pool: Rows, queries: Rows) -> Callable[[], Any]:
    """The search of the package with a prepared index."""
    from citescape.search import exact

    query_vectors = make_query_vectors(pool, queries)
    search = exact.prepare_search(
        synthetic.as_vectors(pool), query_vectors, K, metric="cosine", threads=2
    )
    return lambda: np.concatenate([block.indices for block in exact.search_blocks(search)])


def prepare_pool(pool: Rows, queries: Rows) -> Callable[[], Any]:
    """The ranker of the package as used in evaluations, including preparation of the pool."""
    from citescape.search.dense import Dense

    both = synthetic.as_vectors(np.concatenate([pool, queries]))
    ranker = Dense("made", both.ids, both, threads=2)
    _ = ranker.places
    rows = np.arange(len(both))
    return lambda: ranker.among(rows[: len(pool)]).search(rows[len(pool) :], K).papers


def make_query_vectors(pool: Rows, queries: Rows) -> Any:
    """Queries as vectors of papers that are not in the pool."""
    import pyarrow as pa

    from citescape.search.vectors import Vectors

    names = synthetic.name_papers(len(pool) + len(queries))[len(pool) :]
    return Vectors(pa.table({"id": names}), queries)


def prepare_flat(pool: Rows, queries: Rows) -> Callable[[], Any]:
    """IndexFlatIP."""
    import faiss

    faiss.omp_set_num_threads(2)
    index = faiss.IndexFlatIP(pool.shape[1])
    index.add(pool)
    return lambda: index.search(queries, K)[1]


def prepare_numpy(pool: Rows, queries: Rows) -> Callable[[], Any]:
    """Query by query."""

    def search() -> Rows:
        found = []
        for query in queries:
            scores = pool @ query
            best = np.argpartition(-scores, K)[:K]
            found.append(best[np.argsort(-scores[best])])
        return np.array(found)

    return search


PEERS: dict[str, tuple[str, Callable[[Rows, Rows], Callable[[], Any]]]] = {
    PRODUCT: ("numpy", prepare_product),
    OURS: ("numba", prepare_search),
    "citescape, pool preparation included": ("numba", prepare_pool),
    FLAT: ("faiss", prepare_flat),
    "numpy per query": ("numpy", prepare_numpy),
}


def child(peer: str, papers: int) -> None:
    """Measures one peer."""
    pool, queries = make_vectors(papers)
    run = PEERS[peer][1](pool, queries)
    costs = []
    with measure.metered() as first:
        found = run()
    for _ in range(REPEATS if papers <= PAPERS else 1):
        with measure.metered() as cost:
            run()
        costs.append(cost)
    best = min(costs, key=lambda cost: cost.cpu_seconds)
    same = None
    if len(found) and papers <= PAPERS:
        plain = prepare_numpy(pool, queries)()
        pairs = zip(found, plain, strict=True)
        same = round(float(np.mean([len(np.intersect1d(*pair)) / K for pair in pairs])), 5)
    per_query = 1000 * best.cpu_seconds / QUERIES
    best.extra_mb = max(first.extra_mb, best.extra_mb)
    measure.report(best, papers=papers, ms_query=round(per_query, 3), same=same)


def with_rates(rows: list[measure.Row]) -> list[measure.Row]:
    """Adds the time relative to the product and to citescape at the same size."""
    cost = {(row["peer"], row["papers"]): row["ms_query"] for row in rows}
    found = []
    for row in rows:
        more = {
            "rate": round(cost[PRODUCT, row["papers"]] / row["ms_query"], 3),
            "times": round(row["ms_query"] / cost[OURS, row["papers"]], 2),
        }
        if (row["peer"], row["papers"]) == (OURS, LARGE):
            more["minutes"] = round(row["wall_seconds"] * TEST_QUERIES / QUERIES / 60, 1)
        found.append(row | more)
    return found


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the pool")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child[0], int(options.child[1]))
    small = PAPERS // 10 if options.quick else PAPERS
    tasks = [(peer, small) for peer in PEERS]
    tasks += [] if options.quick else [(peer, LARGE) for peer in (PRODUCT, OURS)]
    rows = []
    for peer, papers in tasks:
        if importlib.util.find_spec(PEERS[peer][0]) is None:
            print(f"{peer}: {PEERS[peer][0]} is not installed, left out")
            continue
        rows.append({"peer": peer, **measure.run_alone(__file__, "--child", peer, papers)})
        print(rows[-1], flush=True)
    rows = with_rates(rows)
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        libraries = ["numpy", "numba", "faiss-cpu"]
        path = measure.write_results(
            "pool", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
