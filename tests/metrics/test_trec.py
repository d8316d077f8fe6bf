"""Metrics of rankings, compared with trec_eval."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
import pytrec_eval
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.metrics import find_metric
from citescape.metrics.ranked import Qrels, rank
from citescape.search.listed import Rankings

THEIRS = {
    "map": "map",
    "ndcg": "ndcg",
    "ndcg@3": "ndcg_cut_3",
    "recall@5": "recall_5",
    "precision@1": "P_1",
    "precision@10": "P_10",
    "mrr": "recip_rank",
    "hit@5": "success_5",
}
MEASURES = {"map", "ndcg", "ndcg_cut.3", "recall.5", "P.1,10", "recip_rank", "success.5"}
Table = dict[str, dict[str, float]]

ids = st.integers(0, 30).map(lambda number: f"d{number}")
scores = st.integers(-4, 4).map(lambda number: number / 4) | st.floats(-1e3, 1e3, width=32)
runs = st.dictionaries(
    st.integers(0, 4).map(str), st.dictionaries(ids, scores, min_size=1), min_size=1
)
# trec_eval may hang on negative relevance
judged = st.dictionaries(
    st.integers(0, 4).map(str),
    st.dictionaries(ids, st.integers(0, 3), min_size=1),
    min_size=1,
)


def table(found: Table, what: str) -> pa.Table:
    rows = [(q, d, value) for q, listed in found.items() for d, value in listed.items()]
    queries, documents, values = zip(*rows, strict=True)
    return pa.table({"query": queries, "document": documents, what: values})


def measure(run: Table, qrels: Table, metric: str) -> dict[str, float]:
    ranked = rank(
        Rankings.from_rows(table(run, "score")), Qrels.from_rows(table(qrels, "relevance"))
    )
    return dict(zip(ranked.queries.to_pylist(), find_metric(metric)(ranked), strict=True))


@settings(max_examples=70, deadline=None)
@given(runs, judged)
def test_metrics_equal_those_of_trec_eval(run: Table, qrels: Table) -> None:
    whole = {q: {d: int(value) for d, value in found.items()} for q, found in qrels.items()}
    theirs = pytrec_eval.RelevanceEvaluator(whole, MEASURES).evaluate(run)
    for own, name in THEIRS.items():
        ours = measure(run, qrels, own)
        assert set(ours) == set(qrels)
        for query, value in ours.items():
            expected = theirs[query][name] if query in theirs else 0.0
            assert value == pytest.approx(expected, abs=1e-12), (own, query)


def test_many_relevant_documents_equal_trec_eval() -> None:
    """More relevant documents than are counted individually."""
    chance = np.random.default_rng(2)
    run = {"q": {f"d{k}": float(chance.integers(50)) for k in range(900)}}
    for many in (3, 450):
        qrels = {"q": {f"d{k}": 1.0 for k in chance.permutation(1000)[:many]}}
        whole = {"q": dict.fromkeys(qrels["q"], 1)}
        theirs = pytrec_eval.RelevanceEvaluator(whole, MEASURES).evaluate(run)["q"]
        for own, name in THEIRS.items():
            assert measure(run, qrels, own)["q"] == pytest.approx(theirs[name], abs=1e-12)
