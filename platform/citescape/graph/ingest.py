"""Full texts -> graph: parse, write in batches, resolve.

A batch of papers is written as a whole or not at all; once `progress` was told of it, it stays.
A rerun skips files that are loaded, so an interrupted ingest is completed by running it again.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from citescape.errors import SourceError
from citescape.graph.authors import AuthorResolver, neighbourhood_authors
from citescape.graph.parse import REPORT, Parsed, parse_documents
from citescape.graph.queries import query
from citescape.graph.resolve import is_pending, mark_pending, resolve
from citescape.graph.schema import TABLE
from citescape.graph.store import Change, GraphStore
from citescape.graph.sync import unique_rows
from citescape.loaders.jats import VERSION
from citescape.loaders.sources import iter_documents

_OWN = ("occurrences", "sections", "references", "venue", "keywords", "subjects", "mesh")
"""Parts of a paper that go when it is replaced; each has a query `ingest/delete_PART`."""
_SHARED = ("Venue", "Keyword", "Subject", "MeshDescriptor")


@dataclass(frozen=True)
class IngestConfig:
    """How to ingest."""

    workers: int = 2
    batch_papers: int | None = None
    """Full texts written in one transaction; by default what suits the store."""
    strict: bool = False
    """Stop at the first document that cannot be read, instead of reporting and skipping it."""
    authors: AuthorResolver = neighbourhood_authors


@dataclass(frozen=True)
class Progress:
    """Where an ingest is: the step, and documents done in it."""

    step: str
    documents: int = 0
    rejected: int = 0


@dataclass
class IngestResult:
    """What an ingest found, and what the store holds after it."""

    report: pa.Table
    """One row a document; schema `graph.parse.REPORT`."""
    papers: int = 0
    fulltext_papers: int = 0
    authors: int = 0
    sections: int = 0
    occurrences: int = 0
    citations: int = 0
    anchors: int = 0
    """Citation pointers in all full texts of the store, those inside ranges included."""
    losses: dict[str, int] = field(default_factory=dict)
    """Pointers that did not become occurrences, by reason: anchors = occurrences + losses."""
    seconds: float = 0.0
    status: Counter[str] = field(default_factory=Counter)
    """Documents by outcome: loaded, unchanged, rejected."""

    @property
    def damage(self) -> SourceError | None:
        """The first archive that broke off; papers before the damage and elsewhere are loaded."""
        rows = self.report.filter(pc.equal(self.report["reason"], "damaged-archive"))
        return _rejection(rows.slice(0, 1).to_pylist()[0]) if rows.num_rows else None

    @property
    def rejected(self) -> list[tuple[str, str]]:
        """Path and message of every document that was not loaded."""
        rows = self.report.filter(pc.is_valid(self.report["reason"]))
        messages = (text.removeprefix("rejected: ") for text in rows["status"].to_pylist())
        return list(zip(rows["path"].to_pylist(), messages, strict=True))


def ingest(
    store: GraphStore,
    paths: Sequence[Path],
    config: IngestConfig = IngestConfig(),
    *,
    progress: Callable[[Progress], None] = lambda _: None,
) -> IngestResult:
    """Loads papers into the store.

    Args:
        store: where to.
        paths: files, folders, archives.
        config: see `IngestConfig`.
        progress: told after each batch that is safely written, and as each later step begins.

    Raises:
        SourceError: a path does not exist; with `strict`, any unreadable document.

    Writes to the graph: everything but scores (see `graph.resolve` for what is derived).
    """
    started = time.monotonic()
    writer = _Writer(store, config.batch_papers)
    result = IngestResult(REPORT.empty_table())
    reports: list[pa.Table] = []
    for parsed in parse_documents(
        iter_documents(paths), workers=config.workers, known=writer.known_files
    ):
        if config.strict:
            _stop_at_rejection(parsed.report)
        reports.append(writer.add(parsed))
        if writer.is_full:
            writer.flush()
            progress(_progress("loading papers", reports))
    writer.finish()
    result.report = pa.concat_tables(reports) if reports else result.report
    progress(_progress("loading papers", reports))
    if writer.changed or is_pending(store):
        done = _progress("", reports)
        resolve(
            store,
            authors=config.authors,
            report=lambda step: progress(Progress(step, done.documents, done.rejected)),
        )
    _count(store, result)
    result.seconds = time.monotonic() - started
    return result


class _Writer:
    """Gathers parsed papers and writes them batch by batch."""

    def __init__(self, store: GraphStore, batch_papers: int | None) -> None:
        self._store = store
        self._fixed_batch = batch_papers
        self._batch_papers = batch_papers or store.batch_papers
        loaded = store.read(query("ingest/known_files"))
        current = loaded.filter(pc.fill_null(pc.equal(loaded["loader"], VERSION), False))
        self.known_files = frozenset(pc.list_flatten(current["sha256"]).to_pylist())
        self._taken: set[str] = set()
        self._copies: dict[str, list[str]] = {}
        self._pending: list[dict[str, pa.Table]] = []
        self._papers = 0
        self.changed = False

    def add(self, parsed: Parsed) -> pa.Table:
        """Takes papers; returns the report, in which copies of papers taken before are marked."""
        tables, report = parsed.tables, parsed.report
        if "Paper" in tables:
            again = [i for i in tables["Paper"]["id"].to_pylist() if i in self._taken]
            self._taken.update(tables["Paper"]["id"].to_pylist())
            tables, report = without_papers(tables, again), mark_copies(report, again)
            self._pending.append(tables)
            self._papers += tables["Paper"].num_rows
        copies = report.filter(pc.equal(report["status"], "copy"))
        for row in copies.select(["paper", "sha256"]).to_pylist():
            self._copies.setdefault(row["paper"], []).append(row["sha256"])
        return report

    @property
    def is_full(self) -> bool:
        """Whether enough papers are gathered for a batch."""
        return self._papers >= self._batch_papers

    def flush(self) -> None:
        """Writes what is gathered, in one transaction."""
        if not self._papers:
            return
        if not self.changed:
            mark_pending(self._store)
            self.changed = True
        tables = {
            name: unique_rows(name, pa.concat_tables(held))
            for name in TABLE
            if (held := [tables[name] for tables in self._pending if name in tables])
        }
        replace_papers(self._store, tables)
        self._pending, self._papers = [], 0
        self._batch_papers = self._fixed_batch or self._store.batch_papers

    def finish(self) -> None:
        """Writes the rest, and remembers the files that hold a paper already taken."""
        self.flush()
        for paper, hashes in self._copies.items():
            self._store.write(
                query("ingest/add_files"), pa.table({"id": [paper], "sha256": [hashes]})
            )


def without_papers(tables: dict[str, pa.Table], ids: Sequence[str]) -> dict[str, pa.Table]:
    """The tables without the rows of some papers; terms that papers share stay."""
    if not ids:
        return tables
    gone = pa.array(ids)
    kept = {}
    for name, table in tables.items():
        owner = table["from" if "from" in table.column_names else "id"]
        paper = pc.replace_substring_regex(owner, r"#[sor]\d+$", "")
        kept[name] = table.filter(pc.invert(pc.is_in(paper, value_set=gone)))
    return kept


def mark_copies(report: pa.Table, ids: Sequence[str]) -> pa.Table:
    """The report with papers taken from an earlier document marked `copy`, their counts emptied."""
    copies = pc.fill_null(pc.is_in(report["paper"], value_set=pa.array(ids, pa.string())), False)
    columns = {}
    for name in report.column_names:
        empty = pa.scalar("copy" if name == "status" else None, report.schema.field(name).type)
        keep = name in ("path", "paper", "sha256")
        columns[name] = report[name] if keep else pc.if_else(copies, empty, report[name])
    return pa.table(columns, schema=report.schema)


def replace_papers(store: GraphStore, tables: dict[str, pa.Table]) -> None:
    """Writes full texts; of those already there, sections, citations and lists go first.

    Terms that papers share (venues, keywords, ...) are added where missing. Atomic.
    """
    ids = tables["Paper"]["id"]
    there = store.read(query("ingest/papers_present"), ids=ids.to_pylist())["id"]
    is_there = pc.is_in(ids, value_set=there)
    old = tables["Paper"].filter(is_there)
    changes = [Change("run", f"ingest/delete_{part}", old.select(["id"])) for part in _OWN]
    changes.append(Change("update", "Paper", old))
    changes.append(Change("insert", "Paper", tables["Paper"].filter(pc.invert(is_there))))
    for name, table in tables.items():
        if name in _SHARED:
            known = store.read(f"MATCH (n:{name}) RETURN n.id AS id")["id"]
            table = table.filter(pc.invert(pc.is_in(table["id"], value_set=known)))
        if name != "Paper":
            changes.append(Change("insert", name, table))
    store.apply(changes, atomic=True)


def _stop_at_rejection(report: pa.Table) -> None:
    bad = report.filter(pc.is_valid(report["reason"]))
    if bad.num_rows:
        error = _rejection(bad.slice(0, 1).to_pylist()[0])
        raise SourceError(error.path, error.reason, f"{error.message} (stopped: --strict)")


def _rejection(row: dict[str, str]) -> SourceError:
    """What a row of the report says of a document that was not loaded."""
    return SourceError(row["path"], row["reason"], row["status"].removeprefix("rejected: "))


def _progress(step: str, reports: list[pa.Table]) -> Progress:
    documents = sum(report.num_rows for report in reports)
    rejected = sum(report.num_rows - report["reason"].null_count for report in reports)
    return Progress(step, documents, rejected)


def flat_report(report: pa.Table) -> pa.Table:
    """The report with losses and notes as text (`range-unclear: 2`), for CSV."""
    for name in ("lost", "notes"):
        texts = [
            "; ".join(f"{reason}: {n}" for reason, n in entries or [])
            for entries in report[name].to_pylist()
        ]
        place = report.schema.get_field_index(name)
        report = report.set_column(place, name, pa.array(texts, pa.string()))
    return report


def _count(store: GraphStore, result: IngestResult) -> None:
    """Fills in what the store holds after the ingest, and how its documents fared."""
    for name, value in store.read(query("explore/totals")).to_pylist()[0].items():
        setattr(result, name, value)
    lost: Counter[str] = Counter()
    for text in store.read(query("ingest/losses"))["losses"].to_pylist():
        account = json.loads(text)
        result.anchors += account["anchors"]
        lost.update(account["lost"])
    result.losses = dict(sorted(lost.items()))
    for text in result.report["status"].to_pylist():
        result.status[text.partition(":")[0]] += 1
