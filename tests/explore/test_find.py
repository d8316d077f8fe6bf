"""Search by words and identifiers, and the order of matches."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.explore.find import Catalogue
from citescape.explore.steps import Find
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore
from tests.explore.conftest import CITES


def search(store: GraphStore, text: str, limit: int = 20) -> list[str]:
    return Catalogue(store).search(text, limit).arrow["id"].to_pylist()


@pytest.mark.parametrize(
    ("text", "papers"),
    [
        ("weedy rice", ["doi:10.1038/genome.1", "doi:10.1038/seed.1", "doi:10.1038/other.1"]),
        ("WEEDY, rice!", ["doi:10.1038/genome.1", "doi:10.1038/seed.1", "doi:10.1038/other.1"]),
        ("ri wee", ["doi:10.1038/genome.1", "doi:10.1038/seed.1", "doi:10.1038/other.1"]),
        ("caicedo 2017", ["doi:10.1038/genome.1"]),
        ("muller", ["doi:10.1038/method.1"]),
        ("Müller", ["doi:10.1038/method.1"]),
        ("nature genetics", ["doi:10.1038/genome.1"]),
        ("edy", []),
        ("1990 crops", ["doi:10.1038/old.1"]),
    ],
)
def test_every_word_begins_a_word_of_the_paper(
    graph: GraphStore, text: str, papers: list[str]
) -> None:
    """Titles with the words in order come first, then the most important works."""
    assert search(graph, text) == papers


def test_matches_beyond_the_limit_are_counted(graph: GraphStore) -> None:
    result = Catalogue(graph).search("rice", 2)
    assert (result.matches, len(result.arrow)) == (3, 2)
    assert "3 papers, the first 2" in str(result)


def test_received_importance_is_the_sum_over_citations(graph: GraphStore) -> None:
    (row,) = Catalogue(graph).search("genome", 1).arrow.to_pylist()
    received = [cite["importance"] for cite in CITES if cite["to"] == "doi:10.1038/genome.1"]
    assert (row["cited_by"], row["importance"]) == (2, pytest.approx(sum(received)))
    assert row["authors"] == "Li, Olsen, Caicedo et al."


def test_a_search_without_words_is_refused(graph: GraphStore) -> None:
    with pytest.raises(ConfigError, match="nothing to search for"):
        search(graph, " .,- ")


def test_without_words_the_most_important_works_come_first(graph: GraphStore) -> None:
    assert search(graph, "")[:2] == ["doi:10.1038/genome.1", "doi:10.1038/seed.1"]
    assert len(search(graph, "")) == 5


def test_an_identifier_finds_its_paper(graph: GraphStore) -> None:
    context = Context.open("unused.lbug")
    context.use(graph)
    for text in ("10.1038/seed.1", "https://doi.org/10.1038/seed.1", "doi:10.1038/seed.1"):
        assert Find((text,)).compute(context).arrow["id"].to_pylist() == ["doi:10.1038/seed.1"]


@pytest.mark.parametrize(
    ("notice", "matches"), [("", 1), ("any", 1), ("retracted", 1), ("corrected", 0), ("concern", 0)]
)
def test_an_identifier_finds_its_paper_only_with_the_notice(
    graph: GraphStore, notice: Any, matches: int
) -> None:
    graph.run("MATCH (p:Paper {id: 'doi:10.1038/seed.1'}) SET p.notice = 'retracted'")
    context = Context.open("unused.lbug")
    context.use(graph)
    found = Find(("10.1038/seed.1",), notice=notice).compute(context)
    assert (found.matches, len(found.arrow)) == (matches, matches)
    assert not Find(("10.1038/other.1",), notice="any").compute(context).matches


def test_papers_of_which_nothing_is_known_do_not_move_the_others(graph: GraphStore) -> None:
    graph.run("CREATE (:Paper {id: 'doi:10.1038/a.0'}), (:Paper {id: 'doi:10.1038/m.0'})")
    assert search(graph, "caicedo 2017") == ["doi:10.1038/genome.1"]
    assert search(graph, "1990 crops") == ["doi:10.1038/old.1"]
    assert len(search(graph, "")) == 7


def test_papers_are_found_as_they_are_after_a_change(graph: GraphStore) -> None:
    context = Context.open("unused.lbug")
    context.use(graph)
    assert Find(("centres",)).compute(context).matches == 0
    graph.run("MATCH (p:Paper {id: 'doi:10.1038/old.1'}) SET p.title = 'Centres of origin'")
    assert Find(("centres",)).compute(context).matches == 1
