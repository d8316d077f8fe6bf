"""Full texts and tables -> graph: parse, write in batches, resolve.

A batch of papers is written as a whole or not at all; once `progress` reports it, it is not lost.
A rerun skips loaded files, so running an interrupted ingest again completes it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import CitescapeError, SourceError, StoreError, list_some
from citescape.core.paper_types import ALL, GROUPS
from citescape.ingest import summary
from citescape.ingest.authors import neighbourhood_authors
from citescape.ingest.batches import PaperWriter
from citescape.ingest.config import IngestConfig
from citescape.ingest.earlier_tables import check_earlier, papers_gone
from citescape.ingest.notice_tables import load_notices
from citescape.ingest.parse import (
    CITATIONS,
    NOTICES,
    OTHER,
    REPORT,
    VALUES,
    Parsed,
    Reading,
    of_types,
    parse_documents,
    refuse_rejected,
    rejection,
)
from citescape.ingest.pending import is_pending
from citescape.ingest.resolve import resolve
from citescape.ingest.table_papers import TablePapers
from citescape.loaders.datasets import InputSources, find_sources
from citescape.loaders.formats import DOCUMENTS
from citescape.loaders.sources import check_exists, count_documents, iter_documents
from citescape.runs.result import Result, Summary, plural
from citescape.store.graph_store import GraphStore
from citescape.store.queries import query

if TYPE_CHECKING:
    from citescape.ingest.quality.quality import Quality

_INCOMPLETE = ("damaged-archive", "unreadable-archive", "unreadable-folder")
"""Reasons for which an unknown number of papers is missing."""


@dataclass(frozen=True)
class IngestProgress:
    """State of an ingest: the step, and the documents read so far."""

    step: str
    documents: int = 0
    total: int | None = None
    """Number of all documents, if known."""
    rejected: int = 0
    kept: int = 0
    """Documents that are stored: an interruption does not lose them."""

    def __str__(self) -> str:
        rejected = f", {self.rejected:,} rejected" if self.rejected else ""
        total = self.total or 0
        of = f"{self.documents:,} of " if total > self.documents else ""
        documents = plural(
            max(total, self.documents), "document"
        )  # a file may hold several documents
        return f"{self.step}: {of}{documents}{rejected}"


@dataclass(frozen=True)
class IngestResult(Result):
    """Outcome of each document, and totals of the store afterwards."""

    report: pa.Table
    """One row per document; schema `ingest.parse.REPORT`."""
    papers: int
    fulltext_papers: int
    """Papers that were loaded, not only cited; `Paper.fulltext`."""
    table_papers: int
    """Loaded papers without text: rows of tables, records of databases."""
    authors: int
    sections: int
    occurrences: int
    citations: int
    anchors: int
    """Citation pointers in all full texts of the store, those inside ranges included."""
    losses: dict[str, int] = field(default_factory=dict)
    """Pointers that did not become occurrences, by reason: anchors = occurrences + losses."""
    seconds: float = 0.0
    status: Counter[str] = field(default_factory=Counter)
    """Documents and papers of tables by outcome: loaded, unchanged, copy, rejected, removed."""
    passed_over: Counter[str] = field(default_factory=Counter)
    """Files of folders and archives that are not papers, by ending."""
    absent_types: tuple[str, ...] = ()
    """Types of `--types` that no loaded paper of the store has."""
    without_citations: tuple[str, ...] = ()
    """Tables with papers loaded now, without a table of citations."""
    unread_columns: dict[str, list[str]] = field(default_factory=dict)
    """Table of papers loaded now, or of their citations -> its columns that are not read."""
    place: str = ""
    """Phrase for the place of the papers, such as `corpus.lbug now holds:`."""
    next: str = ""
    """Command to run next; empty if nothing is left to do."""
    import_folder: str = ""
    import_command: str = ""
    """Folder and command for Neo4j's offline importer; empty if papers went into a store."""
    quality: Quality | None = None
    """Completeness, references, losses and conflicts of the store; None without `report`."""
    page: Path | None = None
    """The quality report; None without `report`."""

    @property
    def arrow(self) -> pa.Table:
        """A row per document: citations found, loaded, and lost with the reason."""
        return flat_report(self.report)

    def tables(self) -> dict[str, pa.Table]:
        """The documents, and the tables of the quality report if there is one."""
        more = {} if self.quality is None else self.quality.tables()
        return {**super().tables(), **more}

    def summarise(self) -> Summary:
        """Counts of what was loaded and lost."""
        return summary.summarise(self)

    @property
    def failure(self) -> CitescapeError | None:
        """The damaged archive or folder; an error if no document could be read."""
        if self.damage is not None:
            return self.damage
        if self.rejected or not self.exit_status:
            return None
        if others := self.status["other type"]:
            return StoreError(
                f"none of {others:,} papers has one of the types of --types; expected types that "
                "the files state, such as research-article"
            )
        kinds = self.passed_over + Counter({OTHER: self.status[OTHER]})
        found = list_some([f"{number:,} {kind}" for kind, number in kinds.most_common()])
        return StoreError(
            f"no papers found{found and f', but {found}'}; expected full texts, records or exports "
            "of databases, tables of papers and citations, or folders or archives of these"
        )

    @property
    def exit_status(self) -> int:
        """1 where all documents and tables were rejected."""
        read = any(self.status[name] for name in ("loaded", "unchanged", "copy"))
        return 0 if read or self.notices_read else 1

    @property
    def citations_read(self) -> list[dict[str, Any]]:
        """For each table of citations `path`, `kept` lines, `lost` ones by reason, `notes`."""
        return self._accounts(CITATIONS)

    @property
    def notices_read(self) -> list[dict[str, Any]]:
        """The same for each table of notices."""
        return self._accounts(NOTICES)

    @property
    def values_read(self) -> list[dict[str, Any]]:
        """The same for each file of abstracts or authors; `notes` names its content."""
        return self._accounts(VALUES)

    def _accounts(self, status: str) -> list[dict[str, Any]]:
        rows = self.report.filter(pc.equal(self.report["status"], status)).to_pylist()
        return [
            {
                "path": row["path"],
                "kept": row["references"],
                "lost": dict(row["lost"]),
                "notes": dict(row["notes"]),
            }
            for row in rows
        ]

    @property
    def notes(self) -> Counter[str]:
        """Number of oddities in the documents loaded now, by kind."""
        counts: Counter[str] = Counter()
        rows = self.report.filter(pc.equal(self.report["status"], "loaded"))
        for notes in rows["notes"].drop_null().to_pylist():
            counts.update(dict(notes))
        return counts

    @property
    def damage(self) -> SourceError | None:
        """The first archive or folder that could not be read to its end; the rest is loaded."""
        rows = self.report.filter(pc.is_in(self.report["reason"], value_set=pa.array(_INCOMPLETE)))
        return rejection(rows.slice(0, 1).to_pylist()[0]) if rows.num_rows else None

    @property
    def others(self) -> list[str]:
        """Path of every file or record in folders and archives that is no paper."""
        rows = self.report.filter(pc.equal(self.report["status"], OTHER))
        return [str(path) for path in rows["path"].to_pylist()]

    @property
    def rejected(self) -> list[tuple[str, str]]:
        """Path and message of every document that was not loaded."""
        rows = self.report.filter(pc.is_valid(self.report["reason"]))
        messages = (text.removeprefix("rejected: ") for text in rows["status"].to_pylist())
        return list(zip(rows["path"].to_pylist(), messages, strict=True))


