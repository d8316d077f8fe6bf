"""Vectors of papers as rows of the graph: Embedding, and HAS_EMBEDDING from the papers."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

TABLES = ("Embedding", "HAS_EMBEDDING")


def embedding_tables(run: str, rows: pa.Table) -> dict[str, pa.Table]:
    """The rows of both tables.

    Args:
        run: run of the vectors.
        rows: `id` of a paper, perhaps `text` and `vector`.
    """
    ids = pc.binary_join_element_wise(run, rows["id"].cast(pa.string()), "/")
    own = {name: rows[name] for name in ("text", "vector") if name in rows.column_names}
    nodes = {"id": ids, "run": pa.repeat(run, len(ids)), **own}
    links = {"from": rows["id"], "to": ids}
    return {"Embedding": pa.table(nodes), "HAS_EMBEDDING": pa.table(links)}


def paper_of_embedding(run: str, ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """Ids of the papers whose vectors have these ids."""
    return pc.utf8_slice_codeunits(ids, len(run) + 1)
