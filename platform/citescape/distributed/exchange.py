"""Files that pass rows from one stage of tasks to the next.

A task writes one file, with the rows for each reader together; a reader reads its rows of all
files. A file holds blocks in Arrow's IPC format, then a list of them as JSON, then the length of
this list. Tables without rows are left out.
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
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
        self.facts: Mapping[str, int] = {}
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
        data = json.dumps({"blocks": self._blocks, "facts": self.facts}).encode()
        self._sink.write(data)
        self._sink.write(_LENGTH.pack(len(data)))


@contextmanager
def writing(storage: Storage, name: str) -> Iterator[ExchangeFile]:
    """A file to write; it exists when the context ends without an error."""
    with storage.writing(name) as sink:
        file = ExchangeFile(sink)
        yield file
        file.close()


class WrittenFile:
    """A file of an exchange, whose list of blocks is read once."""

    def __init__(self, storage: Storage, name: str, size: int = 0) -> None:
        """Reads the list.

        Args:
            storage: folder of the file.
            name: name of the file.
            size: bytes of the file, if they are known.

        Raises:
            StoreError: the file is missing or damaged.
        """
        self._storage, self._name = storage, name
        size = size or storage.size(name)
        tail = storage.read(name, max(0, size - _TAIL), size)
        try:
            (length,) = _LENGTH.unpack(tail[-_LENGTH.size :])
            if length + _LENGTH.size > len(tail):
                tail = storage.read(name, size - length - _LENGTH.size, size)
            found: dict[str, Any] = json.loads(tail[-_LENGTH.size - length : -_LENGTH.size])
        except (struct.error, ValueError) as error:
            raise self._damaged(error) from error
        self._blocks: dict[str, dict[str, list[tuple[int, int]]]] = found["blocks"]
        self.facts: dict[str, int] = found["facts"]

    @property
    def readers(self) -> list[str]:
        """The readers for which the file has rows."""
        return sorted(self._blocks)

    def read(self, reader: int | str, only: Collection[str] = ()) -> Tables:
        """The rows for a reader, by table.

        Args:
            reader: the reader.
            only: tables to read; all by default.
        """
        return {
            table: pa.concat_tables(self._read(start, length) for start, length in places)
            for table, places in self._blocks.get(str(reader), {}).items()
            if not only or table in only
        }

    def _read(self, start: int, length: int) -> pa.Table:
        data = self._storage.read(self._name, start, start + length)
        try:
            return pa.ipc.open_stream(data).read_all()
        except (pa.ArrowException, OSError) as error:
            raise self._damaged(error) from error

    def _damaged(self, error: Exception) -> StoreError:
        return StoreError(f"{self._storage.address}/{self._name} is damaged: {error}")


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


def read_facts(storage: Storage, folder: str) -> Counter[str]:
    """The sums of the facts of all files in a folder."""
    total: Counter[str] = Counter()
    for name, size in list_files(storage, folder).items():
        total.update(WrittenFile(storage, name, size).facts)
    return total


def read_file(storage: Storage, name: str, reader: int | str, *only: str) -> Tables:
    """The rows of one file for a reader, by table; of some tables or all."""
    return WrittenFile(storage, name).read(reader, only)


def read_parts(storage: Storage, folder: str, reader: int | str, *only: str) -> Iterator[Tables]:
    """The rows of each file in a folder for a reader, in the order of the files' names."""
    for name, size in list_files(storage, folder).items():
        yield WrittenFile(storage, name, size).read(reader, only)


def read_exchange(storage: Storage, folder: str, reader: int | str, *only: str) -> Tables:
    """The rows of all files in a folder for a reader, by table; of some tables or all."""
    found: dict[str, list[pa.Table]] = {}
    for tables in read_parts(storage, folder, reader, *only):
        for name, rows in tables.items():
            found.setdefault(name, []).append(rows)
    return {name: pa.concat_tables(rows) for name, rows in found.items()}
