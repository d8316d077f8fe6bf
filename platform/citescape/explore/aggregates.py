"""Citations of many papers, added up by the paper at their other end, in bounded memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

WORK = {
    "id": pa.string(),
    "title": pa.string(),
    "year": pa.int64(),
    "surnames": pa.list_(pa.string()),
    "notice": pa.string(),
    "notice_year": pa.int64(),
}
"""Columns that describe a work in a list; `notice`: state of a retracted or corrected work, else
null."""
_SLICE = 2_000
"""Papers per query; the citations of one slice are in memory at a time."""
Side = str
"""`references`: works that the papers cite; `citing`: papers that cite them."""


def add_citations(store: GraphStore, papers: Sequence[str], side: Side) -> pa.Table:
    """Works that some papers cite, or papers that cite them, each with its citations added up.

    Args:
        store: the graph.
        papers: ids, each once.
        side: `references` or `citing`.

    Returns:
        `id`, `papers` (number of the papers that it is cited by, or cites), `importance` (sum over
        those citations; 0 without scores), `scored` (citations with a score); ascending by id.
    """
    other = _OTHER[side]
    parts = []
    for start in range(0, len(papers), _SLICE):
        edges = read_edges(store, papers[start : start + _SLICE], side)
        edges = edges.append_column("scored", pc.is_valid(edges["importance"]).cast(pa.int64()))
        edges = edges.append_column("papers", pa.array(np.ones(len(edges), np.int64)))
        edges = edges.set_column(
            edges.schema.get_field_index("importance"),
            "importance",
            pc.fill_null(edges["importance"], 0.0),
        )
        parts.append(_sum(edges.rename_columns({other: "id"})))
    whole = pa.concat_tables(parts) if parts else _SUMS.empty_table()
    return _sum(whole).sort_by("id")


_OTHER = {"references": "cited", "citing": "citing"}
_SUMS = pa.schema(
    {"id": pa.string(), "papers": pa.int64(), "importance": pa.float64(), "scored": pa.int64()}
)


def read_edges(store: GraphStore, papers: Sequence[str], side: Side) -> pa.Table:
    """Citations that leave or reach some papers: `citing`, `cited`, `importance`, each once."""
    name = "explorer/references_of" if side == "references" else "explorer/citations_of"
    edges = store.read(query(name), papers=[*papers]).select(["citing", "cited", "importance"])
    types = pa.schema({"citing": pa.string(), "cited": pa.string(), "importance": pa.float64()})
    return edges.cast(types)


def _sum(edges: pa.Table) -> pa.Table:
    columns = ("papers", "importance", "scored")
    summed = edges.group_by("id").aggregate([(name, "sum") for name in columns])
    names = {f"{name}_sum": name for name in columns}
    return summed.rename_columns(names).select(_SUMS.names)


def rank_down(values: np.ndarray) -> np.ndarray:
    """Ranks from 1 for the largest value; equal values share the mean of their ranks.

    So the ranks of n values add up to n (n + 1) / 2 whatever the ties.
    """
    values = np.asarray(values, np.float64)
    _, place, counts = np.unique(-values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray(last[place] - (counts[place] - 1) / 2, np.float64)
