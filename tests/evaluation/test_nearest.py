"""Rankings by distance compared with pytrec_eval on runs of the published evaluator."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pytest
import pytrec_eval

from citescape.embeddings.paper_embeddings import PaperEmbeddings
from citescape.evaluation.nearest import measure, rank_nearest
from citescape.metrics.intervals import bootstrap
from citescape.metrics.ranked import Qrels

Judged = dict[str, dict[str, int]]
Vectors = dict[str, list[float]]
Encode = Callable[[Vectors], PaperEmbeddings]


def qrels(judged: Judged) -> Qrels:
    rows = [(q, d, value) for q, found in judged.items() for d, value in found.items()]
    queries, documents, values = zip(*rows, strict=True)
    return Qrels.from_rows(pa.table({"query": queries, "document": documents, "relevance": values}))


def run(judged: Judged, vectors: Vectors, decimals: int | None) -> dict[str, dict[str, float]]:
    """For each query with an embedding: candidates with embeddings, empty embeddings last."""
    found: dict[str, dict[str, float]] = {}
    for query, candidates in judged.items():
        for paper in candidates:
            if vectors.get(query) and paper in vectors:
                apart = np.array(vectors[query]) - np.array(vectors[paper] or math.inf)
                score = -math.sqrt((apart**2).sum())
                rounded = score if decimals is None else float(np.round(score, decimals))
                found.setdefault(query, {})[paper] = rounded
    return found


def example(seed: int) -> tuple[Judged, Vectors]:
    """Vectors on a grid, so that distances tie; some embeddings are missing, some empty."""
    chance = np.random.default_rng(seed)
    papers = [f"p_{number} x" for number in range(60)]
    vectors = {p: (chance.integers(-2, 3, 3) / 4).tolist() for p in papers if chance.random() > 0.1}
    for paper in chance.choice(papers, 4):
        vectors[paper] = []
    judged = {
        query: {p: int(chance.random() < 0.2) for p in chance.choice(papers[12:], 20, False)}
        for query in papers[:12]
    }
    judged[papers[0]] = dict.fromkeys(judged[papers[0]], 0)  # no candidate is relevant
    return judged, vectors


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("decimals", [None, 1, 5])
def test_means_equal_those_of_trec_eval(encode: Encode, seed: int, decimals: int | None) -> None:
    judged, vectors = example(seed)
    listed, written = qrels(judged), run(judged, vectors, decimals)
    theirs = pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg", "P.5"}).evaluate(written)
    nearest = rank_nearest(listed, encode(vectors), decimals=decimals)
    names = {"map": "map", "ndcg": "ndcg", "P_5": "precision@5"}
    for figure in measure("t", nearest, listed, metrics=names):
        own = [theirs[query][figure.metric] for query in sorted(theirs)]
        assert figure.value == pytest.approx(100 * np.mean(own), abs=1e-9)
        assert (figure.used, figure.missing) == (len(theirs), len(judged) - len(theirs))
        assert figure.per_query is not None
        assert figure.per_query.queries.to_pylist() == sorted(theirs)
        assert figure.per_query.values == pytest.approx(own, abs=1e-12)
        left = sum(p not in vectors for query in theirs for p in judged[query])
        assert figure.missing_others == left
        papers = [*judged, *{paper for found in judged.values() for paper in found}]
        assert figure.covered == pytest.approx(np.mean([bool(vectors.get(p)) for p in papers]))


def test_rounded_distances_tie(encode: Encode) -> None:
    vectors = {"q": [0.0], "a": [1.0], "b": [1.0 + 2e-6]}  # a is nearer, b has the greater id
    listed, found = qrels({"q": {"a": 1, "b": 0}}), encode(vectors)
    rounded = measure("t", rank_nearest(listed, found, decimals=5), listed, metrics=["map"])
    assert rounded[0].value == pytest.approx(50)
    exact = measure("t", rank_nearest(listed, found), listed, metrics=["map"])
    assert exact[0].value == pytest.approx(100)


def test_a_metric_has_an_interval(encode: Encode) -> None:
    judged, vectors = example(1)
    listed = qrels(judged)
    (figure,) = measure("t", rank_nearest(listed, encode(vectors)), listed, metrics=["map"])
    assert figure.per_query is not None
    interval = bootstrap(figure.per_query.values, draws=200)
    assert 100 * interval.mean == pytest.approx(figure.value)
    assert interval.low < interval.mean < interval.high


def test_candidates_without_embeddings_are_not_ranked(encode: Encode) -> None:
    listed = qrels({"q": {"a": 1}, "r": {"a": 1}})
    found = encode({"q": [1.0]})  # its candidates have no embedding
    (figure,) = measure("t", rank_nearest(listed, found), listed, metrics=["map"])
    assert math.isnan(figure.value)
    assert (figure.used, figure.missing, figure.missing_others) == (0, 2, 0)
    assert figure.covered == 1 / 3