def ingest(
    store: GraphStore,
    paths: Sequence[Path],
    config: IngestConfig | None = None,
    *,
    progress: Callable[[IngestProgress], None] = lambda _: None,
) -> IngestResult:
    """Loads papers into the store.

    Args:
        store: the graph to fill.
        paths: files, folders, archives, tables (see `loaders.datasets.find_sources`).
        config: see `IngestConfig`.
        progress: called while documents are read, and when each later step begins.

    Raises:
        SourceError: a path does not exist, or a table has missing columns; without `replace`, a
            table lacks papers of another file, most of its own, or all their citations; with
            `strict`, any unreadable document.
        ConfigError: an invalid format or name of a data set.

    Writes to the graph: everything except scores (for derived data see `ingest.resolve`).
    """
    config = config or IngestConfig()
    started = time.monotonic()
    for path in paths:
        check_exists(path)
    sources = find_sources(paths, format_=config.format, name=config.data_set or None)
    writer = PaperWriter(store, config.batch_papers)
    tables = [TablePapers(data_set) for data_set in sources.data_sets]
    for papers in tables if not config.replace else ():
        check_earlier(store, papers)

    total = None if sources.data_sets else count_documents(sources.documents)
    done = IngestProgress("loading papers", total=total)
    reports = [REPORT.empty_table()]
    for report in _load(store, writer, sources, config, tables=tables):
        reports.append(report)
        documents = done.documents + report.num_rows
        done = replace(
            done,
            documents=documents,
            rejected=done.rejected + report.num_rows - report["reason"].null_count,
            kept=documents if writer.is_empty else done.kept,
        )
        progress(done)
    writer.finish()
    done = replace(done, kept=done.documents)
    progress(done)
    if sources.notices:
        report, writer.changes = load_notices(
            store, sources.notices, writer.changes, strict=config.strict
        )
        reports.append(report)

    if writer.changes is not None or is_pending(store):
        resolve(
            store,
            writer.changes,
            authors=(config.authors or neighbourhood_authors),
            report=lambda step: progress(replace(done, step=step)),
        )
    result = _result(store, pa.concat_tables(reports), seconds=time.monotonic() - started)
    loaded = result.report.filter(pc.equal(result.report["status"], "loaded"))["path"]
    fresh = [
        data_set
        for data_set in sources.data_sets
        if pc.any(pc.starts_with(loaded, f"{data_set.place}#")).as_py()
    ]
    named = [name for name in config.types if name not in (*GROUPS, ALL)]
    present = store.read(query("ingest/paper_types"))["type"].to_pylist() if named else []
    return replace(
        result,
        passed_over=sources.passed_over,
        absent_types=tuple(name for name in named if name not in present),
        without_citations=tuple(each.place for each in fresh if not each.citations),
        unread_columns={k: v for each in fresh for k, v in each.unread_columns.items()},
    )


