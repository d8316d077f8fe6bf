"""The embedded store: one file, no server (https://docs.ladybugdb.com).

A write statement's ``UNWIND $rows AS row`` is run as ``LOAD FROM $rows``: the same meaning over an
Arrow table, some 80 times faster than a list of maps.
"""

from __future__ import annotations

import ctypes
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import ladybug
import pyarrow as pa

from citescape.config import quote_command
from citescape.errors import StoreError, StoreLockedError
from citescape.graph.interrupts import T, interruptible
from citescape.graph.ladybug_keys import REPAIR, as_text, from_text, lost_rows, pieces, repair
from citescape.graph.ladybug_log import cut_torn_logs, is_torn
from citescape.graph.queries import Query, query
from citescape.graph.schema import NODE, NODES, RELS, TABLE, NodeTable, RelTable
from citescape.graph.state import (
    UPGRADABLE,
    check_schema_version,
    read_meta,
    stamp_files,
    write_meta,
    write_schema_version,
)
from citescape.graph.statements import (
    UNWIND,
    create_text,
    delete_text,
    key_columns,
    replace_text,
    row_values,
    update_text,
)
from citescape.graph.store import Change, plain_numbers, statement

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
_EXPECTED = re.compile(r":? expect(?:ing \{[^}]*\}|ed rule oC_\w+)")
"""What the parser would rather have read: some forty words, or a rule of its grammar."""
_RECOVERY = "checkpoint recovery is pending"
"""What readers are told while a writer moves its changes into the file, or was killed at it."""
_PAUSES = (0.1, 0.2, 0.3, 0.4)
"""Seconds that readers wait for a lock, which another reader has for as long as it completes."""
_BUFFER_BYTES = 1 << 30
"""Memory ladybug may use for pages; its default is four fifths of the machine."""


class LadybugStore:
    """A `GraphStore` in one file."""

    dialect = "ladybug"

    def __init__(self, database: ladybug.Database, location: str) -> None:
        self.location = location
        self._database = database
        self._connection = ladybug.Connection(database)
        self._in_transaction = False

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
            raise _no_store(location)
        store = cls(_open_database(path, read_only), location)
        try:
            if upgrade and not read_only:
                store._upgrade()
            store._check_schema(create=create, read_only=read_only)
        except BaseException:
            store.close()
            raise
        return store

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a read query."""
        return self.scan(statement(query, self.dialect, params), **params)

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches of at most 65,536, made once the engine has all."""
        text = statement(query, self.dialect, params)
        yield from self.scan(text, **params).to_batches(max_chunksize=_BATCH_ROWS)

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
        return stamp_files(Path(self.location), Path(f"{self.location}.wal"))

    def close(self) -> None:
        """Releases the file and its lock."""
        self._connection.close()
        self._database.close()

    def scan(self, text: str, /, **params: object) -> pa.Table:
        """Runs one statement as it stands, in ladybug's own Cypher."""
        result = self._query(text, params)
        try:
            return plain_numbers(result.get_as_arrow(_BATCH_ROWS))
        finally:
            result.close()
            if any(isinstance(value, pa.Table) for value in params.values()):
                self._forget()

    def interruptible(self, work: Callable[[], T]) -> T:
        """Does work that Ctrl-C ends."""
        return interruptible(work, lambda: self._connection.interrupt())

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

    def _rollback(self) -> None:
        """Rolls back and opens the file anew: after a failed COPY the open index may be damaged."""
        with suppress(StoreError):  # a failed statement may have ended the transaction itself
            self._execute("ROLLBACK", {})
        self.close()
        self._database = _open_database(Path(self.location), read_only=False)
        self._connection = ladybug.Connection(self._database)

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
            raise StoreError(_explain(str(error), self.location)) from error
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
                f"({', '.join(sorted(tables)[:4])}), not a citescape store; name another file"
            )
        elif create:
            with self._transaction():
                for _, text in _ddl():
                    self._execute(text, {})
                write_schema_version(self)
        else:
            raise _no_store(self.location)


def _no_store(location: str) -> StoreError:
    """For a file that does not exist, and for one that holds no tables at all."""
    return StoreError(
        f"no store at {location}; load papers into it with "
        f"`platform ingest PATH --store {location}`, or name another with --store"
    )


def _open_database(path: Path, read_only: bool) -> ladybug.Database:
    """Readers complete what a killed writer left, as writers, and wait for each other meanwhile.

    Raises:
        StoreLockedError: another process writes to it.
        StoreError: it is no database, or cannot be read.
    """
    for pause in _PAUSES if read_only else ():
        try:
            return _open_to_read(path)
        except StoreLockedError:
            time.sleep(pause)
    return _open_to_read(path) if read_only else _connect(path, read_only=False)


def _open_to_read(path: Path) -> ladybug.Database:
    """To be read; a write that was cut off is finished first."""
    try:
        return _connect(path, read_only=True)
    except _UnfinishedError:
        pass
    try:
        _connect(path, read_only=False).close()
        return _connect(path, read_only=True)
    except StoreLockedError:
        raise
    except StoreError as error:
        raise StoreError(
            f"{path}: a write to it was cut off, and this account cannot complete it; expected one "
            f"that may write to it: let it run {quote_command('status', str(path))} once ({error})"
        ) from error


class _UnfinishedError(StoreLockedError):
    """A write was cut off, or is under way, and readers are kept out."""


def _connect(path: Path, read_only: bool) -> ladybug.Database:
    try:
        if is_torn(path):
            if read_only:
                raise _UnfinishedError(f"{path}: a write was cut off")
            cut_torn_logs(path)
        return ladybug.Database(path, read_only=read_only, buffer_pool_size=_BUFFER_BYTES)
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror}") from error
    except RuntimeError as error:
        text = str(error)
        held = re.search(r"held by PID (\d+)", text)
        if held:
            raise StoreLockedError(
                f"{path} is in use by process {held.group(1)}; "
                "wait for it to finish or stop it, then try again"
            ) from error
        if read_only and _RECOVERY in text:
            raise _UnfinishedError(f"{path}: a write is under way; try again later") from error
        raise StoreError(_explain(text, str(path))) from error


def _explain(text: str, location: str) -> str:
    """One line that says what to do about an engine's message."""
    line = text.strip().partition("\n")[0] or "ladybug failed and did not say why"
    line = _EXPECTED.sub("", line)
    if "Cannot write to file" in text or "No space left" in text:  # a short write sets no errno
        return (
            f"{location} cannot be written, the disk is full or a limit reached; make room and run "
            f"the same command again: it goes on from what is there"
        )
    if "not a valid" in line or "cannot be a directory" in line:
        return f"{location} is not a ladybug database; name another path with --store"
    if "No such file or directory" in line:
        return f"cannot create {location}: its folder does not exist; create it first"
    return f"{location}: {line}"


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
