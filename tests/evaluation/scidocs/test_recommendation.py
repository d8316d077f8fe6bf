from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from citescape.core.errors import ConfigError, SourceError
from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.scidocs.files import Click
from citescape.evaluation.scidocs.recommendation import (
    ClickPairs,
    compute_cosines,
    judge_clicks,
    recommend,
    weight_by_propensity,
)


def test_a_click_by_hand() -> None:
    """One paper is above the clicked paper and one is tied with it: 1.5 papers are ahead."""
    clicks = [Click("q", "b", ("a", "b", "c", "d")), Click("r", "x", ("x",))]
    shown = ClickPairs.from_clicks(clicks)
    assert shown.rows.tolist() == [0, 0, 0, 0, 1]
    assert shown.clicked.tolist() == [1, 4]
    found = judge_clicks(np.array([0.9, 0.5, 0.5, 0.1, 0.0]), shown)
    assert found["ndcg"] == pytest.approx([1 / math.log2(3.5), 1])
    assert found["precision@1"].tolist() == [0, 1]


def test_a_tie_is_not_ranked_first() -> None:
    shown = ClickPairs.from_clicks([Click("q", "a", ("a", "b"))])
    assert judge_clicks(np.array([1.0, 1.0]), shown)["precision@1"].tolist() == [0]


def test_propensities_weight_clicks() -> None:
    clicks = [Click("q", "a", ("a", "b")), Click("q", "b", ("a", "b"))]
    assert weight_by_propensity(clicks, np.array([1.6, 0.4])).tolist() == [1 / 1.6, 1 / 0.4]
    with pytest.raises(SourceError, match="found 1, and a click at position 2"):
        weight_by_propensity(clicks, np.array([1.0]), "test.csv")


def test_ranking_by_cosine(
    scidocs: Path, encoded: PaperEmbeddings, known: dict[str, np.ndarray]
) -> None:
    """Computed click by click like the published evaluator."""
    scores = json.loads((scidocs / "recomm" / "propensity_scores.json").read_text())["scores"]
    sums = {"ndcg": 0.0, "precision@1": 0.0, "weight": 0.0}
    with (scidocs / "recomm" / "test.csv").open() as opened:
        rows = list(csv.reader(opened))[1:]
    for query, clicked, others in rows:
        shown = others.split(",")
        near = {
            p: 1 - cosine(known[query].astype(float), known[p].astype(float))
            if query in known and p in known
            else 0.0
            for p in shown
        }
        rest = [p for p in shown if p != clicked]
        ahead = float(sum(near[p] > near[clicked] for p in rest))
        ahead += 0.5 * sum(near[p] == near[clicked] for p in rest)
        weight = 1 / (scores[shown.index(clicked)] * len(scores) / sum(scores))
        sums["ndcg"] += weight / math.log2(2 + ahead)
        sums["precision@1"] += weight * (ahead == 0)
        sums["weight"] += weight
    found = recommend(scidocs, encoded, split="test")
    for figure in found:
        assert figure.task == "recomm (cosine)"
        assert figure.value == pytest.approx(100 * sums[figure.metric] / sums["weight"])
        assert (figure.used, figure.missing) == (
            40,
            sum(query not in known for query, _, _ in rows),
        )
        assert figure.missing_others == sum(
            p not in known for _, _, o in rows for p in o.split(",")
        )
        papers = [p for q, _, o in rows for p in (q, *o.split(","))]
        assert figure.covered == pytest.approx(np.mean([paper in known for paper in papers]))
        assert figure.per_query is not None
        mean = np.average(figure.per_query.values, weights=figure.per_query.weights)
        assert 100 * mean == pytest.approx(figure.value)


def test_missing_embeddings_have_no_cosine(encoded: PaperEmbeddings) -> None:
    shown = ClickPairs.from_clicks([Click("none", "0000_p", ("0000_p", "none"))])
    assert compute_cosines(shown, encoded).tolist() == [0, 0]


@pytest.mark.parametrize("split", ["val", "test"])
def test_ranking_by_features(scidocs: Path, encoded: PaperEmbeddings, split: str) -> None:
    found = recommend(scidocs, encoded, split=split, ranker="features")
    assert [(figure.task, figure.metric) for figure in found] == [
        ("recomm", "ndcg"),
        ("recomm", "precision@1"),
    ]
    assert 0 < found[1].value < found[0].value < 100
    again = recommend(scidocs, encoded, split=split, ranker="features")
    assert [figure.value for figure in again] == [figure.value for figure in found]


def test_missing_files_are_refused(scidocs: Path, encoded: PaperEmbeddings, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="ranker is 'bm25'; expected one of: cosine, features"):
        recommend(scidocs, encoded, split="test", ranker="bm25")
    with pytest.raises(SourceError, match=r"test\.csv"):
        recommend(tmp_path, encoded, split="test")
    (tmp_path / "recomm").symlink_to(scidocs / "recomm")
    with pytest.raises(SourceError, match=r"paper_metadata_recomm\.json"):
        recommend(tmp_path, encoded, split="test", ranker="features")
