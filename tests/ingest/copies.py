"""The content of a store as tables: filling another store with them is faster than an ingest."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE
from citescape.store.statements import read_text


def read_tables(store: GraphStore) -> dict[str, pa.Table]:
    """All rows of a store by table; without its schema version, which every store has."""
    tables = {name: store.read(read_text(table)).cast(table.arrow) for name, table in TABLE.items()}
    meta = tables["Meta"]
    tables["Meta"] = meta.filter(pc.not_equal(meta["id"], "schema_version"))
    return tables


def fill_store(store: GraphStore, tables: Mapping[str, pa.Table]) -> GraphStore:
    """Fills an empty store, of any engine, with the content of another."""
    store.apply([Change("insert", name, tables[name]) for name in TABLE], atomic=True)
    return store
