"""Tables on disk whose rows are found by hashes of what they contain.

A table has a *base*, mapped from files and never changed, and *additions* in memory, which are
written whole at each update. A changed row is marked as gone in the base and added anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from citescape.core.csr import ranges
from citescape.core.hashing import Hashes, hash_texts
from citescape.core.mapped_rows import MappedRows

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

_BATCH = 65_536


class Hashed(NamedTuple):
    """Hashes of rows; a row may have several or none."""

    rows: Ints
    """(k,)."""
    hashes: Hashes
    """(k,)."""

    @classmethod
    def join(cls, parts: Sequence[Hashed]) -> Hashed:
        """All of several."""
        rows = [np.zeros(0, np.int64), *(part.rows for part in parts)]
        hashes = [np.zeros(0, np.uint64), *(part.hashes for part in parts)]
        return cls(np.concatenate(rows), np.concatenate(hashes))


class Hasher(NamedTuple):
    """What finds the hashes of rows."""

    kinds: tuple[str, ...]
    """Kinds of hashes."""
    hash: Callable[[pa.Table], Mapping[str, Hashed]]
    """Kind -> hashes, of a table."""


@dataclass(frozen=True)
class _Part:
    """Rows, and the hashes of each by kind."""

    rows: pa.Table
    starts: Mapping[str, Ints]
    """Kind -> (rows + 1,) where the hashes of each row begin."""
    hashes: Mapping[str, Hashes]
    postings: Mapping[str, tuple[Hashes, Ints]]
    """Kind -> sorted hashes, and the row of each."""

    @classmethod
    def build(cls, rows: pa.Table, found: Mapping[str, Hashed]) -> _Part:
        starts, hashes, postings = {}, {}, {}
        for kind, (row, value) in found.items():
            by_row = np.lexsort((value, row))
            starts[kind] = np.searchsorted(row[by_row], np.arange(rows.num_rows + 1))
            hashes[kind] = value[by_row]
            by_hash = np.lexsort((row, value))
            postings[kind] = (value[by_hash], row[by_hash])
        return cls(rows, starts, hashes, postings)

    @cached_property
    def _mapped(self) -> MappedRows:
        return MappedRows(self.rows)

    def take(self, rows: Ints, columns: Sequence[str] | None = None) -> pa.Table:
        """The rows, sorted; only those that are asked for are read from disk."""
        return self._mapped.take(rows, columns)

    def count(self, kind: str, hashes: Hashes) -> Ints:
        """How many rows have each hash."""
        known, _ = self.postings[kind]
        low, high = (np.searchsorted(known, hashes, side) for side in ("left", "right"))
        counts: Ints = np.asarray(high - low, np.int64)
        return counts

    def count_among(self, kind: str, hashes: Hashes, chosen: Flags) -> Ints:
        """How many of the chosen rows have each hash."""
        counts = self.count(kind, hashes)
        of_hash = np.repeat(np.arange(len(hashes)), counts)
        found = of_hash[chosen[self.find(kind, hashes)]]
        return np.asarray(np.bincount(found, minlength=len(hashes)), np.int64)

    def find(self, kind: str, hashes: Hashes) -> Ints:
        """The rows with any of the hashes, as often as they have one."""
        known, rows = self.postings[kind]
        low, high = (np.searchsorted(known, hashes, side) for side in ("left", "right"))
        return np.asarray(rows[ranges(low, high - low)], np.int64)

    def hashes_of(self, kind: str, rows: Ints) -> Hashed:
        """The hashes of rows."""
        begin = self.starts[kind][rows]
        counts = self.starts[kind][rows + 1] - begin
        return Hashed(np.repeat(rows, counts), self.hashes[kind][ranges(begin, counts)])

    def save(self, folder: Path) -> None:
        """Writes the files of an empty folder."""
        folder.mkdir(parents=True)
        with new_rows(folder / _ROWS, self.rows.schema) as writer:
            writer.write_table(self.rows, max_chunksize=_BATCH)
        self.save_hashes(folder)

    def save_hashes(self, folder: Path) -> None:
        """Writes everything but the rows."""
        for kind in self.hashes:
            known, rows = self.postings[kind]
            arrays = (self.starts[kind], self.hashes[kind], known, rows)
            for name, array in zip(_ARRAYS, arrays, strict=True):
                new = folder / f"{kind}-{name}.new.npy"
                np.save(new, array)
                new.replace(folder / f"{kind}-{name}.npy")  # the earlier file may be mapped

    @classmethod
    def open(cls, folder: Path, kinds: Sequence[str]) -> _Part:
        """The rows in a folder, read when they are needed."""
        rows = map_rows(folder / _ROWS)
        if (folder / _MORE_COLUMNS).exists():
            more = map_rows(folder / _MORE_COLUMNS)
            rows = pa.Table.from_arrays(
                [*rows.columns, *more.columns], schema=pa.schema([*rows.schema, *more.schema])
            )
        starts, hashes, postings = {}, {}, {}
        for kind in kinds:
            starts[kind], hashes[kind], *found = (
                np.load(folder / f"{kind}-{name}.npy", mmap_mode="r") for name in _ARRAYS
            )
            postings[kind] = (found[0], found[1])
        return cls(rows, starts, hashes, postings)


_ARRAYS = ("starts", "hashes", "sorted", "rows")
_ROWS, _MORE_COLUMNS = "rows.arrow", "more-columns.arrow"


@contextmanager
def new_rows(path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatchWriter]:
    """A file of rows to write."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        yield writer


