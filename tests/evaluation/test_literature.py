"""Papers and citations of a store, as the input of benchmarks."""

from __future__ import annotations

import pyarrow as pa

from citescape.evaluation.literature import read_literature
from citescape.store.graph_store import Change, GraphStore
from tests.importance.conftest import insert


def test_types_are_read_and_part_of_the_fingerprint(store: GraphStore) -> None:
    papers = [
        {"id": "a", "title": "A", "year": 2020, "type": "review-article"},
        {"id": "b", "title": "B", "year": 2019},
        {"id": "c", "year": 2019, "type": "editorial"},
    ]
    insert(store, "Paper", papers)
    insert(store, "CITES", [{"from": "a", "to": "b"}, {"from": "c", "to": "b"}])
    literature = read_literature(store)
    assert literature.ids.to_pylist() == ["a", "b"]  # c has no text
    assert literature.types.to_pylist() == ["review-article", ""]
    before = literature.fingerprint()
    store.apply([Change("update", "Paper", pa.table({"id": ["b"], "type": ["editorial"]}))])
    assert read_literature(store).fingerprint() != before
