"""Metrics of rankings: citescape and trec_eval (pytrec_eval), from retrieved papers.

    python benchmarks/metrics.py            600 queries of 500 documents, seconds
    python benchmarks/metrics.py --quick    60 queries, results not kept

Both start from arrays of papers and scores for each query, and compute average precision, nDCG,
recall at 30 and 100 and the reciprocal rank of each query. citescape converts arrays to rankings of
ids and compares these with judgements. trec_eval needs dictionaries, whose construction is measured
separately. Judgements are prepared beforehand for both.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import measure
import numpy as np

QUERIES, DEPTH, PAPERS, RELEVANT, REPEATS = 600, 500, 60_000, 29, 7
METRICS = {
    "map": ("map", "map"),
    "ndcg": ("ndcg", "ndcg"),
    "recall@30": ("recall.30,100", "recall_30"),
    "recall@100": ("recall.30,100", "recall_100"),
    "mrr": ("recip_rank", "recip_rank"),
}
"""Metric of citescape -> requested and returned metric of trec_eval."""
OURS, DICTIONARIES = "citescape", "pytrec_eval, dictionaries included"
NOTES = (
    "600 queries, each with a ranking of 500 of 60,000 papers and 29 relevant papers, half of "
    "which are in the ranking. The metrics are average precision, nDCG, recall at 30 and 100, "
    "and reciprocal rank. All peers start from arrays of papers and scores. Times are the "
    "minimum of seven runs. `from rankings` does not count the conversion of arrays to rankings "
    "of ids. The figures of all queries are compared with those of trec_eval."
)
COLUMNS = {
    "peer": "peer",
    "queries": "queries",
    "cpu_ms": "CPU ms",
    "times": "times citescape",
    "difference": "largest difference from trec_eval",
}


def make_case(queries: int) -> tuple[Any, Any, Any]:
    """Retrieved papers, ids of the corpus, and judgements as (query, document) rows."""
    import pyarrow as pa

    from citescape.search.ranker import SearchResult

    chance = np.random.default_rng(0)
    ids = pa.array([f"https://openalex.org/W{3_000_000_000 + 7 * k}" for k in range(PAPERS)])
    queries_ = np.sort(chance.choice(PAPERS, queries, replace=False))
    papers = np.array([chance.choice(PAPERS, DEPTH, replace=False) for _ in queries_], np.int32)
    scores = -np.sort(-chance.random((queries, DEPTH)).astype(np.float32).round(4), axis=1)
    half = RELEVANT // 2
    found = np.array([chance.choice(row, half, replace=False) for row in papers])
    missed = chance.integers(PAPERS, size=(queries, RELEVANT - half))
    both = np.concatenate([found, missed], axis=1)
    pairs = np.unique(queries_.repeat(RELEVANT) * PAPERS + both.ravel())
    return SearchResult(queries_, papers, scores), ids, np.divmod(pairs, PAPERS)


def prepare_ours(case: tuple[Any, Any, Any]) -> dict[str, Callable[[], Any]]:
    """Citescape from arrays and from rankings."""
    import pyarrow as pa

    from citescape.metrics.query_figures import measure_ranked
    from citescape.metrics.ranked import Qrels, rank

    found, ids, (queries, documents) = case
    columns = {"query": ids.take(pa.array(queries)), "document": ids.take(pa.array(documents))}
    qrels = Qrels.from_rows(pa.table({**columns, "relevance": np.ones(len(queries))}))

    def hold(rankings: Any) -> Any:
        ranked = rank(rankings, qrels)
        figures = measure_ranked(
            ranked, list(METRICS), groups=["all"], query_groups=["all"] * len(ranked)
        )
        return figures.queries.to_pylist(), figures.values

    rankings = found.to_rankings(ids)
    return {
        OURS: lambda: hold(found.to_rankings(ids)),
        "citescape, from rankings": lambda: hold(rankings),
    }


def prepare_theirs(case: tuple[Any, Any, Any]) -> dict[str, Callable[[], Any]]:
    """pytrec_eval with and without building dictionaries."""
    import pytrec_eval

    found, ids, (queries, documents) = case
    names = ids.to_pylist()
    qrels: dict[str, dict[str, int]] = {}
    for query, document in zip(queries.tolist(), documents.tolist(), strict=True):
        qrels.setdefault(names[query], {})[names[document]] = 1
    evaluator = pytrec_eval.RelevanceEvaluator(
        qrels, {requested for requested, _ in METRICS.values()}
    )

    def write() -> dict[str, dict[str, float]]:
        rows = zip(found.queries.tolist(), found.papers, found.scores, strict=True)
        return {
            names[query]: dict(
                zip(map(names.__getitem__, papers.tolist()), scores.tolist(), strict=True)
            )
            for query, papers, scores in rows
        }

    run = write()
    return {
        DICTIONARIES: lambda: evaluator.evaluate(write()),
        "pytrec_eval alone": lambda: evaluator.evaluate(run),
    }


def time_least(work: Callable[[], Any]) -> float:
    """CPU milliseconds of the fastest of several runs, after a first run."""
    work()
    costs = []
    for _ in range(REPEATS):
        with measure.metered() as cost:
            work()
        costs.append(cost.cpu_seconds)
    return round(1000 * min(costs), 1)


def child(queries: int) -> None:
    """Measures all peers in one process and compares their metrics."""
    case = make_case(queries)
    works = {**prepare_ours(case), **prepare_theirs(case)}
    theirs = works[DICTIONARIES]()
    names, values = works[OURS]()
    differences = [
        np.abs(values[own] - [theirs[name][answer] for name in names]).max()
        for own, (_, answer) in METRICS.items()
    ]
    costs = {peer: time_least(work) for peer, work in works.items()}
    measure.report(measure.Cost(), costs=costs, difference=float(max(differences)))


def main() -> None:
    """Runs the comparison, prints the table, writes the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the queries")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        return child(options.child)
    queries = QUERIES // 10 if options.quick else QUERIES
    result = measure.run_alone(__file__, "--child", queries)
    own = result["costs"][OURS]
    rows: list[measure.Row] = [
        {"peer": peer, "queries": queries, "cpu_ms": cost, "times": round(cost / own, 2)}
        for peer, cost in result["costs"].items()
    ]
    rows[0]["difference"] = result["difference"]
    measure.print_table(rows, COLUMNS)
    if not options.quick:
        libraries = ["numpy", "numba", "pyarrow", "pytrec-eval-terrier"]
        path = measure.write_results(
            "metrics", rows, libraries=libraries, notes=NOTES, columns=COLUMNS
        )
        print(f"\nwritten to {path}")


if __name__ == "__main__":
    main()
