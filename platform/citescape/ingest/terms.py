"""Nodes that papers share (venues, keywords, ...), with the form that is printed most often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.identity import first_rows
from citescape.ingest.institutions import id_of_ror
from citescape.ingest.sync import differences
from citescape.store.graph_store import GraphStore
from citescape.store.lookups import read_for
from citescape.store.schema import NODE, TERMS, RelTable
from citescape.store.statements import forms_text, nodes_text, prune_text, read_text


def term_nodes(rel: RelTable, links: pa.Table) -> pa.Table:
    """The nodes that links lead to.

    A property that the links have too is the most frequent value, in ties the smallest; any other
    is the id, or the part of it after `ror:`.

    Args:
        rel: relationship type, one of `TERMS`.
        links: its rows; with `times`, that many equal ones each.
    """
    schema = NODE[rel.target].arrow
    nodes = {"id": links["to"].unique().sort()}
    if "times" not in links.column_names:
        links = links.append_column("times", pa.array([1] * links.num_rows, pa.int64()))
    for name in schema.names[1:]:
        if name not in rel.columns:
            nodes[name] = id_of_ror(nodes["id"]) if name == "ror" else nodes["id"]
            continue
        printed = links.select(["to", name, "times"]).drop_null()
        counted = printed.group_by(["to", name]).aggregate([("times", "sum")])
        order = [("to", "ascending"), ("times_sum", "descending"), (name, "ascending")]
        usual = first_rows(counted.sort_by(order), "to")
        nodes[name] = usual[name].take(pc.index_in(nodes["id"], value_set=usual["to"]))
    return pa.table(nodes).select(schema.names).cast(schema)


def shared_columns(rel: RelTable) -> list[str]:
    """The properties of nodes that their links have too."""
    return [name for name in NODE[rel.target].columns if name in rel.columns]


def write_terms(store: GraphStore) -> None:
    """Removes nodes that no paper has any more, and updates the printed forms of the others.

    Writes to the graph: Venue, Keyword, Subject, ... and their properties.
    """
    for rel in TERMS:
        store.write(prune_text(rel))
        if shared_columns(rel):
            present = store.read(read_text(NODE[rel.target]))
            expected = term_nodes(rel, store.read(read_text(rel)))
            changes = differences(rel.target, present, expected)
            store.apply([change for change in changes if change.action == "update"])


def update_terms(store: GraphStore, terms: Mapping[str, Iterable[str]]) -> None:
    """The same for nodes whose links changed.

    Args:
        store: the graph.
        terms: relationship type -> ids of the nodes.
    """
    for rel in TERMS:
        if not (ids := sorted(terms.get(rel.name, ()))):
            continue
        links = read_for(store, forms_text(rel, shared_columns(rel)), ids)
        present = store.read(nodes_text(NODE[rel.target]), ids=ids)
        store.apply(differences(rel.target, present, term_nodes(rel, links)))
