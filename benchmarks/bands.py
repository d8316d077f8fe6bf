"""SciNCL triplets from a table of neighbours: kernels of citescape and loops over queries.

    python benchmarks/bands.py            k = 4,000 of 100,000 papers, a minute or two
    python benchmarks/bands.py --quick    a tenth of the queries, results not kept

All peers get the same table of neighbours in memory and return five triplets per query: positives
from ranks 21 to 25, hard negatives from 3,999 and 4,000, easy negatives outside the neighbours.
The search for neighbours is not included (see benchmarks/knn.py).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

PAPERS, FAR, NEAR = 100_000, 4_000, 25
QUERIES = {"citescape": 20_000, "loop": 2_000, "loop, seeded": 100}
NOTES = (
    "`loop` keeps a set of the neighbours of each query and draws from all papers until three "
    "are outside the set. `loop, seeded` does what the authors' program does for each query: it "
    "seeds the generators of Python and numpy again, copies the list of all papers, shuffles it, "
    "and filters it. Both are plain Python written for this comparison. The papers of the bands "
    "are compared with those of the loop."
)
COLUMNS = {
    "peer": "peer",
    "queries": "queries",
    "triplets": "triplets",
    "cpu_seconds": "CPU s",
    "triplets_per_cpu_second": "triplets / CPU s",
    "times_slower": "times slower",
    "extra_mb": "peak MB above inputs",
}
Triplets = list[tuple[int, int, int]]


def make_table(queries: int) -> np.ndarray:
    """Neighbours (queries, k): distinct random papers, none of them the query."""
    table = np.empty((queries, FAR), np.int32)
    for query in range(queries):
        rng = np.random.default_rng([7, query])
        drawn = rng.choice(PAPERS - 1, FAR, replace=False, shuffle=True)
        table[query] = drawn + (drawn >= query)
    return table


def run_citescape(table: np.ndarray) -> np.ndarray:
    """The package's kernels: (queries, 5, 2) positives and negatives."""
    from citescape.sampling import easy, neighbourhood
    from citescape.sampling.config import NeighbourhoodConfig
    from citescape.search.exact import NeighbourBlock

    config = NeighbourhoodConfig(near=NEAR, far=FAR)
    block = NeighbourBlock(0, table, np.zeros(table.shape, np.float32))
    queries = np.arange(len(table), dtype=np.int32)
    none = np.zeros(0, np.int64)
    space = easy.Space(np.zeros((PAPERS, 1), np.float32), (none, none), none)
    links = (np.zeros(PAPERS + 1, np.int64), np.zeros(0, np.int32))
    near, _ = neighbourhood.pick_near(block, queries, config, seed=0)
    hard, _ = neighbourhood.pick_hard(block, queries, config, seed=0)
    drawn = easy.pick_easy(block, queries, config, space=space, links=links, key=(0, near))
    return np.stack([near, np.concatenate([drawn, hard], axis=1)], axis=2)


def run_loop(table: np.ndarray) -> np.ndarray:
    """A loop over queries with a set of neighbours for each."""
    chance, rows = random.Random(0), []
    for query, neighbours in enumerate(table.tolist()):
        known = {query, *neighbours}
        easy: list[int] = []
        while len(easy) < 3:
            paper = chance.randrange(PAPERS)
            if paper not in known and paper not in easy:
                easy.append(paper)
        negatives = easy + neighbours[FAR - 2 : FAR]
        rows.append(list(zip(neighbours[NEAR - 5 : NEAR], negatives, strict=True)))
    return np.array(rows)


def run_seeded(table: np.ndarray) -> np.ndarray:
    """The same in the manner of the authors' program."""
    papers, rows = list(range(PAPERS)), []
    for query, neighbours in enumerate(table.tolist()):
        for _ in range(6):
            random.seed(0)
            np.random.seed(0)
        everything = list(papers)
        random.shuffle(everything)
        known = {query, *neighbours}
        easy = [paper for paper in everything if paper not in known][:3]
        negatives = easy + neighbours[FAR - 2 : FAR]
        rows.append(list(zip(neighbours[NEAR - 5 : NEAR], negatives, strict=True)))
    return np.array(rows)


PEERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "citescape": run_citescape,
    "loop": run_loop,
    "loop, seeded": run_seeded,
}


def child(peer: str, queries: str) -> None:
    """Measures one peer, after a small warm-up."""
    table = make_table(int(queries))
    PEERS[peer](table[:3])
    with measure.metered() as cost:
        found = PEERS[peer](table)
    check(found, table)
    measure.report(cost, queries=len(table), triplets=found.shape[0] * found.shape[1])


def check(found: np.ndarray, table: np.ndarray) -> None:
    """Check that bands are exact and easy negatives are no neighbours."""
    np.testing.assert_array_equal(found[:, :, 0], table[:, NEAR - 5 : NEAR])
    np.testing.assert_array_equal(found[:, 3:, 1], table[:, FAR - 2 : FAR])
    for query in range(0, len(table), max(len(table) // 50, 1)):
        assert not set(found[query, :3, 1].tolist()) & {query, *table[query].tolist()}


def compare(share: float) -> list[dict[str, Any]]:
    """A row per peer."""
    rows = []
    for peer, queries in QUERIES.items():
        row = measure.run_alone(__file__, "--child", peer, max(int(queries * share), 20))
        rate = row["triplets"] / max(row["cpu_seconds"], 1e-3)
        rows.append({"peer": peer, **row, "triplets_per_cpu_second": round(rate)})
    for row in rows:
        slower = rows[0]["triplets_per_cpu_second"] / row["triplets_per_cpu_second"]
        row["times_slower"] = round(slower, 1)
    return rows


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the queries")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(*options.child)
    rows = compare(0.1 if options.quick else 1.0)
    measure.print_table(rows, COLUMNS)
    if options.quick:
        return
    path = measure.write_results(
        "bands", rows, libraries=["numpy", "numba"], notes=NOTES, columns=COLUMNS
    )
    print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
