"""The papers that a network is about."""

from __future__ import annotations

import pyarrow as pa

from citescape.config import quote_command
from citescape.errors import StoreError, invalid_choice
from citescape.features.pairs import fingerprint_ids, sort_ids
from citescape.graph.queries import query
from citescape.graph.store import GraphStore
from citescape.networks.citations import Citations, read_citations
from citescape.relatedness.config import PAPERS
from citescape.relatedness.kind import Sources


def read_core(store: GraphStore, papers: str) -> pa.StringArray:
    """Ids of the core, ascending.

    Args:
        store: the graph.
        papers: `fulltext`, or `all`.

    Raises:
        ConfigError: no such choice of papers.
        StoreError: there are none.
    """
    if papers not in PAPERS:
        raise invalid_choice("papers", papers, PAPERS)
    ids = sort_ids(store.read(query("networks/papers"), which=papers)["id"])
    if not len(ids):
        raise StoreError(
            f"{store.location} holds no papers for a network; load some with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    return ids


def read_cited(
    sources: Sources, papers: str, *, weight: str = "none"
) -> tuple[Citations, pa.StringArray, dict[str, str]]:
    """Citations, the core, and hashes of both for the record of a run.

    Args:
        sources: what is read.
        papers: see `read_core`.
        weight: see `read_citations`.
    """
    sources.progress("reading citations")
    citations = read_citations(sources.store, weight=weight)
    core = read_core(sources.store, papers)
    return citations, core, {"citations": citations.fingerprint(), "core": fingerprint_ids(core)}
