"""Records of papers in files: JSON, JSON Lines, CSV, Parquet; and the ids in them."""

from __future__ import annotations

import csv
import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.errors import SourceError

Item = TypeVar("Item")
Parsed = TypeVar("Parsed")
Record = Mapping[str, Any]
Records = Iterator[tuple[str, Record]]
"""Each record with its position, for messages."""
ID_KEYS = (
    "paper_id",
    "doc_id",
    "corpus_id",
    "corpusid",
    "id",
    "doi",
    "paper",
    "pmid",
    "query_id",
)
"""Keys of a paper's id in files; the first that is present and not empty counts."""
_HALF = re.compile("[\ud800-\udfff]")
_EXACT = 2**53
"""Whole floats below it are exact."""


def to_id(value: object, where: str) -> str:
    """An id as text; whole floats, as pandas makes of integers with gaps, become integers.

    Args:
        value: id as read from a file.
        where: file and place in it, for messages.

    Raises:
        SourceError: it is neither a text nor a whole number, or contains half of a surrogate pair.
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
        raise _error(where, f"{value!r} as id; expected a text or a whole number")
    if not (id_ := str(value)).isascii() and _HALF.search(id_):
        raise _error(where, f"an id with half of a surrogate pair: {id_[:80]!r}; expected UTF-8")
    return id_


def find_id(record: Record, where: str) -> str:
    """The id of a record, see `ID_KEYS` and `to_id`.

    Raises:
        SourceError: it has none.
    """
    for key in ID_KEYS:
        if record.get(key) not in (None, ""):
            return to_id(record[key], where)
    keys = ", ".join(map(str, record))[:80]
    raise SourceError(where, "no-id", f"found {keys}; expected an id as {', '.join(ID_KEYS)}")


def read_json(path: Path, make: Callable[[list[tuple[str, Any]]], object] | None = None) -> object:
    """Content of a JSON file.

    Args:
        path: also compressed (`.gz`).
        make: creates the Python object of a JSON object from its keys and values; by default
            a dictionary.

    Raises:
        SourceError: there is no such file, or it is not JSON.
    """
    try:
        return json.loads("".join(iterate_lines(path)), object_pairs_hook=make)
    except (ValueError, RecursionError) as error:
        raise SourceError(
            str(path), "not-json", f"expected JSON; found it cut off or damaged: {error}"
        ) from error


def read_each(
    items: Iterable[Item], read: Callable[[Item], Parsed], skipped: list[str] | None
) -> list[Parsed]:
    """Reads each item; an item that cannot be read does not stop the others.

    Args:
        items: records of one file.
        read: parses an item, or raises `SourceError`.
        skipped: receives the message on each item that cannot be read. None: the first such
            item is an error.

    Raises:
        SourceError: none of the items can be read; the error is that of the first.
    """
    parsed: list[Parsed] = []
    first: SourceError | None = None
    for item in items:
        try:
            parsed.append(read(item))
        except SourceError as error:
            if skipped is None:
                raise
            first = first or error
            skipped.append(str(error))
    if first and not parsed:
        raise first
    return parsed


def read_records(paths: list[Path], keys: tuple[str, ...] = ()) -> Records:
    """All records of CSV, Parquet or JSON Lines files; each must have these keys.

    Raises:
        SourceError: a file is damaged, a record lacks a key, or there are none.
    """
    none = True
    for path in paths:
        try:
            for where, record in _READERS.get(path.suffix, _read_jsonl)(path):
                if not isinstance(record, Mapping) or any(record.get(key) is None for key in keys):
                    expected = f"the keys {', '.join(keys)}" if keys else "an object"
                    raise _error(where, f"{str(record)[:80]}; expected {expected}")
                none = False
                yield where, record
        except (csv.Error, OSError, pa.ArrowException) as error:
            raise SourceError(
                str(path), "damaged", f"cut off or not {path.suffix[1:]}: {error}"
            ) from error
    if none:
        expected = ", ".join(keys) or "records"
        raise SourceError(str(paths[0]), "empty", f"expected {expected}; found no records")


def iterate_lines(path: Path) -> Iterator[str]:
    """Lines of a text file, compressed (`.gz`) or not, with their line ends.

    Raises:
        SourceError: there is no such file, it is not UTF-8, or a compressed file is cut off.
    """
    open_ = gzip.open if path.suffix == ".gz" else open
    try:
        with open_(path, "rt", encoding="utf-8", newline="") as opened:
            yield from opened
    except OSError as error:
        raise SourceError(
            str(path), "no-file", f"expected a file; found: {error.strerror or error}"
        ) from error
    except UnicodeDecodeError as error:
        raise SourceError(str(path), "not-text", f"expected UTF-8; found: {error}") from error
    except (EOFError, zlib.error) as error:
        raise SourceError(str(path), "damaged", f"cut off or damaged: {error}") from error


def _read_csv(path: Path) -> Records:
    rows = csv.DictReader(iterate_lines(path), strict=True)
    for row in rows:
        yield f"{path}: line {rows.line_num}", row


def _read_jsonl(path: Path) -> Records:
    for number, line in enumerate(iterate_lines(path), 1):
        if line.isspace():
            continue
        try:
            yield f"{path}: line {number}", json.loads(line)
        except (ValueError, RecursionError) as error:
            raise _error(f"{path}: line {number}", f"not JSON: {error}") from error


def _read_parquet(path: Path) -> Records:
    with pq.ParquetFile(path) as opened:
        records = (record for batch in opened.iter_batches() for record in batch.to_pylist())
        for number, record in enumerate(records, 1):
            yield f"{path}: row {number}", record


def _error(where: str, message: str) -> SourceError:
    return SourceError(where, "not-a-record", f"found {message}")


_READERS: Mapping[str, Callable[[Path], Records]] = {
    ".csv": _read_csv,
    ".parquet": _read_parquet,
}
