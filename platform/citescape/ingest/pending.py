"""Marks a store whose loaded papers have references that are not resolved yet."""

from __future__ import annotations

from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, read_meta, write_meta


def is_pending(store: GraphStore) -> bool:
    """Whether papers were loaded whose references are not resolved yet."""
    return read_meta(store, "resolved") == "no"


def mark_pending(store: GraphStore) -> None:
    """Notes, before papers are loaded, that derived data and scores will be outdated."""
    if read_meta(store, IMPORTANCE_RUN):
        write_meta(store, IMPORTANCE_RUN, "")
    write_meta(store, "resolved", "no")
