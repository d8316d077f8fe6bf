"""Evaluation of scores: ranks of cited papers among hard negatives."""

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
    """Adds `score` to pairs; null if the ranker lacks the query, the candidate or the pair.

    Args:
        ranker: ranker of a corpus.
        ids: ids of the whole corpus, from which BM25 takes document frequencies.
        pairs: pairs of `MdcrBenchmark.pairs`.
    """
    rows = [find_rows(pairs[name], ids) for name in ("query", "candidate")]
    known = (rows[0] >= 0) & (rows[1] >= 0)
    known[known] = ~ranker.lacks(rows[0][known]) & ~ranker.lacks(rows[1][known])
    scores = np.full(len(pairs), np.nan)
    scores[known] = ranker.among(np.arange(len(ids))).score(rows[0][known], rows[1][known])
    scores[np.isneginf(scores)] = np.nan  # pairs that a file of rankings does not list
    return pairs.append_column("score", pa.array(scores, from_pandas=True))


def measure(
    benchmark: MdcrBenchmark, scored: pa.Table, *, metrics: Sequence[str] = METRICS
) -> QueryFigures:
    """Ranks the candidates of each query by their scores (MDCR, section 4.3).

    Candidates without a score are ranked last. The mean of a field is over its queries, and the
    total is the mean over fields (`intervals.macro_mean`).

    Args:
        benchmark: the benchmark; its queries without cited candidates are left out.
        scored: pairs of `MdcrBenchmark.pairs` with `score`, in any order.
        metrics: names of metrics, see `metrics.find_metric`.

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
    """Figures on all candidates (`all`), and on cited papers with each kind of negatives."""
    figures = {ALL: measure(benchmark, scored)}
    names = ["key", "candidate"]
    for kind in benchmark.kinds:
        part = benchmark.only(kind)
        pairs = part.pairs().join(scored.select([*names, "score"]), names, join_type="left outer")
        figures[kind] = measure(part, pairs)
    return figures
