"""A report as Markdown, as GitHub shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from citescape.reports.content import (
    Cell,
    DefinitionList,
    Lines,
    Picture,
    ReportBlock,
    ReportContent,
    ReportTable,
    Verdict,
)

_SIGNS = re.compile(r"([\\`*\[\]|~$]|(?<!\w)_|_(?!\w))")
"""Characters to escape; an underscore inside a word has no meaning."""


def write_markdown(report: ReportContent) -> str:
    """A report as Markdown. Pictures are files beside it; closed tables are left out."""
    lines = [f"# {escape(report.title)}", "", f"**{escape(report.finding)}**", ""]
    lines += [escape(report.about), "", *_list(report.facts)] if report.about else []
    for section in report.sections:
        lines += ["", f"## {escape(section.title)}"]
        for part in section.parts:
            lines += _part(part)
    return "\n".join([*lines, "", escape(report.origin), ""])


def escape(text: str) -> str:
    """Escapes text for Markdown, also inside tables."""
    return _SIGNS.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def _part(part: ReportBlock) -> Iterator[str]:
    """Lines of a part; closed tables are left out."""
    if not part or (isinstance(part, ReportTable) and part.closed):
        return
    yield ""
    if isinstance(part, ReportTable):
        yield f"{escape(part.caption)}:"
        yield ""
        yield format_row(part.header)
        sides = ("--:" if place in part.numbers else ":--" for place in range(len(part.header)))
        yield f"| {' | '.join(sides)} |"
        for row in part.rows:
            yield format_row([_cell(cell) for cell in row])
    elif isinstance(part, Picture):
        yield f"![{escape(part.title)}]({part.name}.svg)"
        yield ""
        yield escape(part.caption)
    elif isinstance(part, DefinitionList):
        yield from _list(part.rows)
    elif isinstance(part, Lines):
        yield from (f"    {line}" for line in part.text.splitlines())
    elif isinstance(part, str):
        yield escape(part)


def _list(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, value in rows:
        yield f"- {escape(name)}: {escape(value)}"


def format_row(cells: Sequence[str]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(escape, cells))} |"


def _cell(cell: str | Cell | Verdict) -> str:
    if isinstance(cell, Cell) and cell.span:
        return f"{cell.text} ({cell.span})"
    return cell if isinstance(cell, str) else cell.text
