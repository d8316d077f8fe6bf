"""Drawings: scales, and SVG files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from citescape.reports.canvas import Canvas, Scale


@given(
    st.floats(-1e6, 1e6),
    st.floats(1e-3, 1e6),
    st.integers(1, 12),
    st.sampled_from([(0, 1), (9, 2)]),
)
def test_a_scale_covers_its_range_and_contains_its_ticks(
    bottom: float, span: float, most: int, ends: tuple[int, int]
) -> None:
    scale = Scale(bottom + span, *ends, bottom)
    assert scale(bottom) == pytest.approx(ends[0])
    assert scale(bottom + span) == pytest.approx(ends[1])
    ticks = scale.ticks(most)
    assert len(ticks) <= most + 1
    slack = 1e-6 * (abs(bottom) + span)
    assert all(bottom - slack <= tick <= bottom + span + slack for tick in ticks)


def test_a_scale_around_zero_has_a_tick_at_zero() -> None:
    assert Scale(12, 0, 1, -23).ticks(4) == [-20, -10, 0, 10]


def test_an_svg_file_has_style_and_background() -> None:
    canvas = Canvas(100, 50, name="x", title="Title", summary="A < B")
    canvas.shape([(0, 0), (10, 0), (5, 8.25)], "mark")
    text = canvas.file("svg .mark { fill: #123456; }")
    root = etree.fromstring(text)
    assert etree.QName(root).namespace == "http://www.w3.org/2000/svg"
    assert (root.get("width"), root.get("height")) == ("124", "74")
    assert root.get("viewBox") == "-12 -12 124 74"
    names = [etree.QName(child).localname for child in root]
    assert names == ["title", "desc", "style", "rect", "polygon"]
    assert root[4].get("points") == "0,0 10,0 5,8.2"
    assert root[1].text == "A < B"
    assert "xmlns" not in canvas.__html__(), "the drawing itself is left as it is"
