"""How well a system ranks cited papers above hard negatives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.pairs import find_rows
from citescape.evaluation.mdcr.benchmark import ALL, MdcrBenchmark, judge, read_fields
from citescape.metrics.query_figures import QueryFigures, measure_ranked
from citescape.metrics.ranked import rank
from citescape.search.listed import Rankings
from citescape.search.ranker import Ranker

METRICS = ("map", "ndcg", "recall@5")


def score(ranker: Ranker, ids: pa.StringArray, pairs: pa.Table) -> pa.Table:
    """`MdcrBenchmark.pairs` with `score`, null where the ranker lacks the query, candidate or pair.

    `ids` are those of the ranker's whole corpus: BM25 counts papers with a word in all of it.
    """
    rows = [find_rows(pairs[name], ids) for name in ("query", "candidate")]
    known = (rows[0] >= 0) & (rows[1] >= 0)
    known[known] = ~ranker.lacks(rows[0][known]) & ~ranker.lacks(rows[1][known])
    scores = np.full(len(pairs), np.nan)
    scores[known] = ranker.among(np.arange(len(ids))).score(rows[0][known], rows[1][known])
    scores[np.isneginf(scores)] = np.nan  # what a file of rankings does not list
    return pairs.append_column("score", pa.array(scores, from_pandas=True))


def measure(
    benchmark: MdcrBenchmark, scored: pa.Table, *, metrics: Sequence[str] = METRICS
) -> QueryFigures:
    """Ranks the candidates of each query by their scores (MDCR, section 4.3).

    A candidate without a score comes after all that have one. A query's figure counts once in the
    mean of its field, and a field once in the mean of all (`intervals.macro_mean`).

    Args:
        benchmark: whose queries without cited candidates are left out.
        scored: `MdcrBenchmark.pairs` with `score`, in any order.
        metrics: see `metrics.find_metric`.

    Raises:
        SourceError: no candidate has a score.
        ConfigError: no such metric.
    """
    scores = scored["score"].cast(pa.float64())
    if scores.null_count == len(scores):
        raise SourceError(
            benchmark.source,
            "no-scores",
            f"none of {len(scores):,} candidates has a score; expected some",
        )
    filled = pc.fill_null(scores, -np.inf)
    columns = {"query": scored["key"], "document": scored["candidate"], "score": filled}
    qrels = judge(scored)
    ranked = rank(Rankings.from_rows(pa.table(columns)), qrels)
    return measure_ranked(ranked, metrics, groups=benchmark.fields, query_groups=read_fields(qrels))


def measure_kinds(benchmark: MdcrBenchmark, scored: pa.Table) -> dict[str, QueryFigures]:
    """Figures on all candidates (`all`), and on the cited papers with each kind of the others."""
    found = {ALL: measure(benchmark, scored)}
    names = ["key", "candidate"]
    for kind in benchmark.kinds:
        part = benchmark.only(kind)
        pairs = part.pairs().join(scored.select([*names, "score"]), names, join_type="left outer")
        found[kind] = measure(part, pairs)
    return found
