"""Matching of references with papers: identifiers, titles, near misses."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from citescape.papers.paper_index import PaperIndex
from citescape.papers.references import ListedReference, ReferenceList
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

FAST = "Fast alignment of short reads"
GL7 = "Copy number variation at the GL7 locus"
WEEDY = "Weedy rice in Asia"
PAPERS: list[dict[str, Any]] = [
    {"id": "doi:10.1038/a1", "doi": "10.1038/a1", "pmid": "11", "title": WEEDY, "year": 2018},
    {"id": "key:b", "title": FAST, "year": 2009, "surnames": ["Müller"]},
    {"id": "key:c", "title": FAST, "year": 2019, "surnames": ["Wu"]},
    {"id": "key:d", "title": "Cloning", "year": 2001, "surnames": ["Green"]},
    {"id": "doi:10.1038/e1", "doi": "10.1038/e1", "pmcid": "PMC5", "title": GL7, "year": 2015},
    {"id": "aan:x1"},
]


@pytest.fixture
def index(store: GraphStore) -> PaperIndex:
    """Six papers, one without any property."""
    schema = TABLE["Paper"].arrow
    rows = [{name: row.get(name) for name in schema.names} for row in PAPERS]
    store.apply([Change("insert", "Paper", pa.Table.from_pylist(rows, schema))])
    return PaperIndex(store)


def match(index: PaperIndex, **fields: Any) -> dict[str, Any]:
    listed = ReferenceList([ListedReference("", 1, "k", **fields)])
    (row,) = index.match(listed.table).to_pylist()
    return dict(row)


@pytest.mark.parametrize(
    ("fields", "paper", "how"),
    [
        ({"doi": "10.1038/a1"}, "doi:10.1038/a1", "doi"),
        ({"pmid": "11", "doi": "10.1038/none1"}, "doi:10.1038/a1", "pmid"),
        ({"pmcid": "PMC5"}, "doi:10.1038/e1", "pmcid"),
        ({"name": "aan:x1"}, "aan:x1", "id"),
        ({"name": "doi:10.1038/e1"}, "doi:10.1038/e1", "doi"),
        ({"title": "WEEDY rice, in Asia.", "year": 2017}, "doi:10.1038/a1", "title"),
        ({"title": "Weedy rice in Asia", "surname": "Li"}, "doi:10.1038/a1", "title"),
        ({"title": "Weedy rice in Asia"}, "doi:10.1038/a1", "title"),
        ({"title": "Weedy rice in Asia", "year": 2015}, None, None),
        ({"title": "Weedy rice in Asia", "doi": "10.1038/other1"}, None, None),
        ({"title": "Fast alignment of short reads", "year": 2010}, "key:b", "title"),
        ({"title": "Fast alignment of short reads", "surname": "Muller"}, "key:b", "title"),
        ({"title": "Fast alignment of short reads"}, None, None),
        ({"title": "Cloning", "year": 2001, "surname": "Green"}, "key:d", "title"),
        ({"title": "Cloning", "year": 2001}, None, None),
        ({}, None, None),
    ],
    ids=str,
)
def test_the_first_that_fits_counts(
    index: PaperIndex, fields: dict[str, Any], paper: str | None, how: str | None
) -> None:
    found = match(index, **fields)
    assert (found["paper"], found["how"]) == (paper, how)


@pytest.mark.parametrize(
    ("title", "near"),
    [
        ("Fast alignment of short reads", ["key:b", "key:c"]),
        ("Copy number variations at the GL7 locus", ["doi:10.1038/e1"]),
        ("Copy number variation GL7", ["doi:10.1038/e1"]),
        ("Cloning", ["key:d"]),
        ("Penguins of the southern seas", []),
    ],
)
def test_near_misses_share_most_words(index: PaperIndex, title: str, near: list[str]) -> None:
    assert match(index, title=title)["near"] == near


def test_agreement_is_the_share_of_common_words(index: PaperIndex) -> None:
    r"""{weedy, rice} of {weedy, rice, in, asia, of, old}: 2 / 6."""
    assert match(index, doi="10.1038/a1", title="Weedy rice of old")["agreement"] == 2 / 6
    assert match(index, doi="10.1038/a1")["agreement"] is None
    assert match(index, name="aan:x1", title="Weedy")["agreement"] is None


def test_no_references_are_no_rows(index: PaperIndex) -> None:
    assert len(index.match(ReferenceList().table)) == 0


def test_a_graph_without_papers_matches_nothing(store: GraphStore) -> None:
    found = match(PaperIndex(store), doi="10.1038/a1", title="Weedy rice in Asia")
    assert (found["paper"], found["near"]) == (None, [])


def test_titles_of_frequent_words_are_near(store: GraphStore) -> None:
    """Each word of the reference is in 80 titles."""
    schema = TABLE["Paper"].arrow
    titles = [
        f"Drought tolerance of pearl millet {chr(97 + k // 26)}{chr(97 + k % 26)}"
        for k in range(80)
    ]
    rows = [{"id": f"key:{k:02}", "title": title} for k, title in enumerate(titles)]
    rows = [{name: row.get(name) for name in schema.names} for row in rows]
    store.apply([Change("insert", "Paper", pa.Table.from_pylist(rows, schema))])
    found = match(PaperIndex(store), title="Pearl millet drought tolerance")
    assert found["near"] == ["key:00", "key:01", "key:02"]
