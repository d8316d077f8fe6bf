"""The core: papers that a network is about."""

from __future__ import annotations

import pytest

from citescape.core.errors import ConfigError, StoreError
from citescape.networks.config import NetworkConfig
from citescape.networks.core import read_core
from citescape.store.graph_store import GraphStore
from tests.importance.conftest import insert
from tests.networks.conftest import CORE, OUTSIDE


def test_the_core_is_full_texts_or_all_papers_in_order(toy: GraphStore) -> None:
    assert read_core(toy, "fulltext").to_pylist() == sorted(CORE)
    assert read_core(toy, "all").to_pylist() == sorted(CORE + OUTSIDE)


def test_ids_ascend_by_their_bytes(store: GraphStore) -> None:
    names = ["b", "ä", "Z", "a", "10", "9"]
    insert(store, "Paper", [{"id": name, "fulltext": True} for name in names])
    assert read_core(store, "fulltext").to_pylist() == sorted(names, key=str.encode)


def test_empty_cores_and_unknown_settings_are_refused(store: GraphStore) -> None:
    with pytest.raises(StoreError, match=r"holds no papers for a network; load some with .*ingest"):
        read_core(store, "all")
    insert(store, "Paper", [{"id": "a", "fulltext": False}])
    with pytest.raises(StoreError, match="holds no papers for a network"):
        read_core(store, "fulltext")
    with pytest.raises(ConfigError, match="papers is 'some'; expected one of: all, fulltext"):
        read_core(store, "some")


def test_papers_of_a_span_of_years(store: GraphStore) -> None:
    """Both years of a span are included; a paper without a year is excluded."""
    years = {"a": 2014, "b": 2015, "c": 2019, "d": 2020, "e": None}
    insert(store, "Paper", [{"id": id_, "fulltext": True, "year": at} for id_, at in years.items()])
    for span, expected in {
        "2015-2019": "bc", "2015": "b", "2019-": "cd", "-2015": "ab", "": "abcde",
    }.items():  # fmt: skip
        assert "".join(read_core(store, "fulltext", years=span).to_pylist()) == expected
    with pytest.raises(StoreError, match="holds no papers of 1999; name other years"):
        read_core(store, "fulltext", years="1999")


@pytest.mark.parametrize(
    "years", ["2019-2015", "last year", "--5", "20_18", "2015-2016-2017", "-", "2015 to 2019"]
)
def test_invalid_spans_are_refused(years: str) -> None:
    with pytest.raises(ConfigError, match=f"years is {years!r}; expected a span as 2018"):
        NetworkConfig(years=years)
