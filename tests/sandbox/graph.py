"""A graph that tests of the sandbox read."""

from __future__ import annotations

import pyarrow as pa

from citescape.store.graph_store import Change, GraphStore
from citescape.store.schema import TABLE

PAPERS = 30


def write_graph(store: GraphStore) -> None:
    """Writes papers `doi:0` to `doi:29`, of which each cites the next."""
    papers = [
        {"id": f"doi:{k}", "title": f"Paper {k}", "year": 2000 + k, "surnames": ["Ng", "Li"]}
        for k in range(PAPERS)
    ]
    citations = [
        {"from": f"doi:{k}", "to": f"doi:{k + 1}", "importance": k / PAPERS, "mentions": 1}
        for k in range(PAPERS - 1)
    ]
    for name, rows in {"Paper": papers, "CITES": citations}.items():
        schema = TABLE[name].arrow
        full = [{column: row.get(column) for column in schema.names} for row in rows]
        store.apply([Change("insert", name, pa.Table.from_pylist(full, schema))])
