"""The features by Cypher queries, for some or all papers; the reference for the bulk kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

_SLICE_PAIRS = 20_000  # location.cypher on ladybug needs some 10 kB per pair


def read_location(store: GraphStore, papers: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """f_I, f_M, f_R, f_D, f_other of the pairs of citing `papers` (default: all of them).

    Tables of `citing`, `cited`, `mentions`, `f_I` ... `f_other`, `f_combined`: one row per pair,
    zeros for a pair that the text never mentions (`cypher/features/location.cypher`).
    """
    yield from _sliced(store, "features/location", papers)


def read_self_citations(
    store: GraphStore, papers: Sequence[str] | None = None
) -> Iterator[pa.Table]:
    """The pairs of citing `papers` (default: all) with S = 1; all others have S = 0.

    Tables of `citing`, `cited`, `shared`: the number of authors on both papers
    (`cypher/features/self_citation.cypher`).
    """
    yield from _sliced(store, "features/self_citation", papers)


def _sliced(store: GraphStore, name: str, papers: Sequence[str] | None) -> Iterator[pa.Table]:
    selected = None if papers is None else set(papers)
    rows = store.read(query("features/citing_papers")).to_pylist()
    held: list[str] = []
    pairs = 0
    for k, row in enumerate(rows):
        if selected is None or row["id"] in selected:
            held.append(row["id"])
            pairs += row["pairs"]
        if held and (pairs >= _SLICE_PAIRS or k + 1 == len(rows)):
            yield store.read(query(name), papers=held)
            held, pairs = [], 0
