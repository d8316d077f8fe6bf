"""A Neo4j server as the store, over Bolt.

https://neo4j.com/docs/python-manual/current/

Rows are sent as lists of values, and ``row.column`` in a write statement becomes ``row[i]``: half
the size of a list of maps. Inserts use MERGE, so that the same changes may be applied twice.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self, TypeVar
from uuid import uuid4

import neo4j
import pyarrow as pa
import pyarrow.compute as pc
from neo4j.exceptions import TransientError

from citescape.core.errors import ConfigError, StoreError
from citescape.store.graph_store import BatchSize, Change, Upgrade, statement
from citescape.store.neo4j.address import Address, find_credentials, parse_address
from citescape.store.neo4j.arrow import record_batches
from citescape.store.neo4j.columns import column_types
from citescape.store.neo4j.errors import OUT_OF_MEMORY, explain, explained, warn_of_unknown_names
from citescape.store.neo4j.schema import (
    complete_schema,
    finish_import,
    refuse_clashing_labels,
    refuse_unfinished_import,
    refuse_unfinished_load,
)
from citescape.store.neo4j.statements import by_position, delete_text, insert_text, update_text
from citescape.store.queries import Query, query
from citescape.store.schema import ONCE_LISTS, TABLE
from citescape.store.state import UPGRADABLE, check_schema_version, read_meta, write_schema_version
from citescape.store.statements import key_columns
from citescape.store.tokens import has_own_transactions, split_prefix, split_tokens
from citescape.store.vector_index import vectors_of_transaction

_BATCH_ROWS = 5_000
"""Rows per statement: 2,000 to 10,000 are equally fast."""
_BATCHES_A_TRANSACTION = 4
_FETCH_ROWS = 10_000
_RETRY_SECONDS = 30.0
"""Time limit for retries of a transaction, long enough for a server to restart."""
_CONNECT_SECONDS = 10.0
_AGENT = re.compile(r"Neo4j/(\d+)\.(\d+)")
_OLDEST = (5, 26)
"""The oldest supported version; `CALL (x) { ... }` needs 5.23. After 5.26 came 2025.01."""
_TERMINATE = (
    "SHOW TRANSACTIONS YIELD transactionId AS id, metaData WHERE metaData.citescape = $mark "
    "TERMINATE TRANSACTIONS id YIELD message RETURN message"
)
_SILENT = logging.NullHandler()
T = TypeVar("T")
_Runner = neo4j.ManagedTransaction | neo4j.Session


@dataclass(frozen=True)
class _Step:
    """A statement over some rows, in one transaction."""

    text: str
    rows: pa.Table
    complete: str = ""
    """The table, if every row must be written: relationships need both of their ends."""


class Neo4jStore:
    """A `GraphStore` on a server."""

    dialect = "neo4j"
    batch_size = BatchSize(full_texts=32, papers=512)
    """The server holds a transaction in memory: 2 MB per full text, 4 if replaced."""

    def __init__(self, driver: neo4j.Driver, address: Address, *, read_only: bool = False) -> None:
        self.location = address.text
        self._address = address
        self._driver = driver
        self._access = neo4j.READ_ACCESS if read_only else neo4j.WRITE_ACCESS
        self._bookmarks = neo4j.GraphDatabase.bookmark_manager()
        self._mark = uuid4().hex
        self.time_limit: float | None = None
        """Seconds after which the server ends a transaction; None for the server's own limit."""

    @classmethod
    def open(
        cls,
        location: str,
        *,
        read_only: bool = False,
        create: bool = True,
        upgrade: Upgrade | None = None,
        unfinished: bool = False,
    ) -> Self:
        """Connects to ``bolt://host:port`` or the like; user and password: see `find_credentials`.

        Other data in the same database is not changed; it may not use the labels of citescape.

        Args:
            location: `bolt://host:port` or `neo4j://host:port`.
            read_only: opens sessions that cannot write.
            create: creates the schema if the database has no citescape graph.
            upgrade: upgrades a graph of an earlier version, see `open_store`.
            unfinished: opens a graph too whose load was interrupted.

        Raises:
            ConfigError: an invalid address, or a user without a password.
            StoreError: unreachable, unauthorised, an unsupported server, or a database without
                a citescape graph that may not be created.
            SchemaVersionError: it was written by another schema version.
        """
        address = parse_address(location)
        store = cls(_connect(address), address, read_only=read_only)
        try:
            with explained(address):
                agent = store._driver.get_server_info().agent
            if not is_supported(agent):
                raise StoreError(
                    f"{address.text} is {agent.replace('/', ' ')}; citescape needs Neo4j 5.26 or "
                    "later (tested with 5.26 and 2026.08; `docker compose up -d` starts 5.26)"
                )
            if upgrade and not read_only:
                store._upgrade(upgrade)
            store._check_schema(create=create and not read_only, read_only=read_only)
            if not unfinished:
                refuse_unfinished_load(store)
        except BaseException:
            store.close()
            raise
        return store

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.location!r})"

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a read query, in a session with READ access.

        The server warns of names that the graph does not have; in a library query they are not
        typing errors.
        """
        return self._rows(query, params, access=neo4j.READ_ACCESS)

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a statement that may change the database."""
        return self._rows(query, params, access=self._access)

    def _rows(self, query: Query | str, params: dict[str, object], *, access: str) -> pa.Table:
        text = statement(query, self.dialect, params)

        def work(runner: _Runner) -> tuple[list[pa.RecordBatch], neo4j.ResultSummary]:
            result = self._start(runner, text, params)
            return list(_batches(result, text)), result.consume()

        batches, summary = self._managed(text, work, heard=isinstance(query, str), access=access)
        warn_of_unknown_names(summary)
        return pa.Table.from_batches(batches)

    def would_write(self, text: str, /, **params: object) -> bool:
        """Whether the server's plan of a statement does more than read.

        READ access of a session is a routing hint for a cluster, not a permission.
        """
        tokens = split_tokens(text)
        for token in reversed(tokens[: split_prefix(tokens)]):
            if token.text.upper() in ("EXPLAIN", "PROFILE"):  # PROFILE would run the statement
                text = text[: token.start] + text[token.start + len(token.text) :]
        plan = f"EXPLAIN {text}"

        def work(runner: _Runner) -> str | None:
            return runner.run(plan, params).consume().query_type

        return self._managed("", work, access=neo4j.READ_ACCESS) not in ("r", None)

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches of at most 10,000."""
        text = statement(query, self.dialect, params)
        with explained(self._address), self._session(access=neo4j.READ_ACCESS) as session:
            empty = True
            for batch in _batches(self._start(session, text, params), text):
                if batch.num_rows or empty:
                    yield batch
                empty = False

    def write(self, query: Query | str, /, rows: pa.Table | None = None, **params: object) -> None:
        """Runs a write query; over `rows` in transactions of 20,000."""
        given = dict(params) if rows is None else {**params, "rows": rows}
        text = statement(query, self.dialect, given)
        if rows is None:
            self._managed(text, lambda runner: self._start(runner, text, given).consume())
            return
        for start in range(0, rows.num_rows, _BATCH_ROWS * _BATCHES_A_TRANSACTION):
            part = rows.slice(start, _BATCH_ROWS * _BATCHES_A_TRANSACTION)
            self._run([_Step(text, part)], params)

    def apply(self, changes: Sequence[Change], *, atomic: bool = False) -> None:
        """Applies changes in order: in one transaction, or in several.

        Each has 20,000 rows, or vectors of a million numbers.

        Rows are written in the order of their keys, so that two writers seldom deadlock; if they
        do, the transaction is tried again.

        Raises:
            StoreError: a relationship to insert names a missing node, or an atomic batch is too
                large for the memory of the server.
        """
        steps = [_step(change) for change in changes if change.rows.num_rows]
        if any(change.action == "run" for change in changes):
            steps.append(_step(Change("run", "ingest/delete_discarded", pa.table({"id": [""]}))))
        if atomic:
            self._run([_sorted(step, step.rows) for step in steps], {})
            return
        for step in steps:
            size = _rows_of_transaction(step.rows)
            for start in range(0, step.rows.num_rows, size):
                self._run([_sorted(step, step.rows.slice(start, size))], {})

    def revision(self) -> str:
        """The bookmark of a transaction that reads: it names the last one that wrote."""
        with explained(self._address), self._session() as session:
            session.run("RETURN 1").consume()
            return " ".join(sorted(session.last_bookmarks().raw_values))

    def close(self) -> None:
        """Closes all connections."""
        self._driver.close()

    def interrupt(self) -> None:
        """Ends the transactions of this store; closing their connection would wait for them."""
        with explained(self._address), self._session() as session:
            session.run(_TERMINATE, mark=self._mark).consume()

    def _run(self, steps: Sequence[_Step], params: dict[str, object]) -> None:
        """Runs steps in one transaction.

        Results are read last: while the server works on a batch, the next one is packed.
        """

        def work(runner: _Runner) -> None:
            done = [(step, _run_batches(runner, step, params)) for step in steps]
            for step, results in done:
                if not step.complete:
                    for result in results:
                        result.consume()  # raises errors here, not at the commit
                    continue
                lacking = step.rows.num_rows - sum(r.single(strict=True)[0] for r in results)
                if lacking:
                    raise StoreError(
                        f"{self.location}: {lacking} of {step.rows.num_rows} rows of "
                        f"{step.complete} name nodes that do not exist; nothing of this step was "
                        "written"
                    )

        self._managed("", work)

    def _managed(
        self,
        text: str,
        work: Callable[[_Runner], T],
        *,
        heard: bool = False,
        access: str | None = None,
    ) -> T:
        """Runs work in one transaction, with retries of transient errors.

        A statement with IN TRANSACTIONS has its own transactions, and no retries. `access` defaults
        to that of the store.
        """
        access = access or self._access

        def guarded(transaction: neo4j.ManagedTransaction) -> T:
            try:
                return work(transaction)
            except TransientError as error:
                if error.code in OUT_OF_MEMORY:  # the driver would retry it for half a minute
                    raise explain(error, self._address) from error
                raise

        with explained(self._address), self._session(heard=heard, access=access) as session:
            if has_own_transactions(text):
                return work(session)
            mark = {"citescape": self._mark}
            marked = neo4j.unit_of_work(metadata=mark, timeout=self.time_limit)(guarded)
            if access == neo4j.READ_ACCESS:
                return session.execute_read(marked)
            return session.execute_write(marked)

    def _start(self, runner: _Runner, text: str, params: dict[str, object]) -> neo4j.Result:
        """Runs a statement with the mark that `interrupt` searches for, also in transactions."""
        if isinstance(runner, neo4j.Session):
            marked = neo4j.Query(text, {"citescape": self._mark}, self.time_limit)
            return runner.run(marked, params)
        return runner.run(text, params)

    def _session(self, *, heard: bool = False, access: str | None = None) -> neo4j.Session:
        """A session; with `heard` the server reports unknown names of a statement."""
        return self._driver.session(
            notifications_min_severity="WARNING" if heard else "OFF",
            database=self._address.database,
            default_access_mode=access or self._access,
            fetch_size=_FETCH_ROWS,
            bookmark_manager=self._bookmarks,
        )

    def _upgrade(self, fill: Upgrade) -> None:
        """Sets the version of this release, unless other data uses its new labels."""
        new_labels = UPGRADABLE.get(read_meta(self, "schema_version") or "")
        if new_labels is not None:
            refuse_clashing_labels(self, new_labels)
            complete_schema(self)
            for name, (column, separator) in ONCE_LISTS.items():
                values = f"reduce(text = '', value IN x.{column} | text + '{separator}' + value)"
                self.write(  # only a list plus nothing is itself
                    f"MATCH ()-[x:{name}]->() WHERE x.{column} = [] + x.{column} "
                    f"CALL (x) {{ SET x.{column} = substring({values}, 1) }} "
                    "IN TRANSACTIONS OF 10000 ROWS"
                )
            fill(self)
            write_schema_version(self)

    def _check_schema(self, *, create: bool, read_only: bool) -> None:
        is_new = read_meta(self, "schema_version") is None
        if not is_new:
            check_schema_version(self)
        elif create:
            refuse_clashing_labels(self)
        else:
            raise StoreError(
                f"{self.location} holds no citescape graph; load papers into it with "
                f"`platform ingest PATH --store {self.location}`"
            )
        if read_only:
            refuse_unfinished_import(self)
        else:
            complete_schema(self)
            finish_import(self)
        if is_new:
            write_schema_version(self)


def is_supported(agent: str) -> bool:
    """Whether a server that calls itself ``Neo4j/5.26.30`` or the like is new enough."""
    version = _AGENT.match(agent)
    return version is not None and (int(version[1]), int(version[2])) >= _OLDEST


def _connect(address: Address) -> neo4j.Driver:
    logging.getLogger("neo4j").addHandler(
        _SILENT
    )  # otherwise each retry prints a warning to stderr
    found = find_credentials(address.host)
    with explained(address):
        try:
            return neo4j.GraphDatabase.driver(
                address.uri,
                auth=neo4j.basic_auth(found.user, found.password) if found else None,
                user_agent="citescape",
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                connection_timeout=_CONNECT_SECONDS,
                # This also limits the Bolt handshake, for a port that listens but does not answer.
                connection_acquisition_timeout=2 * _CONNECT_SECONDS,
                max_transaction_retry_time=_RETRY_SECONDS,
            )
        except ValueError as error:
            raise ConfigError(f"{address.text} is not a Neo4j address: {error}") from error


def _batches(result: neo4j.Result, text: str) -> Iterator[pa.RecordBatch]:
    """The rows of a result; at least one batch, which may be empty."""
    chunks = iter(lambda: result.fetch(_FETCH_ROWS), [])
    return record_batches(result.keys(), column_types(text), chunks)


def _step(change: Change) -> _Step:
    if change.action == "run":
        return _Step(query(change.table).text_for("neo4j"), change.rows)
    table = TABLE[change.table]
    names = {
        "insert": table.arrow.names,
        "update": change.rows.column_names,
        "delete": key_columns(table),
    }[change.action]
    rows = change.rows.select(names).cast(pa.schema([table.arrow.field(n) for n in names]))
    if change.action == "insert":
        return _Step(insert_text(table), rows, complete=table.name)
    return _Step(
        delete_text(table) if change.action == "delete" else update_text(table, names), rows
    )


def _rows_of_transaction(rows: pa.Table) -> int:
    """How many rows one transaction takes: of vectors, which are large, fewer."""
    most = _BATCH_ROWS * _BATCHES_A_TRANSACTION
    if "vector" not in rows.column_names:
        return most
    longest = pc.max(pc.list_value_length(rows["vector"])).as_py() or 0
    return min(most, vectors_of_transaction(longest))


def _sorted(step: _Step, rows: pa.Table) -> _Step:
    """The step over some of its rows, in the order of their keys."""
    keys = [name for name in ("id", "from", "to") if name in rows.column_names]
    return _Step(step.text, rows.sort_by([(key, "ascending") for key in keys]), step.complete)


def _run_batches(runner: _Runner, step: _Step, params: dict[str, object]) -> list[neo4j.Result]:
    text = by_position(step.text, step.rows.column_names)
    results = []
    for start in range(0, step.rows.num_rows, _BATCH_ROWS):
        columns = [c.to_pylist() for c in step.rows.slice(start, _BATCH_ROWS).columns]
        rows = list(map(list, zip(*columns, strict=True)))
        results.append(runner.run(text, {**params, "rows": rows}))
    return results
