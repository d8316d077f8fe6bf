"""Retracted works in search results and around papers."""

from __future__ import annotations

import pyarrow as pa
import pytest

from citescape.explore.config import Filters
from citescape.explore.find import NOTICES, Catalogue
from citescape.explore.neighbourhood import find_neighbourhood
from citescape.explore.steps import Find
from citescape.runs.step import describe
from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

SEED, OTHER, GENOME, METHOD = (
    f"doi:10.1038/{name}.1" for name in ("seed", "other", "genome", "method")
)


@pytest.fixture
def noted(graph: GraphStore) -> GraphStore:
    """The genome paper is retracted in 2018, the year of the seed; the method of 2009 corrected
    by the seed."""
    works = {
        "id": [GENOME, METHOD],
        "notice": ["retracted", "corrected"],
        "notice_date": ["2018", "2018"],
        "notice_year": [2018, 2018],
        "notice_doi": ["10.1038/notice.1", None],
        "notice_source": ["table", "notice"],
    }
    graph.apply([Change("update", "Paper", pa.table(works))])
    schema = TABLE["Notice"].arrow
    empty = {name: pa.array([None], schema.field(name).type) for name in schema.names}
    graph.apply([Change("insert", "Notice", pa.table({**empty, "id": ["n"]}, schema))])
    for name, work in (("CONCERNS", METHOD), ("PUBLISHED_AS", SEED)):
        graph.apply([Change("insert", name, pa.table({"from": ["n"], "to": [work]}))])
    return graph


def test_search_results_carry_the_notice(noted: GraphStore) -> None:
    rows = Catalogue(noted).search("weedy rice", 9)
    notices = {row["id"]: (row["notice"], row["notice_year"]) for row in rows.arrow.to_pylist()}
    assert notices == {GENOME: ("retracted", 2018), SEED: (None, None), OTHER: (None, None)}
    assert "retracted" in str(rows)
    assert "notice" not in str(Catalogue(noted).search("wild", 9))


@pytest.mark.parametrize(
    ("notice", "papers"),
    [
        ("any", [GENOME, METHOD]),
        ("retracted", [GENOME]),
        ("corrected", [METHOD]),
        ("concern", []),
    ],
)
def test_works_with_a_notice_are_found(noted: GraphStore, notice: str, papers: list[str]) -> None:
    found = Catalogue(noted).search("", 9, notice)
    assert (found.arrow["id"].to_pylist(), found.matches) == (papers, len(papers))


def test_every_choice_of_the_step_is_known() -> None:
    (setting,) = (item for item in describe(Find) if item.name == "notice")
    assert [*setting.choices] == ["", *NOTICES]


def test_citations_are_before_or_after_the_notice(noted: GraphStore) -> None:
    """The years are all that is known; the seed is the notice about the method."""
    result = find_neighbourhood(noted, [SEED], Filters(), hops=1, limit=9)
    timing = {(row["citing"], row["cited"]): row["timing"] for row in result.citations.to_pylist()}
    assert timing == {
        (SEED, GENOME): "same",
        (OTHER, GENOME): "after",
        (SEED, METHOD): "notice",
        (OTHER, SEED): None,
    }
    papers = {row["id"]: row for row in result.papers.to_pylist()}
    assert papers[GENOME]["notice"] == "retracted"
    assert papers[GENOME]["notice_doi"] == "10.1038/notice.1"
    assert papers[SEED]["notice"] is None
