"""Nodes that papers share (venues, keywords, ...), with the form that is printed most often."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import first_rows
from citescape.ingest.institutions import id_of_ror
from citescape.ingest.sync import differences
from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE, TERMS, RelTable
from citescape.store.statements import read_text


def term_nodes(rel: RelTable, links: pa.Table) -> pa.Table:
    """The nodes that links lead to.

    A property that the links have too is the most frequent value, in ties the smallest; any other
    is the id, or the part of it after `ror:`.

    Args:
        rel: relationship type, one of `TERMS`.
        links: its rows.
    """
    schema = NODE[rel.target].arrow
    nodes = {"id": links["to"].unique().sort()}
    for name in schema.names[1:]:
        if name not in rel.columns:
            nodes[name] = id_of_ror(nodes["id"]) if name == "ror" else nodes["id"]
            continue
        printed = links.select(["to", name]).drop_null()
        counted = printed.group_by(["to", name]).aggregate([([], "count_all")])
        order = [("to", "ascending"), ("count_all", "descending"), (name, "ascending")]
        usual = first_rows(counted.sort_by(order), "to")
        nodes[name] = usual[name].take(pc.index_in(nodes["id"], value_set=usual["to"]))
    return pa.table(nodes).select(schema.names).cast(schema)


def write_terms(store: GraphStore) -> None:
    """Updates the printed forms of nodes that papers share.

    Writes to the graph: properties of Venue, Keyword, Subject, ...
    """
    for rel in TERMS:
        if rel.columns.keys() & NODE[rel.target].columns.keys():
            present = store.read(read_text(NODE[rel.target]))
            expected = term_nodes(rel, store.read(read_text(rel)))
            changes = differences(rel.target, present, expected)
            store.apply([change for change in changes if change.action == "update"])
