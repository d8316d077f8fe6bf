"""Reads bibliographic data of papers: title, authors, year, venue, DOI, address."""

from __future__ import annotations

from itertools import zip_longest

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.progress import Progress, silent
from citescape.mapping.exports.texts import clean_texts
from citescape.papers.entries import address
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE

_BATCH = 10_000
"""Papers per query."""
_COLUMNS = (
    *("id", "title", "year", "venue", "doi", "pmid", "pmcid", "fulltext"),
    *("surnames", "givens", "roles"),
)


def read_papers(store: GraphStore, ids: pa.StringArray, *, progress: Progress = silent) -> pa.Table:
    """Reads papers, one row each, in the order of `ids`.

    Columns: id, title, authors (`Surname, Given; ...`, without members of groups), year, venue,
    doi, url (at doi.org, else PubMed or PubMed Central) and fulltext (loaded, or known from
    reference lists only). Papers that are no longer in the graph have only `id`.

    Args:
        store: store to read.
        ids: ids of papers.
        progress: receives the current stage.
    """
    parts = [_schema().empty_table()]
    for start in range(0, len(ids), _BATCH):
        progress(f"reading papers: {start:,} of {len(ids):,}")
        batch = ids.slice(start, _BATCH).to_pylist()
        rows = store.read(query("exports/papers"), papers=batch).select(_COLUMNS)
        schema = pa.schema([NODE["Paper"].arrow.field(name) for name in _COLUMNS])
        parts.append(_describe(rows.cast(schema).combine_chunks()))
    papers = pa.concat_tables(parts).combine_chunks()
    return papers.take(pc.index_in(ids, value_set=papers["id"])).set_column(0, "id", ids)


def _schema() -> pa.Schema:
    texts = dict.fromkeys(("id", "title", "authors", "year", "venue", "doi", "url"), pa.string())
    return pa.schema({**texts, "year": pa.int64(), "fulltext": pa.bool_()})


def _describe(rows: pa.Table) -> pa.Table:
    people = (rows[name].to_pylist() for name in ("surnames", "givens", "roles"))
    identifiers = (rows[name].to_pylist() for name in ("doi", "pmid", "pmcid"))
    authors = [_join_authors(*names) for names in zip(*people, strict=True)]
    columns = {
        "id": rows["id"],
        "title": clean_texts(rows["title"]),
        "authors": clean_texts(pa.array(authors, pa.string())),
        "year": rows["year"],
        "venue": clean_texts(rows["venue"]),
        "doi": clean_texts(rows["doi"]),
        "url": pa.array([address(*ids) for ids in zip(*identifiers, strict=True)], pa.string()),
        "fulltext": rows["fulltext"],
    }
    return pa.table(columns, schema=_schema())


def _join_authors(
    surnames: list[str] | None, givens: list[str] | None, roles: list[str] | None
) -> str:
    """`Surname, Given; Surname, Given`; semicolons in names become commas."""
    people = zip_longest(surnames or (), givens or (), roles or (), fillvalue="")
    names = (
        ", ".join(part.replace(";", ",") for part in (surname, given) if part)
        for surname, given, role in people
        if role != "member"
    )
    return "; ".join(names)
