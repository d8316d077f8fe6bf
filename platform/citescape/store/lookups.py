"""Reads what belongs to given nodes, at a cost that depends on them and not on the graph."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from citescape.core.errors import ConfigError
from citescape.store.graph_store import GraphStore
from citescape.store.queries import Query

_FEW = 150
"""Nodes that are looked up one by one in ladybug. It scans a relationship table for a list of
nodes, half a second per million; one node takes a millisecond."""
_SLICE = 4_000
"""Nodes of one list, which bounds memory: 4,000 full texts have some 240,000 references."""
_OVER_LIST = re.compile(r"^\s*UNWIND \$(\w+) AS (\w+)\s+(?=MATCH)")


def read_for(store: GraphStore, query: Query | str, ids: Sequence[str]) -> pa.Table:
    """The rows of a query for each of these nodes.

    Args:
        store: the graph.
        query: a query that begins with `UNWIND $name AS id MATCH`, and whose rows for several ids
            are those for each of them.
        ids: ids of nodes, each once.
    """
    text, head = _split(store, query)
    if store.dialect == "ladybug" and 0 < len(ids) <= _FEW:
        one = re.sub(rf"\b{head[2]}\b", f"${head[2]}", text[head.end() :])
        return pa.concat_tables([store.read(one, **{head[2]: id_}) for id_ in ids])
    slices = [ids[start : start + _SLICE] for start in range(0, max(len(ids), 1), _SLICE)]
    return pa.concat_tables([store.read(text, **{head[1]: part}) for part in slices])


def read_run(store: GraphStore, query: Query | str, ids: Sequence[str]) -> pa.Table:
    """The same for nodes that follow each other in the order of ids, also where they are many.

    On ladybug a range of ids is fast, and a long list is not. On Neo4j both are, but its order of
    texts (UTF-16) differs from that of Arrow (code points), so lists are used.

    Args:
        store: the graph.
        query: see `read_for`; its first node is `(name:Label {id: id})`, it has no WHERE, and it
            ends with RETURN.
        ids: sorted ids; no other such node has an id between the first and the last.
    """
    if store.dialect != "ladybug" or not ids:
        return read_for(store, query, ids)
    text, head = _split(store, query)
    pattern, _, result = text[head.end() :].rpartition("RETURN ")
    name = re.search(rf"\((\w+):\w+ (?={{id: {head[2]}}}\))", pattern)
    if name is None or "WHERE" in pattern:
        raise ConfigError(
            f"expected a query without WHERE, whose first node has a name; got {text}"
        )
    every = pattern.replace(f" {{id: {head[2]}}}", "", 1).rstrip()
    limits = f"{name[1]}.id >= $first AND {name[1]}.id <= $last"
    return store.read(f"{every} WHERE {limits} RETURN {result}", first=ids[0], last=ids[-1])


def _split(store: GraphStore, query: Query | str) -> tuple[str, re.Match[str]]:
    """The text of a query, and its beginning."""
    text = query.text_for(store.dialect) if isinstance(query, Query) else query
    head = _OVER_LIST.match(text)
    if head is None:
        raise ConfigError(f"expected a query that begins with UNWIND $ids AS id MATCH; got {text}")
    return text, head
