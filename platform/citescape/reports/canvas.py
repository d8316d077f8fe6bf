"""Draws small charts as SVG: lines, bars, dots, text and scales.

Colours and fonts come from the style sheet of the page, by class, so that the same drawing serves
light, dark and print.
"""

from __future__ import annotations

import math
from copy import deepcopy
from dataclasses import dataclass

from lxml import etree

_SVG = "http://www.w3.org/2000/svg"
_MARGIN = 12
"""Margin of a drawing in a file of its own."""


@dataclass(frozen=True)
class Scale:
    """Maps `bottom`..`top` to `start`..`end` on the drawing."""

    top: float
    start: float
    end: float
    bottom: float = 0.0

    def __call__(self, value: float) -> float:
        """The coordinate of a value."""
        share = (value - self.bottom) / (self.top - self.bottom)
        return self.start + (self.end - self.start) * share

    def ticks(self, most: int = 6) -> list[float]:
        """Round values from `bottom` to `top`, at most `most` steps."""
        rough = (self.top - self.bottom) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough * (1 - 1e-9))
        first, last = math.ceil(self.bottom / step - 1e-9), math.floor(self.top / step + 1e-9)
        return [i * step for i in range(first, last + 1)]


class Canvas:
    """An SVG drawing of a given size, described for screen readers."""

    def __init__(self, width: int, height: int, *, name: str, title: str, summary: str) -> None:
        self.width = width
        box = {
            "viewBox": f"0 0 {width} {height}",
            "role": "img",
            "aria-labelledby": f"{name}-title {name}-summary",
        }
        self._svg = etree.Element("svg", box)
        self._add("title", {"id": f"{name}-title"}, title)
        self._add("desc", {"id": f"{name}-summary"}, summary)

    def line(self, start: tuple[float, float], end: tuple[float, float], style: str) -> None:
        """Draws a straight line.

        Args:
            start: x and y of the start.
            end: x and y of the end.
            style: class of the element.
        """
        ends = zip(("x1", "y1", "x2", "y2"), (*start, *end), strict=True)
        self._add("line", {**{k: _number(v) for k, v in ends}, "class": style})

    def bar(self, corner: tuple[float, float], size: tuple[float, float], style: str) -> None:
        """Draws a filled rectangle.

        Args:
            corner: x and y of the upper left corner.
            size: width and height.
            style: class of the element.
        """
        sides = zip(("x", "y", "width", "height"), (*corner, *size), strict=True)
        self._add("rect", {**{k: _number(v) for k, v in sides}, "rx": "1.5", "class": style})

    def dot(self, centre: tuple[float, float], radius: float, style: str) -> None:
        """Draws a filled circle.

        Args:
            centre: x and y of the centre.
            radius: radius.
            style: class of the element.
        """
        values = zip(("cx", "cy", "r"), (*centre, radius), strict=True)
        self._add("circle", {**{k: _number(v) for k, v in values}, "class": style})

    def path(self, points: list[tuple[float, float]], style: str) -> None:
        """Draws a line through points."""
        self._add("polyline", {"points": _join(points), "class": style})

    def shape(self, points: list[tuple[float, float]], style: str) -> None:
        """Draws a filled polygon with these corners."""
        self._add("polygon", {"points": _join(points), "class": style})

    def words(self, at: tuple[float, float], text: str, style: str = "label") -> None:
        """Draws one line of text.

        Args:
            at: x and y of its anchor on the baseline.
            text: the text.
            style: class of the element, which sets the position of the anchor.
        """
        self._add("text", {"x": _number(at[0]), "y": _number(at[1]), "class": style}, text)

    def __html__(self) -> str:
        """The drawing as an element of a page, which templates do not escape."""
        return etree.tostring(self._svg, encoding="unicode")

    def file(self, style: str) -> str:
        """The drawing as a file with a style sheet, on a background of class `ground`."""
        drawing = deepcopy(self._svg)
        _, _, width, height = (int(side) for side in drawing.attrib["viewBox"].split())
        sides = {"width": f"{width + 2 * _MARGIN}", "height": f"{height + 2 * _MARGIN}"}
        corner = {"x": f"-{_MARGIN}", "y": f"-{_MARGIN}"}
        ground = etree.Element("rect", {**corner, **sides, "class": "ground"})
        sheet = etree.Element("style")
        sheet.text = style
        drawing[2:2] = [sheet, ground]
        box = " ".join([*corner.values(), *sides.values()])
        for name, value in {"xmlns": _SVG, "viewBox": box, **sides}.items():
            drawing.set(name, value)
        return etree.tostring(drawing, encoding="unicode") + "\n"

    def _add(self, tag: str, attributes: dict[str, str], text: str | None = None) -> None:
        element = etree.SubElement(self._svg, tag, attributes)
        element.text = text


def _join(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def format_ticks(ticks: list[float]) -> list[str]:
    """Labels with as many decimals as the finest of them needs: `0.0`, `0.5`, `1.0`."""
    decimals = next(
        d for d in range(9) if all(abs(round(t, d) - t) < 1e-9 for t in ticks) or d == 8
    )
    return [f"{tick:,.{decimals}f}" for tick in ticks]
