"""Documents -> tables, in worker processes; tables travel back as Arrow IPC bytes."""

from __future__ import annotations

import gc
import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
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
    chunks = _chunks(documents)
    if workers <= 1:
        for chunk in chunks:
            yield _unpack(_parse_chunk(chunk, known))
        return
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=_start_worker, initargs=(known,))
    with pool:
        waiting: deque[Future[_Packed]] = deque()
        try:
            for chunk in chunks:
                waiting.append(pool.submit(_parse_in_worker, chunk))
                if len(waiting) >= _WAITING_CHUNKS:
                    yield _unpack(waiting.popleft().result())
            while waiting:
                yield _unpack(waiting.popleft().result())
        except BrokenProcessPool:
            raise CitescapeError(
                "a worker process died, most likely for want of memory; rerun with fewer --workers"
            ) from None
        except SourceError:
            yield from (_unpack(future.result()) for future in waiting)
            raise


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
_known_in_worker: frozenset[str] = frozenset()


def _start_worker(known: frozenset[str]) -> None:
    global _known_in_worker  # each worker is told once, not with every chunk
    _known_in_worker = known
    gc.set_threshold(200_000, 50, 50)  # records hold no cycles; collecting costs a tenth


def _parse_in_worker(chunk: list[Document]) -> _Packed:
    return _parse_chunk(chunk, _known_in_worker)


def _parse_chunk(chunk: list[Document], known: frozenset[str]) -> _Packed:
    papers: dict[str, Paper] = {}
    report: list[dict[str, object]] = []
    for document in chunk:
        try:
            paper = _parse(document, known)
        except SourceError as error:
            message = f"rejected: {error.message}"
            report.append({"path": error.path, "status": message, "reason": error.reason})
            continue
        if paper is None:
            report.append({"path": document.path, "status": "unchanged"})
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


def _parse(document: Document, known: frozenset[str]) -> Paper | None:
    """The paper, or None if the document is loaded already."""
    data = document.read()
    if hashlib.sha256(data).hexdigest() in known:
        return None
    return read_jats(data, document.path)


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
