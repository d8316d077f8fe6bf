"""Plain tables: CSV files of papers, citations or notices, detected by the names of their columns.

RFC 4180, with `,`, `;` or a tab between the cells: the most frequent of them in the header.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from difflib import SequenceMatcher, get_close_matches
from itertools import islice

from citescape.core.errors import SourceError
from citescape.loaders.lines import TextLines
from citescape.loaders.table_rows import (
    CITATIONS_A_CHUNK,
    COLUMNS,
    CitationBatch,
    Mention,
    PaperRow,
)

VERSION = "csv-3"
"""Increase it when the same files are read differently, so that they are loaded again."""

NEEDED = {
    "notices": ("originalpaperdoi", "retractionnature"),
    "papers": ("id", "title"),
    "citations": ("citing", "cited"),
}
"""Content of a table -> the columns that identify it, in any case and order."""

_MISSING = frozenset(("NaN", "nan", "NULL", "N/A", "#N/A", "<NA>"))
"""Cells that programs write for missing values, and that are not a word, name or id."""
_MISSING_FACTS = frozenset(("nan", "null", "n/a", "#n/a", "<na>", "na", "none", "nat"))
"""Missing values in the columns `_FACTS`, in any case: in others None may be a title, Na a name."""
_FACTS = frozenset(("abstract", "year", "date", "doi", "pmid"))

_NEAR = 0.4
"""Minimum similarity of names for a hint: that of `paper_id` and `id`."""


def kind_of(line: str) -> str | None:
    """The content of a table with this header, a key of `NEEDED`, or None."""
    names = header_of(line)
    return next((kind for kind, needed in NEEDED.items() if {*needed} <= {*names}), None)


def header_of(line: str) -> list[str]:
    """The names of the columns, in lower case; empty for a line that is not a row."""
    try:
        cells = next(csv.reader([line], delimiter=_delimiter(line)), [])
    except csv.Error:
        return []
    return [cell.strip().casefold() for cell in cells]


def unread_columns(line: str) -> list[str]:
    """The columns of a table of papers or citations with this header that are not read."""
    names = header_of(line)
    known = {*COLUMNS} if {*NEEDED["papers"]} <= {*names} else set()
    if {*NEEDED["citations"]} <= {*names}:
        known |= {*NEEDED["citations"], *Mention._fields}
    return [name for name in names if name and name not in known]


def hint_of(line: str) -> str:
    """A hint on a header that is not of a table; empty without similar names.

    Names are compared with `difflib`: `paper_id` with `id`, `Titel` with `title`. The hint is for
    the table of papers or citations, whichever has the more similar names.
    """
    if line.count('"') % 2:
        return "a quotation mark in it is not closed"
    names = header_of(line)

    def near(column: str) -> list[str]:
        return get_close_matches(column, names, n=1, cutoff=_NEAR)

    def likeness(kind: str) -> float:
        ratios = (SequenceMatcher(None, a, b).ratio() for a in NEEDED[kind] for b in near(a))
        return sum(ratios)

    needed = NEEDED[max(("papers", "citations"), key=likeness)]
    meant = {name: column for column in needed for name in near(column)}
    renamed = [f"{name} to {column}" for name, column in meant.items() if name != column]
    lacking = [column for column in needed if column not in meant.values()]
    todo = {"rename": renamed, "add": lacking if meant else []}
    hints = [f"{action} {', '.join(columns)}" for action, columns in todo.items() if columns]
    return f"{' and '.join(hints)}?" if hints else ""


def _delimiter(line: str) -> str:
    return max(",;\t", key=line.count)


def read_papers(lines: TextLines) -> Iterator[PaperRow | SourceError]:
    """The papers of a table, in order; an error for each row that is not a paper."""
    header, rows = _open(lines)
    places = [(name, header.index(name)) for name in COLUMNS if name in header]
    for line, cells in rows:
        if isinstance(cells, SourceError):
            yield cells
        elif len(cells) != len(header):
            yield _uneven(lines, line, cells, header)
        else:
            fields: dict[str, str] = {}
            missing = 0
            for name, place in places:
                text = " ".join(cells[place].split())
                fact = name in _FACTS and text.casefold() in _MISSING_FACTS
                if text in _MISSING or fact:
                    missing += 1
                elif text:
                    fields[name] = text
            yield PaperRow(line, fields, missing)


def read_citations(lines: TextLines) -> Iterator[CitationBatch]:
    """The pairs of a table, and their mentions if it has such columns."""
    header, rows = _open(lines)
    citing, cited = (header.index(name) for name in NEEDED["citations"])
    places = [header.index(name) if name in header else None for name in Mention._fields]
    while held := list(islice(rows, CITATIONS_A_CHUNK)):
        cells = [row for _, row in held if isinstance(row, list) and len(row) == len(header)]
        for row in cells:
            row[citing], row[cited] = row[citing].strip(), row[cited].strip()
        pairs = [row for row in cells if row[citing] and row[cited]]
        pairs = [row for row in pairs if _MISSING.isdisjoint((row[citing], row[cited]))]
        yield CitationBatch(
            [row[citing] for row in pairs],
            [row[cited] for row in pairs],
            len(held) - len(pairs),
            [_mention(row, places) for row in pairs] if any(p is not None for p in places) else [],
        )


def _mention(row: list[str], places: list[int | None]) -> Mention:
    texts = ("" if place is None else " ".join(row[place].split()) for place in places)
    return Mention(*("" if text in _MISSING else text for text in texts))


def read_rows(lines: TextLines) -> Iterator[tuple[int, dict[str, str] | SourceError]]:
    """Number of the line and cells of each row, by the names of the columns in lower case."""
    header, rows = _open(lines)
    for line, cells in rows:
        if isinstance(cells, SourceError):
            yield line, cells
        elif len(cells) != len(header):
            yield line, _uneven(lines, line, cells, header)
        else:
            texts = (" ".join(cell.split()) for cell in cells)
            yield line, dict(zip(header, texts, strict=True))


def _uneven(lines: TextLines, line: int, cells: list[str], header: list[str]) -> SourceError:
    message = f"cells in this row: {len(cells)}; the header has {len(header)}"
    return SourceError(f"{lines.path}:{line}", "broken-row", message)


_Cells = tuple[int, "list[str] | SourceError"]


def _open(lines: TextLines) -> tuple[list[str], Iterator[_Cells]]:
    """The header, and the rows after it.

    Raises:
        SourceError: the first line is not a header.
    """
    stream = iter(lines)
    first = next((line for line in stream if line.strip()), "")
    header = header_of(first)
    if not any({*needed} <= {*header} for needed in NEEDED.values()):
        message = f"begins with {first[:60]!r}, which is not a row with the names of columns"
        raise SourceError(f"{lines.path}:{lines.number}", "broken-row", message)
    return header, _rows(lines, stream, _delimiter(first))


def _rows(lines: TextLines, stream: Iterator[str], delimiter: str) -> Iterator[_Cells]:
    """Each row with the number of its first line; an error for a line that is not a row."""
    reader = csv.reader(stream, delimiter=delimiter, strict=True)
    while True:
        line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = "broken-row"
            message = f"not a row of a CSV table ({error}); expected quotation marks doubled within"
            message += " cells"
            if str(error) == "unexpected end of data":
                reason = "cut-off"
                message = "the file ends within quotation marks: cut off, or one of them is missing"
            elif "field limit" in str(error):
                longest = f"more than {csv.field_size_limit():,} characters"
                message = f"a cell has {longest}: a quotation mark before or in it may be missing"
            yield line, SourceError(f"{lines.path}:{line}", reason, message)
        else:
            if cells:
                yield line, cells
