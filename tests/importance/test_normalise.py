"""Share and percentile of importance, by the step and by the query library."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.core.errors import ConfigError, StoreError
from citescape.importance.config import Weighting
from citescape.importance.normalise import compute_percentiles, compute_shares, normalise
from citescape.importance.score import score
from citescape.importance.steps import NormaliseImportance
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.state import CLUSTER_RUN, write_meta

scores = st.sampled_from([0.0, 0.1, 0.25, 1.0])
PAIRS = ((0, 3), (0, 4), (1, 3), (1, 4), (1, 5), (2, 3), (2, 5))
MENTIONS = (
    *[((0, 3), t, None) for t in "IDR"],
    ((0, 4), "I", None),
    *[((1, 3), t, None) for t in "DD"],
    ((1, 4), "D", None),
    ((1, 5), "M", None),
    ((2, 3), "M", None),
)


@pytest.fixture
def graph(make_graph: Any) -> Any:
    """Papers 0 and 1 of 2020 in field a, paper 2 of 2020 in field b; paper 2 gives 0 in all."""
    return make_graph(6, PAIRS, MENTIONS)


def load_fields(store: GraphStore, graph: Any) -> None:
    store.write("MATCH (p:Paper) SET p.year = 2020")
    write_meta(store, CLUSTER_RUN, "clusters")
    for level, names in (("macro", "aab"), ("micro", "abc")):
        for name in sorted(set(names)):
            store.write(
                "CREATE (:Community {id: $id, name: $name, level: $level, size: $size, "
                "run: 'clusters'})",
                id=f"{level} {name}",
                name=f"{level}-{name}",
                level=level,
                size=names.count(name),
            )
        for paper, name in enumerate(names):
            store.write(
                "MATCH (p:Paper {id: $paper}), (c:Community {id: $id}) "
                "CREATE (p)-[:IN_COMMUNITY]->(c)",
                paper=graph.id(paper),
                id=f"{level} {name}",
            )


def percentile(x: float, others: list[float]) -> float:
    """100 (#lower + #equal / 2) / #all."""
    return 100 * (sum(y < x for y in others) + sum(y == x for y in others) / 2) / len(others)


@given(st.lists(st.tuples(st.integers(0, 3), scores), min_size=1, max_size=30))
def test_percentiles_and_shares_are_those_of_the_formula(rows: list[tuple[int, float]]) -> None:
    groups = np.array([group for group, _ in rows])
    values = np.array([x for _, x in rows])
    percentiles, compared = compute_percentiles(groups, values)
    shares = compute_shares(groups, values)
    for (group, x), found, size, share in zip(rows, percentiles, compared, shares, strict=True):
        others = [y for other, y in rows if other == group]
        assert found == pytest.approx(percentile(x, others))
        assert size == len(others)
        assert share == pytest.approx(x / sum(others) if sum(others) else math.nan, nan_ok=True)
    for group in set(groups.tolist()):
        assert percentiles[groups == group].mean() == pytest.approx(50)


@pytest.mark.parametrize("level", ["", "micro", "none"])
def test_the_step_equals_the_query(
    level: str, store: GraphStore, load: Any, graph: Any, tmp_path: Path
) -> None:
    load(store, graph)
    if level != "none":
        load_fields(store, graph)
    store.write("MATCH (p:Paper) SET p.year = 2020")
    score(store, runs=tmp_path)
    result = normalise(store, NormaliseImportance(level), runs=tmp_path)
    rows = {(row["citing"], row["cited"]): row for row in result.arrow.to_pylist()}
    assert len(rows) == len(PAIRS)
    fields = {
        "": ["macro-a", "macro-a", "macro-b"],
        "micro": ["micro-a", "micro-b", "micro-c"],
        "none": [None] * 3,
    }[level]
    for paper, field in enumerate(fields):
        listed = query("explore/normalised_importance")
        given = {**listed.defaults, "paper": graph.id(paper), "level": level}
        found = store.read(listed, **given).to_pylist()
        assert len(found) == sum(i == paper for i, _ in PAIRS)
        for row in found:
            own = rows[graph.id(paper), row["id"]]
            assert (own["year"], own["field"]) == (2020, field)
            for name in ("importance", "percentile", "compared"):
                assert own[name] == pytest.approx(row[name])
            assert own["compared"] == sum(fields[i] == field for i, _ in PAIRS)
            assert (own["share"] is None) == (row["share"] is None) == (paper == 2)
            assert own["share"] == (row["share"] and pytest.approx(row["share"]))
    assert normalise(store, NormaliseImportance(level), runs=tmp_path).unchanged


def test_unknown_years_and_fields_are_not_compared(
    store: GraphStore, load: Any, graph: Any, tmp_path: Path
) -> None:
    load(store, graph)
    load_fields(store, graph)
    store.write("MATCH (p:Paper {id: $id}) SET p.year = NULL", id=graph.id(0))
    store.write("MATCH (:Paper {id: $id})-[c:IN_COMMUNITY]->() DELETE c", id=graph.id(1))
    score(store, runs=tmp_path)
    result = normalise(store, NormaliseImportance(), runs=tmp_path)
    listed = query("explore/normalised_importance")
    for row in result.arrow.to_pylist():
        assert (row["percentile"] is None) == (row["citing"] != graph.id(2))
        assert row["compared"] == (2 if row["citing"] == graph.id(2) else 0)
        shown = store.read(listed, **{**listed.defaults, "paper": row["citing"]}).to_pylist()
        (same,) = [other for other in shown if other["id"] == row["cited"]]
        assert (same["percentile"], same["compared"]) == (row["percentile"], row["compared"])
    assert (result.counts["compared"], result.counts["alone"]) == (2, 2)
    assert "2 citations compared with those of the same paper alone" in str(result)


def test_other_years_and_scores_give_another_run(
    store: GraphStore, load: Any, graph: Any, tmp_path: Path
) -> None:
    load(store, graph)
    load_fields(store, graph)
    score(store, runs=tmp_path)
    first = normalise(store, NormaliseImportance(), runs=tmp_path)
    store.write("MATCH (p:Paper {id: $id}) SET p.year = 1999", id=graph.id(0))
    second = normalise(store, NormaliseImportance(), runs=tmp_path)
    assert second.run != first.run
    assert {row["compared"] for row in second.arrow.to_pylist()} == {2, 3}
    score(store, Weighting(weights="uniform"), runs=tmp_path)
    assert normalise(store, NormaliseImportance(), runs=tmp_path).run != second.run


def test_sums_of_shares(store: GraphStore, load: Any, graph: Any, tmp_path: Path) -> None:
    score(load(store, graph), runs=tmp_path)
    result = normalise(store, NormaliseImportance(), runs=tmp_path)
    expected: dict[str, float] = {}
    for row in result.arrow.to_pylist():
        expected[row["cited"]] = expected.get(row["cited"], 0.0) + (row["share"] or 0.0)
    assert sum(expected.values()) == pytest.approx(2)  # paper 2 gives nothing
    listed = query("explore/largest_shares")
    rows = store.read(listed, **listed.defaults).to_pylist()
    assert [row["id"] for row in rows] == [graph.id(3), graph.id(4), graph.id(5)]
    assert [(row["id"], row["cited_by"]) for row in result.counts["works"]] == [
        (row["id"], row["cited_by"]) for row in rows
    ]
    for row in rows:
        assert row["shares"] == pytest.approx(expected[row["id"]])
        assert row["cited_by"] == sum(graph.id(j) == row["id"] for _, j in PAIRS)


def test_what_is_missing(store: GraphStore, load: Any, graph: Any, tmp_path: Path) -> None:
    load(store, graph)
    with pytest.raises(StoreError, match=r"missing or out of date .* run `platform score"):
        normalise(store, NormaliseImportance(), runs=tmp_path)
    score(store, runs=tmp_path)
    with pytest.raises(ConfigError, match="the graph has no communities; find some"):
        normalise(store, NormaliseImportance("macro"), runs=tmp_path)
    load_fields(store, graph)
    with pytest.raises(ConfigError, match=r"level is high; expected macro, micro, none$"):
        normalise(store, NormaliseImportance("high"), runs=tmp_path)