def map_rows(path: Path) -> pa.Table:
    """The rows of a file, read when they are needed."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


class IndexedRows:
    """A table whose rows are found by hashes; rows are numbered, base first.

    Another text may have the same hash: what is found may hold rows too many, never too few.
    """

    def __init__(self, base: _Part, additions: _Part, gone: Flags, hasher: Hasher) -> None:
        self._base, self._additions = base, additions
        self._gone = gone
        self._hasher = hasher
        self.base = ""
        """Name of the folder of the base; empty if it is only in memory."""

    @classmethod
    def build(cls, rows: pa.Table, hasher: Hasher) -> IndexedRows:
        """The index of a whole table.

        Args:
            rows: the table.
            hasher: what finds its hashes.
        """
        return cls._of_base(_Part.build(rows, hasher.hash(rows)), hasher)

    @classmethod
    def _of_base(cls, base: _Part, hasher: Hasher) -> IndexedRows:
        nothing = {kind: Hashed.join([]) for kind in hasher.kinds}
        additions = _Part.build(base.rows.schema.empty_table(), nothing)
        return cls(base, additions, np.zeros(base.rows.num_rows, bool), hasher)

    @property
    def share_added(self) -> float:
        """Additions and gone rows as a share of the base."""
        changed = self._additions.rows.num_rows + int(self._gone.sum())
        return float(changed / max(self._base.rows.num_rows, 1))

    def __len__(self) -> int:
        """Number of rows that are not gone."""
        return int(len(self._gone) - self._gone.sum() + self._additions.rows.num_rows)

    def find(self, kind: str, hashes: Hashes) -> Ints:
        """Numbers of the rows with any of these hashes, sorted; a row as often as it has one."""
        base = self._base.find(kind, hashes)
        base = base[~self._gone[base]]
        found = np.concatenate([base, self._additions.find(kind, hashes) + len(self._gone)])
        return np.sort(found)

    def postings(self, kind: str) -> tuple[Hashes, Ints]:
        """Sorted hashes, and the row of each, of a table that was not changed."""
        assert self.share_added == 0, "a table with additions or gone rows"
        return self._base.postings[kind]

    def count(self, kind: str, hashes: Hashes) -> Ints:
        """How many rows have each hash at most."""
        return self._base.count(kind, hashes) + self._additions.count(kind, hashes)

    def count_exact(self, kind: str, hashes: Hashes) -> Ints:
        """How many rows have each hash, a row as often as it has it."""
        gone = self._base.count_among(kind, hashes, self._gone)
        return self.count(kind, hashes) - gone

    def snapshot(self) -> IndexedRows:
        """The present state, which later changes leave as it is."""
        return IndexedRows(self._base, self._additions, self._gone.copy(), self._hasher)

    def find_equal(self, kind: str, column: str, texts: Sequence[str]) -> Ints:
        """Numbers of the rows with any of these texts in a column, sorted.

        Args:
            kind: hashes of that column.
            column: its name.
            texts: what to find.
        """
        wanted = pa.chunked_array([pa.array(texts, pa.string())])
        rows = np.unique(self.find(kind, hash_texts(wanted)))
        equal = pc.is_in(self.take(rows, [column])[column], value_set=wanted.combine_chunks())
        return np.asarray(rows[equal.to_numpy()])

    def hashes_of(self, kind: str, rows: Ints) -> Hashed:
        """The hashes of rows."""
        size = len(self._gone)
        base = self._base.hashes_of(kind, rows[rows < size])
        added = self._additions.hashes_of(kind, rows[rows >= size] - size)
        return Hashed.join([base, Hashed(added.rows + size, added.hashes)])

    def take(self, rows: Ints, columns: Sequence[str] | None = None) -> pa.Table:
        """Rows by their sorted numbers, with these columns (default: all)."""
        size = len(self._gone)
        added = rows[rows >= size] - size
        parts = [
            self._base.take(rows[rows < size], columns),
            self._additions.take(added, columns),
        ]
        return pa.concat_tables(parts)

    def whole(self, columns: Sequence[str] | None = None) -> pa.Table:
        """All rows that are not gone, with these columns (default: all).

        Without gone or added rows they are read from disk when they are needed.
        """
        if not len(self._added()) and not self._gone.any():
            return self._base.rows.select(list(columns or self._base.rows.column_names))
        return self.take(np.append(np.flatnonzero(~self._gone), self._added()), columns)

    def _added(self) -> Ints:
        return len(self._gone) + np.arange(self._additions.rows.num_rows)

    def replace(self, gone: Ints, rows: pa.Table) -> Ints:
        """Removes rows and adds others; returns the numbers of those added.

        Other additions are numbered anew.
        """
        size = len(self._gone)
        self._gone[gone[gone < size]] = True
        kept = np.setdiff1d(self._added(), gone) - size
        joined = pa.concat_tables([self._additions.take(kept), rows.cast(self._base.rows.schema)])
        found = {}
        for kind, new in self._hasher.hash(rows).items():
            before = self._additions.hashes_of(kind, kept)
            moved = Hashed(np.searchsorted(kept, before.rows), before.hashes)
            found[kind] = Hashed.join([moved, Hashed(new.rows + len(kept), new.hashes)])
        self._additions = _Part.build(joined, found)
        return size + len(kept) + np.arange(rows.num_rows)

    @classmethod
    def write(
        cls, folder: Path, schema: pa.Schema, parts: Iterable[pa.Table], hasher: Hasher
    ) -> IndexedRows:
        """The index of a table that comes in parts, written into a new folder.

        Args:
            folder: the folder.
            schema: columns of the table.
            parts: its rows.
            hasher: what finds their hashes.
        """
        folder.mkdir(parents=True)
        found: dict[str, list[Hashed]] = {kind: [] for kind in hasher.kinds}
        size = 0
        with new_rows(folder / _ROWS, schema) as writer:
            for part in parts:
                writer.write_table(part.select(schema.names).cast(schema), max_chunksize=_BATCH)
                for kind, (rows, hashes) in hasher.hash(part).items():
                    found[kind].append(Hashed(rows + size, hashes))
                size += part.num_rows
        hashed = {kind: Hashed.join(of_parts) for kind, of_parts in found.items()}
        _Part.build(map_rows(folder / _ROWS), hashed).save_hashes(folder)
        whole = cls._of_base(_Part.open(folder, hasher.kinds), hasher)
        whole.base = folder.name
        return whole

    def add_columns(
        self, folder: Path, columns: pa.Schema, parts: Iterable[pa.Table], found: Hashed, kind: str
    ) -> IndexedRows:
        """The same rows with more columns and hashes of these, written beside the base.

        Args:
            folder: where the folder of the base is.
            columns: the columns.
            parts: their values, in the order of rows.
            found: hashes of a kind.
            kind: the kind.
        """
        base = folder / self.base
        with new_rows(base / _MORE_COLUMNS, columns) as writer:
            for part in parts:
                writer.write_table(part.cast(columns), max_chunksize=_BATCH)
        _Part.build(self._base.rows, {kind: found}).save_hashes(base)
        rows = self._of_base(_Part.open(base, self._hasher.kinds), self._hasher)
        rows.base = self.base
        return rows

    def keep_base(self, folder: Path) -> None:
        """Writes the base into a new folder, from where it is read from now on."""
        self._base.save(folder)
        self._base = _Part.open(folder, self._hasher.kinds)
        self.base = folder.name

    def save_additions(self, folder: Path) -> None:
        """Writes additions, and which rows of the base are gone, into a new folder."""
        self._additions.save(folder)
        np.save(folder / "gone.npy", np.flatnonzero(self._gone))

    @classmethod
    def open(cls, base: Path, additions: Path, hasher: Hasher) -> IndexedRows:
        """The index in two folders."""
        first = _Part.open(base, hasher.kinds)
        gone = np.zeros(first.rows.num_rows, bool)
        gone[np.load(additions / "gone.npy")] = True
        rows = cls(first, _Part.open(additions, hasher.kinds), gone, hasher)
        rows.base = base.name
        return rows
