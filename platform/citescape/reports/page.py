"""Writes a report as one self-contained HTML file, and drawings as separate files."""

from __future__ import annotations

import re
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from citescape.reports.canvas import Canvas
from citescape.reports.content import ReportContent
from citescape.reports.drawing import COLOURS

_NAME = re.compile(r"var\((--[a-z0-9-]+)\)")
_VALUE = re.compile(r"(--[a-z0-9-]+):\s*([^;}]+)")


@cache
def _templates() -> Environment:
    """Templates that escape every value except drawings (`Canvas.__html__`)."""
    environment = Environment(
        loader=PackageLoader(__package__, ""),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["kind"] = lambda value: type(value).__name__
    return environment


def write_page(report: ReportContent) -> str:
    """The HTML page. The same content gives the same bytes."""
    return _templates().get_template("page.html").render(report=report, colours=COLOURS) + "\n"


def write_drawing(canvas: Canvas) -> str:
    """The drawing as SVG for programs without support for CSS variables.

    Each variable is replaced by its first value, that of the light theme.
    """
    style = _templates().get_template("pictures.css").render(colours=COLOURS)
    values: dict[str, str] = {}
    for name, value in _VALUE.findall(style):
        values.setdefault(name, value.strip())
    rules = [line for line in style.splitlines() if line.startswith("svg ")]
    return canvas.file("\n".join(_NAME.sub(lambda m: values[m[1]], line) for line in rules))
