"""Exports of bibliographic databases, recognised by their first lines, split into records.

Each record becomes a document: a JSON object with the fields that its reader uses. So a record has
a hash, an error of its own, and is read in parallel, and citation counts, which change from export
to export, do not make it a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson

from citescape.core.errors import SourceError
from citescape.loaders import scopus, wos, xml
from citescape.loaders.archives import ends
from citescape.loaders.documents import DAMAGE, SourceDocument, of_file, refused, unreadable
from citescape.loaders.export_rows import BrokenRecord
from citescape.loaders.lines import decode_head, read_lines
from citescape.loaders.record_values import Record

ENDINGS = (".csv", ".tsv", ".txt", ".ciw", ".csv.gz", ".tsv.gz", ".txt.gz", ".ciw.gz")
"""Endings of files that may be exports."""


@dataclass(frozen=True)
class ExportFormat:
    """Detection and splitting of exports."""

    is_export: Callable[[str], bool]
    """Takes the first lines of a file."""
    split: Callable[[Iterator[str]], Iterator[Record | BrokenRecord]]
    """Lines of a file -> its records."""


EXPORT_FORMATS = {
    "scopus": ExportFormat(scopus.is_export, scopus.split_rows),
    "wos": ExportFormat(wos.is_export, wos.split_records),
}


def find_export(head: bytes) -> str | None:
    """The format of an export with these first bytes; None for other files."""
    text = decode_head(head).lstrip()
    return next((name for name, known in EXPORT_FORMATS.items() if known.is_export(text)), None)


def is_export_file(file: Path) -> bool:
    """Whether a file has several records of a bibliographic database, by ending and content."""
    return ends(file.name, ENDINGS) and find_export(of_file(file).head()) is not None


def split_export(document: SourceDocument) -> Iterator[SourceDocument]:
    """A document for each record, `savedrecs.txt#1`, ...; a damaged record is one of its own."""
    name = find_export(document.head())
    if name is None:
        yield document
        return
    number = 0
    try:
        lines = read_lines(document, xml.MAX_BYTES)
        for number, record in enumerate(EXPORT_FORMATS[name].split(lines), start=1):
            yield _document(f"{document.path}#{number}", name, record)
    except (OSError, *DAMAGE) as error:
        yield refused(unreadable(document.path, error))
        return
    if not number:
        message = "a header without records; export the records again"
        yield refused(SourceError(document.path, "no-papers", message))


def _document(path: str, name: str, record: Record | BrokenRecord) -> SourceDocument:
    if isinstance(record, BrokenRecord):
        return refused(SourceError(path, record.reason, record.message))
    data = orjson.dumps({name: record}, option=orjson.OPT_SORT_KEYS)
    if len(data) > xml.MAX_BYTES:
        return refused(xml.too_large(path, len(data)))
    return SourceDocument(path, len(data), data=data)
