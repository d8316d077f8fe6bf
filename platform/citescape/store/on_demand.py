"""An embedded store that is opened for reading, and reopened for writing at the first write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa

from citescape.core.errors import StoreError
from citescape.store.graph_store import BatchSize, Change, open_store
from citescape.store.ladybug.adapter import LadybugStore
from citescape.store.ladybug.file import file_revision
from citescape.store.ladybug.rows import End
from citescape.store.queries import Query


class OnDemandStore:
    """A `GraphStore` that acquires its write lock at the first write, and keeps it.

    Until then other processes may write to the file; each query reads the latest state.
    """

    def __init__(self, location: str) -> None:
        """Opens the existing file at `location` for reading."""
        self.location, self._can_write = location, False
        self._seen = file_revision(location)
        self._store = self._open_file(read_only=True)
        self.dialect = self._store.dialect

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a query, in a session in which the engine writes nothing to the database."""
        return self._to_read().read(query, **params)

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches."""
        return self._to_read().read_batches(query, **params)

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a statement that may change the database."""
        return self._to_write().run(query, **params)

    def would_write(self, text: str, /, **params: object) -> bool:
        """Whether the engine says that a statement does more than read."""
        return self._store.would_write(text, **params)

    def interrupt(self) -> None:
        """Ends the queries that run."""
        self._store.interrupt()

    def write(self, query: Query | str, /, rows: pa.Table | None = None, **params: object) -> None:
        """Runs a write query, over `rows` if given."""
        self._to_write().write(query, rows, **params)

    def apply(self, changes: Sequence[Change], *, atomic: bool = False) -> None:
        """Applies changes in order."""
        self._to_write().apply(changes, atomic=atomic)

    def overwrite(self, name: str, pieces: Iterable[pa.Table]) -> None:
        """Replaces all relationships of a type."""
        self._to_write().overwrite(name, pieces)

    def row_limit(self, label: str) -> int:
        """The largest row number of a label, plus 1."""
        return self._to_read().row_limit(label)

    def read_nodes(self, label: str, columns: Sequence[str] = ()) -> Iterator[pa.Table]:
        """`row` and the given columns of all nodes of a label."""
        return self._to_read().read_nodes(label, columns)

    def read_links(
        self, name: str, columns: Sequence[str] = (), *, by: End = "from"
    ) -> Iterator[pa.Table]:
        """`from_row`, `to_row` and the given columns of all relationships of a type."""
        return self._to_read().read_links(name, columns, by=by)

    def count_links(self, name: str) -> dict[str, int]:
        """Number of relationships of a type, and of values of each property."""
        return self._to_read().count_links(name)

    @property
    def batch_size(self) -> BatchSize:
        """The largest transaction for the present size of the store."""
        return self._to_read().batch_size

    def revision(self) -> str:
        """A text that changes with every change of the database, by any process."""
        return self._store.revision()

    def lock(self) -> None:
        """Opens the file for writing now, not at the first write.

        Raises:
            StoreLockedError: another process holds it.
        """
        self._to_write()

    def unlock(self) -> None:
        """Opens the file for reading, until the next write."""
        if self._can_write:
            self._can_write = False
            self._open(read_only=True)

    def close(self) -> None:
        """Releases the database."""
        self._store.close()

    def _to_read(self) -> LadybugStore:
        """The store, reopened if another process has written to it."""
        if not self._can_write and self._store.revision() != self._seen:
            self._open(read_only=True)
        return self._store

    def _to_write(self) -> LadybugStore:
        """The store, opened for writing; unchanged if another process writes to it."""
        if not self._can_write:
            try:
                self._open(read_only=False)
            except StoreError:
                self._open(read_only=True)
                raise
            self._can_write = True
        return self._store

    def _open(self, *, read_only: bool) -> None:
        """Closes the store and opens it anew.

        In this order, because closing a file releases all locks of the process on it, also those of
        other handles (fcntl, POSIX). If it cannot be opened now, the next query tries again.
        """
        self._store.release()
        self._seen, seen = "", file_revision(self.location)  # later writes are new
        self._store = self._open_file(read_only=read_only)
        self._seen = seen

    def _open_file(self, *, read_only: bool) -> LadybugStore:
        store = open_store(self.location, read_only=read_only, create=False)
        assert isinstance(store, LadybugStore)
        return store
