"""The embedded store: one file, no server (https://docs.ladybugdb.com).

A write statement's ``UNWIND $rows AS row`` runs as ``LOAD FROM $rows``: the same result from an
Arrow table, some 80 times faster than a list of maps.
"""

from __future__ import annotations

import ctypes
import weakref
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import ladybug
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import StoreError, list_some
from citescape.core.outputs import WatchedFile, watch_store
from citescape.store.graph_store import BatchSize, Change, Upgrade, plain_numbers, statement
from citescape.store.ladybug.file import (
    BUFFER_BYTES,
    check_space,
    explain,
    file_revision,
    hold_writer,
    no_store,
    open_database,
    release_reader,
    release_writer,
)
from citescape.store.ladybug.keys import REPAIR, as_text, from_text, lost_rows, pieces, repair
from citescape.store.ladybug.rows import End, read_links, read_nodes, row_limit
from citescape.store.ladybug.schema import TYPES, create_texts
from citescape.store.ladybug.swap import (
    NEXT,
    count_text,
    count_values,
    join_pieces,
    swap_texts,
    unfinished,
)
from citescape.store.ladybug.swap import (
    create_text as create_next_text,
)
from citescape.store.queries import Query, parameters, query
from citescape.store.schema import NODE, ONCE_LISTS, REL, STRINGS, TABLE, NodeTable, RelTable
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
    read_text,
    replace_text,
    row_values,
    update_text,
)

_BATCH_ROWS = 65_536
_FEW = 200
"""Rows that are written one by one, a third of a millisecond each. A statement over rows scans the
relationship table, two seconds per million."""
_COPIED = 3_000
"""Rows of a transaction from which they are copied: a commit after COPY moves everything from the
log to the file, which takes a second with 2,000 full texts."""
_MANY = 2_000  # number of relationships from which deletion and insertion are faster than an update


