"""Writes parsed papers batch by batch: each batch as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.files import LoadedFiles
from citescape.ingest.identity import ID_KINDS
from citescape.ingest.parse import Parsed
from citescape.ingest.pending import mark_pending
from citescape.ingest.sync import unique_rows
from citescape.loaders.versions import VERSIONS, is_table
from citescape.store.graph_store import Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import NODE, TABLE, TERMS
from citescape.store.statements import links_text, present_text

_OWN = ("occurrences", "sections", "references", "notices", "embeddings")
"""Deleted when a paper is replaced: its parts, and data derived from its text.

Each has a query `ingest/delete_PART`.
"""
_COPIES = ("copy_paths", "copy_sha256")


class PaperWriter:
    """Collects parsed papers and writes them batch by batch."""

    def __init__(self, store: GraphStore, batch_papers: int | None) -> None:
        self._store = store
        self._fixed_batch = batch_papers
        self._batch_papers = batch_papers or store.batch_papers
        self.files = LoadedFiles(store.read(query("ingest/known_files")), loaders=VERSIONS)
        self._added: set[str] = set()
        self._remembered: set[str] = set()
        self._pending: list[dict[str, pa.Table]] = []
        self._papers = 0
        self._size = 0.0
        self.changed = False

    def add(self, parsed: Parsed) -> pa.Table:
        """Adds papers; returns the report, in which copies of papers added before are marked.

        A paper whose current file is among the documents counts as added. So a resumed run ends
        as an uninterrupted one.
        """
        tables, report = parsed.tables, parsed.report
        for paper, _, sha256 in _files(report, "unchanged"):
            if self.files.is_current(paper, sha256):
                self._added.add(paper)
        loaders: dict[str, str] = {}
        if "Paper" in tables:
            ids, names = (tables["Paper"][name].to_pylist() for name in ("id", "loader"))
            loaders = dict(zip(ids, names, strict=True))
            again = [
                paper
                for paper, loader in loaders.items()
                if paper in self._added or self._has_full_text(paper, loader)
            ]
            tables, report = without_papers(tables, again), mark_copies(report, again)
            self._pending.append(tables)
            self._papers += tables["Paper"].num_rows
            self._size += tables["Paper"].num_rows * parsed.share
        for paper, path, sha256 in _files(report, "loaded"):
            self.files.replace(paper, path, sha256, loader=loaders[paper])
            self._added.add(paper)
        for paper, path, sha256 in _files(report, "copy"):
            self.files.add_copy(paper, path, sha256)
            self._remembered.add(paper)
        return report

    def _has_full_text(self, paper: str, loader: str) -> bool:
        """Whether the loader reads a table row of a paper that the store has with full text."""
        before = self.files.loader(paper)
        return bool(before) and is_table(loader) and not is_table(before)

    @property
    def is_empty(self) -> bool:
        """Whether all added papers are written."""
        return not self._papers

    @property
    def is_full(self) -> bool:
        """Whether the papers fill a batch."""
        return self._size >= self._batch_papers

    def flush(self) -> None:
        """Writes the collected papers in one transaction."""
        if self.is_empty:
            return
        self._begin()
        tables = {
            name: unique_rows(name, pa.concat_tables(parts))
            for name in TABLE
            if (parts := [tables[name] for tables in self._pending if name in tables])
        }
        ids = tables["Paper"]["id"].to_pylist()
        tables["Paper"] = self._with_copies(tables["Paper"], ids)
        rows = tables["Paper"].select(["id", "path", *ID_KINDS, "key"]).to_pylist()
        outdated = {old for row in rows if (old := self.files.earlier_version(row))}
        replace_papers(self._store, tables, outdated=sorted(outdated - self._added))
        self._remembered.difference_update(ids)
        self._pending, self._papers, self._size = [], 0, 0.0
        self._batch_papers = self._fixed_batch or self._store.batch_papers

    def remove(self, ids: Sequence[str]) -> None:
        """Removes papers with their parts."""
        if not ids:
            return
        self._begin()
        removed = pa.table({"id": pa.array(sorted(ids), pa.string())})
        changes = [*_removal(self._store, removed), Change("delete", "Paper", removed)]
        self._store.apply(changes, atomic=True)

    def _begin(self) -> None:
        """Marks derived data as pending, before the first change."""
        if not self.changed:
            mark_pending(self._store)
            self.changed = True

    def finish(self) -> None:
        """Writes the last batch, and copies that were read after their paper was written."""
        self.flush()
        ids = sorted(self._remembered)
        rows = self._with_copies(pa.table({"id": ids, **dict.fromkeys(_COPIES, ids)}), ids)
        if ids:
            self._store.apply([Change("update", "Paper", rows)])

    def _with_copies(self, rows: pa.Table, ids: Sequence[str]) -> pa.Table:
        """Rows of papers with the known copies of each; null without copies."""
        copies = [self.files.copies(paper) for paper in ids]
        for part, name in enumerate(_COPIES):
            values = [[copy[part] for copy in own] or None for own in copies]
            column = pa.array(values, TABLE["Paper"].arrow.field(name).type)
            rows = rows.set_column(rows.schema.get_field_index(name), name, column)
        return rows


def _files(report: pa.Table, status: str) -> Iterator[tuple[str, str, str]]:
    """Paper, path and hash of the documents with one outcome."""
    rows = report.filter(pc.equal(report["status"], status))
    return zip(*(rows[name].to_pylist() for name in ("paper", "path", "sha256")), strict=True)


def without_papers(tables: dict[str, pa.Table], ids: Sequence[str]) -> dict[str, pa.Table]:
    """The tables without the rows of some papers; terms that papers share stay."""
    if not ids:
        return tables
    removed = pa.array(ids)
    kept = {}
    for name, table in tables.items():
        owner = table["from" if "from" in table.column_names else "id"]
        paper = pc.replace_substring_regex(owner, r"#[sorn]\d+$", "")
        kept[name] = table.filter(pc.invert(pc.is_in(paper, value_set=removed)))
    return kept


def mark_copies(report: pa.Table, ids: Sequence[str]) -> pa.Table:
    """The report with the status `copy` for loaded papers among the ids, without their counts."""
    again = pc.fill_null(pc.is_in(report["paper"], value_set=pa.array(ids, pa.string())), False)
    copies = pc.and_(again, pc.equal(report["status"], "loaded"))
    columns = {}
    for name in report.column_names:
        empty = pa.scalar("copy" if name == "status" else None, report.schema.field(name).type)
        keep = name in ("path", "paper", "sha256")
        columns[name] = report[name] if keep else pc.if_else(copies, empty, report[name])
    return pa.table(columns, schema=report.schema)


def replace_papers(
    store: GraphStore, tables: dict[str, pa.Table], *, outdated: Sequence[str] = ()
) -> None:
    """Writes full texts in one transaction; parts of their earlier versions are deleted first.

    Terms that papers share (venues, keywords, ...) are added where missing.

    Args:
        store: the graph.
        tables: new rows by node label or relationship type.
        outdated: ids of papers to remove.
    """
    ids = tables["Paper"]["id"]
    exists = pc.is_in(ids, value_set=_present(store, "Paper", ids))
    old, new = tables["Paper"].filter(exists), tables["Paper"].filter(pc.invert(exists))
    removed = pa.table({"id": pa.array(outdated, pa.string())})
    changes = [
        *_removal(store, pa.concat_tables([old.select(["id"]), removed])),
        Change("delete", "Paper", removed),
        Change("update", "Paper", old),
        Change("insert", "Paper", new),
    ]
    terms = [rel.target for rel in TERMS]
    for name, table in tables.items():
        if name == "Paper":
            continue
        if name in terms:
            known = _present(store, name, table["id"])
            table = table.filter(pc.invert(pc.is_in(table["id"], value_set=known)))
        changes.append(Change("insert", name, table))
    store.apply(changes, atomic=True)


def _removal(store: GraphStore, papers: pa.Table) -> Iterator[Change]:
    """Deletes the parts and links of papers, but not their nodes."""
    if not papers.num_rows:
        return
    yield Change("run", "ingest/forget_intents", papers)
    for part in _OWN:
        yield Change("run", f"ingest/delete_{part}", papers)
    for rel in TERMS:
        links = store.read(links_text(rel), ids=papers["id"].to_pylist())
        yield Change("delete", rel.name, links)


def _present(store: GraphStore, label: str, ids: pa.ChunkedArray) -> pa.ChunkedArray:
    """The ids that have a node."""
    return store.read(present_text(NODE[label]), ids=ids.to_pylist())["id"]
