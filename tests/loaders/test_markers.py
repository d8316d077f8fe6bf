"""Ranges of citation markers."""

from __future__ import annotations

import pytest

from citescape.loaders.markers import Anchor, Numbering, expand

TEN = Numbering(tuple(range(1, 11)))


def anchors(text: str, *markers: str) -> list[Anchor]:
    """An anchor for each marker, named by the marker's first number."""
    result, at = [], 0
    for marker in markers:
        start = text.index(marker, at)
        at = start + len(marker)
        result.append(Anchor(start, at, (int(marker.strip("[]( ").split("-")[0]) - 1,)))
    return result


@pytest.mark.parametrize(
    ("text", "markers", "cited"),
    [
        ("[1]", ["1"], [1]),
        ("[1,3]", ["1", "3"], [1, 3]),
        ("[1-3]", ["1", "3"], [1, 2, 3]),
        ("[1]-[3]", ["[1]", "[3]"], [1, 2, 3]),
        ("[1 – 3, 5-6, 8]", ["1", "3", "5", "6", "8"], [1, 2, 3, 5, 6, 8]),
        ("[3-1]", ["3", "1"], [3, 1]),
        ("[1] and - [3]", ["1", "3"], [1, 3]),
        ("[1-4]", ["1-4"], [1, 2, 3, 4]),
    ],
)
def test_cited_references_of_a_range_are_in_order(
    text: str, markers: list[str], cited: list[int]
) -> None:
    meant = expand(text, anchors(text, *markers), TEN)

    assert [reference + 1 for _, reference in meant.pointers] == cited
    assert meant.implied == len(cited) - len(markers)
    assert meant.unclear == 0


def test_a_range_beyond_the_list_is_unclear() -> None:
    meant = expand("[9-12]", [Anchor(1, 5, (8,))], TEN)

    assert [reference for _, reference in meant.pointers] == [8, 9]
    assert (meant.implied, meant.unclear) == (1, 2)


def test_a_huge_range_is_not_a_range() -> None:
    many = Numbering(tuple(range(1, 3001)))
    meant = expand("1-3000", [Anchor(0, 1, (0,)), Anchor(2, 6, (2999,))], many)

    assert [reference for _, reference in meant.pointers] == [0, 2999]


@pytest.mark.parametrize(
    "marker", ["1-9999", "1-300", "1, 3-900", ", ".join(["1", *map(str, range(3000))])]
)
def test_a_huge_list_is_not_a_list(marker: str) -> None:
    many = Numbering(tuple(range(1, 10_000)))
    meant = expand(marker, [Anchor(0, len(marker), (0,))], many)

    assert meant == ([(0, 0)], 0, 0)


def test_a_huge_marker_takes_bounded_time() -> None:
    marker = "1-9999," * 300_000 + "1"  # three billion works if taken literally

    assert expand(marker, [Anchor(0, len(marker), (0,))], TEN) == ([(0, 0)], 0, 0)


def test_a_number_printed_twice_is_one_work() -> None:
    meant = expand("[1, 3-5, 4]", [Anchor(1, 10, (0,))], TEN)

    assert [reference + 1 for _, reference in meant.pointers] == [1, 3, 4, 5]
    assert meant.implied == 3


def test_a_block_of_many_ranges_takes_bounded_time() -> None:
    count = 20_000
    text = "1-3 " * count
    places = [(4 * i, 0) for i in range(count)], [(4 * i + 2, 2) for i in range(count)]
    result = [Anchor(at, at + 1, (i,)) for at, i in sorted([*places[0], *places[1]])]

    assert expand(text, result, TEN).implied == count


def test_gaps_in_the_numbering() -> None:
    gap = Numbering((1, None, 4))
    meant = expand("1-4", [Anchor(0, 1, (0,)), Anchor(2, 3, (2,))], gap)

    assert [reference for _, reference in meant.pointers] == [0, 2]
    assert meant.unclear == 2
