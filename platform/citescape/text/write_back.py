"""Writes labels to the graph, only where they differ from what stands there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from citescape.ingest.sync import differences
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


def full_texts(store: GraphStore) -> list[str]:
    """Ids of all papers whose full text is loaded, ascending."""
    ids: list[str] = store.read(query("text/full_texts"))["id"].to_pylist()
    return sorted(ids)


def batches(ids: Sequence[str], size: int) -> Iterator[list[str]]:
    """The ids in lists of `size`."""
    for start in range(0, len(ids), size):
        yield list(ids[start : start + size])


def write_labels(store: GraphStore, table: str, present: pa.Table, *, wanted: pa.Table) -> int:
    """Updates rows that exist; returns how many differed.

    Args:
        store: the graph.
        table: label or relationship type.
        present: the rows as read: their key and the columns to compare.
        wanted: the same rows, as they should be, with the same columns.
    """
    wanted = wanted.select(present.column_names)
    changes = differences(table, present, wanted)
    store.apply(changes, atomic=True)
    return sum(change.rows.num_rows for change in changes)
