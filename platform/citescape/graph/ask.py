"""Questions from people: one statement, which only reads unless changes are allowed.

The command line, the console and the Python interface all ask through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa

from citescape.errors import ConfigError, StoreError
from citescape.graph.clauses import find_change
from citescape.graph.queries import Query, parameters
from citescape.graph.store import GraphStore

_READ_ONLY = re.compile(r"read[- ](only|access)", re.IGNORECASE)


def ask(
    store: GraphStore,
    asked: Query | str,
    params: Mapping[str, object],
    *,
    write: bool = False,
) -> pa.Table:
    """The rows of a statement; of one that changes the graph and returns nothing, no columns.

    Args:
        store: the graph.
        asked: a statement, or a query of the library.
        params: values of its `$parameters`.
        write: whether it may change the graph.

    Raises:
        ConfigError: a parameter is missing or not used, or the statement needs `write`.
        StoreError: the engine refuses it.
    """
    text = asked if isinstance(asked, str) else asked.text_for(store.dialect)
    _check_parameters(text, params)
    if not write and (change := find_change(text)):
        raise _needs_write(change)
    try:
        return store.read(asked, **params)
    except StoreError as error:
        if write or not _READ_ONLY.search(str(error)):
            raise
        raise _needs_write("the statement") from error


def _check_parameters(text: str, params: Mapping[str, object]) -> None:
    takes = parameters(text)
    unused = sorted(set(params) - takes)
    if unused:
        known = ", ".join(sorted(takes)) or "none"
        raise ConfigError(f"unknown parameter {', '.join(unused)}; the query takes: {known}")


def _needs_write(what: str) -> ConfigError:
    return ConfigError(
        f"{what} would change the graph; expected a statement that reads: to allow changes add "
        "--write (in Python: write=True)"
    )
