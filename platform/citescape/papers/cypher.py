"""Runs Cypher statements of users, which may only read unless changes are allowed.

The command line, the console and the Python interface share this function.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping

import pyarrow as pa

from citescape.core.config import QUERY_SECONDS
from citescape.core.errors import ConfigError, StoreError
from citescape.ingest.pending import forget_stamp
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore
from citescape.store.interrupts import interruptible
from citescape.store.limits import limit_rows
from citescape.store.queries import Query, as_query, parameters
from citescape.store.read_only import find_refused
from citescape.store.state import IMPORTANCE_RUN, read_meta

_SCORED = re.compile(r"\.(importance|mentions|self|f_(?:I|M|R|D|other))\b")
"""Properties of citations that `platform score` computes."""
_SYNTAX = re.compile(r"Parser exception|Invalid input|\(line:? \d+")
_READ_ONLY = re.compile(r"read[- ](only|access)", re.IGNORECASE)


def run_cypher(
    store: GraphStore,
    statement: Query | str,
    params: Mapping[str, object],
    *,
    write: bool = False,
    timeout: float = QUERY_SECONDS,
    most: int | None = None,
) -> pa.Table:
    """The rows of a statement; no columns if it changes the graph and returns nothing.

    Warns if there are no rows, the statement reads scores, and the graph has no current scores.

    Args:
        store: the graph.
        statement: Cypher, or a query of the library.
        params: values of its `$parameters`; those with a default in the header are optional, and
            papers may be given by any identifier.
        write: whether the statement may change the graph, and read or write other files.
        timeout: time limit in seconds; 0 for no limit.
        most: maximum number of rows, of a statement that only reads; the engine then leaves out
            the work for others if it can.

    Raises:
        ConfigError: a missing or unknown parameter, an unknown paper, or a statement that needs
            `write`.
        QueryTimeoutError: the statement took longer than `timeout`.
        StoreError: the engine refuses the statement.
    """
    query = as_query(statement) if isinstance(statement, str) else statement
    text = query.text_for(store.dialect)
    names = parameters(text)
    unused = sorted(set(params) - names)
    if unused:
        known = ", ".join(sorted(names)) or "none"
        raise ConfigError(f"unknown parameter {', '.join(unused)}; the query takes: {known}")
    if not write and (refused := find_refused(text, store.dialect)):
        raise _make_write_error(f"found {refused}", store)

    # Ids replace other identifiers of papers, such as DOIs.
    values = {name: value for name, value in query.defaults.items() if name in names} | {**params}
    for parameter in query.declared:
        value = values.get(parameter.name)
        if parameter.kind == "paper" and value is not None:
            values[parameter.name] = find_paper(store, str(value)).id
        elif parameter.kind == "papers" and value is not None:
            papers = value if isinstance(value, list | tuple) else [value]
            values[parameter.name] = [find_paper(store, str(paper)).id for paper in papers]

    def work() -> pa.Table:
        if not write and not query.name and store.would_write(text, **values):
            raise _make_write_error(f"according to {store.dialect}", store)
        if most is not None:
            return _read_first(store, text, values, most)
        if write and find_refused(text, store.dialect):
            forget_stamp(store)
        run = store.run if write else store.read
        return run(query if query.name else text, **values)

    try:
        rows = interruptible(work, store.interrupt, limit=timeout)
    except StoreError as error:
        if write or not _READ_ONLY.search(str(error)):
            raise
        raise _make_write_error(f"according to {store.dialect}", store) from error
    scored = _SCORED.search(text)
    if rows.num_columns and not rows.num_rows and scored and not read_meta(store, IMPORTANCE_RUN):
        warnings.warn(
            f"no rows; the statement reads {scored[1]}, and the graph has no current scores: run "
            "`platform score`",
            stacklevel=2,
        )
    return rows


def _read_first(store: GraphStore, text: str, values: Mapping[str, object], most: int) -> pa.Table:
    """The first rows; errors of a parser are those of the text without the added limit."""
    limited = limit_rows(text, most)
    try:
        return _fetch(store, limited, values, most)
    except StoreError as error:
        if limited == text or not _SYNTAX.search(str(error)):
            raise
    return _fetch(store, text, values, most)


def _fetch(store: GraphStore, text: str, values: Mapping[str, object], most: int) -> pa.Table:
    batches: list[pa.RecordBatch] = []
    for batch in store.read_batches(text, **values):
        batches.append(batch)
        if sum(b.num_rows for b in batches) >= most:
            break
    return pa.Table.from_batches(batches).slice(0, most)


def _make_write_error(reason: str, store: GraphStore) -> ConfigError:
    return ConfigError(
        f"the statement may do more than read ({reason}); expected reading clauses only, such as "
        "MATCH, WHERE, WITH, CALL of a schema procedure, RETURN; put names that look like other "
        "clauses in backticks, or allow changes and files beside the graph with `platform cypher "
        f"--write --store {store.location}` (in Python: write=True)"
    )
