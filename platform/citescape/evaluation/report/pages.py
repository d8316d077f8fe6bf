"""Reports as files: a page, a text, pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

from citescape.evaluation.report.build import build_report
from citescape.evaluation.report.content import Picture, Report
from citescape.evaluation.report.markdown import write_markdown
from citescape.evaluation.report.marks import COLOURS
from citescape.evaluation.report.page import write_page

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun

PAGE, TEXT = "report.html", "report.md"
_NAME = re.compile(r"var\((--[a-z0-9-]+)\)")
_VALUE = re.compile(r"(--[a-z0-9-]+):\s*([^;}]+)")


def make_pages(made: EvaluationRun) -> dict[str, str]:
    """Names of files and what is in them: report.html, report.md, an SVG for each picture.

    The page needs no other file and no network. The same run gives the same bytes.

    Raises:
        SourceError: a file of the run is missing or damaged.
    """
    report = build_report(made)
    style = _style()
    drawn = {f"{one.name}.svg": one.wide.file(_resolve(style)) for one in _pictures(report)}
    template = _read("report.html")
    return {PAGE: write_page(report, template, style), TEXT: write_markdown(report), **drawn}


def _pictures(report: Report) -> list[Picture]:
    return [part for one in report.sections for part in one.parts if isinstance(part, Picture)]


def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _style() -> str:
    """The style sheet, and colours of systems as the other pictures have them."""
    own = " ".join(f"--s{number}: {colour};" for number, colour in enumerate(COLOURS))
    names = range(len(COLOURS))
    of = "\n".join(f"svg .s{k} {{ stroke: var(--s{k}); fill: var(--s{k}); }}" for k in names)
    return f":root {{ {own} }}\n{_read('pictures.css')}{of}\nsvg .curve {{ fill: none; }}\n"


def _resolve(style: str) -> str:
    """For programs that know no variables: each name by its first value, that of white paper."""
    values: dict[str, str] = {}
    for name, value in _VALUE.findall(style):
        values.setdefault(name, value.strip())
    rules = [line for line in style.splitlines() if line.startswith("svg ")]
    return "\n".join(_NAME.sub(lambda found: _value(values, found[1]), line) for line in rules)


def _value(values: Mapping[str, str], name: str) -> str:
    return values[name]
