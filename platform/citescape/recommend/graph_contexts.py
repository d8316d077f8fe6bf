"""Reads papers, and the sentences in which they cite each other, from a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError, list_some
from citescape.core.progress import Progress, silent
from citescape.recommend.contexts import COLUMNS, SECTION, TEXT, Contexts
from citescape.recommend.library import PAPER_COLUMNS, Library
from citescape.recommend.masking.mask import mask
from citescape.recommend.masking.places import OUTCOMES, CitationMarker
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_PAPERS = 256
"""Citing papers read at a time."""
_WORKS = 1 << 16
"""Works read at a time: a result of ladybug is limited to 1 GiB."""
_SCHEMA = pa.schema([(name, pa.string()) for name in (*COLUMNS, TEXT, SECTION)])
_OTHER = "other"

Row = dict[str, Any]


def read_library(
    store: GraphStore, *, papers: Sequence[str] | None = None, progress: Progress = silent
) -> Library:
    """All works of a graph, and the sentences in which full texts cite them.

    A context is a sentence; its id is `<citing paper>#<ordinal of its first citation>`. Equal
    sentences of a section are one context. The column `section` is `I`, `M`, `R`, `D` or `other`.
    The result does not depend on the order of rows in the store.

    Args:
        store: the graph.
        papers: ids of the full texts whose sentences are read; None for all.
        progress: called with the number of papers read.

    Raises:
        ConfigError: one of `papers` is not a full text of the graph.
        StoreError: no sentence cites a known work.
    """
    known = set(store.read(query("text/full_texts"))["id"].to_pylist())
    selected = sorted(known if papers is None else set(papers))
    unknown = [id_ for id_ in selected if id_ not in known]
    if unknown:
        raise ConfigError(
            f"found {list_some(unknown)}; expected ids of full texts of {store.location}"
        )

    located: Counter[str] = Counter()
    tables = [_SCHEMA.empty_table()]
    for start in range(0, len(selected), _PAPERS):
        tables.append(_read_slice(store, selected[start : start + _PAPERS], located))
        progress(f"{min(start + _PAPERS, len(selected)):,} of {len(selected):,} citing papers read")
    pairs = pa.concat_tables(tables)
    if not pairs.num_rows:
        raise StoreError(
            f"{store.location} holds no sentence that cites a known work; expected full texts: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    counts = ", ".join(f"{name} {located[name]:,}" for name in OUTCOMES)
    progress(f"{located.total():,} markers of citations: {counts}")

    works = pa.concat_tables(read_papers(store), promote_options="permissive").sort_by("id")
    columns = [*(works[name] for name in PAPER_COLUMNS[:3]), _date(works)]
    filled = [pc.fill_null(pc.cast(column, pa.string()), "") for column in columns]
    table = pa.table([column.combine_chunks() for column in filled], list(PAPER_COLUMNS))
    return Library(table, Contexts(pairs), len(selected))


def read_papers(store: GraphStore) -> Iterator[pa.Table]:
    """All works of a graph in slices, with the columns of `papers.cypher`."""
    ids = store.read(query("recommend/ids"))["id"]
    for start in range(0, len(ids), _WORKS):
        part = ids[start : start + _WORKS]
        first, last = part[0].as_py(), part[-1].as_py()
        yield store.read(query("recommend/papers"), first=first, last=last)


def read_years(store: GraphStore) -> list[int]:
    """Years of the full texts of a graph, each once, ascending."""
    years = pc.utf8_slice_codeunits(_date(store.read(query("recommend/years"))), 0, 4)
    return sorted(int(year) for year in pc.unique(years).to_pylist() if year and year.isdigit())


def _date(read: pa.Table) -> pa.ChunkedArray:
    """The date of each work, or its year; null if both are unknown."""
    dates = pc.cast(read["date"], pa.string())
    dates = pc.if_else(pc.equal(dates, ""), pa.scalar(None, pa.string()), dates)
    return pc.coalesce(dates, pc.cast(read["year"], pa.string()))


def _read_slice(store: GraphStore, papers: list[str], located: Counter[str]) -> pa.Table:
    """Rows of the contexts of some papers; adds to `located` how their markers were located."""
    references = {
        row["id"]: row
        for row in store.read(query("recommend/references"), papers=papers).to_pylist()
    }
    read = store.read(query("recommend/citations"), papers=papers)
    read = read.sort_by([(name, "ascending") for name in ("citing", "ordinal", "cited")])
    sentences: dict[tuple[str, str, str], list[Row]] = {}
    for row in read.to_pylist():
        if row["context"]:
            place = row["citing"], row["section"], row["context"]
            sentences.setdefault(place, []).append(row)

    rows = []
    for (citing, _, sentence), occurrences in sentences.items():
        citations = []
        for row in occurrences:
            reference = references.get(row["reference"]) or {}
            surnames = tuple(reference.get("surnames") or ())
            citations.append(
                CitationMarker(row["marker"] or "", row["cited"], surnames, reference.get("year"))
            )
        masked = mask(sentence, citations)
        located.update(masked.outcomes)
        first = occurrences[0]
        context, kind = f"{citing}#{first['ordinal']}", first["type"] or _OTHER
        rows += [(context, citing, cited, text, kind) for cited, text in masked.texts.items()]
    columns = zip(*rows, strict=True) if rows else ((),) * len(_SCHEMA)
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=_SCHEMA)
