"""The ACL Anthology Network: papers in blocks of `name = {value}`, citations as `citing , cited`.

Radev, Muthukrishnan, Qazvinian and Abu-Jbara (2013), The ACL Anthology Network Corpus. Files of
one release hold UTF-8, Windows-1252 and HTML's named characters side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice

from citescape.core.errors import SourceError
from citescape.loaders.lines import LONGEST_LINE, TextLines
from citescape.loaders.table_rows import CITATIONS_A_CHUNK, CitationBatch, PaperRow

VERSION = "aan-1"
"""Increase it when the same files are read differently, so that they are loaded again."""

_FIELD = re.compile(r"\s*(id|author|title|venue|year) = \{(.*)", re.DOTALL)
_NAMES = {"author": "authors"}
_PAIR = re.compile(r"\s*([^\s,{}\"]+)\s*(?:,|==>)\s*([^\s,{}\"]+)\s*")


def kind_of(line: str) -> str | None:
    """The content of a file with this first line: `papers`, `citations`, or None."""
    found = _FIELD.fullmatch(line)
    if found and found[1] == "id":
        return "papers"
    return "citations" if _PAIR.fullmatch(line) else None


def read_papers(lines: TextLines) -> Iterator[PaperRow | SourceError]:
    """The papers of `acl-metadata.txt`, in order; an error for each invalid record.

    The year is the last field, so a last record that alone has none is cut off.
    """
    block: list[tuple[int, str]] = []
    size = 0
    before: PaperRow | SourceError | None = None
    for line in lines:
        if block and (not line.strip() or line.startswith("id = ")):
            before = _paper(lines, block, size)
            yield before
            block, size = [], 0
        size += len(line)
        if line.strip() and (not block or size <= LONGEST_LINE):
            block.append((lines.number, line))
    if block:
        row = _paper(lines, block, size)
        fields = before.fields if isinstance(before, PaperRow) else {}
        if isinstance(row, PaperRow) and "year" in {*fields} - {*row.fields}:
            place, message = f"{lines.path}:{row.line}", "the file ends before the year: cut off"
            row = SourceError(place, "cut-off", f"{message}; fetch it again")
        yield row


def _paper(lines: TextLines, block: list[tuple[int, str]], size: int) -> PaperRow | SourceError:
    start = block[0][0]
    if size > LONGEST_LINE:
        message = f"a record of {size:,} characters; expected at most {LONGEST_LINE:,}"
        return SourceError(f"{lines.path}:{start}", "too-large", message)
    fields: dict[str, str] = {}
    text = "".join(line for _, line in block)
    for part in re.split(r"\}[ \t]*(?:[\r\n]+|$)", text):
        found = _FIELD.fullmatch(part)
        if found:
            fields[_NAMES.get(found[1], found[1])] = " ".join(unescape(found[2]).split())
        elif part.strip():
            return _broken(lines, start, part)
    if not text.rstrip().endswith("}"):
        return _broken(lines, start, text.splitlines()[-1])
    return PaperRow(start, {name: value for name, value in fields.items() if value})


def _broken(lines: TextLines, start: int, part: str) -> SourceError:
    found = part.strip().splitlines()[0][:60]
    message = f"a record that holds {found!r}; expected lines `name = {{value}}`, a blank line last"
    return SourceError(f"{lines.path}:{start}", "broken-record", message)


def read_citations(lines: TextLines) -> Iterator[CitationBatch]:
    """The pairs of `acl.txt`; `citing ==> cited`, as in other releases, is read too."""
    stream = (line for line in lines if line.strip())
    while held := list(islice(stream, CITATIONS_A_CHUNK)):
        pairs = [match for line in held if (match := _PAIR.fullmatch(line))]
        yield CitationBatch([m[1] for m in pairs], [m[2] for m in pairs], len(held) - len(pairs))
