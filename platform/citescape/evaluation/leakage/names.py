"""Normalised ids and titles of papers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.identifiers import normalise_doi, normalise_pmcid, normalise_pmid
from citescape.evaluation.leakage.papers import PaperList
from citescape.ingest.identity import fold
from citescape.papers.id_lists import match_listed
from citescape.search.listed import sort_unique
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

LEAST_TITLE = 25
"""Minimum letters and digits of a title for matching. Of shorter titles that several works of a
corpus share (`Phytoremediation`), two in three belong to works of different years; of longer titles
one in five."""


def title_keys(titles: pa.Array) -> pa.StringArray:
    """(n,) titles without case, accents, punctuation and spaces; null below `LEAST_TITLE`."""
    keys = (fold(title).replace(" ", "") for title in titles.to_pylist())
    return pa.array([key if len(key) >= LEAST_TITLE else None for key in keys], pa.string())


def normalise_name(name: str) -> str:
    """`https://doi.org/10.1/X` and `10.1/x` become `doi:10.1/x`; other names are unchanged.

    Bare digits are unchanged too: they may be a PMID or another number.
    """
    lower = name.lower()
    if lower.startswith(("10.", "doi:", "http")):
        doi = normalise_doi(name, whole=True)
        return f"doi:{doi}" if doi else name
    for prefix, normalise in _PREFIXED.items():
        id_ = normalise(lower.removeprefix(f"{prefix}:")) if lower.startswith(prefix) else None
        if id_:
            return f"{prefix if prefix != 'pmc' else 'pmcid'}:{id_}"
    return name


_PREFIXED: dict[str, Callable[[str], str | None]] = {
    "pmid": normalise_pmid,
    "pmcid": normalise_pmcid,
    "pmc": normalise_pmcid,
}


def identify(papers: PaperList, store: GraphStore | None = None) -> PaperList:
    """The list with normalised ids, and with missing titles from a store.

    Args:
        papers: list with any ids.
        store: replaces DOIs, PMIDs and PMCIDs by its ids, and adds titles; None: ids are only
            normalised.
    """
    columns = [papers.rows["paper"], papers.titles["paper"], *papers.pairs.columns]
    names = sort_unique(pa.chunked_array([chunk for column in columns for chunk in column.chunks]))
    ids = pa.array([normalise_name(name) for name in names.to_pylist()], pa.string())
    if store is not None:
        matched = match_listed(
            store, ["" if name.isdecimal() else name for name in names.to_pylist()]
        )
        ids = pc.coalesce(pa.array(matched, pa.string()), ids)

    def rename(table: pa.Table, *columns: str) -> pa.Table:
        for name in columns:
            renamed = ids.take(pc.index_in(table[name], value_set=names))
            table = table.set_column(table.column_names.index(name), name, renamed)
        return table

    normalised = replace(
        papers,
        rows=rename(papers.rows, "paper"),
        titles=rename(papers.titles, "paper"),
        pairs=rename(papers.pairs, "paper", "other"),
    )
    if store is None:
        return normalised
    known = store.read(query("features/titles")).rename_columns(["paper", "title"])
    known = known.cast(normalised.titles.schema)
    is_listed = pc.is_in(known["paper"], value_set=normalised.papers)
    untitled = pc.invert(
        pc.is_in(known["paper"], value_set=sort_unique(normalised.titles["paper"]))
    )
    added = known.filter(pc.and_(is_listed, untitled))
    return replace(normalised, titles=pa.concat_tables([normalised.titles, added]))
