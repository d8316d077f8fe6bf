"""Criteria read from a store, on both engines."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.mapping.communities.criteria import (
    CRITERIA,
    LABELS,
    find_dependence,
    read_criterion,
    weigh_headings,
)
from citescape.networks.build import NetworkRun
from citescape.runs.directory import RunRecord
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from tests.mapping.communities.test_criterion import relatedness, row_normalised, similarities

KEYWORDS = {"a": "rice drought", "b": "rice heat", "c": "heat", "d": "salt", "x": "salt rice"}
HEADINGS = [
    ("a", "Oryza", True, "genetics/growth"),
    ("a", "Plants", False, ""),
    ("b", "Oryza", False, "genetics"),
    ("c", "Zea mays", None, None),
    ("d", "Zea mays", True, ""),
    ("x", "Zea mays", True, ""),
]
IDS = pa.array(list("abcde"))
"""The compared papers; x is not compared."""


def insert(store: GraphStore, name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    schema = TABLE[name].arrow
    full = [{column: row.get(column) for column in schema.names} for row in rows]
    store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])


@pytest.fixture
def held(store: GraphStore) -> GraphStore:
    """Papers a to e and x; e has no attributes."""
    insert(store, "Paper", [{"id": x, "doi": f"10.1000/{x}", "fulltext": True} for x in "abcdex"])
    for label, relation in (("Keyword", "HAS_KEYWORD"), ("Subject", "HAS_SUBJECT")):
        words = sorted({word for own in KEYWORDS.values() for word in own.split()})
        insert(store, label, [{"id": word, "text": word} for word in words])
        ends = [{"from": x, "to": word} for x, own in KEYWORDS.items() for word in own.split()]
        insert(store, relation, ends)
    insert(store, "MeshDescriptor", [{"id": n} for n in ("Oryza", "Plants", "Zea mays")])
    rows = [{"from": p, "to": d, "major": m, "qualifiers": q} for p, d, m, q in HEADINGS]
    insert(store, "HAS_MESH", rows)
    insert(store, "Venue", [{"id": "one"}, {"id": "other"}])
    journals = {"a": "one", "b": "one", "c": "other", "d": "other", "e": "other", "x": "one"}
    insert(store, "PUBLISHED_IN", [{"from": p, "to": v} for p, v in journals.items()])
    return store


@pytest.mark.parametrize("name", ["keywords", "subjects"])
def test_relatedness_by_keywords_and_subjects(held: GraphStore, name: str) -> None:
    """Terms are weighted by information content among the compared papers, without x."""
    found = read_criterion(held, name, IDS)
    terms = {x: dict.fromkeys(KEYWORDS.get(x, "").split(), 1.0) for x in "abcde"}
    np.testing.assert_allclose(relatedness(found), row_normalised(similarities(terms)), atol=1e-12)
    assert found.judged.tolist() == [True, True, True, False, False]
    assert (found.counts["without_criterion"], found.counts["without_relative"]) == (1, 1)
    rice, heat, drought = math.log(4 / 2), math.log(4 / 2), math.log(4 / 1)
    drought_weight = rice**2 / math.hypot(rice, drought) / math.hypot(rice, heat)
    heat_weight = heat**2 / math.hypot(rice, heat) / heat
    assert relatedness(found)[1, 0] == pytest.approx(
        drought_weight / (drought_weight + heat_weight)
    )


def test_relatedness_by_mesh(held: GraphStore) -> None:
    """P1-29: descriptors and qualifiers, information content, major topics twice."""
    found = read_criterion(held, "mesh", IDS)
    terms = {
        "a": {"Oryza": 2.0, "Oryza/genetics": 2.0, "Oryza/growth": 2.0, "Plants": 1.0},
        "b": {"Oryza": 1.0, "Oryza/genetics": 1.0},
        "c": {"Zea mays": 1.0},
        "d": {"Zea mays": 2.0},
        "e": dict[str, float](),
    }
    np.testing.assert_allclose(relatedness(found), row_normalised(similarities(terms)), atol=1e-12)
    assert found.judged.tolist() == [True, True, True, True, False]
    assert found.to_network(0).weights.toarray()[2, 3] == pytest.approx(1.0)


def test_major_topics_have_a_larger_weight() -> None:
    """Of two papers with the same headings, the one with the major topic of a is more related."""
    rows = pa.table(
        {
            "paper": ["a", "a", "b", "b", "c", "c", "d"],
            "term": ["s", "t", "s", "t", "s", "t", "u"],
            "major": [True, False, True, False, False, True, False],
            "qualifiers": pa.array([""] * 7),
        }
    )
    weighed = weigh_headings(rows).to_pylist()
    factors = {(row["paper"], row["term"]): row["factor"] for row in weighed}
    assert [factors["a", "s"], factors["a", "t"], factors["c", "s"]] == [2.0, 1.0, 1.0]
    from citescape.mapping.communities.criterion import build_criterion

    found = relatedness(build_criterion("mesh", pa.array(list("abcd")), weigh_headings(rows)))
    assert found[0, 1] > found[0, 2] > 0


def test_relatedness_by_venue(held: GraphStore) -> None:
    """All papers of a journal are equally related."""
    found = relatedness(read_criterion(held, "venue", IDS))
    other = {i: {j: 1 / 2 for j in (2, 3, 4) if j != i} for i in (2, 3, 4)}
    expected = {0: {1: 1.0}, 1: {0: 1.0}, **other}
    for i in range(5):
        for j in range(5):
            assert found[i, j] == pytest.approx(expected[i].get(j, 0.0))


def test_labels_may_use_any_identifier_and_repeat(held: GraphStore) -> None:
    lines = [("a", "one; two"), ("10.1000/b", "two"), ("doi:10.1000/c", "one;"), ("absent", "one")]
    found = read_criterion(held, LABELS, IDS, labels=[*lines, ("d", "three"), ("a", "two")])
    terms = {"a": {"one": 1.0, "two": 1.0}, "b": {"two": 1.0}, "c": {"one": 1.0}}
    expected = similarities({**terms, "d": {"three": 1.0}, "e": {}}, informative=False)
    np.testing.assert_allclose(relatedness(found), row_normalised(expected), atol=1e-12)
    assert found.counts["labels_without_paper"] == 1
    assert (found.counts["without_criterion"], found.counts["without_relative"]) == (1, 1)


@pytest.mark.parametrize("name", sorted(CRITERIA))
def test_a_missing_criterion_lists_available_criteria(store: GraphStore, name: str) -> None:
    insert(store, "Paper", [{"id": x, "fulltext": True} for x in "abcde"])
    with pytest.raises(ConfigError) as caught:
        read_criterion(store, name, IDS, labels=[("z", "one")])
    assert f"of 5 compared papers of {store.location}, 0 have " in str(caught.value)
    others = ", ".join(other for other in CRITERIA if other not in (name, LABELS))
    assert f"another criterion ({others}) or your own labels" in str(caught.value)


def test_a_term_of_all_papers_is_no_criterion(held: GraphStore) -> None:
    insert(held, "Subject", [{"id": "article"}])
    ids = pa.array(["d", "e"])
    insert(held, "HAS_SUBJECT", [{"from": x.as_py(), "to": "article"} for x in ids])
    with pytest.raises(
        ConfigError, match="2 have subjects given by journals, which relate no papers"
    ):
        read_criterion(held, "subjects", ids)


def test_an_unknown_criterion_lists_known_criteria(store: GraphStore) -> None:
    with pytest.raises(ConfigError, match="'topic'; expected one of: keywords, labels, mesh"):
        read_criterion(store, "topic", IDS)


def built(kind: str, vectors: str = "embed-1") -> NetworkRun:
    record = RunRecord("network-1", "network", {"kind": kind}, {"vectors": vectors})
    return NetworkRun(Path("network-1"), record)


def test_networks_that_depend_on_the_criterion() -> None:
    assert "which bm25 compares" in find_dependence("keywords", built("bm25"))
    assert "an encoder of texts" in find_dependence("keywords", built("knn"))
    assert "SPECTER2" in find_dependence("mesh", built("knn"))
    assert "trained on these labels" in find_dependence(LABELS, built("knn"))
    assert find_dependence("keywords", built("knn", "graph-embed-1")) == ""
    assert find_dependence("keywords", built("coupling")) == ""
    assert find_dependence("venue", built("bm25")) == ""
