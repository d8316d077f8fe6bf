"""How well a system tells cited papers from candidates chosen to be taken for such."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.errors import SourceError
from citescape.evaluation.mdcr.benchmark import Benchmark, judge, read_fields
from citescape.evaluation.metrics import find_metric
from citescape.evaluation.ranked import rank
from citescape.features.pairs import encode
from citescape.ranking.listed import Floats, Rankings

METRICS = ("map", "ndcg", "recall@5")
ALL = "all"


@dataclass(frozen=True)
class Measured:
    """Figures of one system on one set of candidates, a row a query."""

    fields: list[str]
    """In the order of the benchmark."""
    queries: pa.StringArray
    """(q,) field and query; those with a cited candidate."""
    groups: np.ndarray
    """(q,) position of each query's field."""
    values: dict[str, Floats]
    """(q,) of each metric, 0 to 1."""
    without_score: int
    """Candidates that got no score; they are ranked last."""

    def field_means(self, metric: str) -> Floats:
        """(fields,) NaN for a field without queries."""
        counted = np.bincount(self.groups, minlength=len(self.fields))
        sums = np.bincount(self.groups, self.values[metric], minlength=len(self.fields))
        means: Floats = np.divide(sums, counted, out=np.full(len(sums), np.nan), where=counted > 0)
        return means


def measure(
    benchmark: Benchmark, scored: pa.Table, *, metrics: Sequence[str] = METRICS
) -> Measured:
    """Ranks the candidates of each query by their scores (MDCR, section 4.3).

    A candidate without a score comes after all that have one. A query's figure counts once in the
    mean of its field, and a field once in the mean of all (`intervals.macro_mean`).

    Args:
        benchmark: whose queries without cited candidates are left out.
        scored: `Benchmark.pairs` with `score`, in any order.
        metrics: see `metrics.find_metric`.

    Raises:
        SourceError: no candidate has a score.
        ConfigError: no such metric.
    """
    qrels = judge(scored)
    ranked = rank(Rankings.of(_fill(scored, benchmark.source)), qrels)
    counted = ranked.relevant > 0
    fields = benchmark.fields
    groups = encode(pa.array(read_fields(qrels)), pa.array(fields))
    return Measured(
        fields,
        qrels.queries.filter(pa.array(counted)),
        groups[counted],
        {name: find_metric(name)(ranked)[counted] for name in metrics},
        scored["score"].null_count,
    )


def measure_kinds(benchmark: Benchmark, scored: pa.Table) -> dict[str, Measured]:
    """Figures on all candidates (`all`), and on the cited papers with each kind of the others."""
    found = {ALL: measure(benchmark, scored)}
    names = ["key", "candidate"]
    for kind in benchmark.kinds:
        part = benchmark.only(kind)
        pairs = part.pairs().join(scored.select([*names, "score"]), names, join_type="left outer")
        found[kind] = measure(part, pairs)
    return found


def _fill(scored: pa.Table, source: str) -> pa.Table:
    scores = scored["score"].cast(pa.float64())
    if scores.null_count == len(scores):
        raise SourceError(
            source, "no-scores", f"none of {len(scores):,} candidates has a score; expected some"
        )
    filled = pc.fill_null(scores, -np.inf)
    return pa.table({"query": scored["key"], "document": scored["candidate"], "score": filled})
