"""Ranking tasks of published benchmarks: judged documents of queries by distance."""

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
"""Maximum number of pairs whose vectors are in memory."""


@dataclass(frozen=True, eq=False)
class JudgedRankings:
    """Rankings of the judged documents of queries."""

    rankings: Rankings
    left_out: int
    """Number of judged documents of ranked queries without a vector, which are not ranked."""
    covered: float
    """Share of the queries and judged documents that have a vector."""


def rank_nearest(
    qrels: Qrels, embeddings: PaperEmbeddings, *, decimals: int | None = None
) -> JudgedRankings:
    """Scores each judged document by - || query - document ||, the Euclidean distance.

    Args:
        qrels: queries and documents; those without a vector are left out.
        embeddings: vectors of both. As in the evaluator of SciDocs, a document with an empty
            embedding has the score -inf, and one without an embedding is left out.
        decimals: decimals of scores; None to keep all.
    """
    documents, queries = embeddings.rows(qrels.documents), embeddings.rows(qrels.queries)
    document_rows, query_rows = documents[qrels.codes], queries[qrels.rows]
    empty = embeddings.is_empty(qrels.documents)[qrels.codes]
    kept = np.flatnonzero((query_rows >= 0) & ((document_rows >= 0) | empty))
    scores = np.full(len(kept), -np.inf)
    for part in slices(len(kept), _PAIRS):
        rows = document_rows[kept[part]]
        differences = embeddings.select_rows(query_rows[kept[part]]) - embeddings.select_rows(
            rows
        )  # (pairs, d)
        scores[part] = np.where(rows >= 0, -np.linalg.norm(differences, axis=1), -np.inf)
    if decimals is not None:
        scores = scores.round(decimals)
    skipped = np.setdiff1d(np.flatnonzero(query_rows >= 0), kept)
    ranked = np.isin(qrels.rows[skipped], np.unique(qrels.rows[kept]))
    covered = float((np.append(documents, queries) >= 0).mean())
    return JudgedRankings(to_rankings(qrels, kept, scores), int(ranked.sum()), covered)


def to_rankings(qrels: Qrels, kept: Rows, scores: Floats) -> Rankings:
    """Rankings of some of the judged pairs.

    Args:
        qrels: judgements.
        kept: (k,) rows of the pairs to rank.
        scores: (k,) scores of the pairs.
    """
    columns = {
        "query": qrels.queries.take(pa.array(qrels.rows[kept])),
        "document": qrels.documents.take(pa.array(qrels.codes[kept])),
        "score": pa.array(scores, pa.float64()),
    }
    return Rankings.from_rows(pa.table(columns))


def measure(
    task: str, judged: JudgedRankings, qrels: Qrels, *, metrics: Sequence[str] | Mapping[str, str]
) -> list[Figure]:
    """Figures of a task, as percentages: means over the ranked queries.

    Args:
        task: name of the task.
        judged: rankings.
        qrels: judgements. A ranked query without a relevant document counts as 0, as in
            pytrec_eval.
        metrics: names of metrics, see `metrics.find_metric`; or reported name -> name.

    Returns:
        One figure per metric; NaN if no query is ranked.
    """
    names = metrics if isinstance(metrics, Mapping) else {name: name for name in metrics}
    ranked = rank(judged.rankings, qrels)
    counted = np.flatnonzero(ranked.retrieved > 0)
    queries, figures = ranked.queries.take(pa.array(counted)), []
    for name, metric in names.items():
        values = find_metric(metric)(ranked)[counted]
        figure = Figure(
            task,
            name,
            100 * float(values.mean()) if len(values) else float("nan"),
            used=len(counted),
            missing=len(ranked) - len(counted),
            missing_others=judged.left_out,
            covered=judged.covered,
            per_query=PerQuery(queries, values),
        )
        figures.append(figure)
    return figures
