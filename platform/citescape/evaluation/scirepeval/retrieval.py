"""Proximity and search: candidates by distance; reviewers by what they wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.linear import Matrix
from citescape.evaluation.nearest import JudgedRankings, measure, rank_nearest, to_rankings
from citescape.evaluation.scirepeval.files import read_judged, read_reviewers
from citescape.evaluation.scirepeval.scores import translate
from citescape.evaluation.scirepeval.tasks import SciRepEvalTask
from citescape.metrics.figures import Figure
from citescape.metrics.ranked import Qrels

CLOSEST = 3
"""Papers of a reviewer that count."""


def retrieve(task: SciRepEvalTask, embeddings: PaperEmbeddings) -> list[Figure]:
    """Means over queries of a task whose candidates are papers, or reviewers.

    Papers are ranked by negative Euclidean distance. Queries and candidates without an embedding
    are left out and counted; an empty embedding is none. Of candidates, `missing_others` counts
    those; where they are reviewers, their papers without an embedding, and reviewers without any.

    Args:
        task: of proximity or search.
        embeddings: embeddings of queries and papers.

    Raises:
        ConfigError: no such metric.
        SourceError: a file is missing or not what it should be.
    """
    names = find_names(task)
    qrels = read_judged(task.data)
    if task.reviewers:
        # beside the judgements, where the published evaluator looks; else where the task says
        beside = sorted(task.data.glob("reviewer_metadata.*"))
        written = read_reviewers(beside[0] if beside else task.reviewers)
        nearest = rank_reviewers(qrels, written, embeddings)
    else:
        without = replace(embeddings, empty=pa.array([], pa.string()))
        nearest = rank_nearest(qrels, without)
    return measure(task.name, nearest, qrels, metrics=names)


def find_names(task: SciRepEvalTask) -> dict[str, str]:
    """Name of a metric of the task -> our name.

    Raises:
        ConfigError: there is no such metric.
    """
    return {name: translate(name) for name in task.metrics}


def rank_reviewers(
    qrels: Qrels, written: Mapping[str, Sequence[str]], embeddings: PaperEmbeddings
) -> JudgedRankings:
    """Scores each judged reviewer by the mean of the 3 highest cosines of a paper with theirs.

    Args:
        qrels: of papers and reviewers.
        written: papers of each reviewer; of fewer than 3 the mean is over those there are. One
            that is listed twice counts twice.
        embeddings: embeddings of both kinds of papers.
    """
    reviewers = qrels.documents.to_pylist()
    papers = [list(written.get(reviewer, ())) for reviewer in reviewers]
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
            _normalise(embeddings.select(own[own >= 0]))
            @ _normalise(embeddings.select(query_rows[pairs])).T
        )
        if len(near):
            scores[pairs] = np.sort(near, axis=0)[-CLOSEST:].mean(axis=0)  # (pairs,)
    kept = np.flatnonzero(~np.isnan(scores))
    missing = int((rows < 0).sum()) + sum(not own for own in papers)
    covered = float((np.append(rows, queries) >= 0).mean())
    return JudgedRankings(to_rankings(qrels, kept, scores[kept]), missing, covered)


def _normalise(vectors: Matrix) -> Matrix:
    """(k, d) vectors of length 1; zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    units: Matrix = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return units
