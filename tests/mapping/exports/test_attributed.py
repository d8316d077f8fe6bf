"""The largest nodes and strongest edges, compared with plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.mapping.exports.attributed import AttributedNetwork, keep_nodes, select
from citescape.networks.network import build_network
from tests.mapping.exports.contents import contents, edges_of, few, rows_of


def largest(nodes: dict[str, dict[str, Any]], count: int) -> set[str]:
    """Largest nodes by importance; ties go to the lower id."""
    ranked = sorted(nodes, key=lambda id_: (-nodes[id_]["importance"], id_.encode()))
    return set(ranked[:count] if count else ranked)


@few
@given(contents(), st.integers(0, 7), st.one_of(st.just(0.0), st.floats(0, 1e10)))
def test_largest_nodes_and_edges_above_a_weight(
    content: AttributedNetwork, count: int, least: float
) -> None:
    found = select(content, largest=count, min_weight=least)
    kept = largest(rows_of(content), count)
    assert set(rows_of(found)) == kept
    assert rows_of(found) == {id_: row for id_, row in rows_of(content).items() if id_ in kept}
    expected = {
        pair: edge
        for pair, edge in edges_of(content).items()
        if set(pair) <= kept and float(str(edge["weight"])) >= least
    }
    assert edges_of(found) == expected
    assert found.membership
    assert len(found.membership.labels) == len(kept)


def other(pair: tuple[str, str], id_: str) -> bytes:
    """The other end of an edge."""
    return next(end.encode() for end in pair if end != id_)


@few
@given(contents(), st.integers(1, 3))
def test_strongest_edges(content: AttributedNetwork, top: int) -> None:
    edges, kept = edges_of(content), set()
    for id_ in content.network.ids.to_pylist():
        own = [pair for pair in edges if id_ in pair]
        ranked = sorted(
            own, key=lambda pair: (-float(str(edges[pair]["weight"])), other(pair, id_))
        )
        kept |= set(ranked[:top])
    assert edges_of(select(content, top=top)) == {p: e for p, e in edges.items() if p in kept}


@few
@given(contents(), st.data())
def test_kept_nodes_keep_their_rows(content: AttributedNetwork, data: st.DataObject) -> None:
    keep = np.array([data.draw(st.booleans()) for _ in range(len(content.network))], np.bool_)
    found = keep_nodes(content, keep)
    ids = set(content.network.ids.filter(pa.array(keep)).to_pylist())
    assert rows_of(found) == {id_: row for id_, row in rows_of(content).items() if id_ in ids}
    assert edges_of(found) == {p: e for p, e in edges_of(content).items() if set(p) <= ids}
    assert found.membership
    assert content.membership
    assert found.membership.labels.tolist() == content.membership.labels[keep].tolist()


def ranked_by_weight(content: AttributedNetwork) -> list[str]:
    """Nodes with the highest sum of weights first; ties go to the lower id."""
    sums = dict(
        zip(content.network.ids.to_pylist(), content.network.strengths.tolist(), strict=True)
    )
    return sorted(sums, key=lambda id_: (-sums[id_], id_.encode()))


@few
@given(contents(), st.integers(1, 6))
def test_largest_nodes_by_weight(content: AttributedNetwork, count: int) -> None:
    found = select(content, largest=count, by_weight=True)
    assert set(rows_of(found)) == set(ranked_by_weight(content)[:count])


@few
@given(contents(), st.integers(2, 6))
def test_linked_nodes_are_ranked_by_weight_and_keep_an_edge(
    content: AttributedNetwork, count: int
) -> None:
    """Nodes are added by rank; those with an edge to added nodes are counted."""
    order, edges = ranked_by_weight(content), edges_of(content)
    expected: set[str] = set()
    for joined in range(len(order) + 1):
        pairs = [pair for pair in edges if set(pair) <= set(order[:joined])]
        linked = {id_ for pair in pairs for id_ in pair}
        if len(linked) > count:
            break
        expected = linked
    found = select(content, largest=count, linked=True, by_weight=True)
    chosen = set(rows_of(found))
    assert expected <= chosen
    assert len(chosen) <= count
    assert chosen == expected or len(chosen) >= count - 1
    assert (found.network.degrees > 0).all()


def test_linked_papers_include_citing_papers() -> None:
    """Ten most cited papers, each cited by papers that are not cited."""
    ids = pa.array([f"p{k:02d}" for k in range(20)])
    tied = build_network(ids, (np.arange(10), np.arange(10, 20)), np.linspace(9, 1, 10))
    nodes = pa.table({"id": ids, "title": ids, "importance": [9.0] * 10 + [0.0] * 10})
    content = AttributedNetwork(tied, nodes, pa.table({}), "method")
    for by_weight in (False, True):
        found = select(content, largest=6, linked=True, by_weight=by_weight)
        assert found.network.ids.to_pylist() == ["p00", "p01", "p02", "p10", "p11", "p12"]


def test_weak_edges_are_removed_before_nodes_are_ranked() -> None:
    ids = pa.array(["a", "b", "c", "d"])
    tied = build_network(ids, (np.array([0, 0, 2]), np.array([1, 2, 3])), np.array([1, 1, 1.5]))
    content = AttributedNetwork(tied, pa.table({"id": ids, "title": ids}), pa.table({}), "method")
    found = select(content, largest=2, min_weight=1.2, linked=True, by_weight=True)
    assert found.network.ids.to_pylist() == ["c", "d"]


@pytest.mark.parametrize(
    ("columns", "first"),
    [
        ({"importance": [0.1, 0.3, 0.2], "citations": [9, 1, 1]}, "b"),
        ({"citations": [1, None, 5], "size": [9, 9, 1]}, "c"),
        ({"size": [1, 7, 7]}, "b"),
        ({}, "a"),
    ],
)
def test_nodes_are_ranked_by_the_first_available_column(
    columns: dict[str, list[Any]], first: str
) -> None:
    ids, none = pa.array(["a", "b", "c"]), np.array([], int)
    alone = build_network(ids, (none, none), np.array([]))
    nodes = pa.table({"id": ids, "title": ids, **columns})
    found = select(AttributedNetwork(alone, nodes, pa.table({}), "knn"), largest=1)
    assert found.network.ids.to_pylist() == [first]


@pytest.mark.parametrize("wrong", [{"largest": -1}, {"min_weight": -0.5}, {"top": -1},
                                   {"min_weight": float("nan")}])  # fmt: skip
def test_negative_numbers_are_refused(wrong: dict[str, Any]) -> None:
    ids, none = pa.array(["a"]), np.array([], int)
    alone = build_network(ids, (none, none), np.array([]))
    content = AttributedNetwork(alone, pa.table({"id": ids, "title": ids}), pa.table({}), "knn")
    with pytest.raises(ConfigError, match="expected 0 for all"):
        select(content, **wrong)
