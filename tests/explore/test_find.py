"""Search by words and identifiers, and the order of matches."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.explore.find import Catalogue
from citescape.explore.steps import Find
from citescape.runs.context import Context
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
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
    (row,) = Catalogue(graph).search("genome", 1, types=["all"]).arrow.to_pylist()
    received = [cite["importance"] for cite in CITES if cite["to"] == "doi:10.1038/genome.1"]
    assert (row["cited_by"], row["importance"]) == (2, pytest.approx(sum(received)))
    assert row["authors"] == "Li, Olsen, Caicedo et al."


def test_citations_by_research_articles_count_and_others_are_apart(graph: GraphStore) -> None:
    """The seed is cited by a review alone, whose importance does not count."""
    catalogue = Catalogue(graph)
    columns = ("cited_by", "importance", "cited_by_others", "importance_of_others")
    rows = {row["id"]: row for row in catalogue.search("", 9).arrow.to_pylist()}
    assert [rows["doi:10.1038/genome.1"][name] for name in columns] == [1, 1.2, 1, 0.4]
    assert [rows["doi:10.1038/seed.1"][name] for name in columns] == [0, 0.0, 1, 0.9]
    assert [rows["doi:10.1038/other.1"][name] for name in columns] == [0, None, 0, None]
    reviews = catalogue.search("", 9, types=["review"])
    assert reviews.arrow["id"].to_pylist()[:2] == ["doi:10.1038/seed.1", "doi:10.1038/genome.1"]
    found = catalogue.search("weedy", 9)
    assert (found.types, found.counted, found.others) == (("research", "unknown"), 2, 3)
    assert "2 citations by papers of the types research, unknown; 3 by others apart" in str(found)
    assert "others" not in str(catalogue.search("weedy", 9, types=["all"]))
    seed = catalogue.look_up("doi:10.1038/seed.1", "seed", types=["review"]).arrow.to_pylist()[0]
    assert (seed["cited_by"], seed["importance"]) == (1, 0.9)
    with pytest.raises(ConfigError, match=r"no paper has the type 'novel'.*review-article"):
        catalogue.search("", 9, types=["novel"])


def test_a_type_of_papers_without_references_is_known(graph: GraphStore) -> None:
    graph.run("CREATE (:Paper {id: 'doi:10.1038/editorial.1', type: 'editorial'})")
    assert Catalogue(graph).search("", 9, types=["editorial"]).counted == 0
    graph.run("MATCH ()-[c:CITES]->() DELETE c")
    assert Catalogue(graph).search("", 9, types=["review-article"]).counted == 0
    with pytest.raises(ConfigError, match=r"no paper has the type 'novel'.*: editorial, re"):
        Catalogue(graph).search("", 9, types=["novel"])


def test_sums_equal_those_of_the_query_for_the_most_important_works(graph: GraphStore) -> None:
    most = query("explore/most_important")
    rows = graph.read(most, **{**most.defaults, "min_citing": 1}).to_pylist()
    found = {row["id"]: row for row in Catalogue(graph).search("", 9).arrow.to_pylist()}
    names = ("cited_by", "importance", "cited_by_others", "importance_of_others")
    assert len(rows) == 2
    for row in rows:
        assert [found[row["id"]][name] for name in names] == [
            pytest.approx(row[name]) for name in names
        ]


def test_a_search_without_words_is_refused(graph: GraphStore) -> None:
    with pytest.raises(ConfigError, match="nothing to search for"):
        search(graph, " .,- ")


def test_without_words_the_most_important_works_come_first(graph: GraphStore) -> None:
    """Without citations that count, those of others decide."""
    assert search(graph, "")[:3] == [
        "doi:10.1038/genome.1",
        "doi:10.1038/method.1",
        "doi:10.1038/seed.1",
    ]
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