class LadybugStore:
    """A `GraphStore` in one file."""

    dialect = "ladybug"

    def __init__(
        self,
        database: ladybug.Database,
        location: str,
        *,
        read_only: bool = False,
        threads: int = 0,
    ) -> None:
        self.location = location
        self._database, self._read_only, self._threads = database, read_only, threads
        self._connection = self._connect()
        self._in_transaction = self._is_closed = False
        self._file = WatchedFile.at(Path(location), in_use=True)
        self._end_writing: weakref.finalize[..., LadybugStore] | None = None
        self._hold()

    @classmethod
    def open(
        cls,
        location: str,
        *,
        read_only: bool = False,
        create: bool = True,
        upgrade: Upgrade | None = None,
        buffer_bytes: int = BUFFER_BYTES,
        threads: int = 0,
    ) -> LadybugStore:
        """Opens the file at `location`, creating it and its schema, or new tables, if allowed.

        Args:
            location: path of the file.
            read_only: opens without a write lock.
            create: creates file and schema if missing.
            upgrade: upgrades a store of an earlier version, see `open_store`.
            buffer_bytes: memory for pages.
            threads: number of threads of a statement; 0 for one per core.

        Raises:
            StoreLockedError: another process writes to it.
            SchemaVersionError: it has another schema version.
            StoreError: not a store, or a missing file that may not be created.
        """
        path, create = Path(location), create and not read_only
        if not path.exists() and not create:
            raise no_store(location)
        database = open_database(path, read_only, buffer_bytes)
        store = cls(database, location, read_only=read_only, threads=threads)
        try:
            watch_store(store._file)
            if upgrade and not read_only:
                store._upgrade(upgrade)
            store._check_schema(create=create, read_only=read_only)
        except BaseException:
            store.release()
            raise
        return store

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a read query, in a read-only transaction of the engine.

        That transaction does not prevent access to other files: see `store.read_only`.
        """
        text = statement(query, self.dialect, params)
        if self._read_only or self._in_transaction:
            return self.scan(text, **params)
        self._execute("BEGIN TRANSACTION READ ONLY", {})
        self._in_transaction = True
        try:
            rows = self.scan(text, **params)
        finally:
            self._in_transaction = False
            with suppress(StoreError):  # a failed statement has already ended it
                self._execute("ROLLBACK", {})
        if any(isinstance(value, pa.Table) for value in params.values()):
            self._forget()
        return rows

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches of at most 65,536, made once the engine has all."""
        rows = self.read(query, **params)
        yield from rows.to_batches(max_chunksize=_BATCH_ROWS) or [_no_rows(rows.schema)]

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a statement that may change the database."""
        return self.scan(statement(query, self.dialect, params), **params)

    def would_write(self, text: str, /, **params: object) -> bool:
        """False: ladybug has no such check; its read-only transactions stop writing statements."""
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

    def overwrite(self, name: str, pieces: Iterable[pa.Table]) -> None:
        """Replaces all relationships of a type by the rows of tables, or none after an error.

        Columns that the tables do not have become null.

        Args:
            name: type of the relationships.
            pieces: tables with the same columns, `from`, `to` and properties; they may be read from
                the store while they are written.

        Raises:
            StoreError: a row names a missing node, or the engine has lost rows.
        """
        table, copied = REL[name], Counter[str]()
        columns: list[str] = []
        database = self._database
        self._drop_unfinished()
        try:
            for rows in join_pieces(pieces):
                if not columns:
                    columns = [column for column in rows.column_names if column in table.columns]
                    self._execute(create_next_text(table, columns), {})
                rows = rows.select(["from", "to", *columns])
                check_space(self._file.path, rows.nbytes)
                with self._transaction():
                    self._execute(f"COPY {name}{NEXT} FROM $rows", {"rows": rows})
                copied.update(count_values(rows))
            (found,) = self.scan(count_text(f"{name}{NEXT}", columns)).to_pylist()
            if found != dict(copied):
                raise StoreError(
                    f"{self.location}: ladybug copied {found} of {dict(copied)} rows and values of "
                    f"{name}; the earlier ones are unchanged: run the same command again"
                )
            self._execute("CHECKPOINT", {})  # the log of the swap must not precede copied rows
            with self._transaction():
                for text in swap_texts(table, columns):
                    self._execute(text, {})
        except BaseException:
            # After a failed COPY the file was opened again, and the first handle, which the error
            # refers to, deletes the log when it ends: the next writer drops the second table.
            if self._database is database:
                self._drop_unfinished()
            raise

    def row_limit(self, label: str) -> int:
        """The largest row number of a label, plus 1; see `ladybug.rows`."""
        return row_limit(self, label)

    def read_nodes(self, label: str, columns: Sequence[str] = ()) -> Iterator[pa.Table]:
        """`row` and the given columns of all nodes of a label, in batches."""
        return read_nodes(self, label, columns)

    def read_links(
        self, name: str, columns: Sequence[str] = (), *, by: End = "from"
    ) -> Iterator[pa.Table]:
        """`from_row`, `to_row` and the given columns of all relationships of a type, in batches."""
        return read_links(self, name, columns, by=by)

    def count_links(self, name: str) -> dict[str, int]:
        """Number of relationships of a type (`n`), and of values of each property."""
        (counts,) = self.read(count_text(name, list(REL[name].columns))).to_pylist()
        return dict(counts)

    @property
    def batch_size(self) -> BatchSize:
        """The largest transaction: two fifths of the papers in the store (see `ladybug.keys`)."""
        present = int(self.read(query("ingest/count_full_texts"))["n"][0].as_py())
        if not present:
            return BatchSize(full_texts=1_000, papers=16_000)
        return BatchSize(full_texts=5_000, papers=max(int(0.4 * present), 50))

    def revision(self) -> str:
        """Stamp of the file and its log: changes with every commit."""
        return file_revision(self.location)

    def close(self) -> None:
        """Releases the file and its lock; only once, because another handle may lock it later.

        The log is moved into the file first, since the engine, which would do it, reports no error.

        Raises:
            StoreError: another process deleted or replaced the file while it was open, or the disk
                is full; nothing is lost then.
        """
        if self._is_closed:
            return
        try:
            if not self._read_only and _has_content(Path(f"{self.location}.wal")):
                self._file.check()
                check_space(self._file.path, 0)
                self._execute("CHECKPOINT", {})
        finally:
            self.release()
        self._file.check()

    def _connect(self) -> ladybug.Connection:
        return ladybug.Connection(self._database, num_threads=self._threads)

    def _hold(self) -> None:
        """Prevents this process from opening the file again while this handle may write to it."""
        if not self._read_only:
            hold_writer(self._file.state)
            # A store that nobody closes ends with its last reference.
            self._end_writing = weakref.finalize(self, release_writer, self._file.state)

    def release(self) -> None:
        """Closes the file without checking that it is still the same."""
        if self._is_closed:
            return
        self._is_closed = True
        self._connection.close()
        self._database.close()
        if self._read_only:
            release_reader(self._file.path, self._file.state)
        elif self._end_writing is not None:
            self._end_writing()

    def scan(self, text: str, /, **params: object) -> pa.Table:
        """Runs one statement in ladybug's own Cypher, unchanged."""
        result = self._query(text, params)
        try:
            return plain_numbers(result.get_as_arrow(_BATCH_ROWS))
        finally:
            result.close()
            if any(isinstance(value, pa.Table) for value in params.values()):
                self._forget()

    def interrupt(self) -> None:
        """Ends the running query at its next batch of rows."""
        self._connection.interrupt()

    def _commit(self, changes: Sequence[Change]) -> None:
        changes = [change for change in changes if change.rows.num_rows]
        insertions = [change for change in changes if change.action == "insert"]
        rows = sum(change.rows.num_rows for change in changes)
        copies = len(insertions) == len(changes) and rows > _COPIED
        check_space(self._file.path, sum(change.rows.nbytes for change in changes))
        with self._transaction():
            for change in changes:
                self._apply(change, copies=copies)
        for change in insertions:
            if change.table in NODE:
                self._restore_lost(change)

    def _restore_lost(self, change: Change) -> None:
        """Inserts rows again whose key the engine lost (see `ladybug.keys`)."""
        for _ in range(3):
            lost = lost_rows(self, change)
            if not lost.num_rows:
                return
            with self._transaction():
                insertions = repair(self, NODE[change.table], lost)
                write_meta(self, REPAIR, as_text(insertions))
            self._insert_again(insertions)
        raise StoreError(
            f"{self.location}: ladybug lost {lost.num_rows} keys of {change.table} and could not "
            "insert them again; load the papers into a new store"
        )

    def _insert_again(self, insertions: Sequence[Change]) -> None:
        """Inserts the rows that a repair deleted; after a crash, at the next opening."""
        with self._transaction():
            for insertion in insertions:
                if insertion.rows.num_rows:
                    self._create(TABLE[insertion.table], insertion.rows)
            write_meta(self, REPAIR, "")

    def _complete_repair(self) -> None:
        if pending := read_meta(self, REPAIR):
            insertions = from_text(pending)
            self._insert_again(insertions)
            self._restore_lost(insertions[0])

    def _apply(self, change: Change, *, copies: bool) -> None:
        """Applies one change; insertions by COPY if the transaction has only insertions."""
        few = change.rows.num_rows <= _FEW
        if change.action == "run":
            text = statement(query(change.table), self.dialect, {"rows": change.rows})
            if few:
                self._write_each(text, change.rows)
            else:
                self.write(text, change.rows)
            return
        table = TABLE[change.table]
        if change.action == "insert" and copies:
            rows = change.rows.select(table.arrow.names).cast(table.arrow)
            # In a store that was upgraded, columns have another order.
            names = ", ".join(name for name in rows.column_names if name not in ("from", "to"))
            columns = names and f" ({names})"
            self._execute(f"COPY {table.name}{columns} FROM $rows", {"rows": rows})
        elif change.action == "insert":
            self._create(table, change.rows)
        elif few and isinstance(table, RelTable):
            names = change.rows.column_names
            is_update = change.action == "update"
            text = update_text(table, names) if is_update else delete_text(table)
            self._write_each(text, change.rows)
        elif change.action == "update":
            if isinstance(table, RelTable) and change.rows.num_rows >= _MANY:
                self._replace(table, change.rows)
            else:
                self.write(update_text(table, change.rows.column_names), change.rows)
        else:
            self.write(delete_text(table), change.rows.select(key_columns(table)))

    def _write_each(self, text: str, rows: pa.Table) -> int:
        """Runs a write over rows row by row: a join with rows would scan whole tables.

        Returns:
            The number of rows of all results that count what was written.
        """
        one = UNWIND.sub("", row_values(text, rows.column_names, "$row_{}".format))
        used, written = parameters(one), 0
        for row in rows.to_pylist():
            given = {f"row_{name}": value for name, value in row.items()}
            found = self.scan(one, **{name: given[name] for name in used})
            written += int(found["n"][0].as_py()) if "n" in found.column_names else 0
        return written

    def _replace(self, table: RelTable, rows: pa.Table) -> None:
        """Updates relationships by deleting them and inserting them again.

        SET takes some 10 us per row and column, an insertion 1 us: the nine columns of a score take
        a sixth of the time. Columns that `rows` does not have keep their values.
        """
        text = _over_table(replace_text(table, rows.column_names), rows)
        whole = self.scan(text, rows=_prefixed(rows)).cast(table.arrow)
        self.write(delete_text(table), whole.select(key_columns(table)))
        self._create(table, whole)

    def _create(self, table: NodeTable | RelTable, rows: pa.Table) -> None:
        """Inserts rows by a statement, which is logged, unlike COPY.

        A commit logs its statements, then moves all changes into the file. If a crash interrupts
        that, the engine runs the log again, and copied rows are lost.

        Raises:
            StoreError: a relationship names a missing node.
        """
        rows = rows.select(table.arrow.names).cast(table.arrow)
        text = create_text(table)
        if rows.num_rows <= _FEW and isinstance(table, RelTable):
            done = self._write_each(text, rows)
        else:
            done = int(self.scan(_over_table(text, rows), rows=_prefixed(rows))["n"][0].as_py())
        lacking = rows.num_rows - done
        if lacking:
            raise StoreError(
                f"{self.location}: {lacking} of {rows.num_rows} rows of {table.name} name nodes "
                "that do not exist; nothing of this step was written"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commits at the end; after an error rolls back and reopens the file.

        After a failed COPY the open index may be damaged.
        """
        self._execute("BEGIN TRANSACTION", {})
        self._in_transaction = True
        try:
            yield
            self._execute("COMMIT", {})
        except BaseException:
            with suppress(StoreError):  # a failed statement may have ended the transaction
                self._execute("ROLLBACK", {})
            self.close()  # raises if the file was replaced, so that no new file is created
            self._database = open_database(Path(self.location), read_only=False)
            self._connection = self._connect()
            self._is_closed = False
            self._hold()
            raise
        finally:
            self._in_transaction = False
        self._forget()

    def _forget(self) -> None:
        """Opens a new connection: the old one keeps all its parameter tables and plans.

        Freed memory goes back to the system; Arrow's and glibc's allocators keep it by default.
        """
        if not self._in_transaction:
            self._connection.close()
            self._connection = self._connect()
            pa.default_memory_pool().release_unused()
            with suppress(OSError, AttributeError):  # other C libraries have no malloc_trim
                ctypes.CDLL(None).malloc_trim(0)

    def _execute(self, text: str, params: dict[str, object]) -> None:
        self._query(text, params).close()

    def _query(self, text: str, params: dict[str, object]) -> ladybug.QueryResult:
        """The result of one statement; uses memory of the buffer pool until it is closed."""
        given = {
            name: _without_empty_chunks(value) if isinstance(value, pa.Table) else value
            for name, value in params.items()
        }
        try:
            result = self._connection.execute(text, given or None)
        except RuntimeError as error:
            self._file.check()
            raise StoreError(explain(str(error), self.location)) from error
        assert not isinstance(result, list)  # `statement` refuses several statements in one text
        return result

    def _drop_unfinished(self) -> None:
        for name in unfinished(self._tables()):
            self._execute(f"DROP TABLE {name}", {})

    def _tables(self) -> set[str]:
        return set(self.read("CALL show_tables() RETURN name")["name"].to_pylist())

    def _upgrade(self, fill: Upgrade) -> None:
        """Adds tables and columns of this version, fills them, then sets the version."""
        tables = self._tables()
        if "Meta" not in tables or read_meta(self, "schema_version") not in UPGRADABLE:
            return
        with self._transaction():
            for name, text in create_texts():
                if name not in tables:
                    self._execute(text, {})
                    continue
                info = self.scan(f"CALL table_info('{name}') RETURN name, type").to_pylist()
                present = {row["name"]: row["type"] for row in info}
                for column, kind in TABLE[name].columns.items():
                    if column not in present:
                        self._execute(f"ALTER TABLE {name} ADD {column} {TYPES[kind]}", {})
                if name in ONCE_LISTS and present[ONCE_LISTS[name][0]].endswith("[]"):
                    self._join_lists(REL[name])
        fill(self)
        write_schema_version(self)

    def _join_lists(self, table: RelTable) -> None:
        """Turns a property that is a list into a text."""
        column, separator = ONCE_LISTS[table.name]
        rows = self.scan(read_text(table, [column])).drop_null()
        rows = rows.set_column(2, column, pc.binary_join(rows[column].cast(STRINGS), separator))
        self._execute(f"ALTER TABLE {table.name} DROP {column}", {})
        self._execute(f"ALTER TABLE {table.name} ADD {column} STRING", {})
        if rows.num_rows:
            self._replace(table, rows)

    def _check_schema(self, *, create: bool, read_only: bool) -> None:
        tables = self._tables()
        if "Meta" in tables:
            check_schema_version(self)
            if not read_only:
                self._complete_repair()
                self._drop_unfinished()
        elif tables:
            raise StoreError(
                f"{self.location} is a ladybug database with other tables "
                f"({list_some(sorted(tables), 4)}), not a citescape store; name another file"
            )
        elif create:
            with self._transaction():
                for _, text in create_texts():
                    self._execute(text, {})
                write_schema_version(self)
        else:
            raise no_store(self.location)


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _no_rows(schema: pa.Schema) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist([], schema)


def _over_table(text: str, rows: pa.Table) -> str:
    """``UNWIND $rows AS row ... row.x`` as ``LOAD FROM $rows ... row_x``."""
    return UNWIND.sub("LOAD FROM $rows", row_values(text, rows.column_names, "row_{}".format))


def _prefixed(rows: pa.Table) -> pa.Table:
    """The rows with columns renamed to `row_x`, as in such a statement."""
    return rows.rename_columns([f"row_{name}" for name in rows.column_names])


def _without_empty_chunks(rows: pa.Table) -> pa.Table:
    """The same rows in other chunks: ladybug 0.22 stops reading at a chunk without rows."""
    return pa.Table.from_batches([b for b in rows.to_batches() if b.num_rows], rows.schema)
