"""Questions from people: one statement, which only reads unless changes are allowed.

The command line, the console and the Python interface all ask through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa

from citescape.errors import ConfigError, StoreError
from citescape.features.identify import find_paper
from citescape.graph.clauses import find_change
from citescape.graph.queries import Query, as_query, parameters
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
        params: values of its `$parameters`. Those that its header gives a default may be left
            out; those that it calls papers may be any identifier of one.
        write: whether it may change the graph.

    Raises:
        ConfigError: a parameter is missing or not used, there is no such paper, or the statement
            needs `write`.
        StoreError: the engine refuses it.
    """
    question = as_query(asked) if isinstance(asked, str) else asked
    text = question.text_for(store.dialect)
    takes = parameters(text)
    _refuse_unused(params, takes)
    if not write and (change := find_change(text)):
        raise _needs_write(change, store)
    known = {name: value for name, value in question.defaults.items() if name in takes}
    given = _identify_papers(store, question, {**known, **params})
    try:
        return store.interruptible(lambda: store.read(question if question.name else text, **given))
    except StoreError as error:
        if write or not _READ_ONLY.search(str(error)):
            raise
        raise _needs_write("the statement", store) from error


def _refuse_unused(params: Mapping[str, object], takes: frozenset[str]) -> None:
    unused = sorted(set(params) - takes)
    if unused:
        known = ", ".join(sorted(takes)) or "none"
        raise ConfigError(f"unknown parameter {', '.join(unused)}; the query takes: {known}")


def _identify_papers(
    store: GraphStore, question: Query, given: dict[str, object]
) -> dict[str, object]:
    """The values with ids in place of what else a paper goes by, such as its DOI."""
    found = dict(given)
    for parameter in question.declared:
        value = given.get(parameter.name)
        if parameter.kind == "paper" and value is not None:
            found[parameter.name] = find_paper(store, str(value)).id
        elif parameter.kind == "papers" and value is not None:
            names = value if isinstance(value, list | tuple) else [value]
            found[parameter.name] = [find_paper(store, str(name)).id for name in names]
    return found


def _needs_write(what: str, store: GraphStore) -> ConfigError:
    return ConfigError(
        f"{what} would change the graph or touch files beside it; expected a statement that only "
        f"reads: to allow it, run `platform cypher --write --store {store.location}` (in Python: "
        "write=True)"
    )
