"""Files that pass rows from one stage of tasks to the next.

A task writes one file, with the rows for each reader together; a reader reads its rows of all
files. A file holds blocks in Arrow's IPC format, then a list of them as JSON, then the length of
this list. Tables without rows are left out.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from citescape.core.errors import StoreError
from citescape.core.hashing import Hashes
from citescape.distributed.storage import Storage

Tables = dict[str, pa.Table]
_LENGTH = struct.Struct("<Q")
_TAIL = 1 << 16
"""Bytes at the end of a file that are read at first: most lists are shorter."""
_FACTS = "facts"
_EXPECTED = ".expected"
"""Added to the name of a folder: the file with the number of its files."""


def part_of(hashes: Hashes, parts: int) -> NDArray[np.int64]:
    """The part (n,) of each hash."""
    mixed = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    return ((mixed >> np.uint64(32)) % np.uint64(parts)).astype(np.int64)


class ExchangeFile:
    """A file that is being written."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink
        self._blocks: dict[str, dict[str, list[tuple[int, int]]]] = {}
        self.facts: dict[str, int] = {}
        """Numbers about the rows, which can be read without them."""

    def add(self, name: str, reader: int | str, rows: pa.Table) -> None:
        """Adds rows for one reader."""
        if not rows.num_rows:
            return
        start = self._sink.tell()
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(self._sink, rows.schema, options=options) as writer:
            writer.write_table(rows.combine_chunks())
        block = start, self._sink.tell() - start
        self._blocks.setdefault(str(reader), {}).setdefault(name, []).append(block)

    def spread(self, name: str, rows: pa.Table, readers: NDArray[np.int64]) -> None:
        """Adds rows (n,) with the reader (n,) of each."""
        order = np.argsort(readers, kind="stable")
        sorted_rows, of_row = rows.take(pa.array(order)), readers[order]
        bounds = np.flatnonzero(np.diff(of_row)) + 1
        for start, end in zip([0, *bounds.tolist()], [*bounds.tolist(), len(of_row)], strict=True):
            if end > start:
                self.add(name, int(of_row[start]), sorted_rows.slice(start, end - start))

    def close(self) -> None:
        """Writes the list of blocks."""
        data = json.dumps({"blocks": self._blocks, _FACTS: self.facts}).encode()
        self._sink.write(data)
        self._sink.write(_LENGTH.pack(len(data)))


@contextmanager
def writing(storage: Storage, name: str) -> Iterator[ExchangeFile]:
    """A file to write; it exists when the context ends without an error."""
    with storage.writing(name) as sink:
        file = ExchangeFile(sink)
        yield file
        file.close()


def _read_list(storage: Storage, name: str, size: int) -> dict[str, Any]:
    tail = storage.read(name, max(0, size - _TAIL), size)
    try:
        (length,) = _LENGTH.unpack(tail[-_LENGTH.size :])
        if length + _LENGTH.size > len(tail):
            tail = storage.read(name, size - length - _LENGTH.size, size)
        found: dict[str, Any] = json.loads(tail[-_LENGTH.size - length : -_LENGTH.size])
    except (struct.error, ValueError) as error:
        raise StoreError(f"{storage.address}/{name} is damaged: {error}") from error
    return found


def expect_files(storage: Storage, folder: str, count: int) -> None:
    """Notes how many files a stage writes, before its tasks run."""
    name, text = f"{folder}{_EXPECTED}", str(count).encode()
    if name not in storage.sizes(name) or storage.read(name) != text:
        storage.write(name, text)


def list_files(storage: Storage, folder: str) -> dict[str, int]:
    """Bytes of the files of a stage, by name, in the order of its tasks.

    Raises:
        StoreError: some are missing.
    """
    found, expected = storage.sizes(folder), int(storage.read(f"{folder}{_EXPECTED}"))
    if len(found) != expected:
        raise StoreError(
            f"{storage.address}/{folder} has {len(found):,} of {expected:,} files; another process "
            "may have removed them, or this machine does not see them yet: run the same command "
            "again, one at a time"
        )
    return found


def read_facts(storage: Storage, folder: str) -> dict[str, int]:
    """The sums of the facts of all files in a folder."""
    total: dict[str, int] = {}
    for name, size in list_files(storage, folder).items():
        for fact, number in _read_list(storage, name, size)[_FACTS].items():
            total[fact] = total.get(fact, 0) + int(number)
    return total


def read_file(
    storage: Storage, name: str, reader: int | str, *, size: int = 0, only: Collection[str] = ()
) -> Tables:
    """The rows of one file for a reader, by table.

    Args:
        storage: folder of the file.
        name: name of the file.
        reader: the reader.
        size: size of the file, if it is known.
        only: tables to read; all by default.
    """
    listed = _read_list(storage, name, size or storage.sizes(name)[name])
    blocks: dict[str, list[list[int]]] = listed["blocks"].get(str(reader), {})
    tables: Tables = {}
    for table, places in blocks.items():
        if only and table not in only:
            continue
        blocks_of_table = (storage.read(name, start, start + length) for start, length in places)
        try:
            parts = [pa.ipc.open_stream(block).read_all() for block in blocks_of_table]
        except (pa.ArrowException, OSError) as error:
            raise StoreError(f"{storage.address}/{name} is damaged: {error}") from error
        tables[table] = pa.concat_tables(parts)
    return tables


def read_readers(storage: Storage, name: str) -> list[str]:
    """The readers for which a file has rows."""
    size = storage.sizes(name)[name]
    return sorted(_read_list(storage, name, size)["blocks"])


def read_parts(
    storage: Storage, folder: str, reader: int | str, *, only: Collection[str] = ()
) -> Iterator[Tables]:
    """The rows of each file in a folder for a reader, in the order of the files' names."""
    for name, size in list_files(storage, folder).items():
        yield read_file(storage, name, reader, size=size, only=only)


def read_exchange(storage: Storage, folder: str, reader: int | str, *only: str) -> Tables:
    """The rows of all files in a folder for a reader, by table; of some tables or all."""
    return concat(read_parts(storage, folder, reader, only=only))


def concat(parts: Iterable[Tables]) -> Tables:
    """All rows by table."""
    found: dict[str, list[pa.Table]] = {}
    for tables in parts:
        for name, rows in tables.items():
            found.setdefault(name, []).append(rows)
    return {name: pa.concat_tables(rows) for name, rows in found.items()}
