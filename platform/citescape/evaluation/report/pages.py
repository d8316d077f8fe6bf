"""Reports as files: a page, a text, pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from citescape.evaluation.report.build import build_report
from citescape.evaluation.report.markdown import write_markdown
from citescape.reports.content import Picture
from citescape.reports.page import write_drawing, write_page

if TYPE_CHECKING:
    from citescape.metrics.evaluated import EvaluationRun

PAGE, TEXT = "report.html", "report.md"


def make_pages(made: EvaluationRun) -> dict[str, str]:
    """Names of files and what is in them: report.html, report.md, an SVG for each picture.

    The page needs no other file and no network. The same run gives the same bytes.

    Raises:
        SourceError: a file of the run is missing or damaged.
    """
    report = build_report(made)
    parts = [part for section in report.sections for part in section.parts]
    pictures = [part for part in parts if isinstance(part, Picture)]
    drawn = {f"{one.name}.svg": write_drawing(one.wide) for one in pictures}
    return {PAGE: write_page(report), TEXT: write_markdown(report), **drawn}
