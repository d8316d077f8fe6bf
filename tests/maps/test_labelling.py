"""No label covers another, all are on the canvas, and the important ones come first."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.maps.labelling import find_leader, place_labels

CANVAS = (0.0, 0.0, 400.0, 300.0)
POINT = st.tuples(st.floats(-20, 420), st.floats(-20, 320))
SIZE = st.tuples(st.floats(4, 120), st.floats(4, 40))


@given(st.lists(st.tuples(POINT, SIZE), min_size=1, max_size=40), st.floats(0, 5))
def test_labels_are_apart_and_inside(
    given_: list[tuple[tuple[float, float], tuple[float, float]]], gap: float
) -> None:
    points = np.array([point for point, _ in given_])
    sizes = np.array([size for _, size in given_])
    placed = place_labels(points, sizes, canvas=CANVAS, gap=gap)
    rows = np.flatnonzero(placed.shown)
    low, high = placed.centres - sizes / 2, placed.centres + sizes / 2
    for row in rows:
        assert (low[row] >= -1e-9).all()
        assert (high[row] <= np.array(CANVAS[2:]) + 1e-9).all()
    for one, other in combinations(rows, 2):
        apart = (low[one] >= high[other] + gap - 1e-6) | (low[other] >= high[one] + gap - 1e-6)
        assert apart.any()


def test_the_first_label_stands_at_its_point_and_others_give_way() -> None:
    points, sizes = np.full((3, 2), 150.0), np.full((3, 2), [60.0, 12.0])
    placed = place_labels(points, sizes, canvas=CANVAS, gap=2)
    assert placed.centres[0].tolist() == [150, 150]
    assert placed.shown.all()
    away = np.linalg.norm(placed.centres - points, axis=1)
    assert away[0] < away[1] <= away[2]


def test_labels_without_room_and_beyond_the_most_are_left_out() -> None:
    points, sizes = np.full((60, 2), 150.0), np.full((60, 2), [60.0, 12.0])
    placed = place_labels(points, sizes, canvas=CANVAS)
    assert 1 < placed.shown.sum() < 60
    assert not place_labels(points[:1], np.array([[500.0, 9.0]]), canvas=CANVAS).shown.any()
    assert place_labels(points, sizes, canvas=CANVAS, most=2).shown.sum() == 2
    assert len(place_labels(points[:0], sizes[:0], canvas=CANVAS).centres) == 0


def test_a_leader_ends_at_the_edge_of_the_label() -> None:
    centre, size = np.array([50.0, 50.0]), np.array([40.0, 10.0])
    end, length = find_leader(np.array([50.0, 80.0]), centre, size)
    assert (end.tolist(), length) == ([50, 55], 25)
    assert find_leader(np.array([60.0, 52.0]), centre, size)[1] == 0
