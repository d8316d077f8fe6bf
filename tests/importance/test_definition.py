"""The Cypher definition, a plain-Python reference and the bulk kernel are equal for any graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citescape.importance.components import COUNTED
from citescape.importance.read import read_features
from citescape.papers.slices import read_slices
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

Counts = dict[tuple[str, str], dict[str, int]]
per_store = settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def reference_location(graph: Any) -> Counts:
    """f_x = number of mentions of the cited paper in sections of type x of the citing paper."""
    counts = {}
    for pair in graph.pairs:
        own = [(t, c) for p, t, c in graph.mentions if p == pair]
        result = Counter(f"f_{t}" if t in ("I", "M", "R", "D") else "f_other" for t, _ in own)
        joined = sum(t == "R" and c is True for t, c in own)
        row = {name: result[name] for name in COUNTED}
        counts[ends(graph, pair)] = {"mentions": len(own), **row, "f_combined": joined}
    return counts


def reference_shared(graph: Any) -> dict[tuple[str, str], int]:
    """Number of shared authors of pairs that share authors."""
    wrote = {p: {a for a, paper in graph.wrote if paper == p} for p in range(graph.papers)}
    shared = {ends(graph, (i, j)): len(wrote[i] & wrote[j]) for i, j in graph.pairs}
    return {pair: n for pair, n in shared.items() if n}


def ends(graph: Any, pair: tuple[int, int]) -> tuple[str, str]:
    return graph.id(pair[0]), graph.id(pair[1])


def by_pair(tables: list[pa.Table]) -> Counts:
    rows = [row for table in tables for row in table.to_pylist()]
    result = {(row.pop("citing"), row.pop("cited")): row for row in rows}
    assert len(result) == len(rows), "a pair came twice"
    return result


@per_store
@given(data=st.data(), size=st.integers(1, 5))
def test_cypher_and_the_bulk_kernel_equal_the_reference(
    data: st.DataObject,
    size: int,
    small_graphs: Any,
    load: Any,
    fresh_store: Callable[[], GraphStore],
) -> None:
    graph = data.draw(small_graphs)
    store = load(fresh_store(), graph)
    counts, shared = reference_location(graph), reference_shared(graph)
    papers = [graph.id(k) for k in range(graph.papers)]
    result = by_pair([store.read(query("features/location"), papers=papers, rules=False)])
    assert result == counts
    for row in result.values():
        assert row["mentions"] == sum(row[name] for name in COUNTED)
    authors = by_pair([store.read(query("features/self_citation"), papers=papers)])
    assert {pair: row["shared"] for pair, row in authors.items()} == shared

    features = read_features(store, read_slices(store, pairs=size))
    citing, cited = features.pairs.ends(pa.array(range(len(counts))).to_numpy())
    pairs = list(zip(citing.to_pylist(), cited.to_pylist(), strict=True))
    assert pairs == sorted(counts)
    columns = (*COUNTED, "f_combined")
    assert features.counts.tolist() == [[counts[p][c] for c in columns] for p in pairs]
    assert features.selfs.tolist() == [int(p in shared) for p in pairs]
    assert features.strays == 0


def test_the_same_name_is_not_the_same_author(
    store: GraphStore, load: Any, make_graph: Any
) -> None:
    graph = make_graph(2, ((0, 1),), (), ((0, 0), (1, 1)))
    load(store, graph)
    store.write("MATCH (a:Author) SET a.name = 'J. Smith'")
    papers = [graph.id(0), graph.id(1)]
    assert by_pair([store.read(query("features/self_citation"), papers=papers)]) == {}
    assert read_features(store, read_slices(store)).selfs.tolist() == [0]


def test_citations_outside_any_pair_are_counted_as_strays(
    store: GraphStore, load: Any, make_graph: Any
) -> None:
    mentions = (((0, 1), "I", None), ((0, 2), "I", None), ((2, 0), "D", None))
    load(store, make_graph(3, ((0, 1), (2, 1)), mentions))
    features = read_features(store, read_slices(store))
    assert features.strays == 2
    assert features.mentions.tolist() == [1, 0]
