"""The port to the graph database.

Assumptions of every adapter:
- Tables travel as Arrow; column names and types are those of `citescape.store.schema`.
- Every `$parameter` of a query needs a value: an engine that treats missing ones as null never sees
it.
- Integer sums are returned as int64 by every engine.
- A write statement starts with ``UNWIND $rows AS row`` and reads its values as ``row.column``.
- `apply` may be repeated: after a crash, computing the changes again and applying them completes
  the work. With ``atomic=True`` all changes are made or none.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, cast

import pyarrow as pa

from citescape.core.config import is_address
from citescape.core.errors import ConfigError, StoreError
from citescape.core.outputs import note_writing
from citescape.store.neo4j.address import check_location
from citescape.store.queries import Query, parameters
from citescape.store.tokens import split_tokens

Action = Literal["insert", "update", "delete", "run"]
Upgrade = Callable[["GraphStore"], None]
"""Fills what an earlier schema version lacks; may be repeated after an interruption."""


@dataclass(frozen=True)
class Change:
    """Rows of one table to insert, update or delete; or a library query to run over rows.

    Nodes are keyed by `id`, relationships by (`from`, `to`). `update` sets the given columns and
    keeps the others; `delete` needs the key columns only and also deletes the relationships of a
    node. `insert` expects new rows with unique keys. `run` expects the name of a library write
    query as `table`.
    """

    action: Action
    table: str
    rows: pa.Table


class BatchSize(NamedTuple):
    """The largest transaction in which papers are written."""

    full_texts: float
    """Size, in typical full texts."""
    papers: int
    """Number of papers."""


class GraphStore(Protocol):
    """Runs queries against one graph database."""

    dialect: str
    """`ladybug` or `neo4j`: which variant of a library query is run. `shards`: a graph that is only
    read, by some library queries, and has no runs."""
    location: str
    """Path or address, safe to print."""

    @property
    def batch_size(self) -> BatchSize:
        """The largest transaction for the present size of the store."""
        ...

    def read(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a query, in a session in which the engine writes nothing to the database."""
        ...

    def run(self, query: Query | str, /, **params: object) -> pa.Table:
        """All rows of a statement that may change the database."""
        ...

    def would_write(self, text: str, /, **params: object) -> bool:
        """Whether the engine says, without running it, that a statement does more than read.

        False if the engine has no such check: there `read` stops the statement.
        """
        ...

    def read_batches(self, query: Query | str, /, **params: object) -> Iterator[pa.RecordBatch]:
        """The rows of a read query in batches, fetched as they are used if the engine supports it.

        Neo4j streams them; ladybug has the whole result in memory before the first.
        """
        ...

    def interrupt(self) -> None:
        """Ends the queries that run now, in another thread; the store stays usable."""
        ...

    def write(self, query: Query | str, /, rows: pa.Table | None = None, **params: object) -> None:
        """Runs a write query, over `rows` if given."""
        ...

    def apply(self, changes: Sequence[Change], *, atomic: bool = False) -> None:
        """Carries out changes in order."""
        ...

    def revision(self) -> str:
        """A text that changes with every change of the database, by any process; fast to compute.

        Empty if the engine has no such information.
        """
        ...

    def close(self) -> None:
        """Releases the database; further calls fail."""
        ...


class EmbeddedStore(GraphStore, Protocol):
    """A store in this process: whole tables are read by row numbers, and replaced.

    A row number is the position of a node in its table. A node has the same number while it exists.
    """

    def row_limit(self, label: str) -> int:
        """The largest row number of a label, plus 1."""
        ...

    def read_nodes(self, label: str, columns: Sequence[str] = ()) -> Iterator[pa.Table]:
        """`row` and the given columns of all nodes of a label, in batches."""
        ...

    def read_links(
        self, name: str, columns: Sequence[str] = (), *, by: Literal["from", "to"] = "from"
    ) -> Iterator[pa.Table]:
        """`from_row`, `to_row` and the given columns of all relationships of a type, in batches.

        Row numbers of the end `by` ascend from batch to batch.
        """
        ...

    def count_links(self, name: str) -> dict[str, int]:
        """Number of relationships of a type (`n`), and of values of each property."""
        ...

    def overwrite(self, name: str, pieces: Iterable[pa.Table]) -> None:
        """Replaces all relationships of a type by the rows of tables, or none after an error.

        Columns that the tables do not have become null.
        """
        ...


