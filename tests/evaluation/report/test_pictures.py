"""Figures show values at the right coordinates."""

from __future__ import annotations

import math

import pytest
from lxml import etree

from citescape.evaluation.report.board import Board, Estimate
from citescape.evaluation.report.curves import draw_curves
from citescape.evaluation.report.dots import NARROW, WIDE, Block, Dots, Row, draw
from citescape.evaluation.report.marks import (
    COLOURS,
    SHAPES,
    draw_mark,
    measure_text,
    place_legend,
    shorten,
)
from citescape.reports.canvas import Canvas

NOTHING = Estimate(math.nan, math.nan, math.nan)


def drawn(canvas: Canvas) -> etree._Element:
    return etree.fromstring(str(canvas.__html__()))


def of_class(root: etree._Element, name: str) -> list[etree._Element]:
    return [element for element in root.iter() if name in (element.get("class") or "").split()]


def ticks(root: etree._Element) -> dict[float, float]:
    """Number on the axis -> coordinate."""
    words = [element for element in of_class(root, "tick") if "middle" in element.get("class")]
    return {
        float(element.text.replace("−", "-").replace("+", "")): float(element.get("x"))
        for element in words
    }


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_marks_and_whiskers_are_at_axis_coordinates(width: int) -> None:
    figures = [Estimate(0.3, 0.25, 0.4), Estimate(0.6, 0.55, 0.7), NOTHING]
    rows = [Row(f"system {k}", [(k, element)]) for k, element in enumerate(figures)]
    root = drawn(draw(Dots("x", "X", [Block("MAP", rows)]), width=width))
    (low, left), *_, (high, right) = sorted(ticks(root).items())

    def place(share: float) -> float:
        return left + (right - left) * (100 * share - low) / (high - low)

    whiskers = of_class(root, "whisker")
    assert len(whiskers) == 2, "none of what there is no figure of"
    for line, figure in zip(whiskers, figures, strict=False):
        ends = [float(line.get(name)) for name in ("x1", "x2")]
        assert ends == pytest.approx([place(figure.low), place(figure.high)], abs=0.3)
    (dot,) = root.iterfind(".//circle")
    assert float(dot.get("cx")) == pytest.approx(place(0.3), abs=0.3)
    assert [element.text for element in of_class(root, "value")] == ["30.0", "60.0", "–"]
    assert "MAP system 0: 30.0" in root[1].text


def test_differences_have_signs_and_a_line_at_zero() -> None:
    rows = [Row("b", [(1, Estimate(-0.05, -0.08, -0.02))])]
    root = drawn(draw(Dots("d", "D", [Block("", rows)], signed=True)))
    (zero,) = of_class(root, "zero")
    assert float(zero.get("x1")) == pytest.approx(ticks(root)[0.0])
    assert [element.text for element in of_class(root, "value")] == ["−5.0"]


@pytest.mark.parametrize("width", [WIDE, NARROW])
@pytest.mark.parametrize("systems", [1, 8, 20])
def test_all_elements_are_inside_the_figure(width: int, systems: int) -> None:
    names = [f"a system with a long name {k}" for k in range(systems)]
    figures = [(k, Estimate(0.1 * (k % 9), 0.05, 0.9)) for k in range(systems)]
    rows = [Row(f"A field with a long name, number {k}", figures) for k in range(19)]
    canvas = draw(Dots("x", "X", [Block("", rows)], names), width=width)
    root = drawn(canvas)
    _, _, wide, high = map(float, root.get("viewBox").split())
    for element in root.iter("circle", "line", "text"):
        for name, most in (("cx", wide), ("x1", wide), ("x2", wide), ("x", wide)):
            assert -1 <= float(element.get(name, 0)) <= most + 1
        for name in ("cy", "y1", "y2", "y"):
            assert -1 <= float(element.get(name, 0)) <= high + 1
    assert len(of_class(root, "mark")) == (19 + 1) * systems


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_long_name_leaves_room_for_its_value(width: int) -> None:
    rows = [Row("w" * 90, [(0, Estimate(0.3, 0.2, 0.4))])]
    root = drawn(draw(Dots("x", "X", [Block("", rows)]), width=width))
    (name,) = (
        element for element in of_class(root, "label") if (element.text or "").startswith("www")
    )
    assert float(name.get("x")) + measure_text(name.text) <= width - measure_text("30.0")


def test_equal_values_have_an_axis() -> None:
    rows = [Row("a", [(0, Estimate(0.5, math.nan, math.nan))])]
    assert len(ticks(drawn(draw(Dots("x", "X", [Block("", rows)]))))) > 1
    assert of_class(drawn(draw(Dots("x", "X", [Block("", [Row("a", [(0, NOTHING)])])]))), "grid")


def test_systems_have_distinct_colours_and_shapes() -> None:
    signs = set()
    for system in range(2 * len(COLOURS)):
        canvas = Canvas(10, 10, name="x", title="t", summary="s")
        draw_mark(canvas, (5, 5), system)
        (mark,) = of_class(drawn(canvas), "mark")
        signs.add((mark.tag, mark.get("class"), mark.get("points")))
    assert len(signs) == 2 * len(COLOURS)
    assert len(COLOURS) == len(SHAPES)


def test_long_legends_have_several_rows() -> None:
    places = place_legend(["a" * 30] * 5, 370)
    assert [left for left, _ in places] == [0, 0, 0, 0, 0]
    assert [row for _, row in places] == [0, 1, 2, 3, 4]
    assert shorten("abcdefghij", 6.9 * 5) == "abcd…"
    assert shorten("abc", 100) == "abc"


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_curve_has_a_point_per_pool_size(width: int) -> None:
    sizes = {"1,000": 0.5, "10,000": 0.4, "100,000": 0.2}
    means = {
        (system, size, "", metric): Estimate(mean, mean - 0.1, mean + 0.1)
        for system in ("a", "b")
        for size, mean in sizes.items()
        for metric in ("map", "map_ret", "recall@30")
    }
    means["b", "10,000", "", "map"] = NOTHING
    root = drawn(draw_curves(Board(means, {}, "", 0.95), width=width))
    curves = [
        [tuple(map(float, point.split(","))) for point in element.get("points").split()]
        for element in of_class(root, "curve")
    ]
    assert sorted(map(len, curves)) == [2, 3, 3, 3, 3, 3]
    x, y = zip(*next(curve for curve in curves if len(curve) == 3), strict=True)
    assert x[1] - x[0] == pytest.approx(x[2] - x[1], abs=0.2), "sizes by logarithm"
    assert (y[2] - y[1]) == pytest.approx(2 * (y[1] - y[0]), abs=0.4)
    heads = [element.text for element in of_class(root, "head")]
    assert heads == ["MAP", "MAP found", "R@30"]
