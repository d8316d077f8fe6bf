"""Reads the shards that a store was loaded from."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa

from citescape.core.errors import ConfigError, StoreError, invalid_choice
from citescape.distributed.storage import Storage
from citescape.ingest.shards.graph import ShardedGraph
from citescape.ingest.shards.origin import read_origin
from citescape.ingest.shards.scores import Scores
from citescape.ingest.shards.vectors import VectorFiles
from citescape.papers.loading.tables import LOADED, WholeGraph
from citescape.store.embeddings import TABLES as VECTORS
from citescape.store.graph_store import GraphStore
from citescape.store.schema import TABLE


def read_shards(store: GraphStore, table: str, columns: Sequence[str] | None = None) -> pa.Table:
    """All rows of a table of the shards that a store was loaded from.

    Args:
        store: the graph.
        table: label or relationship type.
        columns: columns to read; by default all.

    Raises:
        ConfigError: the store was filled by other means, or has no such table or column.
        StoreError: the shards are gone, or others are in their place.
    """
    if table not in LOADED:
        raise invalid_choice("table", table, LOADED)
    schema = TABLE[table].arrow
    for column in columns or ():
        if column not in schema.names:
            raise invalid_choice(f"column of {table}", column, schema.names)
    origin = read_origin(store)
    if origin is None:
        raise ConfigError(
            f"{store.location} was not loaded from shards; expected a store that `platform load "
            "DIR` has filled: query it with Cypher"
        )
    graph = ShardedGraph.open(Storage(origin.address))
    if graph.id != origin.id:
        raise StoreError(
            f"{origin.address} has other papers than when {store.location} was loaded from it; "
            "load it again into a new store"
        )
    scores = Scores.find(graph) if table == "CITES" else None
    whole = WholeGraph(graph, scores, VectorFiles.find(graph) if table in VECTORS else None)
    wanted = [*(columns or schema.names)]
    none = pa.schema([schema.field(column) for column in wanted]).empty_table()
    return pa.concat_tables([none, *whole.read(table, wanted)])
