"""Reads the core of a network: the papers that it is about."""

from __future__ import annotations

import pyarrow as pa

from citescape.core.config import quote_command
from citescape.core.errors import StoreError, invalid_choice
from citescape.core.pairs import fingerprint_ids, sort_ids
from citescape.networks.citations import Citations, read_citations
from citescape.networks.config import PAPERS, NetworkConfig, parse_years
from citescape.networks.kind import Sources
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query


def read_core(store: GraphStore, papers: str, *, years: str = "") -> pa.StringArray:
    """Reads ids of the core, ascending.

    Args:
        store: store to read.
        papers: `fulltext` or `all`.
        years: span of years, see `config.parse_years`; papers without a year match only an empty
            span.

    Raises:
        ConfigError: no such choice of papers, or not a span.
        StoreError: no papers match.
    """
    if papers not in PAPERS:
        raise invalid_choice("papers", papers, PAPERS)
    earliest, latest = parse_years(years)
    undated = earliest - 1 if years else earliest
    params = {"which": papers, "earliest": earliest, "latest": latest, "undated": undated}
    ids = sort_ids(store.read(query("networks/papers"), **params)["id"])
    if years and not len(ids):
        raise StoreError(f"{store.location} holds no papers of {years}; name other years")
    if not len(ids):
        raise StoreError(
            f"{store.location} holds no papers for a network; load some with "
            f"{quote_command('ingest PATH', store.location)}"
        )
    return ids


def read_cited(
    sources: Sources, config: NetworkConfig, *, weight: str = "none"
) -> tuple[Citations, pa.StringArray, dict[str, str]]:
    """Reads citations and the core, with hashes of both for the record of a run.

    Args:
        sources: store and progress.
        config: papers and years of the core.
        weight: weight of citations, see `read_citations`.
    """
    sources.progress("reading citations")
    citations = read_citations(sources.store, weight=weight)
    core = read_core(sources.store, config.papers, years=config.years)
    return citations, core, {"citations": citations.fingerprint(), "core": fingerprint_ids(core)}
