"""Removes papers and sources from the graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa

from citescape.core.errors import ConfigError, list_some
from citescape.core.progress import Progress
from citescape.ingest.batches import PaperWriter
from citescape.ingest.pending import mark_pending
from citescape.ingest.resolve import resolve
from citescape.papers.identify import find_paper
from citescape.runs.result import Result, Summary, plural
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query


@dataclass(frozen=True)
class Removed(Result):
    """What was removed."""

    papers: tuple[str, ...]
    """Ids of the papers with a removed record."""
    kept: int
    """Number of them that other sources have too."""
    cited: int
    """Number of them that are cited, and stay as cited works."""
    notices: int = 0
    """Number of removed notices of a table."""

    @property
    def arrow(self) -> pa.Table:
        """A row for each paper."""
        return pa.table({"paper": pa.array(self.papers, pa.string())})

    def summarise(self) -> Summary:
        """Number of papers, or of notices."""
        if self.notices:
            text = f"{plural(self.notices, 'notice')} removed"
            return Summary([text], {"papers": 0, "kept": 0, "cited": 0, "notices": self.notices})
        papers = plural(len(self.papers), "paper")
        stay = {"stay as other sources have them": self.kept, "stay as cited works": self.cited}
        details = [f"{n:,} {how}" for how, n in stay.items() if n]
        figures = {"papers": len(self.papers), "kept": self.kept, "cited": self.cited}
        shown = f"records of {papers} removed; {', '.join(details)}" if details else ""
        return Summary([shown or f"{papers} removed"], figures)


def remove_papers(store: GraphStore, papers: Sequence[str], *, progress: Progress) -> Removed:
    """Removes papers with all their records.

    Args:
        store: the graph.
        papers: ids, see `papers.identify.find_paper`.
        progress: called with the name of each step.

    Raises:
        ConfigError: a paper is unknown or not loaded; nothing is removed then.
    """
    ids = list(dict.fromkeys(find_paper(store, paper).id for paper in papers))
    rows = store.read(query("ingest/stored_papers"), ids=ids).to_pylist()
    sources: dict[str, list[str]] = {row["id"]: row["sources"] for row in rows}
    if only_cited := [id_ for id_ in ids if id_ not in sources]:
        raise ConfigError(
            f"{list_some(only_cited)}: known from reference lists only; expected loaded papers"
        )
    return _remove(store, {id_: sources[id_] for id_ in ids}, progress)


def remove_source(store: GraphStore, source: str, *, progress: Progress) -> Removed:
    """Removes all records of a source, or all notices of a table.

    Args:
        store: the graph.
        source: its name, or that of the file with the notices.
        progress: called with the name of each step.

    Raises:
        ConfigError: the store has no such source.
    """
    ids = store.read(query("ingest/papers_of_source"), source=source)["id"].to_pylist()
    if not ids:
        notices = store.read(query("ingest/notices_of_file"), file=source)
        if notices.num_rows:
            changes = mark_pending(store, keep_scores=True)  # the next ingest completes it
            changes.notices = True
            store.apply([Change("delete", "Notice", notices)], atomic=True)
            resolve(store, changes, report=progress)
            return Removed((), 0, 0, notices=notices.num_rows)
        names = (store.read(query(f"ingest/{of}"))["source"] for of in ("sources", "notice_tables"))
        known = [name for column in names for name in column.to_pylist()]
        raise ConfigError(
            f"no source {source!r} in {store.location}; it has {list_some(known) or 'none'}"
        )
    return _remove(store, {id_: [source] for id_ in sorted(ids)}, progress)


def _remove(
    store: GraphStore, records: Mapping[str, Sequence[str]], progress: Callable[[str], None]
) -> Removed:
    """Removes records, given as paper -> sources, and what was derived from them."""
    writer, ids = PaperWriter(store, None), list(records)
    progress(f"removing {plural(len(ids), 'paper')}")
    for source in dict.fromkeys(s for own in records.values() for s in own):
        writer.remove([id_ for id_, own in records.items() if source in own], source)
    writer.finish()
    resolve(store, writer.changes, report=progress)
    left = store.read(query("ingest/stored_papers"), ids=ids).num_rows
    present = store.read(query("ingest/present_papers"), ids=ids).num_rows
    return Removed(tuple(ids), left, present - left)
