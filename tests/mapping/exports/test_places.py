"""Coordinates to scale, sizes by area, and stable colours."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from citescape.mapping.exports.places import (
    choose_colours,
    compute_sizes,
    find_placed,
    find_places,
    scale_places,
)

coordinates = st.lists(
    st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), min_size=1, max_size=8
)


@given(coordinates, st.integers(1, 1000))
@example([(0.0, 0.0), (0.0, 5e-324)], 1)
@example([(0.0, 0.0), (0.0, 2e-311)], 1000)
def test_coordinates_keep_their_proportions(points: list[tuple[float, float]], side: int) -> None:
    x, y = np.array(points).T
    placed = scale_places(pa.table({"x": x, "y": y}), side)
    assert placed
    extents = [float(np.ptp(x)), float(np.ptp(y))]
    longest = max(extents)
    assert max(map(np.ptp, placed)) == pytest.approx(side if longest else 0, abs=1e-6)
    for own, found in zip((x, y), placed, strict=True):
        assert np.ptp(found) == pytest.approx(np.ptp(own) * side / (longest or 1), abs=1e-6)
        assert found.max() == pytest.approx(-found.min(), abs=1e-6)


def test_nodes_without_coordinates() -> None:
    nodes = pa.table({"x": [0.0, None, 4.0], "y": [1.0, None, 1.0]})
    assert find_placed(nodes).tolist() == [True, False, True]
    placed = scale_places(nodes, 10)
    assert placed
    assert np.array_equal(placed[0], [-5, np.nan, 5], equal_nan=True)
    assert np.array_equal(placed[1], [0, np.nan, 0], equal_nan=True)
    assert scale_places(pa.table({"a": [1]}), 10) is None
    assert find_placed(pa.table({"a": [1]})).tolist() == [False]


def test_coordinates_are_joined_by_id() -> None:
    rows = {"id": ["c", "a", "b"], "x": [1.0, 2.0, float("nan")], "y": [4, 5, 6]}
    found = find_places(pa.table(rows), pa.array(["a", "b", "c", "d"]), key="id")
    assert found.to_pydict() == {"x": [2.0, None, 1.0, None], "y": [5.0, None, 4.0, None]}
    none = find_places(pa.table(rows), pa.array(["b", "d"]), key="id")
    assert none.column_names == []


@given(st.lists(st.floats(-10, 1e9), min_size=1))
def test_areas_are_proportional_to_values(values: list[float]) -> None:
    sizes = compute_sizes(np.array(values))
    most = max(*values, 0.0, 0.0)
    for value, size in zip(values, sizes, strict=True):
        share = max(value, 0) / most if most > 0 else 0
        assert size == pytest.approx(4 + 36 * share**0.5)


def test_sizes_without_values() -> None:
    assert compute_sizes(np.array([])).tolist() == []
    assert choose_colours(np.array([], np.int32)).shape == (0, 3)


def test_communities_have_distinct_stable_colours() -> None:
    labels = np.arange(-1, 24, dtype=np.int32)
    colours = choose_colours(labels)
    assert colours[0].tolist() == [191, 191, 191]
    assert len({tuple(colour) for colour in colours.tolist()}) == len(labels)
    assert choose_colours(np.array([5, -1], np.int32)).tolist() == colours[[6, 0]].tolist()
    gaps = np.abs(colours[1:9, None].astype(int) - colours[None, 1:9]).sum(axis=2)
    assert gaps[~np.eye(8, dtype=bool)].min() > 40
