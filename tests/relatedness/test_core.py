"""Which papers a network is about."""

from __future__ import annotations

import pytest

from citescape.errors import ConfigError, StoreError
from citescape.graph.store import GraphStore
from citescape.relatedness.core import read_core
from tests.features.conftest import insert
from tests.relatedness.conftest import CORE, OUTSIDE


def test_full_texts_or_all_papers_in_order(toy: GraphStore) -> None:
    assert read_core(toy, "fulltext").to_pylist() == sorted(CORE)
    assert read_core(toy, "all").to_pylist() == sorted(CORE + OUTSIDE)


def test_ids_ascend_by_their_bytes(store: GraphStore) -> None:
    names = ["b", "ä", "Z", "a", "10", "9"]
    insert(store, "Paper", [{"id": name, "fulltext": True} for name in names])
    assert read_core(store, "fulltext").to_pylist() == sorted(names, key=str.encode)


def test_no_papers_and_no_such_papers(store: GraphStore) -> None:
    with pytest.raises(StoreError, match=r"holds no papers for a network; load some with .*ingest"):
        read_core(store, "all")
    insert(store, "Paper", [{"id": "a", "fulltext": False}])
    with pytest.raises(StoreError, match="holds no papers for a network"):
        read_core(store, "fulltext")
    with pytest.raises(ConfigError, match="papers is 'some'; expected one of: all, fulltext"):
        read_core(store, "some")
