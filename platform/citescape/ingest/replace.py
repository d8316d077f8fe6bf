"""Writes papers in place of their earlier versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.pending import Changes
from citescape.ingest.records import Tables
from citescape.ingest.stored import present
from citescape.ingest.sync import unique_rows
from citescape.ingest.terms import term_nodes
from citescape.store.graph_store import Change, GraphStore
from citescape.store.lookups import read_for
from citescape.store.schema import REL, TABLE, TERMS
from citescape.store.statements import links_text

_OWN = ("occurrences", "sections", "references", "notices", "records", "embeddings")
"""Deleted when a paper is replaced: its parts, and data derived from its text.

Each has a query `ingest/delete_PART`.
"""


def replace_papers(
    store: GraphStore,
    tables: Tables,
    *,
    gone: Sequence[str] = (),
    more: Sequence[Change] = (),
    noted: Changes | None = None,
) -> None:
    """Writes papers in one transaction; parts of their earlier versions are deleted first.

    Terms that papers share (venues, keywords, ...) are added where missing.

    Args:
        store: the graph.
        tables: new rows by node label or relationship type.
        gone: ids of papers to remove.
        more: changes to make in the same transaction.
        noted: where to note which terms and notices change.
    """
    noted = noted or Changes()
    tables = {name: unique_rows(name, tables[name]) for name in TABLE if name in tables}
    papers = tables.get("Paper", TABLE["Paper"].arrow.empty_table())
    exists = pc.is_in(papers["id"], value_set=present(store, "Paper", papers["id"]))
    old, new = papers.filter(exists), papers.filter(pc.invert(exists))
    removed = pa.table({"id": pa.array(gone, pa.string())})
    changes = [
        *_removal(store, pa.concat_tables([old.select(["id"]), removed]), noted),
        Change("delete", "Paper", removed),
        Change("update", "Paper", old),
        Change("insert", "Paper", new),
    ]
    for rel in TERMS:
        if rel.name in tables:
            noted.add_links(rel.name, tables[rel.name]["to"].to_pylist())
            terms = term_nodes(rel, tables[rel.name])
            known = present(store, rel.target, terms["id"])
            terms = terms.filter(pc.invert(pc.is_in(terms["id"], value_set=known)))
            changes.append(Change("insert", rel.target, terms))
    if "Notice" in tables:
        noted.notices = True
        # A slice of a larger graph has notices without the paper that states them.
        left = present(store, "Notice", tables["Notice"]["id"])
        changes.append(Change("delete", "Notice", pa.table({"id": left})))
    changes += [Change("insert", name, rows) for name, rows in tables.items() if name != "Paper"]
    store.apply([*changes, *more], atomic=True)


def _removal(store: GraphStore, papers: pa.Table, noted: Changes) -> Iterator[Change]:
    """Deletes the parts and links of papers, but not their nodes."""
    if not papers.num_rows:
        return
    ids = papers["id"].to_pylist()
    noted.notices |= bool(read_for(store, links_text(REL["STATES"]), ids).num_rows)
    yield Change("run", "ingest/forget_intents", papers)
    for part in _OWN:
        yield Change("run", f"ingest/delete_{part}", papers)
    for rel in TERMS:
        links = read_for(store, links_text(rel), ids)
        noted.add_links(rel.name, links["to"].to_pylist())
        yield Change("delete", rel.name, links)
