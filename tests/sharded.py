"""Graphs of shards from the tables of a store, divided as an ingest divides them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph, complete, parts_of, write_part


def split_tables(
    tables: Mapping[str, pa.Table], folder: Path, parts: int, *, seed: int | None = None
) -> ShardedGraph:
    """Writes the tables of a graph as a folder of shards.

    Args:
        tables: all rows by table, see `tests.copies.read_tables`.
        folder: the folder.
        parts: number of parts.
        seed: shuffles the rows of every file; None keeps their order.
    """
    owners = find_owners(tables)
    of_row = {name: divide(rows, owners, parts) for name, rows in tables.items()}
    storage, files = Storage(str(folder)), dict[str, object]()
    for part in range(parts):
        own = {name: rows.filter(pa.array(of_row[name] == part)) for name, rows in tables.items()}
        if seed is not None:
            rng = np.random.default_rng([seed, part])
            own = {name: rows.take(rng.permutation(len(rows))) for name, rows in own.items()}
        files |= write_part(storage, part, own)
    return complete(storage, parts=parts, files=files, account={}, id_="tables")


def find_owners(tables: Mapping[str, pa.Table]) -> dict[str, str]:
    """The paper of each section, in-text citation and entry of a reference list."""
    owners: dict[str, str] = {}
    for name in ("HAS_SECTION", "HAS_REFERENCE", "CONTAINS"):
        for row in tables[name].select(["from", "to"]).to_pylist():
            owners[row["to"]] = owners.get(row["from"], row["from"])
    return owners


def divide(rows: pa.Table, owners: Mapping[str, str], parts: int) -> np.ndarray:
    """The part (n,) of each row: that of its paper, or of the node itself."""
    ids = rows[rows.column_names[0]].to_pylist()
    papers = pa.chunked_array([[owners.get(id_, id_) for id_ in ids]], pa.string())
    return np.asarray(parts_of(papers, parts))
