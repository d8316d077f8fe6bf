"""Documents -> tables, in worker processes; tables travel back as Arrow IPC bytes.

Arrow IPC sends a table several times faster than pickle, which sends each column by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.cores import usable_cores
from citescape.core.errors import SourceError
from citescape.core.paper_types import expand_types
from citescape.core.types import Paper
from citescape.distributed.workers import WorkerPool
from citescape.ingest.files import LoadedFile
from citescape.ingest.records import without_papers
from citescape.ingest.tables import paper_id, paper_tables, source_of
from citescape.loaders.document_formats import read_document
from citescape.loaders.documents import SourceDocument
from citescape.loaders.text_limits import check_texts

_PANIC = "PanicException"
"""Raised by a Rust library (sentencex) for internal errors; not an `Exception`, not importable."""

_FIRST_BYTES = 10_000_000
"""Size of the documents that are read in this process by default: about 100 full texts."""
_CHUNK = 512
_CHUNK_BYTES = 2_000_000
"""Maximum documents and bytes of a chunk: some 16 full texts, or 512 records of metadata. A larger
document is a chunk by itself."""

LEAST_SHARE = 1 / 16
"""Smallest size of a paper that is assumed."""
_ROWS_OF_A_FULL_TEXT = 350

REPORT_FIELDS = (
    ("path", pa.string()),
    ("paper", pa.string()),
    ("sha256", pa.string()),
    ("loader", pa.string()),
    ("status", pa.string()),
    ("reason", pa.string()),
    ("sections", pa.int64()),
    ("references", pa.int64()),
    ("occurrences", pa.int64()),
    ("anchors", pa.int64()),
    ("anchors_in_ranges", pa.int64()),
    ("lost", pa.map_(pa.string(), pa.int64())),
    ("notes", pa.map_(pa.string(), pa.int64())),
)
REPORT = pa.schema(REPORT_FIELDS)
"""One row per document or paper of a table: its counts and its outcome."""
CITATIONS = "citations"
"""Status of the row of a table of citations: `references` are lines kept, `lost` the others."""
VALUES = "values"
"""Status of the row of a file of abstracts or authors: `references` are lines kept, `lost` the
others."""
OTHER = "not a paper"
"""Status of a file in a folder or archive that may be anything, and is no paper."""
_REASONS_OF_OTHER_FILES = ("not-a-paper", "not-xml", "empty")
NOTICES = "notices"
"""Status of the row of a table of notices: `references` are rows kept, `lost` the others."""


@dataclass(frozen=True)
class Parsed:
    """The outcome of some documents: tables to load, and a report of each document."""

    tables: dict[str, pa.Table]
    report: pa.Table
    source: str = ""
    """Name of the source of all papers."""
    share: float = 1.0
    """Size of each paper relative to a typical full text; bounds the size of batches."""


Known = Callable[[Sequence[tuple[str, str]]], dict[str, LoadedFile]]
"""Paths and SHA-256 of documents -> those that were loaded with this content, by path."""


@dataclass(frozen=True)
class Reading:
    """How documents are read."""

    format: str = "auto"
    """Format of all documents, one of `formats.DOCUMENTS`, or `auto`."""
    source: str = ""
    """Name of the source; by default that of the format of each document."""


def parse_documents(
    documents: Iterable[SourceDocument],
    reading: Reading = Reading(),  # frozen
    *,
    workers: int | None = None,
    known: Known | None = None,
) -> Iterator[Parsed]:
    """Reads documents in `workers` processes, in order.

    Args:
        documents: the documents to read.
        reading: format and source.
        workers: number of processes; 1 reads in this one. None: one per core, and none for the
            first 10 MB, for which they would take longer to start than the reading.
        known: finds the paper of a loaded document: reported as `unchanged`, not read.
    """
    here = _FIRST_BYTES if workers is None else 0
    with WorkerPool(_parse_task, workers or usable_cores(), here=here) as pool:
        for chunk in _chunks(documents):
            fresh, rows = (chunk, []) if known is None else _without_known(chunk, known)
            task = fresh, rows, reading
            pool.submit(task, size=sum(document.size for document in fresh))
            while pool.is_full:
                yield from map(_unpack, pool.take())
        while pool:
            yield from map(_unpack, pool.take())


ReportRow = dict[str, object]
_ReportOf = tuple[str, ReportRow]
"""Source of a document and its row of the report; no source for documents that are rejected."""
_Task = tuple[list[SourceDocument], list[_ReportOf], Reading]
"""Documents to read, the report rows of loaded ones, and how to read."""


def _without_known(
    chunk: list[SourceDocument], known: Known
) -> tuple[list[SourceDocument], list[_ReportOf]]:
    """The documents that are not loaded yet, and a report row for each loaded one."""
    hashes: dict[str, str] = {}
    for document in chunk:
        with suppress(SourceError):  # reported when the document is read to be parsed
            hashes[document.path] = hashlib.sha256(document.read()).hexdigest()
    unchanged = known(list(hashes.items()))
    fresh = [document for document in chunk if document.path not in unchanged]
    loaded = [unchanged[document.path] for document in chunk if document.path in unchanged]
    return fresh, [(file.source, unchanged_row(file)) for file in loaded]


def _chunks(documents: Iterable[SourceDocument]) -> Iterator[list[SourceDocument]]:
    chunk: list[SourceDocument] = []
    size = 0
    for document in documents:
        if chunk and (len(chunk) == _CHUNK or size + document.size > _CHUNK_BYTES):
            yield chunk
            chunk, size = [], 0
        chunk.append(document)
        size += document.size
    if chunk:
        yield chunk


_Packed = tuple[str, dict[str, bytes], bytes, float]
"""Source, tables, report and `Parsed.share`."""


def _parse_task(task: _Task) -> list[_Packed]:
    """Reads documents; one result for each source, in the order of their first documents."""
    documents, known, reading = task
    reports: dict[str, list[ReportRow]] = {}
    papers: dict[str, dict[str, tuple[Paper, int]]] = {}  # with its row of the report
    for source, row in known:
        reports.setdefault(source, []).append(row)
    for document in documents:
        try:
            paper = _read_paper(document, reading)
        except SourceError as error:
            row = rejected_row(error)
            if document.may_be_other and error.reason in _REASONS_OF_OTHER_FILES:
                row = {"path": document.path, "status": OTHER}
            reports.setdefault("", []).append(row)
            continue
        source, own = source_of(paper), paper_id(paper)
        report, present = reports.setdefault(source, []), papers.setdefault(source, {})
        before = present.get(own)
        if before is None or (
            paper.edition >= before[0].edition and paper.sha256 != before[0].sha256
        ):
            present[own] = paper, len(report)
            report.append(report_row(paper, own))
            if before is not None:
                report[before[1]] = copy_row(before[0], own)
        else:
            report.append(copy_row(paper, own))
    packed = []
    for source, report in reports.items():
        read = [paper for paper, _ in papers.get(source, {}).values()]
        tables = paper_tables(read)
        rows = sum(table.num_rows for table in tables.values())
        share = max(rows / max(len(read), 1) / _ROWS_OF_A_FULL_TEXT, LEAST_SHARE)
        packed.append(
            (source, _pack_all(tables), _pack(pa.Table.from_pylist(report, REPORT)), share)
        )
    return packed


def _read_paper(document: SourceDocument, reading: Reading) -> Paper:
    """One paper; an internal error of the loader rejects its document, not the whole corpus."""
    try:
        paper = check_texts(read_document(document.read(), document.path, reading.format))
        return replace(paper, source=reading.source) if reading.source else paper
    except SourceError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != _PANIC:
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())
        message = (
            f"reading failed: {text}; internal error of citescape; please report it with the file"
        )
        raise SourceError(document.path, "loader-fault", message) from error


def rejected_row(error: SourceError) -> ReportRow:
    """The row of the report for an unreadable document."""
    message = f"rejected: {error.message}"
    return {"path": error.path, "status": message, "reason": error.reason}


def unchanged_row(file: LoadedFile) -> ReportRow:
    """The row of the report for a document that is not read again."""
    known = {name: getattr(file, name) for name in ("path", "paper", "sha256", "loader")}
    return {**known, "status": "unchanged"}


def copy_row(paper: Paper, own: str) -> ReportRow:
    """The row of the report for another document of a paper."""
    row = report_row(paper, own)
    return {**{name: row[name] for name in ("path", "paper", "sha256", "loader")}, "status": "copy"}


def report_row(paper: Paper, own: str) -> ReportRow:
    """The row of the report for a paper that is to be loaded as the node `own`."""
    return {
        "path": paper.path,
        "paper": own,
        "sha256": paper.sha256,
        "loader": paper.loader,
        "status": "loaded",
        "sections": len(paper.sections),
        "references": len(paper.references),
        "occurrences": len(paper.occurrences),
        "anchors": paper.losses.anchors,
        "anchors_in_ranges": paper.losses.implied,
        "lost": list(paper.losses.lost.items()),
        "notes": list(paper.losses.notes.items()),
    }


def of_types(parsed: Parsed, types: Sequence[str]) -> Parsed:
    """The papers of some types; others have the status `other type` in the report."""
    expanded = expand_types(types)
    if not expanded or "Paper" not in parsed.tables:
        return parsed
    papers = parsed.tables["Paper"]
    chosen = pc.is_in(pc.fill_null(papers["type"], ""), value_set=pa.array(expanded, pa.string()))
    others = papers["id"].filter(pc.invert(chosen))
    report = parsed.report
    skipped = pc.and_(
        pc.equal(report["status"], "loaded"),
        pc.fill_null(pc.is_in(report["paper"], value_set=others.combine_chunks()), False),
    )
    place = report.schema.get_field_index("status")
    status = pc.if_else(skipped, "other type", report["status"])
    kept = len(papers) > len(others)
    tables = without_papers(parsed.tables, others.to_pylist()) if kept else {}
    return replace(
        parsed, tables=tables, report=report.set_column(place, report.schema.field(place), status)
    )


def refuse_rejected(report: pa.Table) -> None:
    """Stops at the first document that was not read, for `--strict`.

    Raises:
        SourceError: there is one.
    """
    rejected = report.filter(pc.is_valid(report["reason"]))
    if rejected.num_rows:
        error = rejection(rejected.slice(0, 1).to_pylist()[0])
        raise SourceError(error.path, error.reason, f"{error.message} (stopped: --strict)")


def rejection(row: dict[str, str]) -> SourceError:
    """The error of a document that was not loaded, from its row of the report."""
    return SourceError(row["path"], row["reason"], row["status"].removeprefix("rejected: "))


def _pack_all(tables: Mapping[str, pa.Table]) -> dict[str, bytes]:
    return {name: _pack(table) for name, table in tables.items()}


def _pack(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _unpack(packed: _Packed) -> Parsed:
    source, tables, report, share = packed
    read = {name: _read(data) for name, data in tables.items()}
    return Parsed(read, _read(report), source, share)


def _read(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
