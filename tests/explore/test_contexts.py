"""Sentences that cite a work: order, filters, limit."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.explore.config import CitationFilters
from citescape.explore.contexts import CitingSentences, find_contexts
from citescape.store.graph_store import GraphStore
from tests.explore.citing import doi, load_citing


def find(store: GraphStore, limit: int = 20, **filters: Any) -> CitingSentences:
    return find_contexts(store, doi("B"), CitationFilters(**filters), limit=limit)


@pytest.fixture
def citing(store: GraphStore) -> GraphStore:
    """Three papers cite B in four sentences."""
    return load_citing(store)


def test_sentences_have_section_intents_and_paper(citing: GraphStore) -> None:
    """Equal importance: by citing paper, then by place in its text."""
    found = find(citing)
    assert (found.sentences, found.unfiltered, found.papers) == (4, 4, 3)
    rows = found.arrow.to_pylist()
    assert [row["context"] for row in rows] == [
        "Reads were aligned with B.",
        "Reads are short.",
        "We aligned reads [2].",
        "Few reads were aligned.",
    ]
    assert rows[2] == {
        "citing": doi("S2"),
        "title": "Weedy rice in Africa",
        "year": 2001,
        "paper_type": None,
        "importance": 0.1,
        "self": 0,
        "type": "M",
        "section": "Part M",
        "ordinal": 2,
        "position": None,
        "intents": ["method", "result"],
        "context": "We aligned reads [2].",
    }


@pytest.mark.parametrize(
    ("filters", "places"),
    [
        ({"section": "M"}, [0, 2]),
        ({"facet": "method"}, [0, 2]),
        ({"facet": "result"}, [2]),
        ({"section": "I", "facet": "method"}, []),
        ({"self_citations": "only"}, [3]),
        ({"self_citations": "exclude"}, [0, 1, 2]),
        ({"years": "2001-"}, [2, 3]),
        ({"min_importance": 0.2}, []),
        ({"types": ("review",)}, []),
    ],
    ids=str,
)
def test_filters_are_those_of_the_sentence(
    citing: GraphStore, filters: dict[str, Any], places: list[int]
) -> None:
    found = find(citing, **filters)
    assert sorted(found.arrow["ordinal"].to_pylist()) == places
    assert (found.sentences, found.unfiltered) == (len(places), 4)


def test_the_limit_is_said(citing: GraphStore) -> None:
    found = find(citing, limit=1)
    assert (len(found.arrow), found.sentences) == (1, 4)
    assert "4 sentences of 3 papers; the 1 most important first" in str(found)


def test_a_work_without_sentences(citing: GraphStore) -> None:
    found = find_contexts(citing, doi("A"), CitationFilters(), limit=5)
    assert (found.sentences, found.unfiltered, len(found.arrow)) == (0, 0, 0)


def test_an_unknown_paper_is_refused(citing: GraphStore) -> None:
    with pytest.raises(ConfigError, match="no paper"):
        find_contexts(citing, "10.9999/none1", CitationFilters(), limit=5)
