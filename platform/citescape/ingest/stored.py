"""Records of papers that the graph has."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.records import LISTS, Tables, read_record_rows
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, REL, TABLE, TERMS
from citescape.store.statements import linked_text, nodes_text, present_text

_DERIVED = {
    "Paper": (
        *("abstract_ends", "abstract_facets", "abstract_background", "abstract_method"),
        *("abstract_result", "split_source", "split_run", "notice", "notice_date", "notice_year"),
        *("notice_doi", "notice_source"),
    ),
    "Section": ("type_probability", "type_run"),
    "Occurrence": ("intent_background", "intent_method", "intent_result", "intent_run"),
}
"""Columns that no record has: computed from the graph."""


def present(store: GraphStore, label: str, ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """The ids that have a node."""
    return store.read(present_text(NODE[label]), ids=ids.to_pylist())["id"]


def read_papers(store: GraphStore, ids: Sequence[str], columns: Sequence[str]) -> pa.Table:
    """Columns of papers."""
    return store.read(nodes_text(NODE["Paper"], columns), ids=list(ids))


def read_records(store: GraphStore, ids: Sequence[str]) -> dict[str, Tables]:
    """All records of papers, by source, as they were loaded.

    Records of papers with one source are their rows, without what was derived from them.
    """
    if not ids:
        return {}
    packed = store.read(query("ingest/records"), ids=list(ids))
    records = read_record_rows(packed)
    papers = _read(store, "Paper", nodes_text(NODE["Paper"]), ids)
    several = pc.is_in(papers["id"], value_set=packed["paper"])
    papers = papers.filter(pc.and_(papers["fulltext"], pc.invert(several)))
    sources = pc.list_element(papers["sources"], 0)
    for source in sources.unique().to_pylist():
        own = papers.filter(pc.equal(sources, source))
        tables = {"Paper": own, **_read_parts(store, own["id"].to_pylist())}
        known = records.get(source, {})
        records[source] = {
            name: pa.concat_tables([t[name] for t in (known, tables) if name in t])
            for name in {**known, **tables}
        }
    return records


def _read_parts(store: GraphStore, ids: Sequence[str]) -> Tables:
    """Sections, citations, references, notices and terms of papers."""
    tables: Tables = {}
    for rel in TERMS:
        tables[rel.name] = _read(store, rel.name, linked_text(rel), ids)
    for link in ("HAS_SECTION", *LISTS.values()):
        rel = REL[link]
        tables[link] = _read(store, link, linked_text(rel), ids)
        targets = tables[link]["to"].unique().to_pylist()
        tables[rel.target] = _read(store, rel.target, nodes_text(NODE[rel.target]), targets)
    sections = tables["Section"]
    nested = sections.filter(pc.is_valid(sections["parent"]))
    below = {"from": nested["id"], "to": nested["parent"]}
    tables["SUBSECTION_OF"] = pa.table(below, TABLE["SUBSECTION_OF"].arrow)
    own = sections["id"].to_pylist()
    tables["CONTAINS"] = _read(store, "CONTAINS", linked_text(REL["CONTAINS"]), own)
    citations = tables["CONTAINS"]["to"].to_pylist()
    tables["Occurrence"] = _read(store, "Occurrence", nodes_text(NODE["Occurrence"]), citations)
    return {name: rows for name, rows in tables.items() if rows.num_rows}


def _read(store: GraphStore, name: str, text: str, ids: Sequence[str]) -> pa.Table:
    schema = TABLE[name].arrow
    rows = store.read(text, ids=list(ids)).select(schema.names).cast(schema)
    if name == "Occurrence":
        none = pa.scalar(None, schema.field("intents").type)
        labelled = pc.is_valid(rows["intent_run"])
        rows = _set(rows, "intents", pc.if_else(labelled, none, rows["intents"]))
    for column in _DERIVED.get(name, ()):
        rows = _set(rows, column, pa.nulls(rows.num_rows, schema.field(column).type))
    if name == "Section":
        modelled = pc.fill_null(pc.equal(rows["type_source"], "model"), False)
        rows = _set(rows, "type", pc.if_else(modelled, "other", rows["type"]))
        rows = _set(rows, "type_source", pc.if_else(modelled, "none", rows["type_source"]))
    return rows


def _set(rows: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    return rows.set_column(rows.schema.get_field_index(name), rows.schema.field(name), column)
