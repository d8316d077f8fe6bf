"""Matches all entries at once: what matching them part by part must equal."""

from __future__ import annotations

import pyarrow as pa

from citescape.ingest.decisions import names_of
from citescape.ingest.identity import match_works
from citescape.ingest.index.rows import IndexedRows
from citescape.ingest.index.works import ENTRIES, PAPERS, WorkIndex
from citescape.ingest.matching import apply_decisions
from citescape.ingest.similar_works import join_similar


def match_entries(papers: pa.Table, references: pa.Table, decisions: pa.Table) -> pa.Table:
    """The work of each entry: by ids and keys, by similar contents, by decisions of users.

    Args:
        papers: loaded papers.
        references: all entries of reference lists.
        decisions: see `ingest.decisions`.

    Returns:
        `id` (entry), `work`, `matched_by`, in the order of the entries.
    """
    matches = join_similar(papers, references, match_works(papers, references))
    return apply_decisions(matches, names_of(references), decisions, papers["id"])


def index_of(papers: pa.Table, references: pa.Table, matches: pa.Table) -> WorkIndex:
    """The index of matched entries."""
    for name in ("work", "matched_by"):
        references = references.append_column(name, matches[name])
    return WorkIndex(IndexedRows.build(references, ENTRIES), IndexedRows.build(papers, PAPERS))
