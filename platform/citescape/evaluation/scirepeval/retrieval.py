"""Proximity and search: candidates by distance, reviewers by their papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.linear import Matrix
from citescape.evaluation.nearest import JudgedRankings, measure, rank_nearest, to_rankings
from citescape.evaluation.scirepeval.files import read_judged, read_reviewers
from citescape.evaluation.scirepeval.scores import to_metric_name
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask
from citescape.metrics.figures import Figure
from citescape.metrics.ranked import Qrels

CLOSEST = 3
"""Number of papers of a reviewer that count."""


def retrieve(
    task: SciRepEvalTask, embeddings: PaperEmbeddings, *, split: str = "test"
) -> list[Figure]:
    """Figures of a task with papers or reviewers as candidates: means over queries.

    Papers are ranked by negative Euclidean distance. Queries and candidates without an embedding,
    or with an empty one, are left out and counted. For reviewers, `missing_others` counts their
    papers without an embedding, and reviewers without papers.

    Args:
        task: proximity or search.
        embeddings: embeddings of queries and papers.
        split: part of the data.

    Raises:
        ConfigError: no such metric.
        SourceError: a file is missing or has another format.
    """
    names = find_metric_names(task)
    qrels = read_judged(task.data, split)
    if task.reviewers:
        # the published evaluator first looks beside the judgements
        files = sorted(task.data.glob("reviewer_metadata.*"))
        papers_of = read_reviewers(files[0] if files else task.reviewers)
        rankings = rank_reviewers(qrels, papers_of, embeddings)
    else:
        without = replace(embeddings, empty=pa.array([], pa.string()))
        rankings = rank_nearest(qrels, without)
    return measure(task.name, rankings, qrels, metrics=names)


def find_metric_names(task: SciRepEvalTask) -> dict[str, str]:
    """Metric of the task -> name for `metrics.find_metric`.

    Raises:
        ConfigError: no such metric.
    """
    return {name: to_metric_name(name) for name in task.metrics}


def rank_reviewers(
    qrels: Qrels, papers_of: Mapping[str, Sequence[str]], embeddings: PaperEmbeddings
) -> JudgedRankings:
    """Scores reviewers by the mean of the 3 highest cosines of a query and their papers.

    Args:
        qrels: judgements of papers and reviewers.
        papers_of: reviewer -> papers; with fewer than 3, the mean is over all. Papers listed twice
            count twice.
        embeddings: embeddings of all papers.
    """
    reviewers = qrels.documents.to_pylist()
    papers = [list(papers_of.get(reviewer, ())) for reviewer in reviewers]
    rows = embeddings.rows(pa.array([paper for own in papers for paper in own], pa.string()))
    ends = np.cumsum([0, *map(len, papers)])
    queries = embeddings.rows(qrels.queries)
    query_rows = queries[qrels.rows]
    scores = np.full(len(qrels), np.nan)
    order = np.argsort(qrels.codes, kind="stable")
    starts = np.searchsorted(qrels.codes[order], np.arange(len(reviewers) + 1))
    for code in range(len(reviewers)):
        own = rows[ends[code] : ends[code + 1]]
        pairs = order[starts[code] : starts[code + 1]]
        pairs = pairs[query_rows[pairs] >= 0]
        near = (
            _normalise(embeddings.select_rows(own[own >= 0]))
            @ _normalise(embeddings.select_rows(query_rows[pairs])).T
        )
        if len(near):
            scores[pairs] = np.sort(near, axis=0)[-CLOSEST:].mean(axis=0)  # (pairs,)
    kept = np.flatnonzero(~np.isnan(scores))
    missing = int((rows < 0).sum()) + sum(not own for own in papers)
    covered = float((np.append(rows, queries) >= 0).mean())
    return JudgedRankings(to_rankings(qrels, kept, scores[kept]), missing, covered)


def _normalise(vectors: Matrix) -> Matrix:
    """(k, d) vectors of length 1; zero vectors are unchanged."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Matrix = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units
