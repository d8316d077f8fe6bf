"""Prior and derivative works of several seeds: both ranks and their difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.explore.aggregates import rank_down
from citescape.explore.related import RelatedPapers, find_related
from citescape.explore.steps import Related
from citescape.papers.paper_index import PaperIndex
from citescape.papers.reference_files import read_references
from citescape.store.graph_store import GraphStore
from tests.explore.citing import doi, load_citing

COLUMNS = ("id", "seeds", "importance", "rank_importance", "rank_count", "difference")


@pytest.fixture
def citing(store: GraphStore) -> GraphStore:
    """Three seeds that share references."""
    return load_citing(store)


def find(store: GraphStore, text: str, min_seeds: int = 0, limit: int = 50) -> RelatedPapers:
    references = read_references([], {"": text})
    return find_related(store, PaperIndex(store), references, min_seeds=min_seeds, limit=limit)


def rows(works: Any) -> list[tuple[object, ...]]:
    return list(zip(*works.table.select(COLUMNS).to_pydict().values(), strict=True))


SEEDS = "10.1038/s1.1, 10.1038/s2.1 10.1038/s3.1\n10.1038/none.1"


def test_works_of_several_seeds_have_both_ranks(citing: GraphStore) -> None:
    """C: 2.0 + no score; A: .5 + .5; B: 3 x .1. By count B is first, and A and C share 2 and 3.

    Seeds are left out (S1 cites S2), and so are D and Y, which have one seed.
    """
    found = find(citing, SEEDS)
    assert rows(found.prior) == [
        (doi("C"), 2, 2.0, 1, 2.5, 1.5),
        (doi("A"), 2, 1.0, 2, 2.5, 0.5),
        (doi("B"), 3, pytest.approx(0.3), 3, 1, -2),
    ]
    assert rows(found.derivative) == [(doi("X"), 2, 0.5, 1, 1, 0)]
    assert (found.prior.works, found.prior.fewer) == (3, 1)
    assert (found.derivative.works, found.derivative.fewer) == (1, 1)
    assert (found.order, found.unscored, found.min_seeds) == ("importance", 1, 2)
    assert found.prior.table["seed_ids"].to_pylist()[2] == [doi("S1"), doi("S2"), doi("S3")]
    assert found.derivative.table["seed_ids"].to_pylist() == [[doi("S2"), doi("S1")]]


def test_what_is_not_found_is_listed(citing: GraphStore) -> None:
    found = find(citing, SEEDS + "\nWeedy rice in Asia and in Europe")
    assert found.seeds["id"].to_pylist() == [doi("S1"), doi("S2"), doi("S3")]
    assert [(row["key"], row["near"]) for row in found.missing.to_pylist()] == [
        ("10.1038/none.1", []),
        ("Weedy rice in Asia and in Europe", [doi("S1")]),
    ]
    assert "not found: 2" in str(found)


def test_one_seed_has_its_references_by_importance(citing: GraphStore) -> None:
    """The count is 1 for all, so that it does not rank them."""
    found = find(citing, "10.1038/s1.1")
    assert found.min_seeds == 1
    assert rows(found.prior) == [
        (doi("C"), 1, 2.0, 1, None, None),
        (doi("S2"), 1, 1.0, 2, None, None),
        (doi("A"), 1, 0.5, 3, None, None),
        (doi("B"), 1, 0.1, 4, None, None),
    ]
    assert [row[0] for row in rows(found.derivative)] == [doi("Y"), doi("X")]


def test_limit_and_minimum(citing: GraphStore) -> None:
    found = find(citing, SEEDS, min_seeds=3)
    assert [row[0] for row in rows(found.prior)] == [doi("B")]
    assert rows(found.derivative) == []
    cut = find(citing, SEEDS, limit=1)
    assert (len(cut.prior.table), cut.prior.works) == (1, 3)
    assert cut.prior.table["rank_count"].to_pylist() == [2.5]


def test_the_order_of_seeds_does_not_matter(citing: GraphStore) -> None:
    one, other = (find(citing, text) for text in (SEEDS, " ".join(reversed(SEEDS.split()))))
    assert one.prior.table.equals(other.prior.table)
    assert one.derivative.table.equals(other.derivative.table)


def test_without_scores_works_are_ranked_by_count(store: GraphStore) -> None:
    found = find(load_citing(store, scored=False), SEEDS)
    assert rows(found.prior) == [
        (doi("B"), 3, 0, None, 1, None),
        (doi("A"), 2, 0, None, 2.5, None),
        (doi("C"), 2, 0, None, 2.5, None),
    ]
    assert found.order == "count"
    assert "ranked by count; run `platform score`" in str(found)


def test_no_seed_in_the_graph(citing: GraphStore) -> None:
    found = find(citing, "10.1038/none.1")
    assert (len(found.seeds), len(found.missing), found.prior.works) == (0, 1, 0)


def test_nothing_given_is_refused() -> None:
    with pytest.raises(ConfigError, match="found no paper and no file"):
        Related()


@given(st.lists(st.integers(0, 5), max_size=30))
def test_ranks_add_up_and_follow_the_values(values: list[int]) -> None:
    """Sum n (n + 1) / 2; a larger value has a smaller rank; equal values have the same."""
    ranks = rank_down(np.array(values))
    assert ranks.sum() == len(values) * (len(values) + 1) / 2
    for one, its in zip(values, ranks, strict=True):
        smaller = sum(other > one for other in values)
        same = values.count(one)
        assert its == smaller + (same + 1) / 2
