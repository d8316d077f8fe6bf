"""Questions from people: one statement, which only reads unless changes are allowed.

The command line, the console and the Python interface all ask through here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import pyarrow as pa

from citescape.core.config import QUERY_SECONDS
from citescape.core.errors import ConfigError, StoreError
from citescape.papers.identify import find_paper
from citescape.store.graph_store import GraphStore
from citescape.store.interrupts import interruptible
from citescape.store.queries import Query, as_query, parameters
from citescape.store.read_only import find_refused

_READ_ONLY = re.compile(r"read[- ](only|access)", re.IGNORECASE)


def ask(
    store: GraphStore,
    asked: Query | str,
    params: Mapping[str, object],
    *,
    write: bool = False,
    timeout: float = QUERY_SECONDS,
) -> pa.Table:
    """The rows of a statement; of one that changes the graph and returns nothing, no columns.

    Args:
        store: the graph.
        asked: a statement, or a query of the library.
        params: values of its `$parameters`. Those that its header gives a default may be left
            out; those that it calls papers may be any identifier of one.
        write: whether it may change the graph, and read or write files beside it.
        timeout: seconds after which it is stopped; 0 for no limit.

    Raises:
        ConfigError: a parameter is missing or not used, there is no such paper, or the statement
            needs `write`.
        QueryTimeoutError: it took longer than `timeout`.
        StoreError: the engine refuses it.
    """
    question = as_query(asked) if isinstance(asked, str) else asked
    text = question.text_for(store.dialect)
    takes = parameters(text)
    _refuse_unused(params, takes)
    if not write and (refused := find_refused(text, store.dialect)):
        raise _needs_write(f"found {refused}", store)
    known = {name: value for name, value in question.defaults.items() if name in takes}
    given = _identify_papers(store, question, {**known, **params})
    run = store.run if write else store.read

    def work() -> pa.Table:
        if not write and not question.name and store.would_write(text, **given):
            raise _needs_write(f"so says {store.dialect}", store)
        return run(question if question.name else text, **given)

    try:
        return interruptible(work, store.interrupt, limit=timeout)
    except StoreError as error:
        if write or not _READ_ONLY.search(str(error)):
            raise
        raise _needs_write(f"so says {store.dialect}", store) from error


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
        f"the statement may do more than read ({what}); expected reading clauses only, such as "
        "MATCH, WHERE, WITH, CALL of a schema procedure, RETURN; put names that look like other "
        "clauses in backticks, or allow changes and files beside the graph with `platform cypher "
        f"--write --store {store.location}` (in Python: write=True)"
    )