def _load(
    store: GraphStore,
    writer: PaperWriter,
    sources: InputSources,
    config: IngestConfig,
    *,
    tables: Sequence[TablePapers],
) -> Iterator[pa.Table]:
    """Reads all sources into the writer; yields reports, of some documents each.

    Documents come first, then the rows of tables.
    """
    if sources.documents:
        documents = iter_documents(
            sources.documents, tables=sources.tables, passed_over=sources.passed_over
        )
        reading = Reading(config.format if config.format in DOCUMENTS else "auto", config.source)
        known = writer.files.unchanged
        parsed = parse_documents(documents, reading, workers=config.workers, known=known)
        yield from _add(writer, parsed, config)
    for papers in tables:
        yield from _add(writer, papers.parse(writer.files.unchanged), config)
        if papers.is_whole:
            writer.flush()
            removed = papers_gone(store, papers)
            writer.remove(removed, papers.data_set.name)
            path = papers.data_set.place
            rows = [{"path": path, "paper": paper, "status": "removed"} for paper in removed]
            yield pa.Table.from_pylist(rows, REPORT)


def _add(writer: PaperWriter, parts: Iterable[Parsed], config: IngestConfig) -> Iterator[pa.Table]:
    for parsed in parts:
        if config.strict:
            refuse_rejected(parsed.report)
        report = writer.add(of_types(parsed, config.types))
        if writer.is_full:
            writer.flush()
        yield report


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


def _result(store: GraphStore, report: pa.Table, *, seconds: float) -> IngestResult:
    """Totals of the store and outcomes of the documents."""
    totals = store.read(query("explore/totals")).to_pylist()[0]
    lost: Counter[str] = Counter()
    anchors = 0
    accounts = store.read(query("ingest/loss_totals"))
    rows = zip(accounts["losses"].to_pylist(), accounts["papers"].to_pylist(), strict=True)
    for text, papers in rows:
        account = json.loads(text)
        anchors += papers * account["anchors"]
        lost.update({reason: papers * count for reason, count in account["lost"].items()})
    without_text = accounts.filter(pc.invert(accounts["with_text"]))
    return IngestResult(
        report=report,
        papers=totals["papers"],
        fulltext_papers=totals["fulltext_papers"],
        table_papers=pc.sum(without_text["papers"], min_count=0).as_py(),
        authors=totals["authors"],
        sections=totals["sections"],
        occurrences=totals["occurrences"],
        citations=totals["citations"],
        anchors=anchors,
        losses=dict(sorted(lost.items())),
        seconds=seconds,
        status=Counter(
            text.partition(":")[0]
            for text in report["status"].to_pylist()
            if text not in (CITATIONS, NOTICES, VALUES)
        ),
    )
