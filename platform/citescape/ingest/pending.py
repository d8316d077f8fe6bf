"""Marks a store whose loaded papers have references that are not resolved yet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from citescape.store.graph_store import GraphStore
from citescape.store.state import IMPORTANCE_RUN, read_meta, write_meta

RESOLVED = "resolved"
"""Meta row: `no`, or the stamp of the state of which derived data is."""
CURRENT = "yes"
"""Its value where derived data is current, but papers may be changed by other means."""
_MOST = 200_000
"""Papers that are remembered; after more, everything is resolved."""


@dataclass
class Changes:
    """What was changed in a store since it was resolved."""

    stamp: str | None = None
    """Stamp of the state before; None if unknown."""
    papers: set[str] = field(default_factory=set)
    """Papers that were loaded, corrected or removed."""
    deleted: set[str] = field(default_factory=set)
    """Papers whose nodes were deleted."""
    terms: dict[str, set[str]] = field(default_factory=dict)
    """Relationship type -> nodes that papers share (venues, ...) with other links than before."""
    notices: bool = False
    """Whether notices were written or deleted."""
    names: tuple[str, ...] = ()
    """Names (see `ingest.decisions`) on which a decision was made or undone."""

    def add(self, papers: Iterable[str], deleted: Iterable[str]) -> None:
        """Remembers papers, as far as they are few."""
        if self.stamp is None:
            return
        self.papers.update(papers)
        self.deleted.update(deleted)
        if len(self.papers) > _MOST:
            self.stamp = None
            for remembered in (self.papers, self.deleted, self.terms):
                remembered.clear()

    def add_links(self, name: str, targets: Iterable[str]) -> None:
        """Remembers nodes whose links changed."""
        if self.stamp is not None:
            self.terms.setdefault(name, set()).update(targets)

    def join(self, other: Changes) -> None:
        """Adds later changes, for example of papers that were joined."""
        self.add(other.papers, other.deleted)
        for name, targets in other.terms.items():
            self.add_links(name, targets)
        self.notices |= other.notices


def is_pending(store: GraphStore) -> bool:
    """Whether papers were loaded whose references are not resolved yet."""
    return read_meta(store, RESOLVED) == "no"


def mark_pending(store: GraphStore, *, keep_scores: bool = False) -> Changes:
    """Notes, before a change, that derived data will be outdated.

    Args:
        store: the graph.
        keep_scores: whether the change leaves citations and authors as they are, so that scores
            stay valid.
    """
    before = read_meta(store, RESOLVED)
    if not keep_scores and read_meta(store, IMPORTANCE_RUN):
        write_meta(store, IMPORTANCE_RUN, "")
    write_meta(store, RESOLVED, "no")
    return Changes(before)


def mark_resolved(store: GraphStore, stamp: str) -> None:
    """Notes that derived data is that of the present papers."""
    write_meta(store, RESOLVED, stamp)


def forget_stamp(store: GraphStore) -> None:
    """Notes that papers may have been changed by other means: everything is resolved next time."""
    if read_meta(store, RESOLVED) not in (None, "no"):
        mark_resolved(store, CURRENT)
