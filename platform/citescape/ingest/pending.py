"""Whether references of papers that were loaded are still to be resolved."""

from __future__ import annotations

from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, read_meta, write_meta


def is_pending(store: GraphStore) -> bool:
    """Whether papers were loaded whose references are not resolved yet."""
    return read_meta(store, "resolved") == "no"


def mark_pending(store: GraphStore) -> None:
    """Notes in the store that derived data and scores are behind; set before papers are loaded."""
    if read_meta(store, IMPORTANCE_RUN):
        write_meta(store, IMPORTANCE_RUN, "")
    write_meta(store, "resolved", "no")
