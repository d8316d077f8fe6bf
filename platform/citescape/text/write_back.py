"""Reads papers in batches, and writes the labels that have changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import pyarrow as pa

from citescape.core.progress import Progress
from citescape.ingest.sync import differences
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

T = TypeVar("T")


def full_texts(store: GraphStore) -> list[str]:
    """Ids of all papers whose full text is loaded, ascending."""
    ids: list[str] = store.read(query("text/full_texts"))["id"].to_pylist()
    return sorted(ids)


def batches(items: Sequence[T], size: int) -> Iterator[list[T]]:
    """The items in lists of `size`."""
    for start in range(0, len(items), size):
        yield list(items[start : start + size])


def report_batches(
    ids: Sequence[str], size: int, progress: Progress, *, verb: str = "labelling"
) -> Iterator[list[str]]:
    """The ids in lists of `size`, with progress: `labelling: 256 of 8,000 papers`.

    Args:
        ids: ids of the papers.
        size: papers per list.
        progress: receives the messages.
        verb: first word of the messages.
    """
    for k, batch in enumerate(batches(ids, size)):
        progress(f"{verb}: {k * size:,} of {len(ids):,} papers")
        yield batch


def write_labels(store: GraphStore, table: str, present: pa.Table, *, expected: pa.Table) -> int:
    """Updates existing rows of a label or relationship type; returns the number of changed rows.

    Args:
        store: the graph to write to.
        table: label or relationship type.
        present: the key and the columns to compare, as read.
        expected: table with the new values.
    """
    expected = expected.select(present.column_names)
    changes = differences(table, present, expected)
    store.apply(changes, atomic=True)
    return sum(change.rows.num_rows for change in changes)
