"""Profiles of all papers from given vectors: citescape, sparse matrices and torch.

    python benchmarks/profiles.py            105,863 and a million papers, minutes, 12 GB
    python benchmarks/profiles.py --quick    10,586 papers, results not kept

Each peer runs in a separate process and gets the same vectors and the same list of citations (cited
paper, citing paper, context).
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from typing import Any

import measure
import numpy as np
import synthetic_library as synthetic

LINKS = {10_586: 17_000, 105_863: 170_000, 1_000_000: 5_000_000}
"""Papers -> citations; the smaller sizes are those of the crops library and a tenth of it."""
ALPHA, BETA, ROUNDS, CHECKED = 0.8, 0.2, 3, 1000
NOTES = (
    "Profiler, Eq. 3, 384 dimensions; 30% of the papers are cited, and a context has two "
    "citations. The vectors of papers and contexts are given. scipy multiplies matrices of "
    "weights by vectors; torch gathers vectors and adds them with index_add_, 100,000 citations "
    "at a time. Both add in single precision, citescape in double precision and in a fixed "
    "order. Times are the best of three rounds. `difference` is the largest difference, over a "
    "thousand cited papers, from sums in double precision, divided by the length of the longest "
    "profile. Published times (Profiler, Table 2; one A100, encoding included): 2.52 minutes for "
    "ACL-200 and 3.10 hours for RefSeer; for HAtten, a learned prefetcher, 56.22 minutes and "
    "99.17 hours, which is 22 and 32 times as long."
)
COLUMNS = {
    "peer": "peer",
    "papers": "papers",
    "links": "citations",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "times": "times citescape, CPU",
    "extra_mb": "peak MB above inputs",
    "error": "difference",
}
Rows = np.ndarray
Given = tuple[Rows, Rows, Any]
"""Vectors of papers and of contexts; `Neighbourhoods`."""


def make_given(papers: int) -> Given:
    """Inputs of all peers."""
    cited_by = synthetic.make_citations(papers, LINKS[papers])
    return (
        synthetic.make_vectors(papers, 1),
        synthetic.make_vectors(LINKS[papers] // 2, 2),
        cited_by,
    )


def weigh(cited_by: Any) -> tuple[Rows, Rows, Rows, Rows]:
    """Cited papers, citing papers, contexts and weights of citations.

    A weight is 1 / |N_in|, divided by the number of contexts of the pair.
    """
    cited, citing = np.repeat(np.arange(len(cited_by)), np.diff(cited_by.indptr)), cited_by.citing
    first = np.append(True, (cited[1:] != cited[:-1]) | (citing[1:] != citing[:-1]))
    times = np.bincount(np.cumsum(first) - 1)[np.cumsum(first) - 1]
    counts = 1 / (times * cited_by.count_citing()[cited])
    return cited, citing, cited_by.contexts, counts.astype(np.float32)


def run_citescape(given: Given, threads: int) -> Rows:
    """The package."""
    from citescape.recommend.profiler import build_profiles

    return build_profiles(*given, threads=threads)


def run_scipy(given: Given, _: int) -> Rows:
    """Two sparse products."""
    from scipy.sparse import csr_array

    base, contexts, cited_by = given
    citing, own, share = weigh(cited_by)[1:]
    shapes = (len(base), len(contexts)), (len(base), len(base))
    found = csr_array((np.float32(ALPHA) * share, own, cited_by.indptr), shape=shapes[0]) @ contexts
    found += csr_array((np.float32(BETA) * share, citing, cited_by.indptr), shape=shapes[1]) @ base
    found += base
    return np.asarray(found)


def run_torch(given: Given, threads: int) -> Rows:
    """index_add_."""
    import torch

    torch.set_num_threads(threads)
    base, contexts = (torch.from_numpy(values) for values in given[:2])
    cited, citing, own, share = (torch.from_numpy(array) for array in weigh(given[2]))
    found = base.clone()
    for first in range(0, len(cited), 100_000):
        part = slice(first, first + 100_000)
        added = ALPHA * contexts[own[part]] + BETA * base[citing[part]]
        found.index_add_(0, cited[part], added * share[part, None])
    return np.asarray(found)


PEERS: dict[str, tuple[str, Callable[[Given, int], Rows], int]] = {
    "citescape": ("citescape", run_citescape, 1),
    "citescape, 2 threads": ("citescape", run_citescape, 2),
    "scipy": ("scipy", run_scipy, 1),
    "torch, 2 threads": ("torch", run_torch, 2),
}


def differ(given: Given, found: Rows) -> float:
    """Difference from sums in double precision, divided by the length of the longest profile."""
    base, contexts, cited_by = given
    share, greatest = weigh(cited_by)[3].astype(np.float64), 0.0
    sizes = np.diff(cited_by.indptr)
    rows = np.flatnonzero(sizes)[:: max(int((sizes > 0).sum()) // CHECKED, 1)]
    for row in rows:
        edges = slice(cited_by.indptr[row], cited_by.indptr[row + 1])
        context_vectors = contexts[cited_by.contexts[edges]].astype(np.float64)
        by = base[cited_by.citing[edges]].astype(np.float64)
        plain = base[row] + share[edges] @ (ALPHA * context_vectors + BETA * by)
        greatest = max(greatest, float(np.abs(found[row] - plain).max()))
    return greatest / float(np.linalg.norm(found[rows], axis=1).max())


def child(peer: str, papers: int) -> None:
    """Measures one peer."""
    given, (_, run, threads) = make_given(papers), PEERS[peer]
    costs = []
    for _ in range(ROUNDS):
        with measure.metered() as cost:
            found = run(given, threads)
        costs.append(cost)
    best = min(costs[1:], key=lambda cost: cost.cpu_seconds)
    measure.report(best, papers=papers, error=f"{differ(given, found):.1g}")


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the papers")
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child[0], int(options.child[1]))
    rows: list[measure.Row] = []
    for papers in list(LINKS)[:1] if options.quick else list(LINKS)[1:]:
        for peer, (library, _, _) in PEERS.items():
            if importlib.util.find_spec(library) is None:
                print(f"{peer}: {library} is not installed, left out")
                continue
            found = measure.run_alone(__file__, "--child", peer, papers)
            rows.append({"peer": peer, "links": LINKS[papers], **found})
            own = next(row for row in rows if row["papers"] == papers)
            rows[-1]["times"] = round(found["cpu_seconds"] / own["cpu_seconds"], 2)
            print({name: rows[-1].get(name) for name in COLUMNS}, flush=True)
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        path = measure.write_results(
            "profiles", rows, libraries=("numpy", "scipy", "torch"), notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
