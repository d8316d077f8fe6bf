"""Papers that are cited, co-cited, read or viewed together: 5 of 30 candidates of each query."""

from __future__ import annotations

from pathlib import Path

from citescape.embeddings.encoded import Encoded
from citescape.evaluation.nearest import measure, rank_nearest
from citescape.evaluation.scidocs.files import read_qrel
from citescape.metrics.figures import Figure

DECIMALS = 5
"""To which the published evaluator rounds distances before it ranks."""
METRICS = ("map", "ndcg")


def rank_candidates(folder: Path, encoded: Encoded, *, split: str) -> list[Figure]:
    """MAP and nDCG of candidates by falling negative Euclidean distance, rounded to 5 decimals.

    Equal ones stand in descending order of ids, as trec_eval has them. Queries and candidates
    without an embedding are skipped and counted: means are over the queries ranked, but a relevant
    candidate that was skipped counts as not found.

    Args:
        folder: with the split's .qrel; its name is the task's.
        encoded: embeddings.
        split: `val` or `test`.

    Raises:
        SourceError: the file is missing or not what it should be.
    """
    qrels = read_qrel(folder / f"{split}.qrel")
    nearest = rank_nearest(qrels, encoded, decimals=DECIMALS)
    return measure(folder.name, nearest, qrels, metrics=METRICS)
