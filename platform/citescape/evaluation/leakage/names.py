"""One name for a paper, by whatever id it is listed, and one form of its title."""

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
"""Letters and digits. Of shorter titles that several works of a corpus share (`Phytoremediation`),
two in three belong to works that are years apart; of longer ones one in five."""


def title_keys(titles: pa.Array) -> pa.StringArray:
    """(n,) titles without case, accents, punctuation and blanks; null for those under 25 signs."""
    found = (fold(title).replace(" ", "") for title in titles.to_pylist())
    return pa.array([key if len(key) >= LEAST_TITLE else None for key in found], pa.string())


def normalise_name(name: str) -> str:
    """`https://doi.org/10.1/X` and `10.1/x` are `doi:10.1/x`; what is no such id stays as it is.

    Bare digits stay too: they may be a PMID or anyone's number.
    """
    lower = name.lower()
    if lower.startswith(("10.", "doi:", "http")):
        doi = normalise_doi(name, whole=True)
        return f"doi:{doi}" if doi else name
    for prefix, normalise in _PREFIXED.items():
        found = normalise(lower.removeprefix(f"{prefix}:")) if lower.startswith(prefix) else None
        if found:
            return f"{prefix if prefix != 'pmc' else 'pmcid'}:{found}"
    return name


_PREFIXED: dict[str, Callable[[str], str | None]] = {
    "pmid": normalise_pmid,
    "pmcid": normalise_pmcid,
    "pmc": normalise_pmcid,
}


def identify(papers: PaperList, store: GraphStore | None = None) -> PaperList:
    """The list with one id for each paper, and titles that it lacks.

    Args:
        papers: by any ids.
        store: its ids replace DOIs, PMIDs and PMCIDs that it holds, and it gives titles; None: ids
            are only brought to one form.
    """
    columns = [papers.rows["paper"], papers.titles["paper"], *papers.pairs.columns]
    names = sort_unique(pa.chunked_array([chunk for column in columns for chunk in column.chunks]))
    meant = pa.array([normalise_name(name) for name in names.to_pylist()], pa.string())
    if store is not None:
        asked = [None if name.isdecimal() else name for name in names.to_pylist()]
        found = match_listed(store, [name or "" for name in asked])
        meant = pc.coalesce(pa.array(found, pa.string()), meant)

    def rename(table: pa.Table, *of: str) -> pa.Table:
        for name in of:
            ids = meant.take(pc.index_in(table[name], value_set=names))
            table = table.set_column(table.column_names.index(name), name, ids)
        return table

    named = replace(
        papers,
        rows=rename(papers.rows, "paper"),
        titles=rename(papers.titles, "paper"),
        pairs=rename(papers.pairs, "paper", "other"),
    )
    if store is None:
        return named
    known = store.read(query("features/titles")).rename_columns(["paper", "title"])
    known = known.cast(named.titles.schema)
    wanted = pc.is_in(known["paper"], value_set=named.papers)
    lacking = pc.invert(pc.is_in(known["paper"], value_set=sort_unique(named.titles["paper"])))
    added = known.filter(pc.and_(wanted, lacking))
    return replace(named, titles=pa.concat_tables([named.titles, added]))
