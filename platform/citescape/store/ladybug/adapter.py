"""The embedded store: one file, no server (https://docs.ladybugdb.com).

A write statement's ``UNWIND $rows AS row`` is run as ``LOAD FROM $rows``: the same meaning over an
Arrow table, some 80 times faster than a list of maps.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import ladybug
import pyarrow as pa

from citescape.core.errors import StoreError, list_some
from citescape.core.outputs import WatchedFile, watch_store
from citescape.store.graph_store import Change, plain_numbers, statement
from citescape.store.ladybug.file import (
    explain,
    file_revision,
    hold_writer,
    no_store,
    open_database,
    release_reader,
    release_writer,
)
from citescape.store.ladybug.keys import REPAIR, as_text, from_text, lost_rows, pieces, repair
from citescape.store.queries import Query, query
from citescape.store.schema import NODE, NODES, RELS, TABLE, NodeTable, RelTable
from citescape.store.state import (
    UPGRADABLE,
    check_schema_version,
    read_meta,
    write_meta,
    write_schema_version,
)
from citescape.store.statements import (
    UNWIND,
    create_text,
    delete_text,
    key_columns,
    replace_text,
    row_values,
    update_text,
)

_TYPES = {
    pa.string(): "STRING",
    pa.int64(): "INT64",
    pa.float64(): "DOUBLE",
    pa.bool_(): "BOOL",
    pa.list_(pa.string()): "STRING[]",
    pa.list_(pa.int64()): "INT64[]",
    pa.list_(pa.float32()): "FLOAT[]",
}
_BATCH_ROWS = 65_536
_MANY = 2_000  # relationships from which an update is cheaper as deletion and insertion


class LadybugStore:
    """A `GraphStore` in one file."""

    dialect = "ladybug"

    def __init__(
        self, database: ladybug.Database, location: str, *, read_only: bool = False
    ) -> None:
        self.location = location
        self._database, self._read_only = database, read_only
        self._connection = ladybug.Connection(database)
        self._in_transaction = self._is_closed = False
        self._file = WatchedFile.of(Path(location), in_use=True)
        self._hold()

    @classmethod
    def open(
        cls, location: str, *, read_only: bool = False, create: bool = True, upgrade: bool = False
    ) -> LadybugStore:
        """Opens the file at `location`, creating it and its schema, or new tables, if allowed.

        Raises:
            StoreLockedError: another process writes to it.
            SchemaVersionError: it was written by another schema version.
            StoreError: it is no store, or does not exist and may not be created.
        """
        path, create = Path(location), create and not read_only
        if not path.exists() and not create:
            raise no_store(location)
        store = cls(open_database(path, read_only), location, read_only=read_only)
        try:
            watch_store(store._file)
            if upgrade and not read_only:
                store._upgrade()
            store._check_schema(create=create, read_only=read_only)
        except BaseException:
            store.release()
            raise
        return store

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a read query, in a transaction that the engine lets read only.

        Files are another matter: see `reading`.
        """
        text = statement(query, self.dialect, params)
        if self._read_only or self._in_transaction:
            return self.scan(text, **params)
        with self._reading():
            found = self.scan(text, **params)
        if any(isinstance(value, pa.Table) for value in params.values()):
            self._forget()
        return found

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches of at most 65,536, made once the engine has all."""
        yield from self.read(query, **params).to_batches(max_chunksize=_BATCH_ROWS)

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a statement that may change the database."""
        return self.scan(statement(query, self.dialect, params), **params)

    def would_write(self, text: str, /, **params: object) -> bool:
        """False: ladybug does not tell; it stops a statement in a transaction that only reads."""
        return False

    def write(self, query: Query | str, /, rows: pa.Table | None = None, **params: object) -> None:
        """Runs a write query, over `rows` if given."""
        given = dict(params) if rows is None else {**params, "rows": rows}
        text = statement(query, self.dialect, given)
        if rows is None:
            self._execute(text, given)
        elif rows.num_rows:
            self._execute(_over_table(text, rows), {**params, "rows": _prefixed(rows)})
            self._forget()

    def apply(self, changes: Sequence[Change], *, atomic: bool = False) -> None:
        """Carries out changes in order: atomic ones in one transaction, others piece by piece."""
        if atomic:
            self._commit(changes)
            return
        for change in changes:
            for piece in pieces(self, change):
                self._commit([piece])

    @property
    def batch_papers(self) -> int:
        """Full texts to write in one transaction: two fifths of those there (`ladybug_keys`)."""
        present = int(self.read(query("ingest/count_full_texts"))["n"][0].as_py())
        return min(max(int(0.4 * present), 50), 5_000) if present else 1_000

    def revision(self) -> str:
        """Of the file, and of the log that every commit is added to first."""
        return file_revision(self.location)

    def close(self) -> None:
        """Releases the file and its lock; once, as the lock may be another handle's afterwards.

        Raises:
            StoreError: another process deleted or replaced the file while it was open.
        """
        if not self._is_closed:
            self.release()
            self._file.check()

    def _hold(self) -> None:
        """Keeps this process from opening the file again while it may be written here."""
        if not self._read_only:
            hold_writer(self._file.state)

    def release(self) -> None:
        """Closes the file without a look at whether it is still the same."""
        if self._is_closed:
            return
        self._is_closed = True
        self._connection.close()
        self._database.close()
        if self._read_only:
            release_reader(self._file.path, self._file.state)
        else:
            release_writer(self._file.state)

    def scan(self, text: str, /, **params: object) -> pa.Table:
        """Runs one statement as it stands, in ladybug's own Cypher."""
        result = self._query(text, params)
        try:
            return plain_numbers(result.get_as_arrow(_BATCH_ROWS))
        finally:
            result.close()
            if any(isinstance(value, pa.Table) for value in params.values()):
                self._forget()

    def interrupt(self) -> None:
        """Ends the query that runs, at the next batch of rows that it works on."""
        self._connection.interrupt()

    def _commit(self, changes: Sequence[Change]) -> None:
        changes = [change for change in changes if change.rows.num_rows]
        insertions = [change for change in changes if change.action == "insert"]
        copies = len(insertions) == len(changes)
        with self._transaction():
            for change in changes:
                self._apply(change, copies=copies)
        for change in insertions:
            if change.table in NODE:
                self._mend(change)

    def _mend(self, change: Change) -> None:
        """Puts rows in again whose key the engine lost (see `ladybug_keys`)."""
        for _ in range(3):
            lost = lost_rows(self, change)
            if not lost.num_rows:
                return
            with self._transaction():
                again = repair(self, NODE[change.table], lost)
                write_meta(self, REPAIR, as_text(again))
            self._put_back(again)
        raise StoreError(
            f"{self.location}: ladybug lost {lost.num_rows} keys of {change.table} and could not "
            "take them again; load the papers into a new store"
        )

    def _put_back(self, again: Sequence[Change]) -> None:
        """Inserts what a repair took out; after a crash the next opening does."""
        with self._transaction():
            for insertion in again:
                if insertion.rows.num_rows:
                    self._create(TABLE[insertion.table], insertion.rows)
            write_meta(self, REPAIR, "")

    def _complete_repair(self) -> None:
        noted = read_meta(self, REPAIR)
        if noted:
            again = from_text(noted)
            self._put_back(again)
            self._mend(again[0])

    def _apply(self, change: Change, *, copies: bool) -> None:
        """Carries out one change; insertions by COPY, where the transaction has nothing else."""
        if change.action == "run":
            self.write(query(change.table), change.rows)
            return
        table = TABLE[change.table]
        if change.action == "insert" and copies:
            rows = change.rows.select(table.arrow.names).cast(table.arrow)
            self._execute(f"COPY {table.name} FROM $rows", {"rows": rows})
        elif change.action == "insert":
            self._create(table, change.rows)
        elif change.action == "update":
            if isinstance(table, RelTable) and change.rows.num_rows >= _MANY:
                self._replace(table, change.rows)
            else:
                self.write(update_text(table, change.rows.column_names), change.rows)
        else:
            self.write(delete_text(table), change.rows.select(key_columns(table)))

    def _replace(self, table: RelTable, rows: pa.Table) -> None:
        """Updates relationships by deleting them and inserting them again.

        SET costs some 10 us a row and column, an insertion one: a score's nine columns take a
        sixth of the time. Columns that `rows` does not have are carried over.
        """
        text = _over_table(replace_text(table, rows.column_names), rows)
        whole = self.scan(text, rows=_prefixed(rows)).cast(table.arrow)
        self.write(delete_text(table), whole.select(key_columns(table)))
        self._create(table, whole)

    def _create(self, table: NodeTable | RelTable, rows: pa.Table) -> None:
        """Inserts rows by a statement that is logged, as COPY is not.

        A commit logs its statements, then moves all it did into the file. Where that is cut off,
        the log is run again, and what was copied is lost.

        Raises:
            StoreError: a relationship names a node that is not there.
        """
        rows = rows.select(table.arrow.names).cast(table.arrow)
        done = self.scan(_over_table(create_text(table), rows), rows=_prefixed(rows))["n"][0]
        lacking = rows.num_rows - int(done.as_py())
        if lacking:
            raise StoreError(
                f"{self.location}: {lacking} of {rows.num_rows} rows of {table.name} name nodes "
                "that are not there; nothing of this step was kept"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._execute("BEGIN TRANSACTION", {})
        self._in_transaction = True
        try:
            yield
            self._execute("COMMIT", {})
        except BaseException:
            self._rollback()
            raise
        finally:
            self._in_transaction = False
        self._forget()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """A transaction in which statements that write to the database are refused."""
        self._execute("BEGIN TRANSACTION READ ONLY", {})
        self._in_transaction = True
        try:
            yield
        finally:
            self._in_transaction = False
            with suppress(StoreError):  # a statement that failed has ended it already
                self._execute("ROLLBACK", {})

    def _rollback(self) -> None:
        """Rolls back and opens the file anew: after a failed COPY the open index may be damaged."""
        with suppress(StoreError):  # a failed statement may have ended the transaction itself
            self._execute("ROLLBACK", {})
        self.close()  # raises rather than letting a new file be made where this one was
        self._database = open_database(Path(self.location), read_only=False)
        self._connection = ladybug.Connection(self._database)
        self._is_closed = False
        self._hold()

    def _forget(self) -> None:
        """Opens a new connection: the old one keeps every table it was given, and its plans."""
        if not self._in_transaction:
            self._connection.close()
            self._connection = ladybug.Connection(self._database)
            give_back()

    def _execute(self, text: str, params: dict[str, object]) -> None:
        self._query(text, params).close()

    def _query(self, text: str, params: dict[str, object]) -> ladybug.QueryResult:
        """The result of one statement; holds memory of the buffer pool until it is closed."""
        try:
            result = self._connection.execute(text, params or None)
        except RuntimeError as error:
            self._file.check()
            raise StoreError(explain(str(error), self.location)) from error
        assert not isinstance(result, list)  # `statement` refuses several in one text
        return result

    def _tables(self) -> set[str]:
        return set(self.read("CALL show_tables() RETURN name")["name"].to_pylist())

    def _upgrade(self) -> None:
        """Adds the tables that an earlier version did not have, and its number, at once."""
        tables = self._tables()
        if "Meta" not in tables or read_meta(self, "schema_version") not in UPGRADABLE:
            return
        with self._transaction():
            for name, text in _ddl():
                if name not in tables:
                    self._execute(text, {})
            write_schema_version(self)

    def _check_schema(self, *, create: bool, read_only: bool) -> None:
        tables = self._tables()
        if "Meta" in tables:
            check_schema_version(self)
            if not read_only:
                self._complete_repair()
        elif tables:
            raise StoreError(
                f"{self.location} is a ladybug database with other tables "
                f"({list_some(sorted(tables), 4)}), not a citescape store; name another file"
            )
        elif create:
            with self._transaction():
                for _, text in _ddl():
                    self._execute(text, {})
                write_schema_version(self)
        else:
            raise no_store(self.location)


def give_back() -> None:
    """Returns freed memory to the system; Arrow's and glibc's allocators keep it by default."""
    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # other C libraries have no malloc_trim
        ctypes.CDLL(None).malloc_trim(0)


def _over_table(text: str, rows: pa.Table) -> str:
    """``UNWIND $rows AS row ... row.x`` as ``LOAD FROM $rows ... row_x``."""
    return UNWIND.sub("LOAD FROM $rows", row_values(text, rows.column_names, "row_{}".format))


def _prefixed(rows: pa.Table) -> pa.Table:
    """The rows as such a statement calls their columns: `row_x`."""
    return rows.rename_columns([f"row_{name}" for name in rows.column_names])


def _ddl() -> Iterator[tuple[str, str]]:
    """Name and statement of every table."""
    for table in NODES:
        columns = "".join(f", {name} {_TYPES[kind]}" for name, kind in table.columns.items())
        yield table.name, f"CREATE NODE TABLE {table.name}(id STRING PRIMARY KEY{columns})"
    for rel in RELS:
        columns = "".join(f", {name} {_TYPES[kind]}" for name, kind in rel.columns.items())
        ends = f"FROM {rel.source} TO {rel.target}"
        yield rel.name, f"CREATE REL TABLE {rel.name}({ends}{columns})"
