"""Vectors in the graph: new ones are inserted first, then replace the old ones.

New nodes are inserted in slices, each with its relationships or not at all; then Meta
`embedding_run` names the new run; then the nodes of other runs are removed. Until the second step
readers find all old vectors; after an interruption, writing the same run again completes it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.runs.directory import RunRecord, record_run
from citescape.search.vectors import Vectors
from citescape.store.embeddings import embedding_tables
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, VECTOR
from citescape.store.state import EMBEDDING_RUN, read_meta, write_meta
from citescape.store.statements import read_text
from citescape.store.vector_index import (
    await_vector_index,
    prepare_vector_index,
    vectors_of_transaction,
)

_DELETED = 5_000


@dataclass(frozen=True)
class WrittenVectors:
    """Result of a write to the graph."""

    inserted: int
    removed: int
    """Number of vectors of other runs."""
    not_in_graph: int
    """Number of papers of the run that are not in the graph."""


def write_embeddings(
    store: GraphStore,
    vectors: Vectors,
    record: RunRecord,
    *,
    progress: Progress = silent,
) -> WrittenVectors:
    """Writes the vectors of a run to the graph in place of others; safe to repeat.

    Args:
        store: the graph.
        vectors: vectors of papers; `papers` has a column `text`.
        record: the run.
        progress: called with the number of vectors written.

    Writes to the graph: a Run node; Embedding, HAS_EMBEDDING; Meta `embedding_run`; on Neo4j the
    vector index `embedding_vector`.
    """
    record_run(store, record)
    known = store.read(read_text(NODE["Paper"], []))["id"]
    in_graph = pc.is_in(vectors.ids, value_set=known)
    written = store.read(query("embeddings/written"), run=record.id)["id"]
    missing = pc.and_(in_graph, pc.invert(pc.is_in(vectors.ids, value_set=written)))
    rows = np.flatnonzero(missing.to_numpy(zero_copy_only=False))
    step = vectors_of_transaction(vectors.dimensions)
    for start in range(0, len(rows), step):
        progress(f"writing vectors to the graph: {start:,} of {len(rows):,}")
        papers = vectors.papers.take(pa.array(rows[start : start + step]))
        numbers = np.ascontiguousarray(vectors.values[rows[start : start + step]], np.float32)
        ends = np.arange(len(numbers) + 1, dtype=np.int32) * vectors.dimensions
        lists = pa.ListArray.from_arrays(pa.array(ends), pa.array(numbers.ravel()))
        tables = embedding_tables(record.id, papers.append_column("vector", lists))
        changes = [Change("insert", name, table) for name, table in tables.items()]
        store.apply(changes, atomic=True)
    prepare_vector_index(store, vectors.dimensions)
    if read_meta(store, EMBEDDING_RUN) != record.id:
        write_meta(store, EMBEDDING_RUN, record.id)
    old = store.read(query("embeddings/outdated"), run=record.id).select(["id"])
    for start in range(0, old.num_rows, _DELETED):
        progress(f"removing vectors of earlier runs: {start:,} of {old.num_rows:,}")
        store.apply([Change("delete", "Embedding", old.slice(start, _DELETED))])
    await_vector_index(store)
    return WrittenVectors(
        len(rows), old.num_rows, len(vectors) - int(pc.sum(in_graph).as_py() or 0)
    )


def read_embeddings(store: GraphStore) -> Vectors | None:
    """The vectors of the run that the graph holds, with `text`; None if it holds none."""
    run = read_meta(store, EMBEDDING_RUN)
    table = store.read(query("embeddings/vectors"), run=run) if run else None
    if table is None or not table.num_rows:
        return None
    table = table.sort_by("id")
    lists = table["vector"].combine_chunks().cast(VECTOR)
    values = lists.flatten().to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    return Vectors(table.select(["id", "text"]), values)
