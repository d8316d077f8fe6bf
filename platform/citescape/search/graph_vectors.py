"""Vectors in the graph: written beside those of before, then put in their place.

New nodes are inserted in slices, each with its relationships or not at all; then Meta
`embedding_run` names the new run; then the nodes of other runs go. Until the second step a reader
finds the old vectors, all of them; whatever step is cut off, writing the same run again completes
it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.runs.directory import RunRecord, record_run
from citescape.search.vectors import Vectors
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, VECTOR
from citescape.store.state import EMBEDDING_RUN, read_meta, write_meta
from citescape.store.statements import read_text
from citescape.store.vector_index import await_vector_index, prepare_vector_index

_SLICE_NUMBERS = 1_000_000
"""Numbers of one transaction: some 10 MB in a server's memory."""
_DELETED = 5_000


@dataclass(frozen=True)
class WrittenVectors:
    """What a write to the graph did."""

    inserted: int
    removed: int
    """Vectors of other runs."""
    not_in_graph: int
    """Papers of the run that the graph does not have, or no longer."""


def write_embeddings(
    store: GraphStore,
    vectors: Vectors,
    record: RunRecord,
    *,
    progress: Progress = silent,
) -> WrittenVectors:
    """Makes the vectors of a run those of the graph; safe to repeat, and then does nothing.

    Args:
        store: the graph.
        vectors: of the run; `papers` has a column `text`.
        record: of the run that made them.
        progress: told how many are written.

    Writes to the graph: a Run node; Embedding, HAS_EMBEDDING; Meta `embedding_run`; on Neo4j the
    vector index `embedding_vector`.
    """
    record_run(store, record)
    known = store.read(read_text(NODE["Paper"], []))["id"]
    in_graph = pc.is_in(vectors.ids, value_set=known)
    written = store.read(query("embeddings/written"), run=record.id)["id"]
    missing = pc.and_(in_graph, pc.invert(pc.is_in(vectors.ids, value_set=written)))
    rows = np.flatnonzero(missing.to_numpy(zero_copy_only=False))
    step = max(_SLICE_NUMBERS // max(vectors.dimensions, 1), 1)
    for start in range(0, len(rows), step):
        progress(f"writing vectors to the graph: {start:,} of {len(rows):,}")
        store.apply(_insertion(vectors, rows[start : start + step], record.id), atomic=True)
    prepare_vector_index(store, vectors.dimensions)
    if read_meta(store, EMBEDDING_RUN) != record.id:
        write_meta(store, EMBEDDING_RUN, record.id)
    removed = _remove_others(store, record.id, progress)
    await_vector_index(store)
    return WrittenVectors(len(rows), removed, len(vectors) - int(pc.sum(in_graph).as_py() or 0))


def read_embeddings(store: GraphStore) -> Vectors | None:
    """The vectors of the run that the graph holds, with `text`; None if it holds none."""
    run = read_meta(store, EMBEDDING_RUN)
    found = store.read(query("embeddings/vectors"), run=run) if run else None
    if found is None or not found.num_rows:
        return None
    found = found.sort_by("id")
    lists = found["vector"].combine_chunks().cast(VECTOR)
    values = lists.flatten().to_numpy(zero_copy_only=False).reshape(len(lists), -1)
    return Vectors(found.select(["id", "text"]), values)


def _insertion(vectors: Vectors, rows: np.ndarray, run: str) -> list[Change]:
    papers = vectors.papers.take(pa.array(rows))
    ids = pc.binary_join_element_wise(run, papers["id"].cast(pa.string()), "/")
    numbers = np.ascontiguousarray(vectors.values[rows], np.float32)
    ends = np.arange(len(rows) + 1, dtype=np.int32) * vectors.dimensions
    nodes = {
        "id": ids,
        "run": pa.repeat(run, len(rows)),
        "text": papers["text"],
        "vector": pa.ListArray.from_arrays(pa.array(ends), pa.array(numbers.ravel())),
    }
    return [
        Change("insert", "Embedding", pa.table(nodes)),
        Change("insert", "HAS_EMBEDDING", pa.table({"from": papers["id"], "to": ids})),
    ]


def _remove_others(store: GraphStore, run: str, progress: Progress) -> int:
    old = store.read(query("embeddings/outdated"), run=run).select(["id"])
    for start in range(0, old.num_rows, _DELETED):
        progress(f"removing vectors of earlier runs: {start:,} of {old.num_rows:,}")
        store.apply([Change("delete", "Embedding", old.slice(start, _DELETED))])
    return int(old.num_rows)
