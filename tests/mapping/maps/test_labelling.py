"""Labels do not overlap, stay on the canvas, and have lines to their points."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.mapping.maps.labelling import LabelPlacement, find_leader, place_labels

CANVAS = (0.0, 0.0, 400.0, 300.0)
POINT = st.tuples(st.floats(-20, 420), st.floats(-20, 320))
SIZE = st.tuples(st.floats(4, 120), st.floats(4, 40))


GAP = (6.0, 2.0)


def distance(box: np.ndarray, point: np.ndarray) -> float:
    """Distance from a point to the box (left, bottom, right, top)."""
    dx = max(box[0] - point[0], point[0] - box[2], 0.0)
    dy = max(box[1] - point[1], point[1] - box[3], 0.0)
    return float(np.hypot(dx, dy))


def read_boxes(placed: LabelPlacement, sizes: np.ndarray) -> np.ndarray:
    return np.concatenate([placed.centres - sizes / 2, placed.centres + sizes / 2], axis=1)


@given(st.lists(st.tuples(POINT, SIZE, st.floats(0, 25)), min_size=1, max_size=30), st.integers(0))
def test_labels_do_not_overlap_labels_or_other_circles(
    given_: list[tuple[tuple[float, float], tuple[float, float], float]], unlabelled: int
) -> None:
    discs = np.array([[*point, radius] for point, _, radius in given_])
    sizes = np.array([size for _, size, _ in given_])[: len(given_) - unlabelled % len(given_)]
    placed = place_labels(discs, sizes, canvas=CANVAS, gap=GAP)
    boxes = read_boxes(placed, sizes)
    for row in np.flatnonzero(placed.shown):
        assert (boxes[row, :2] >= -1e-9).all()
        assert (boxes[row, 2:] <= np.array(CANVAS[2:]) + 1e-9).all()
        for second, (x, y, radius) in enumerate(discs):
            if second != row:
                assert distance(boxes[row], np.array([x, y])) >= 0.65 * radius - 1e-6
    for first, second in combinations(np.flatnonzero(placed.shown), 2):
        low, high = boxes[:, :2], boxes[:, 2:]
        apart = (low[first] >= high[second] + GAP - 1e-6) | (
            low[second] >= high[first] + GAP - 1e-6
        )
        assert apart.any()


@given(st.lists(st.tuples(POINT, SIZE, st.floats(0, 25)), min_size=2, max_size=30))
def test_lines_do_not_cross_labels(
    given_: list[tuple[tuple[float, float], tuple[float, float], float]],
) -> None:
    discs = np.array([[*point, radius] for point, _, radius in given_])
    sizes = np.array([size for _, size, _ in given_])
    placed = place_labels(discs, sizes, canvas=CANVAS, gap=GAP)
    boxes = read_boxes(placed, sizes)
    shown = np.flatnonzero(placed.shown)
    for row in shown[placed.has_line[shown]]:
        point = discs[row, :2]
        end = np.clip(point, boxes[row, :2], boxes[row, 2:])
        assert abs(end - point)[1] >= 0.4 * abs(end - point)[0] - 1e-9
        for share in np.linspace(0, 1, 12):
            on_the_way = point + share * (end - point)
            for other in shown[shown != row]:
                assert distance(boxes[other], on_the_way) > 0


def test_a_single_label_is_at_its_point() -> None:
    placed = place_labels(np.array([[150.0, 150, 8]]), np.array([[60.0, 12]]), canvas=CANVAS)
    assert placed.centres[0].tolist() == [150, 150]
    assert not placed.has_line[0]
    small = place_labels(np.array([[150.0, 150, 4]]), np.array([[60.0, 12]]), canvas=CANVAS)
    assert distance(read_boxes(small, np.array([[60.0, 12]]))[0], np.array([150, 150])) > 4


def test_labels_avoid_circles_without_label() -> None:
    """The label would cover the circle, so it is moved and gets a line."""
    discs = np.array([[150.0, 150, 10], [170, 150, 10]])
    placed = place_labels(discs, np.array([[60.0, 12]]), canvas=CANVAS)
    (box,) = read_boxes(placed, np.array([[60.0, 12]]))
    assert distance(box, discs[1, :2]) >= 6.5
    plain = place_labels(discs[:1], np.array([[60.0, 12]]), canvas=CANVAS)
    assert plain.centres[0].tolist() == [150, 150]
    two = np.array(
        [[150.0, 150, 10], [150, 172, 10], [150, 128, 10], [172, 150, 10], [128, 150, 10]]
    )
    assert place_labels(two, np.array([[60.0, 12]]), canvas=CANVAS).has_line.all()


def test_labels_without_room_and_beyond_the_limit_are_left_out() -> None:
    discs, sizes = np.full((60, 3), [150.0, 150.0, 0.0]), np.full((60, 2), [60.0, 12.0])
    placed = place_labels(discs, sizes, canvas=CANVAS)
    assert 1 < placed.shown.sum() < 60
    assert not place_labels(discs[:1], np.array([[500.0, 9.0]]), canvas=CANVAS).shown.any()
    assert place_labels(discs, sizes, canvas=CANVAS, most=2).shown.sum() == 2
    assert len(place_labels(discs[:0], sizes[:0], canvas=CANVAS).centres) == 0


def test_lines_end_at_letters() -> None:
    """The second line of text is short: a line from below right ends at its letters."""
    lines = np.array([[0.0, 10, 100, 20], [40, 0, 60, 10]])
    assert find_leader(np.array([60.0, -30]), lines).tolist() == [60, 0]
    assert find_leader(np.array([80.0, -30]), lines).tolist() == [60, 0]
    assert find_leader(np.array([95.0, 2.0]), lines).tolist() == [95, 10]
    flat = find_leader(np.array([70.0, 9.0]), np.array([[40.0, 0, 60, 10], [0, 10, 100, 20]]))
    assert flat.tolist() == [70, 10]
