"""Reads papers and the sentences in which they cite each other out of a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.config import quote_command
from citescape.core.errors import ConfigError, StoreError
from citescape.core.progress import Progress, silent
from citescape.recommend.contexts import COLUMNS, SECTION, TEXT, Contexts
from citescape.recommend.library import PAPER_COLUMNS, Library
from citescape.recommend.masking.mask import mask
from citescape.recommend.masking.places import FOUND, Citation
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_PAPERS = 256
"""Citing papers that are read at a time."""
_WORKS = 1 << 16
"""Works likewise: ladybug has a gibibyte for a result."""
_SCHEMA = pa.schema([(name, pa.string()) for name in (*COLUMNS, TEXT, SECTION)])
_OTHER = "other"

Row = dict[str, Any]


def read_library(
    store: GraphStore, *, papers: Sequence[str] | None = None, progress: Progress = silent
) -> Library:
    """All works of a graph, and the sentences in which full texts cite them.

    A context is a sentence; its id is `<citing paper>#<ordinal of its first citation>`. One that
    stands several times in a section is one context. Its pairs have a column `section` too: `I`,
    `M`, `R`, `D` or `other`. The result does not depend on the order in which a store gives rows.

    Args:
        store: the graph.
        papers: ids of citing papers; all by default.
        progress: told how many papers are read, last how many markers were found.

    Raises:
        ConfigError: one of `papers` is no full text of the graph.
        StoreError: no sentence cites anything that is known.
    """
    wanted = _select(store, papers)
    found: Counter[str] = Counter()
    tables = [_SCHEMA.empty_table()]
    for start in range(0, len(wanted), _PAPERS):
        tables.append(_read_slice(store, wanted[start : start + _PAPERS], found))
        progress(f"{min(start + _PAPERS, len(wanted)):,} of {len(wanted):,} citing papers read")
    pairs = pa.concat_tables(tables)
    if not pairs.num_rows:
        raise StoreError(
            f"{store.location} holds no sentence that cites a known work; expected full texts: "
            f"load some with {quote_command('ingest PATH', store.location)}"
        )
    told = ", ".join(f"{name} {found[name]:,}" for name in FOUND)
    progress(f"{found.total():,} markers of citations: {told}")
    return Library(_read_papers(store), Contexts(pairs), len(wanted))


def _select(store: GraphStore, papers: Sequence[str] | None) -> list[str]:
    """Ids of citing papers, each once, ascending."""
    known = sorted(store.read(query("text/full_texts"))["id"].to_pylist())
    if papers is None:
        return known
    strange = sorted(set(papers).difference(known))
    if strange:
        raise ConfigError(
            f"found {strange[0]} and {len(strange) - 1:,} other papers that are no full texts of "
            f"{store.location}; expected ids of such papers"
        )
    return sorted(set(papers))


def read_papers(store: GraphStore) -> Iterator[pa.Table]:
    """All works of a graph in slices, as `papers.cypher` tells them."""
    ids = store.read(query("recommend/ids"))["id"]
    for start in range(0, len(ids), _WORKS):
        part = ids[start : start + _WORKS]
        first, last = part[0].as_py(), part[-1].as_py()
        yield store.read(query("recommend/papers"), first=first, last=last)


def read_years(store: GraphStore) -> list[int]:
    """In which full texts of a graph appeared, each year once, ascending."""
    told = pc.utf8_slice_codeunits(_date(store.read(query("recommend/years"))), 0, 4)
    return sorted(int(year) for year in pc.unique(told).to_pylist() if year and year.isdigit())


def _read_papers(store: GraphStore) -> pa.Table:
    """All works, ascending by id."""
    read = pa.concat_tables(read_papers(store), promote_options="permissive").sort_by("id")
    columns = {name: read[name] for name in PAPER_COLUMNS[:3]} | {"date": _date(read)}
    filled = [pc.fill_null(pc.cast(columns[name], pa.string()), "") for name in PAPER_COLUMNS]
    return pa.table([column.combine_chunks() for column in filled], list(PAPER_COLUMNS))


def _date(read: pa.Table) -> pa.ChunkedArray:
    """The date of each work, or its year; null where neither is known."""
    return pc.coalesce(_tell(read["date"]), pc.cast(read["year"], pa.string()))


def _tell(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Text, null where it is empty."""
    text = pc.cast(column, pa.string())
    return pc.if_else(pc.equal(text, ""), pa.scalar(None, pa.string()), text)


def _read_slice(store: GraphStore, papers: list[str], found: Counter[str]) -> pa.Table:
    """Rows of the contexts of some papers; counts in `found` how their markers were found."""
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
    rows = [row for told in sentences.values() for row in _mask(told, references, found)]
    columns = zip(*rows, strict=True) if rows else ((),) * len(_SCHEMA)
    return pa.table([pa.array(column, pa.string()) for column in columns], schema=_SCHEMA)


def _mask(
    told: list[Row], references: Mapping[str, Row], found: Counter[str]
) -> Iterator[tuple[str, ...]]:
    """A row for each work that a sentence cites."""
    first = told[0]
    masked = mask(first["context"], [_cite(row, references.get(row["reference"])) for row in told])
    found.update(masked.found)
    context, kind = f"{first['citing']}#{first['ordinal']}", first["type"] or _OTHER
    for cited, text in masked.texts.items():
        yield context, first["citing"], cited, text, kind


def _cite(row: Row, reference: Row | None) -> Citation:
    told = reference or {}
    surnames = tuple(told.get("surnames") or ())
    return Citation(row["marker"] or "", row["cited"], surnames, told.get("year"))
