from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import pytrec_eval

from citescape.core.errors import SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scidocs.evaluate import rank_candidates


def theirs(path: Path, known: dict[str, np.ndarray]) -> dict[str, dict[str, float]]:
    """Metrics of pytrec_eval for a run with scores of 5 decimals."""
    with path.open() as opened:
        qrel = pytrec_eval.parse_qrel(opened)
    lines = [
        f"{q} 0 {p} 1 {np.round(-np.linalg.norm(known[q] - known[p]), 5)} n/a"
        for q, candidates in qrel.items()
        for p in candidates
        if q in known and p in known
    ]
    run = pytrec_eval.parse_run(lines)
    return pytrec_eval.RelevanceEvaluator(qrel, {"map", "ndcg"}).evaluate(run)


@pytest.mark.parametrize("split", ["val", "test"])
@pytest.mark.parametrize("task", ["cite", "cocite", "coread", "coview"])
def test_means_equal_those_of_trec_eval(
    scidocs: Path, encoded: PaperEmbeddings, known: dict[str, np.ndarray], task: str, split: str
) -> None:
    double = {paper: vector.astype(np.float64) for paper, vector in known.items()}
    expected = theirs(scidocs / task / f"{split}.qrel", double)
    found = rank_candidates(scidocs / task, encoded, split=split)
    assert [(figure.task, figure.metric) for figure in found] == [(task, "map"), (task, "ndcg")]
    for figure in found:
        values = [expected[query][figure.metric] for query in sorted(expected)]
        assert figure.value == pytest.approx(100 * np.mean(values), abs=1e-9)
        assert figure.rounded == np.round(100 * np.mean(values), 2)
        assert (figure.used, figure.used + figure.missing) == (len(expected), 12)


def test_empty_judgements_are_refused(tmp_path: Path, encoded: PaperEmbeddings) -> None:
    with pytest.raises(SourceError, match=r"test\.qrel"):
        rank_candidates(tmp_path, encoded, split="test")
    (tmp_path / "test.qrel").write_text("")
    with pytest.raises(SourceError, match="found none"):
        rank_candidates(tmp_path, encoded, split="test")
