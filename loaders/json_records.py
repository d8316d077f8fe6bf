"""Files of several records, one document each: JSON Lines, JSON lists, Parquet.

JSON Lines and Parquet are streamed. A list (also one inside an object, as Crossref's `items`) is
read whole, so its size is bounded.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import SourceError
from citescape.loaders import xml
from citescape.loaders.documents import DAMAGE, SourceDocument, damaged, refused, unreadable
from citescape.loaders.formats import NO_RECORDS

_PARQUET = b"PAR1"
_BOM = b"\xef\xbb\xbf"
_WRAPPERS = ("message",)
_LISTS = ("items", "results", "data")
"""Keys of objects that wrap records: the answer of an interface, and the list in it."""
_ROWS = 256
"""Rows of Parquet that are in memory as records."""
_SKIP = 1 << 20


def may_hold_records(head: bytes) -> bool:
    """Whether a file with these first bytes is JSON or Parquet."""
    return head.startswith(_PARQUET) or head.removeprefix(_BOM).lstrip()[:1] in (b"{", b"[")


def may_hold_lines(head: bytes) -> bool:
    """Whether the second line of a file is an object of JSON; then the first one is damaged."""
    lines = [line for line in head.splitlines() if line.strip()][:2]
    return len(lines) == 2 and lines[1].lstrip().startswith(b'{"')


def split_records(
    document: SourceDocument, passed_over: Counter[str] | None = None
) -> Iterator[SourceDocument]:
    """A document for each record, `works.jsonl#1`, ...; the document itself if it is one record.

    The number is that of the line, row or item. A line that is too long or damaged is a document of
    its own; the others are read.

    Args:
        document: the document.
        passed_over: counts empty lists, and null in lists: the answer for an unknown id.
    """
    passed_over = Counter() if passed_over is None else passed_over
    try:
        if document.head().startswith(_PARQUET):
            yield from _read_rows(document)
        elif _has_lines(document):
            yield from _read_lines(document, passed_over)
        else:
            yield from _read_list(document, passed_over)
    except pa.ArrowException as error:
        yield refused(damaged(document.path, error))
    except (OSError, *DAMAGE) as error:
        yield refused(unreadable(document.path, error))


def _has_lines(document: SourceDocument) -> bool:
    """Whether the first line is a record, or the second one (then the first is damaged)."""
    with document.open() as opened:
        lines = (line for _, line in _iterate_lines(opened) if not line.isspace())
        return any(_is_object(line) for line, _ in zip(lines, range(2), strict=False))


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(orjson.loads(line.removeprefix(_BOM)), dict)
    except ValueError:
        return False


def _iterate_lines(opened: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Number and bytes of each line; a line over the limit is cut to one byte more than it."""
    number = 0
    while line := opened.readline(xml.MAX_BYTES + 1):
        number += 1
        rest = line
        while len(line) > xml.MAX_BYTES and rest and not rest.endswith(b"\n"):
            rest = opened.readline(_SKIP)
        yield number, line


def _read_lines(document: SourceDocument, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    first: SourceDocument | None = None
    several = False
    with document.open() as opened:
        for number, line in _iterate_lines(opened):
            if line.isspace():
                continue
            record = _document(document, number, line.removeprefix(_BOM) if number == 1 else line)
            if first is None:
                first = record
                continue
            if not several:
                several = True
                yield first
            yield record
    if not several:
        yield from _read_list(document, passed_over)


def _document(document: SourceDocument, number: int, data: bytes) -> SourceDocument:
    path = f"{document.path}#{number}"
    if len(data) > xml.MAX_BYTES:
        return refused(xml.too_large(path, len(data)))
    return SourceDocument(path, len(data), data=data, may_be_other=document.may_be_other)


def _read_list(document: SourceDocument, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    """The records of a list; anything else is one document, which is refused where it is read."""
    try:
        records = _find_list(orjson.loads(document.read().removeprefix(_BOM)))
    except SourceError as error:
        yield refused(error)
        return
    except ValueError:
        records = None
    if records is None:
        yield document
        return
    unknown, nothing = NO_RECORDS
    if not records:
        passed_over[nothing] += 1
    for number, record in enumerate(records, start=1):
        if record is None:
            passed_over[unknown] += 1
        else:
            yield _document(document, number, orjson.dumps(record))


def _find_list(value: Any) -> list[Any] | None:
    """A list, or the list of objects that is wrapped in an object."""
    for key in _WRAPPERS:
        if isinstance(value, dict) and isinstance(value.get(key), dict):
            value = value[key]
    for key in _LISTS:
        if isinstance(value, dict) and isinstance(value.get(key), list):
            value = value[key]
    return value if isinstance(value, list) else None


def _read_rows(document: SourceDocument) -> Iterator[SourceDocument]:
    opened = io.BytesIO(document.read()) if document.file is None else document.file
    with pq.ParquetFile(opened) as rows:
        number = 0
        for batch in rows.iter_batches(_ROWS):
            for row in batch.to_pylist():
                number += 1
                yield _document(document, number, orjson.dumps(row, default=str))
