"""A report as one HTML file that needs no other, and drawings as files of their own."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from citescape.reports.canvas import Canvas
from citescape.reports.content import Report
from citescape.reports.drawing import COLOURS

_NAME = re.compile(r"var\((--[a-z0-9-]+)\)")
_VALUE = re.compile(r"(--[a-z0-9-]+):\s*([^;}]+)")


@cache
def _templates() -> Environment:
    """Every value is escaped, but for drawings, which are elements (`Canvas.__html__`)."""
    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["kind"] = lambda value: type(value).__name__
    return environment


def write_page(report: Report) -> str:
    """The page. The same report gives the same bytes."""
    return _templates().get_template("page.html").render(report=report, colours=COLOURS) + "\n"


def write_drawing(canvas: Canvas) -> str:
    """The drawing as SVG for programs that know no variables of style sheets.

    Each variable is replaced by its first value, that of white paper.
    """
    style = _templates().get_template("pictures.css").render(colours=COLOURS)
    values: dict[str, str] = {}
    for name, value in _VALUE.findall(style):
        values.setdefault(name, value.strip())
    rules = [line for line in style.splitlines() if line.startswith("svg ")]
    return canvas.file("\n".join(_NAME.sub(lambda m: values[m[1]], line) for line in rules))
