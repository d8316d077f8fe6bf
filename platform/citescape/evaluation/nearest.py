"""Judged documents of queries ranked by distance: the ranking tasks of published benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from citescape.embeddings.paper_embeddings import PaperEmbeddings, Rows
from citescape.metrics import find_metric
from citescape.metrics.figures import Figure, PerQuery
from citescape.metrics.ranked import Qrels, rank
from citescape.search.listed import Floats, Rankings
from citescape.search.vectors import slices

_PAIRS = 4_096
"""Pairs whose vectors are held at one time."""


@dataclass(frozen=True, eq=False)
class JudgedRankings:
    """Rankings of the judged documents of queries."""

    rankings: Rankings
    left_out: int
    """Judged documents of ranked queries that are in no ranking: they have no vector."""
    covered: float
    """Share of the queries and judged documents that have a vector."""


def rank_nearest(
    qrels: Qrels, embeddings: PaperEmbeddings, *, decimals: int | None = None
) -> JudgedRankings:
    """Scores each judged document by - || query - document ||, the Euclidean distance.

    Args:
        qrels: queries and documents; those without a vector are left out.
        embeddings: vectors of both. A document with an empty embedding has the score -inf: SciDocs'
            evaluator ranks it last, where it leaves out one that has none.
        decimals: to which scores are rounded; None: they are not.
    """
    documents, queries = embeddings.rows(qrels.documents), embeddings.rows(qrels.queries)
    document_rows, query_rows = documents[qrels.codes], queries[qrels.rows]
    empty = embeddings.is_empty(qrels.documents)[qrels.codes]
    kept = np.flatnonzero((query_rows >= 0) & ((document_rows >= 0) | empty))
    scores = np.full(len(kept), -np.inf)
    for part in slices(len(kept), _PAIRS):
        rows = document_rows[kept[part]]
        apart = embeddings.select(query_rows[kept[part]]) - embeddings.select(rows)  # (pairs, d)
        scores[part] = np.where(rows >= 0, -np.linalg.norm(apart, axis=1), -np.inf)
    if decimals is not None:
        scores = scores.round(decimals)
    skipped = np.setdiff1d(np.flatnonzero(query_rows >= 0), kept)
    ranked = np.isin(qrels.rows[skipped], np.unique(qrels.rows[kept]))
    covered = float((np.append(documents, queries) >= 0).mean())
    return JudgedRankings(to_rankings(qrels, kept, scores), int(ranked.sum()), covered)


def to_rankings(qrels: Qrels, kept: Rows, scores: Floats) -> Rankings:
    """Rankings of the judged pairs at the rows `kept` (k,), with scores (k,)."""
    columns = {
        "query": qrels.queries.take(pa.array(qrels.rows[kept])),
        "document": qrels.documents.take(pa.array(qrels.codes[kept])),
        "score": pa.array(scores, pa.float64()),
    }
    return Rankings.from_rows(pa.table(columns))


def measure(
    task: str, nearest: JudgedRankings, qrels: Qrels, *, metrics: Sequence[str] | Mapping[str, str]
) -> list[Figure]:
    """Means over the queries that were ranked, as percentages.

    Args:
        task: its name.
        nearest: rankings.
        qrels: judgements. A ranked query without a relevant document counts, with 0, as it does
            for pytrec_eval.
        metrics: names of ours; or the name to report -> ours.

    Returns:
        A figure a metric, NaN where nothing was ranked.
    """
    names = metrics if isinstance(metrics, Mapping) else {name: name for name in metrics}
    ranked = rank(nearest.rankings, qrels)
    counted = np.flatnonzero(ranked.retrieved > 0)
    queries, figures = ranked.queries.take(pa.array(counted)), []
    for name, ours in names.items():
        values = find_metric(ours)(ranked)[counted]
        figure = Figure(
            task,
            name,
            100 * float(values.mean()) if len(values) else float("nan"),
            used=len(counted),
            missing=len(ranked) - len(counted),
            missing_others=nearest.left_out,
            covered=nearest.covered,
            per_query=PerQuery(queries, values),
        )
        figures.append(figure)
    return figures
