"""Documents -> tables, in worker processes; tables travel back as Arrow IPC bytes."""

from __future__ import annotations

import gc
import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context

import pyarrow as pa

from citescape.errors import CitescapeError, SourceError
from citescape.graph.tables import paper_id, paper_tables
from citescape.loaders.jats import VERSION, read_jats
from citescape.loaders.sources import Document
from citescape.types import Paper

_CHUNK = 16
_WAITING_CHUNKS = 32
"""Chunks read ahead of the writer: bounds memory to some 500 papers."""

REPORT_FIELDS = (
    ("path", pa.string()),
    ("paper", pa.string()),
    ("sha256", pa.string()),
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
"""One row a document: what was found in it and what became of it."""


@dataclass(frozen=True)
class Parsed:
    """The outcome of some documents: tables to load, and a report of each document."""

    tables: dict[str, pa.Table]
    report: pa.Table


def parse_documents(
    documents: Iterable[Document], *, workers: int, known: frozenset[str] = frozenset()
) -> Iterator[Parsed]:
    """Reads documents in `workers` processes, in order.

    Args:
        documents: what to read.
        workers: processes; 1 reads in this one.
        known: SHA-256 of documents that are loaded already; they are reported as `unchanged`.
    """
    with _Pool(workers) as pool:
        waiting: deque[Callable[[], _Packed]] = deque()
        try:
            for chunk in _chunks(documents):
                waiting.append(pool.submit(_Task(*_without_known(chunk, known))))
                if len(waiting) >= pool.ahead:
                    yield _unpack(waiting.popleft()())
        except SourceError:
            yield from _drain(waiting)  # an archive broke off: what came before it is whole
            raise
        yield from _drain(waiting)


def _drain(waiting: deque[Callable[[], _Packed]]) -> Iterator[Parsed]:
    while waiting:
        yield _unpack(waiting.popleft()())


@dataclass(frozen=True)
class _Task:
    """Documents to read, and rows of the report of those that need not be read."""

    documents: list[Document]
    report: list[dict[str, object]]


class _Pool:
    """Worker processes, started when there is work; with one worker none is."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self.ahead = _WAITING_CHUNKS if workers > 1 else 1

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)

    def submit(self, task: _Task) -> Callable[[], _Packed]:
        """Starts a task; the function returned waits for its result."""
        if self._workers <= 1 or not task.documents:
            return partial(_parse_task, task)
        if self._executor is None:
            self._executor = ProcessPoolExecutor(
                self._workers, get_context("spawn"), initializer=_start_worker
            )
        try:
            future = self._executor.submit(_parse_task, task)
        except BrokenProcessPool:
            raise _worker_died() from None
        return partial(_wait, future)


def _wait(future: Future[_Packed]) -> _Packed:
    try:
        return future.result()
    except BrokenProcessPool:
        raise _worker_died() from None


def _worker_died() -> CitescapeError:
    return CitescapeError(
        "a worker process died, most likely for want of memory; what is loaded stays: "
        "rerun with fewer --workers"
    )


def _without_known(
    chunk: list[Document], known: frozenset[str]
) -> tuple[list[Document], list[dict[str, object]]]:
    """The documents that are not loaded yet, and a row of the report for each that is."""
    if not known:
        return chunk, []
    fresh: list[Document] = []
    report: list[dict[str, object]] = []
    for document in chunk:
        if _is_known(document, known):
            report.append({"path": document.path, "status": "unchanged"})
        else:
            fresh.append(document)
    return fresh, report


def _is_known(document: Document, known: frozenset[str]) -> bool:
    try:
        return hashlib.sha256(document.read()).hexdigest() in known
    except SourceError:
        return False  # said when the document is read to be parsed


def _chunks(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Lists of 16; what was read before an archive turns out to be damaged comes first."""
    chunk: list[Document] = []
    try:
        for document in documents:
            chunk.append(document)
            if len(chunk) == _CHUNK:
                yield chunk
                chunk = []
    except SourceError:
        yield chunk
        raise
    yield chunk


_Packed = tuple[dict[str, bytes], bytes]


def _start_worker() -> None:
    gc.set_threshold(200_000, 50, 50)  # records hold no cycles; collecting costs a tenth


def _parse_task(task: _Task) -> _Packed:
    papers: dict[str, Paper] = {}
    report = list(task.report)
    for document in task.documents:
        try:
            paper = read_jats(document.read(), document.path)
        except SourceError as error:
            message = f"rejected: {error.message}"
            report.append({"path": error.path, "status": message, "reason": error.reason})
            continue
        own = paper_id(paper)
        if own in papers:
            report.append(
                {"path": paper.path, "paper": own, "sha256": paper.sha256, "status": "copy"}
            )
        else:
            papers[own] = paper
            report.append(_report_row(paper, own))
    tables = paper_tables(list(papers.values()), loader=VERSION)
    packed = {name: _pack(table) for name, table in tables.items()}
    return packed, _pack(pa.Table.from_pylist(report, REPORT))


def _report_row(paper: Paper, own: str) -> dict[str, object]:
    return {
        "path": paper.path,
        "paper": own,
        "sha256": paper.sha256,
        "status": "loaded",
        "sections": len(paper.sections),
        "references": len(paper.references),
        "occurrences": len(paper.occurrences),
        "anchors": paper.losses.anchors,
        "anchors_in_ranges": paper.losses.implied,
        "lost": list(paper.losses.lost.items()),
        "notes": list(paper.losses.notes.items()),
    }


def _pack(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _unpack(packed: _Packed) -> Parsed:
    tables, report = packed
    return Parsed({name: _read(data) for name, data in tables.items()}, _read(report))


def _read(data: bytes) -> pa.Table:
    return pa.ipc.open_stream(data).read_all()
