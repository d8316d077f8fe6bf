"""Pictures of completeness and of references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pyarrow as pa

from citescape.ingest.quality.quality import CITED, LOADED
from citescape.reports.canvas import Canvas

_WIDE, _NARROW = 760, 370
_ROW, _BAR = 30, 13
_LABEL = 124
"""Width of the names of rows on wide pages."""
_PERCENT = 40
"""Width of a percentage behind its bar."""
_LOW = 0.5
"""Shares below it are drawn in the colour of a warning."""
HEADERS: Mapping[str, str] = {
    "doi": "DOI",
    "identifier": "DOI or other id",
    "abstract": "Abstract",
    "year": "Year",
    "type": "Type",
    "authors": "Authors",
}
"""Field -> header, in the order of picture and table."""
KINDS = ("a loaded paper", "a cited work with an id", "unresolved")
"""Where an entry of a reference list leads."""
_STYLES = ("dot", "bar", "bar none")

Row = Mapping[str, object]


def name_row(row: Row) -> str:
    """Name of a row of the table of completeness."""
    if row["part"] == CITED:
        return f"Cited: {row['source']}" if row["source"] else "All cited works"
    return str(row["source"]) or "All loaded papers"


def share_of(row: Row, name: str) -> float | None:
    """Share of the papers of a row with a field; None if it is not counted."""
    count, papers = row[name], row["papers"]
    if count is None or not papers:
        return None
    assert isinstance(count, int)
    assert isinstance(papers, int)
    return count / papers


def format_share(share: float | None) -> str:
    """A share in per cent; 100% and 0% mean all and none exactly."""
    if share is None:
        return "\N{EN DASH}"
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{share:.0%}"


def draw_completeness(completeness: pa.Table, *, narrow: bool = False) -> Canvas:
    """A bar for each field of each source, as long as the share of papers that have it.

    Args:
        completeness: see `Quality.completeness`.
        narrow: for phones, with fields below each other.
    """
    rows = _rows_to_draw(completeness)
    texts = [
        f"{name_row(row)}: "
        + ", ".join(
            f"{header} {format_share(share_of(row, name))}" for name, header in HEADERS.items()
        )
        for row in rows
    ]
    counted = [[name for name in HEADERS if row[name] is not None] for row in rows]
    heights = [24 + 22 * len(names) for names in counted]
    height = sum(heights) if narrow else 26 + _ROW * len(rows)
    canvas = Canvas(
        _NARROW if narrow else _WIDE,
        height,
        name="completeness-narrow" if narrow else "completeness",
        title="Share of papers with each field",
        summary="; ".join(texts),
    )
    if narrow:
        for place, (row, names) in enumerate(zip(rows, counted, strict=True)):
            _draw_narrow(canvas, row, names, sum(heights[:place]))
        return canvas
    width = (_WIDE - _LABEL) / len(HEADERS)
    for column, header in enumerate(HEADERS.values()):
        canvas.words((_LABEL + column * width, 12), header, "tick")
    for place, row in enumerate(rows):
        top = 26 + place * _ROW
        canvas.words((0, top + 14), _shorten(name_row(row), 17))
        for column, name in enumerate(HEADERS):
            left = _LABEL + column * width
            _draw_share(canvas, share_of(row, name), (left, top + 4), width - _PERCENT - 10)
    return canvas


def _rows_to_draw(completeness: pa.Table) -> list[Row]:
    """Rows of the table; one source alone is the same as all papers or works."""
    rows: list[Row] = completeness.to_pylist()
    sources = {
        part: sum(row["part"] == part and bool(row["source"]) for row in rows)
        for part in (LOADED, CITED)
    }
    return [row for row in rows if not row["source"] or sources[str(row["part"])] > 1]


def _draw_narrow(canvas: Canvas, row: Row, names: Sequence[str], top: float) -> None:
    """The bars of a row below each other, without fields that are not counted."""
    canvas.words((0, top + 14), _shorten(name_row(row), 40), "head")
    for place, name in enumerate(names):
        at = top + 20 + 22 * place
        canvas.words((0, at + 12), HEADERS[name], "tick")
        _draw_share(canvas, share_of(row, name), (120, at + 2), _NARROW - 120 - _PERCENT)


def _draw_share(
    canvas: Canvas, share: float | None, corner: tuple[float, float], width: float
) -> None:
    """A bar on its track, and the percentage behind it."""
    left, top = corner
    text = left + width + 6
    canvas.words((text, top + 11), format_share(share), "tick")
    if share is None:
        return
    canvas.bar(corner, (width, _BAR), "track")
    style = "bar none" if share < _LOW else "bar"
    canvas.bar(corner, (max(share * width, 4), _BAR), style)


def count_kinds(references: pa.Table) -> dict[str, list[int]]:
    """Source -> its entries by `KINDS`, the sources with most entries first.

    Args:
        references: see `Quality.references`.
    """
    counts: dict[str, list[int]] = {}
    for row in references.to_pylist():
        kind = 0 if row["loaded"] else 1 if row["identified"] else 2
        counts.setdefault(row["source"], [0, 0, 0])[kind] += row["entries"]
    return dict(sorted(counts.items(), key=lambda item: (-sum(item[1]), item[0])))


def draw_references(references: pa.Table, *, narrow: bool = False) -> Canvas:
    """A bar for each source, divided by where the entries of its reference lists lead.

    Args:
        references: see `Quality.references`.
        narrow: for phones.
    """
    counts = count_kinds(references)
    width, label = (_NARROW, 0) if narrow else (_WIDE, _LABEL)
    row_height = 46 if narrow else 34
    legend = 22 * len(KINDS) if narrow else 26
    canvas = Canvas(
        width,
        legend + row_height * len(counts),
        name="references-narrow" if narrow else "references",
        title="Where the entries of reference lists lead",
        summary="; ".join(
            f"{source}: " + ", ".join(f"{n:,} {kind}" for kind, n in zip(KINDS, c, strict=True))
            for source, c in counts.items()
        ),
    )
    for place, (kind, style) in enumerate(zip(KINDS, _STYLES, strict=True)):
        at = (0.0, 22.0 * place) if narrow else (label + 190.0 * place, 0.0)
        canvas.bar((at[0], at[1] + 2), (12, 12), style)
        canvas.words((at[0] + 18, at[1] + 12), kind, "tick")
    for place, (source, numbers) in enumerate(counts.items()):
        top = legend + row_height * place
        canvas.words((0, top + 14), _shorten(source, 17), "head" if narrow else "label")
        total = f"{sum(numbers):,} entries"
        canvas.words((width, top + 14), total, "tick end")
        corner = (label, top + (20 if narrow else 2))
        _draw_parts(canvas, numbers, corner, width if narrow else width - label - 100)
    return canvas


def _draw_parts(
    canvas: Canvas, numbers: Sequence[int], corner: tuple[float, float], width: float
) -> None:
    """One bar, divided; a part that is wide enough shows its percentage."""
    left, top = corner
    total = sum(numbers)
    for number, style in zip(numbers, _STYLES, strict=True):
        share = number / total
        if not number:
            continue
        canvas.bar((left, top), (max(share * width - 1, 1), 18), style)
        if share * width > 40:
            text = "inside middle" if style == "dot" else "tick middle"
            canvas.words((left + share * width / 2, top + 13), format_share(share), text)
        left += share * width


def _shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
