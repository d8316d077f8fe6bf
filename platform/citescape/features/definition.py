"""The features as Cypher defines them, for a few papers or all: queries, not the bulk kernel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from citescape.graph.queries import query
from citescape.graph.store import GraphStore

_SLICE_PAPERS = 2_000


def read_location(store: GraphStore, papers: Sequence[str] | None = None) -> Iterator[pa.Table]:
    """f_I, f_M, f_R, f_D, f_other of the pairs of citing `papers` (default: all of them).

    Tables of `citing`, `cited`, `mentions`, `f_I` ... `f_other`, `f_combined`: one row a pair,
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
    if papers is None:
        wanted = store.read(query("features/citing_papers"))["id"].to_pylist()
    else:
        wanted = sorted(set(papers))
    for start in range(0, len(wanted), _SLICE_PAPERS):
        yield store.read(query(name), papers=wanted[start : start + _SLICE_PAPERS])
