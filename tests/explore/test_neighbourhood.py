"""Citations around papers: filters, limits, and citations between neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from citescape.core.errors import ConfigError
from citescape.explore.config import Filters
from citescape.explore.neighbourhood import CitationNeighbourhood, find_neighbourhood
from citescape.store.graph_store import GraphStore

SEED, OTHER, GENOME, METHOD, OLD = (
    f"doi:10.1038/{name}.1" for name in ("seed", "other", "genome", "method", "old")
)


def around(
    store: GraphStore, *papers: str, hops: int = 1, limit: int = 300, **filters: Any
) -> CitationNeighbourhood:
    return find_neighbourhood(store, papers or [SEED], Filters(**filters), hops=hops, limit=limit)


def pairs(result: CitationNeighbourhood) -> list[tuple[str, str]]:
    return list(
        zip(*result.citations.select(["citing", "cited"]).to_pydict().values(), strict=True)
    )


def test_the_most_important_citations_come_first(graph: GraphStore) -> None:
    """Citations between neighbours are included: `other` cites the genome too."""
    result = around(graph)
    assert pairs(result) == [(SEED, GENOME), (OTHER, SEED), (OTHER, GENOME), (SEED, METHOD)]
    assert result.papers["id"].to_pylist() == [SEED, GENOME, OTHER, METHOD]
    assert result.papers["hops"].to_pylist() == [0, 1, 1, 1]
    assert (result.neighbours, result.edges) == (3, 3)


def test_the_limit_keeps_the_most_important_papers(graph: GraphStore) -> None:
    result = around(graph, limit=1)
    assert result.papers["id"].to_pylist() == [SEED, GENOME]
    assert result.neighbours == 3
    assert "the 1 most important first" in str(result)


@pytest.mark.parametrize(
    ("filters", "papers"),
    [
        ({"direction": "references"}, {GENOME, METHOD}),
        ({"direction": "citing"}, {OTHER}),
        ({"min_importance": 0.5}, {GENOME, OTHER}),
        ({"facet": "method"}, {METHOD}),
        ({"section": "M"}, {METHOD}),
        ({"self_citations": "only"}, {GENOME}),
        ({"self_citations": "exclude"}, {OTHER, METHOD}),
        ({"years": "2015-"}, {GENOME, OTHER}),
        ({"types": ("review-article",)}, {OTHER}),
        ({"section": "M", "facet": "result"}, set()),
    ],
)
def test_filters(graph: GraphStore, filters: dict[str, Any], papers: set[str]) -> None:
    result = around(graph, **filters)
    assert set(result.papers["id"].to_pylist()) == {SEED, *papers}
    assert result.neighbours == len(papers)


def test_two_hops_reach_the_references_of_citing_papers(graph: GraphStore) -> None:
    result = around(graph, hops=2)
    assert dict(zip(*result.papers.select(["id", "hops"]).to_pydict().values(), strict=True)) == {
        **{SEED: 0, GENOME: 1, OTHER: 1, METHOD: 1},
        OLD: 2,
    }


def test_several_seeds_are_one_network(graph: GraphStore) -> None:
    result = around(graph, "10.1038/seed.1", OTHER)
    assert result.seeds == (SEED, OTHER)
    assert result.papers["id"].to_pylist()[:2] == [SEED, OTHER]
    assert (OTHER, SEED) in pairs(result)


def test_citations_without_a_score_are_last(graph: GraphStore) -> None:
    assert pairs(around(graph, OTHER))[-1] == (OTHER, OLD)


def test_an_unknown_paper_is_refused(graph: GraphStore) -> None:
    with pytest.raises(ConfigError, match=r"no paper '10\.9/none'"):
        around(graph, "10.9/none")
