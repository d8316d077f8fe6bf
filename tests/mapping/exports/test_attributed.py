"""The largest nodes and the strongest edges, against plain Python."""

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
    """By importance, ties to the lower id."""
    ranked = sorted(nodes, key=lambda id_: (-nodes[id_]["importance"], id_.encode()))
    return set(ranked[:count] if count else ranked)


@few
@given(contents(), st.integers(0, 7), st.one_of(st.just(0.0), st.floats(0, 1e10)))
def test_nodes_go_first_then_light_edges(
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
    """The end of an edge that is not this one."""
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


@pytest.mark.parametrize(
    ("columns", "first"),
    [
        ({"importance": [0.1, 0.3, 0.2], "citations": [9, 1, 1]}, "b"),
        ({"citations": [1, None, 5], "size": [9, 9, 1]}, "c"),
        ({"size": [1, 7, 7]}, "b"),
        ({}, "a"),
    ],
)
def test_what_tells_which_are_the_largest(columns: dict[str, list[Any]], first: str) -> None:
    ids, none = pa.array(["a", "b", "c"]), np.array([], int)
    alone = build_network(ids, (none, none), np.array([]))
    nodes = pa.table({"id": ids, "title": ids, **columns})
    found = select(AttributedNetwork(alone, nodes, pa.table({}), "knn"), largest=1)
    assert found.network.ids.to_pylist() == [first]


@pytest.mark.parametrize("wrong", [{"largest": -1}, {"min_weight": -0.5}, {"top": -1},
                                   {"min_weight": float("nan")}])  # fmt: skip
def test_numbers_below_zero(wrong: dict[str, Any]) -> None:
    ids, none = pa.array(["a"]), np.array([], int)
    alone = build_network(ids, (none, none), np.array([]))
    content = AttributedNetwork(alone, pa.table({"id": ids, "title": ids}), pa.table({}), "knn")
    with pytest.raises(ConfigError, match="expected 0 for all"):
        select(content, **wrong)
