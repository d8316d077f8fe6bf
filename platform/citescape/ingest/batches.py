"""Writes records of papers into the graph: batch by batch, each as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from citescape.ingest.files import LoadedFile, LoadedFiles
from citescape.ingest.identity import ID_BREAK, ID_KINDS
from citescape.ingest.parse import LEAST_SHARE, Parsed
from citescape.ingest.pending import Changes, mark_pending
from citescape.ingest.records import (
    Content,
    Tables,
    concat,
    list_contents,
    merge_records,
    only_papers,
    record_rows,
    rename_papers,
    without_papers,
)
from citescape.ingest.replace import replace_papers
from citescape.ingest.stored import read_records
from citescape.loaders.formats import RECORDS
from citescape.loaders.versions import VERSIONS
from citescape.store.graph_store import BatchSize, Change, GraphStore
from citescape.store.queries import query
from citescape.store.schema import TABLE

_NO_PAPERS = TABLE["Paper"].arrow.empty_table()
_FILE_PAPER = pa.schema({"id": pa.string(), "paper": pa.string()})
_RECORD = ("id", "path", "source_ids", "source_editions")


class _Stored(NamedTuple):
    """A record in the store."""

    content: Content
    path: str
    own_id: str
    """Its paper, unless it was joined to another one."""


class _Replaced(NamedTuple):
    """A record in the store whose file holds another one now."""

    path: str
    own_id: str
    """Its paper, unless it was joined to another one."""
    edition: int


@dataclass
class _Batch:
    """Records that are not written yet."""

    parts: dict[str, list[Tables]] = field(default_factory=dict)
    """Source -> tables of its records."""
    stored: dict[str, list[str]] = field(default_factory=dict)
    """Paper in the store -> its sources."""
    moved: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    """File -> paper and source of the record that it held, and the paper that it holds now."""
    lowered: dict[tuple[str, str], str] = field(default_factory=dict)
    """Paper and source of a record -> its file, which holds a lower edition now."""
    weights: dict[str, float] = field(default_factory=dict)
    """Paper -> size of what is written of it, in typical full texts."""

    def groups(self, size: BatchSize) -> Iterator[list[str]]:
        """The papers in about equal groups, each of at most a size and a part of its last paper."""
        total = sum(self.weights.values())
        count = ceil(max(total / size.full_texts, len(self.weights) / size.papers))
        group: list[str] = []
        number, before = 0, 0.0
        for paper, weight in self.weights.items():
            place = int(before * count / total)
            if group and (place > number or len(group) == size.papers):
                yield group
                group, number = [], place
            group.append(paper)
            before += weight
        yield group


class PaperWriter:
    """Collects records of papers and writes them batch by batch."""

    def __init__(self, store: GraphStore, batch_papers: int | None) -> None:
        self._store = store
        self._was_empty = not store.read(query("ingest/count_full_texts"))["n"][0].as_py()
        self._fixed_size = BatchSize(batch_papers, batch_papers) if batch_papers else None
        self._size = self._fixed_size or store.batch_size
        self.files = LoadedFiles(store, VERSIONS)
        self._added: dict[str, dict[str, tuple[int, int]]] = {}
        """Paper -> its sources in this run, with edition and hash of the record of each."""
        self._batch = _Batch()
        self.changes: Changes | None = None
        """What was changed in the store; None as long as nothing was."""

    def add(self, parsed: Parsed) -> pa.Table:
        """Adds records of one source; returns the report with the outcome of each document.

        Of several documents of a paper in a source the highest edition counts, of equal ones the
        last. A document of a lower edition, or with the content of an earlier one, is a copy. A
        document whose record the graph has is unchanged.
        """
        source, report = parsed.source, parsed.report
        unchanged = list(_rows(report, "unchanged"))
        records = parsed.tables.get("Paper", _NO_PAPERS)
        ids, paths = records["id"].to_pylist(), records["path"].to_pylist()
        papers = [*ids, *(row["paper"] for row in unchanged)]
        stored = self._read_sources(papers, source)
        others = [
            {"paper": id_, "source": source, "work": stored[id_].own_id}
            for id_, path in zip(ids, paths, strict=True)
            if id_ in stored and stored[id_].own_id != id_ and stored[id_].path != path
        ]
        if others:  # records of other papers that were joined to these
            self.flush()
            self.move(pa.Table.from_pylist(others))
            stored = self._read_sources(papers, source)
        for row in unchanged:
            known = stored.get(row["paper"])
            if known is not None and known.content.sha256 == row["sha256"]:
                content = known.content
                self._added.setdefault(row["paper"], {})[source] = content.edition, hash(content)
        copies, same, replaced = [], [], []
        for id_, path, record in zip(ids, paths, list_contents(records), strict=True):
            new, added = (record.edition, hash(record)), self._added.get(id_, {}).get(source)
            held = stored[id_].content if id_ in stored else None
            edition = added[0] if added else held.edition if held else 0
            if record.edition < edition and added is None and stored[id_].path == path:
                self._batch.lowered[id_, source] = path
            elif record.edition < edition or new == added:
                copies.append(id_)
                continue
            if added is not None:
                replaced.append(id_)
            elif record == held:
                same.append(id_)
            self._added.setdefault(id_, {})[source] = new
        if replaced:
            self._drop(replaced, source)
        report = mark(mark(report, copies, "copy"), same, "unchanged")
        if len(copies) + len(same) < len(ids):
            tables = without_papers(parsed.tables, [*copies, *same])
            self._batch.parts.setdefault(source, []).append(tables)
            weights = self._batch.weights
            for id_ in tables["Paper"]["id"].to_pylist():
                # Records that the store has of a paper are written again with the new one.
                before = weights[id_] if id_ in weights else self._written_size(id_, source)
                weights[id_] = before + parsed.share
        self._remember(report, source)
        return report

    def _read_sources(self, ids: list[str], source: str) -> dict[str, _Stored]:
        """The record of a source that the store has, of each of these papers."""
        if self._was_empty or not ids:
            return {}
        rows = self._store.read(query("ingest/stored_papers"), ids=ids).to_pylist()
        self._batch.stored |= {row["id"]: row["sources"] for row in rows}
        found = {}
        for row in rows:
            if source in row["sources"]:
                place = row["sources"].index(source)
                columns = ("source_sha256", "source_loaders", "source_editions")
                own_id = row["source_ids"][place].rpartition(ID_BREAK)[2]
                content = Content(*(row[name][place] for name in columns))
                found[row["id"]] = _Stored(content, row["source_paths"][place], own_id)
        return found

    def _written_size(self, id_: str, source: str) -> float:
        """Size of the records of other sources that the store has, in typical full texts."""
        others = {*self._batch.stored.get(id_, ()), *self._added[id_]} - {source}
        return sum(LEAST_SHARE if other in RECORDS else 1 for other in others)

    def _drop(self, papers: list[str], source: str) -> None:
        """Leaves out collected records, which others replace."""
        parts = self._batch.parts.get(source, [])
        self._batch.parts[source] = [without_papers(part, papers) for part in parts]

    def _remember(self, report: pa.Table, source: str) -> None:
        """Remembers the files, and the papers whose file holds another one now."""
        rows = [row for status in ("loaded", "copy", "unchanged") for row in _rows(report, status)]
        before = self.files.find([row["path"] for row in rows])
        for row in rows:
            old = before.get(row["path"])
            if old is not None and old.paper != row["paper"]:
                self._batch.moved[row["path"]] = old.paper, old.source, row["paper"]
            new = LoadedFile(row["path"], row["sha256"], row["paper"], source, row["loader"])
            if old != new:
                self.files.add(new)

    @property
    def is_empty(self) -> bool:
        """Whether all added records are written, and those that they replace are removed."""
        return not self._batch.weights and not self._batch.moved

    @property
    def is_full(self) -> bool:
        """Whether the records fill a batch."""
        weights = self._batch.weights
        return sum(weights.values()) >= self._size.full_texts or len(weights) >= self._size.papers

    def flush(self) -> None:
        """Writes the collected records, each paper as a whole.

        Their files are written last: after an interruption they are read again.
        """
        if self.is_empty:
            return
        batch = self._batch
        records = {source: concat(parts) for source, parts in batch.parts.items()}
        replaced = self._earlier_versions(records)
        removed = {*replaced}
        if not batch.weights and not removed:  # all are copies
            self._batch = _Batch()
            return
        self._begin()
        if others := [id_ for id_, _ in removed if id_ not in batch.stored]:
            rows = self._store.read(query("ingest/stored_papers"), ids=others).to_pylist()
            batch.stored |= {row["id"]: row["sources"] for row in rows}
        # A record changes in one transaction with the one that it replaces under another id, and
        # with other files of it.
        together = removed or batch.lowered
        groups = [] if together else list(batch.groups(self._size))
        for group in groups[:-1]:
            part = {source: only_papers(tables, group) for source, tables in records.items()}
            self._write({s: t for s, t in part.items() if t["Paper"].num_rows}, batch.stored, set())
        if len(groups) > 1:
            records = {source: only_papers(t, groups[-1]) for source, t in records.items()}
        changes = [*self.files.changes(), *self._other_files(replaced, records)]
        self._write(records, batch.stored, removed, changes)
        self.files.written()
        self._batch = _Batch()
        self._size = self._fixed_size or self._store.batch_size

    def remove(self, ids: Sequence[str], source: str) -> None:
        """Removes the records of a source; papers without any other become works that are cited."""
        size = int(min(self._size))
        for start in range(0, len(ids), size):
            self._remove(ids[start : start + size], source)

    def _remove(self, ids: Sequence[str], source: str) -> None:
        """Removes records in one transaction."""
        self._begin()
        rows = self._store.read(query("ingest/stored_papers"), ids=list(ids)).to_pylist()
        stored = {row["id"]: row["sources"] for row in rows}
        files = self._store.read(query("ingest/files_of_papers"), ids=list(ids), source=source)
        gone = Change("delete", "File", files)
        changes = [gone, *self.files.changes()]
        self._write({}, stored, {(id_, source) for id_ in ids}, changes)
        self.files.written()

    def move(self, moves: pa.Table) -> None:
        """Moves records to other papers; where one of the same source is, the later one stays.

        Of two with the same content the moved one is the earlier, and stays.

        Args:
            moves: `paper`, `source`, `work` (the paper that the record belongs to).
        """
        size = int(min(self._size))
        for start in range(0, moves.num_rows, size):
            self._move(moves.slice(start, size))

    def _move(self, moves: pa.Table) -> None:
        """Moves records in one transaction."""
        self._begin()
        names = {(row["paper"], row["source"]): row["work"] for row in moves.to_pylist()}
        old = sorted({paper for paper, _ in names})
        ids = sorted({*old, *names.values()})
        rows = self._store.read(query("ingest/stored_papers"), ids=ids).to_pylist()
        columns = ("sources", "source_sha256", "source_loaders", "source_editions")
        contents = {
            (row["id"], source): Content(*content)
            for row in rows
            for source, *content in zip(*(row[name] for name in columns), strict=True)
        }
        staying = contents.keys() - names.keys()
        records = {}
        for source, tables in read_records(self._store, old).items():
            own = {paper: work for (paper, s), work in names.items() if s == source}
            own = {
                paper: work
                for paper, work in own.items()
                if (work, source) not in staying
                or contents[paper, source].edition > contents[work, source].edition
                or contents[paper, source] == contents[work, source]
            }
            if own:
                records[source] = rename_papers(only_papers(tables, sorted(own)), own)
        files = self._store.read(query("ingest/moved_files"), ids=old).to_pylist()
        for file in files:
            file["paper"] = names.get((file["paper"], file["source"]), file["paper"])
        update = pa.Table.from_pylist(files, _FILE_PAPER)
        stored = {row["id"]: row["sources"] for row in rows}
        for paper, source in names:
            self._added.get(paper, {}).pop(source, None)
        self._write(records, stored, {*names}, [Change("update", "File", update)])

    def _begin(self) -> None:
        """Marks derived data as pending, before the first change."""
        if self.changes is None:
            self.changes = mark_pending(self._store)

    def finish(self) -> None:
        """Writes the last batch, and files that hold no new record."""
        self.flush()
        self._store.apply(self.files.changes())
        self.files.written()

    def _write(
        self,
        records: dict[str, Tables],
        stored: dict[str, list[str]],
        removed: set[tuple[str, str]],
        more: Sequence[Change] = (),
    ) -> None:
        """Writes papers with new records, or without removed ones.

        Args:
            records: new records by source.
            stored: sources of the papers in the store, as far as these papers change.
            removed: papers and sources whose records are removed.
            more: changes to make in the same transaction.
        """
        new: dict[str, set[str]] = {id_: set() for id_, _ in removed}
        for source, tables in records.items():
            for id_ in tables["Paper"]["id"].to_pylist():
                new.setdefault(id_, set()).add(source)
        after = {
            id_: own
            | {
                source
                for source in (*stored.get(id_, ()), *self._added.get(id_, ()))
                if (id_, source) not in removed
            }
            for id_, own in new.items()
        }
        # The rows of a paper with one new record are those of the record; others are merged.
        joint = [
            id_ for id_, own in after.items() if own and not (len(own) == 1 and own == new[id_])
        ]
        written = [without_papers(tables, joint) for tables in records.values()]
        if joint:
            written += self._join(records, sorted(joint), new, removed)
        gone = sorted(id_ for id_, own in after.items() if not own)
        assert self.changes is not None  # `_begin` was called
        self.changes.add(new, gone)
        replace_papers(self._store, concat(written), gone=gone, more=more, noted=self.changes)

    def _join(
        self,
        records: dict[str, Tables],
        papers: list[str],
        new: dict[str, set[str]],
        removed: set[tuple[str, str]],
    ) -> list[Tables]:
        """The rows of papers that also have records in the store, and their kept records."""
        joint: dict[str, list[Tables]] = {}
        for source, tables in read_records(self._store, papers).items():
            out = [id_ for id_ in papers if source in new[id_] or (id_, source) in removed]
            joint.setdefault(source, []).append(without_papers(tables, out))
        for source, tables in records.items():
            joint.setdefault(source, []).append(only_papers(tables, papers))
        whole = {source: concat(parts) for source, parts in joint.items()}
        whole = {source: tables for source, tables in whole.items() if "Paper" in tables}
        merged = merge_records(whole)
        sources = merged["Paper"].select(["id", "sources"]).to_pylist()
        several = [row["id"] for row in sources if len(row["sources"]) > 1]
        kept = [record_rows(source, only_papers(part, several)) for source, part in whole.items()]
        return [merged, *kept]

    def _other_files(
        self, replaced: dict[tuple[str, str], _Replaced], records: dict[str, Tables]
    ) -> Iterator[Change]:
        """Further files of replaced records.

        If a file holds a later version of a record that was joined to another paper, they hold the
        same record still; otherwise they are forgotten, so that the next ingest reads them.

        Args:
            replaced: paper and source -> the record.
            records: what is written instead.
        """
        paths = [record.path for record in replaced.values()]
        kept = pa.array([*paths, *self._batch.lowered.values(), *self._batch.moved], pa.string())
        ids = sorted({id_ for id_, _ in (*replaced, *self._batch.lowered)})
        if not ids:
            return
        editions = {
            (row["id"], source): row["source_editions"][0]
            for source, tables in records.items()
            for row in tables["Paper"].select(["id", "source_editions"]).to_pylist()
        }
        files = self._store.read(query("ingest/moved_files"), ids=ids)
        gone, renamed = [], []
        for file in files.filter(pc.invert(pc.is_in(files["id"], value_set=kept))).to_pylist():
            key = file["paper"], file["source"]
            record = replaced.get(key)
            if record is not None and editions.get((record.own_id, key[1]), -1) >= record.edition:
                renamed.append({"id": file["id"], "paper": record.own_id})
            elif record is not None or key in self._batch.lowered:
                gone.append(file["id"])
        yield Change("delete", "File", pa.table({"id": pa.array(gone, pa.string())}))
        yield Change("update", "File", pa.Table.from_pylist(renamed, _FILE_PAPER))

    def _earlier_versions(self, records: dict[str, Tables]) -> dict[tuple[str, str], _Replaced]:
        """Records that files held before, for example before their DOI was known.

        No id of such a record differs from those of the paper that the file holds now, and they
        share one or the title. If the record was read from another file, none may hold it any more.

        Returns:
            Paper and source -> the record.
        """
        moved = self._batch.moved
        if not moved:
            return {}
        names = (*ID_KINDS, "key")

        def rows(found: dict[str, Tables]) -> dict[tuple[str, str], dict[str, Any]]:
            return {
                (source, row["id"]): row
                for source, tables in found.items()
                if "Paper" in tables
                for row in tables["Paper"].select([*_RECORD, *names]).to_pylist()
            }

        before = rows(read_records(self._store, sorted({old for old, _, _ in moved.values()})))
        after = rows(records)
        copied = {paper for _, source, paper in moved.values() if (source, paper) not in after}
        after |= rows(read_records(self._store, sorted(copied)))  # the records that count
        replaced: dict[tuple[str, str], _Replaced] = {}
        unsure: dict[tuple[str, str], _Replaced] = {}
        for path, (old, source, paper) in moved.items():
            a, b = before.get((source, old)), after.get((source, paper))
            if a is None or b is None or source in self._added.get(old, ()):
                continue
            both = [name for name in names if a[name] and b[name]]
            equal = [name for name in both if a[name] == b[name]]
            if equal and all(name in equal for name in both if name != "key"):
                record = _Replaced(
                    a["path"], a["source_ids"][0].rpartition(ID_BREAK)[2], a["source_editions"][0]
                )
                (replaced if a["path"] == path else unsure)[old, source] = record
        papers = sorted({old for old, _ in unsure})
        files = self._store.read(query("ingest/moved_files"), ids=papers).to_pylist()
        held = {(file["paper"], file["source"]) for file in files if file["id"] not in moved}
        return {key: record for key, record in unsure.items() if key not in held} | replaced


def _rows(report: pa.Table, status: str) -> Iterator[dict[str, Any]]:
    """The documents with one outcome."""
    rows = report.filter(pc.equal(report["status"], status))
    yield from rows.select(["path", "paper", "sha256", "status", "loader"]).to_pylist()


def mark(report: pa.Table, ids: Sequence[str], status: str) -> pa.Table:
    """The report with another status for loaded papers among the ids, without their counts."""
    among = pc.fill_null(pc.is_in(report["paper"], value_set=pa.array(ids, pa.string())), False)
    changed = pc.and_(among, pc.equal(report["status"], "loaded"))
    columns = {}
    for name in report.column_names:
        other = pa.scalar(status if name == "status" else None, report.schema.field(name).type)
        keep = name in ("path", "paper", "sha256", "loader")
        columns[name] = report[name] if keep else pc.if_else(changed, other, report[name])
    return pa.table(columns, schema=report.schema)
