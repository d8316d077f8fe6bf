from __future__ import annotations

import random

import pyarrow as pa
import pytest

from citescape.core.errors import SourceError
from citescape.search.listed import Rankings

ROWS = [("q2", "b", 0.5), ("q1", "z", 1.0), ("q2", "a", 0.25), ("q10", "b", -1.0)]


def build(rows: list[tuple[str, str, float]]) -> Rankings:
    queries, documents, scores = zip(*rows, strict=True)
    table = pa.table({"query": queries, "document": documents, "score": scores})
    return Rankings.from_rows(table, source="f.run")


def test_rankings_do_not_depend_on_the_order_of_rows() -> None:
    for seed in range(5):
        found = build(random.Random(seed).sample(ROWS, len(ROWS)))
        assert found.queries.to_pylist() == ["q1", "q10", "q2"]
        assert found.documents.to_pylist() == ["a", "b", "z"]
        assert found.indptr.tolist() == [0, 1, 2, 4]
        assert found.codes.tolist() == [2, 1, 0, 1]
        assert found.values.tolist() == [1.0, -1.0, 0.25, 0.5]
        assert found.rows.tolist() == [0, 1, 2, 2]
        assert len(found) == 4


def test_duplicate_documents_of_a_query_are_refused() -> None:
    with pytest.raises(SourceError, match=r"f.run: 1 of 5 .* more than once: 'z' of query 'q1'"):
        build([*ROWS, ("q1", "z", 0.0)])


def test_nan_scores_are_refused() -> None:
    with pytest.raises(SourceError, match="have no number as score: 'y' of query 'q1'"):
        build([*ROWS, ("q1", "y", float("nan"))])