def embedded(store: GraphStore) -> EmbeddedStore | None:
    """The store with the methods of an embedded one; None for a server."""
    return cast(EmbeddedStore, store) if store.dialect == "ladybug" else None


def statement(query: Query | str, dialect: str, params: dict[str, object]) -> str:
    """The text to run, checked to be one statement with a value for each parameter.

    Args:
        query: a library query, or the text of a statement.
        dialect: `ladybug` or `neo4j`.
        params: values of its parameters by name.

    Raises:
        ConfigError: there are several statements (ladybug would run them all), or a parameter is
            missing (ladybug would run with null and return nothing).
    """
    text = query.text_for(dialect) if isinstance(query, Query) else query
    tokens = [token.text for token in split_tokens(text)]
    while tokens and tokens[-1] == ";":
        tokens.pop()
    if ";" in tokens:
        raise ConfigError("expected one statement; found several separated by ';'")
    missing = sorted(parameters(text) - set(params))
    if missing:
        name = query.name if isinstance(query, Query) else "the query"
        raise ConfigError(
            f"{name} needs parameter {', '.join('$' + m for m in missing)}; "
            f"given: {', '.join(sorted(params)) or 'none'}"
        )
    return text


def plain_numbers(table: pa.Table) -> pa.Table:
    """Converts decimals without fraction (ladybug's integer sums) to int64."""
    for i, field in enumerate(table.schema):
        if pa.types.is_decimal(field.type) and field.type.scale == 0:
            table = table.set_column(i, field.name, table[i].cast(pa.int64()))
    return table


def open_store(
    location: str,
    *,
    read_only: bool = False,
    create: bool = True,
    upgrade: Upgrade | None = None,
    unfinished: bool = False,
) -> GraphStore:
    """Opens the store at `location`: a path is ladybug, `bolt://` and `neo4j://` are Neo4j.

    The schema is created in an empty store and checked in any other.

    Args:
        location: path or address.
        read_only: writes are refused, and an empty store gets no schema.
        create: creates the store and its schema if missing.
        upgrade: first upgrades a store of an earlier version, if it only lacks tables and columns:
            adds these, calls this function, and writes the new version.
        unfinished: opens a database too whose load from shards was interrupted, to complete it.

    Raises:
        ConfigError: not a valid address, or an address that holds a password.
        StoreError: locked, unreachable, unauthorised, or of another schema version; or its name is
            not text in the encoding of the locale.
    """
    try:
        location.encode()
    except UnicodeEncodeError:
        raise StoreError(
            f"{location} is not a name in {sys.getfilesystemencoding()}, the encoding of this "
            "locale; name another path with --store"
        ) from None
    location, problem = check_location(location)
    if problem:
        raise problem
    if not read_only:
        note_writing()
    if is_address(location):
        from citescape.store.neo4j.adapter import Neo4jStore

        create = create and not read_only
        return Neo4jStore.open(
            location, read_only=read_only, create=create, upgrade=upgrade, unfinished=unfinished
        )
    from citescape.store.ladybug.adapter import LadybugStore

    return LadybugStore.open(location, read_only=read_only, create=create, upgrade=upgrade)


def open_on_demand(location: str) -> GraphStore:
    """Opens the store at `location`, creating it if new; it is locked when something is written.

    A Neo4j server decides for each session whether it may write.

    Raises:
        StoreError: see `open_store`.
    """
    if is_address(location):
        return open_store(location)
    from citescape.store.ladybug.file import NoStoreError
    from citescape.store.on_demand import OnDemandStore

    try:
        return OnDemandStore(location)
    except NoStoreError:
        open_store(location).close()  # new, or its creation was cut off
        return OnDemandStore(location)
