"""Reading: sources -> shards of records, a task for some files or for one archive or table.

    records/KEY.json              what a task has read, written last
    records/KEY/report.parquet    a row for each document, see `parse.REPORT`
    records/KEY/0002/Paper.parquet    records of one source, each of another paper

Rows are those of the store's schema. The key of a task is made of its files, with their sizes and
times, and of how they are read. So what has been read before is not read again.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from citescape.core.errors import SourceError
from citescape.core.paths import absolute_path
from citescape.distributed.storage import Storage
from citescape.ingest.batches import mark
from citescape.ingest.config import IngestConfig
from citescape.ingest.notice_tables import read_notice_table
from citescape.ingest.parse import (
    REPORT,
    Parsed,
    Reading,
    of_types,
    parse_documents,
    rejected_row,
    rejection,
)
from citescape.ingest.records import Tables, concat, without_papers
from citescape.ingest.table_papers import TablePapers
from citescape.loaders.datasets import DataSet, InputSources
from citescape.loaders.documents import SourceDocument
from citescape.loaders.formats import DOCUMENTS
from citescape.loaders.sources import iter_files, read_file
from citescape.loaders.versions import VERSIONS
from citescape.store.schema import SCHEMA_VERSION, TABLE

FOLDER = "records"
_UNREADABLE = "unreadable"
"""Beginning of the reasons of documents that the machine of a task could not read."""
_FILES = 512
_BYTES = 32_000_000
"""Most files and bytes of a task; a larger file is a task by itself."""
_ROWS = 600_000
"""Rows after which a shard is written: about 2,000 full texts, some 100 MB in memory."""


@dataclass(frozen=True)
class ReadingTask:
    """Files that are read together."""

    files: tuple[tuple[str, bool], ...] = ()
    """Documents and archives, each with whether it was found in a folder."""
    data_set: DataSet | None = None
    notices: str = ""
    """A table of notices."""
    key: str = field(default="", compare=False)

    def paths(self) -> list[str]:
        """All files."""
        tables = self.data_set.files if self.data_set is not None else ()
        named = [self.notices] if self.notices else []
        return [*(path for path, _ in self.files), *map(str, tables), *named]


def plan_reading(
    paths: Sequence[Path], sources: InputSources, config: IngestConfig, passed_over: Counter[str]
) -> list[ReadingTask]:
    """The tasks that read sources: documents, then tables of papers, then tables of notices.

    Args:
        paths: what the user named.
        sources: the same, sorted.
        config: how to read.
        passed_over: counts the other files of folders.
    """
    tasks, group, size = [], list[tuple[str, bool]](), 0
    for path in sources.documents:
        is_folder = path.is_dir()
        for file in iter_files(path, passed_over, sources.tables):
            own = _size(file)
            if group and (len(group) == _FILES or size + own > _BYTES):
                tasks.append(ReadingTask(tuple(group)))
                group, size = [], 0
            group.append((str(absolute_path(file)), is_folder))
            size += own
    if group:
        tasks.append(ReadingTask(tuple(group)))
    tasks += [ReadingTask(data_set=data_set) for data_set in sources.data_sets]
    tasks += [ReadingTask(notices=str(absolute_path(path))) for path in sources.notices]
    how = {
        "format": config.format,
        "source": config.source,
        "types": list(config.types),
        "loaders": sorted(VERSIONS),
        "schema": SCHEMA_VERSION,
    }
    return [_with_key(task, how) for task in tasks]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:  # reading it reports the error
        return 0


def _with_key(task: ReadingTask, how: dict[str, Any]) -> ReadingTask:
    states = []
    for path in task.paths():
        try:
            state = Path(path).stat()
            states.append((path, state.st_size, state.st_mtime_ns))
        except OSError:
            states.append((path, -1, -1))
    name = task.data_set.name if task.data_set is not None else ""
    text = json.dumps([how, states, [flag for _, flag in task.files], name])
    key = hashlib.blake2b(text.encode(), digest_size=12).hexdigest()
    return ReadingTask(task.files, task.data_set, task.notices, key)


def read_task(storage: Storage, output: str, task: ReadingTask, config: IngestConfig) -> None:
    """Reads files, and writes shards of their records.

    Raises:
        SourceError: with `config.strict`, a document that cannot be read.
    """
    folder = f"{FOLDER}/{task.key}"
    storage.remove(folder)  # of an interrupted task
    writer = ShardWriter(storage, folder)
    passed_over: Counter[str] = Counter()
    reports = [REPORT.empty_table()]
    for parsed in _parse(task, config, passed_over):
        rejected = parsed.report.filter(pc.is_valid(parsed.report["reason"]))
        if config.strict and rejected.num_rows:
            error = rejection(rejected.slice(0, 1).to_pylist()[0])
            raise SourceError(error.path, error.reason, f"{error.message} (stopped: --strict)")
        reports.append(writer.add(of_types(parsed, config.types)))
    writer.flush()
    report = pa.concat_tables(reports)
    storage.write_table(f"{folder}/report.parquet", report)
    loaded = report.filter(pc.equal(report["status"], "loaded"))
    notes: Counter[str] = Counter()
    for row in loaded["notes"].drop_null().to_pylist():
        notes.update(dict(row))
    entry = {
        "files": task.paths(),
        "shards": writer.shards,
        "status": Counter(text.partition(":")[0] for text in report["status"].to_pylist()),
        "notes": notes,
        "passed_over": passed_over,
        "unreadable": pc.sum(pc.starts_with(report["reason"], _UNREADABLE)).as_py() or 0,
    }
    storage.write_json(output, entry)


def _parse(task: ReadingTask, config: IngestConfig, passed_over: Counter[str]) -> Iterator[Parsed]:
    if task.data_set is not None:
        yield from TablePapers(task.data_set).parse(lambda _: {})
    elif task.notices:
        try:
            rows, account, _ = read_notice_table(Path(task.notices), strict=config.strict)
        except SourceError as error:
            if config.strict:
                raise
            yield Parsed({}, pa.Table.from_pylist([rejected_row(error)], REPORT))
            return
        notices = pa.Table.from_pylist(list(rows.values()), TABLE["Notice"].arrow)
        yield Parsed({"Notice": notices}, pa.Table.from_pylist([account], REPORT))
    else:
        reading = Reading(config.format if config.format in DOCUMENTS else "auto", config.source)
        yield from parse_documents(_documents(task, passed_over), reading, workers=1)


def _documents(task: ReadingTask, passed_over: Counter[str]) -> Iterator[SourceDocument]:
    for path, in_folder in task.files:
        yield from read_file(Path(path), passed_over, in_folder=in_folder)


@dataclass(frozen=True)
class _Content:
    """What a record is, to find copies of it."""

    edition: int
    sha256: str
    loader: str


def list_contents(papers: pa.Table) -> Iterator[tuple[str, _Content]]:
    """Paper and content of each record."""
    editions = pc.list_element(papers["source_editions"], 0)
    columns = (papers["id"], editions, papers["sha256"], papers["loader"])
    for id_, *content in zip(*(column.to_pylist() for column in columns), strict=True):
        yield id_, _Content(*content)


def is_copy(new: _Content, held: _Content | None) -> bool:
    """Whether a record is left out beside an earlier one of the same paper and source.

    Of several records the highest edition counts, of equal ones the last.
    """
    return held is not None and (new.edition < held.edition or new == held)


class ShardWriter:
    """Collects records, and writes them as shards, in each of which a paper is once."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage, self._folder = storage, folder
        self.shards: list[dict[str, Any]] = []
        self._parts: dict[str, list[Tables]] = {}
        self._held: dict[tuple[str, str], _Content] = {}
        self._rows = 0

    def add(self, parsed: Parsed) -> pa.Table:
        """Adds records of one source; returns the report with copies named."""
        source, tables, report = parsed.source, parsed.tables, parsed.report
        copies, replaced = [], []
        if "Paper" in tables:
            for id_, content in list_contents(tables["Paper"]):
                held = self._held.get((source, id_))
                if is_copy(content, held):
                    copies.append(id_)
                    continue
                if held is not None:
                    replaced.append(id_)
                self._held[source, id_] = content
            tables = without_papers(tables, copies)
        report = mark(report, copies, "copy")
        parts = self._parts.setdefault(source, [])
        if replaced:
            parts[:] = [
                {**without_papers({k: v for k, v in part.items() if k != "File"}, replaced)}
                | ({"File": part["File"]} if "File" in part else {})
                for part in parts
            ]
        parts.append({**tables, **_list_files(report, source)})
        self._rows += sum(rows.num_rows for rows in tables.values())
        if self._rows >= _ROWS:
            self.flush()
        return report

    def flush(self) -> None:
        """Writes a shard for each source."""
        for source, parts in self._parts.items():
            tables = concat(parts)
            if not tables:
                continue
            folder = f"{self._folder}/{len(self.shards):04}"
            files = {}
            for name, rows in tables.items():
                size = self._storage.write_table(f"{folder}/{name}.parquet", rows)
                files[name] = {"rows": rows.num_rows, "bytes": size}
            self.shards.append({"folder": folder, "source": source, "files": files})
        self._parts, self._held, self._rows = {}, {}, 0


def _list_files(report: pa.Table, source: str) -> Tables:
    """The `File` nodes of documents that hold a paper."""
    held = report.filter(pc.is_in(report["status"], value_set=pa.array(["loaded", "copy"])))
    if not held.num_rows:
        return {}
    columns = {name: held[name] for name in ("paper", "sha256", "loader")}
    rows = pa.table({"id": held["path"], "source": pa.repeat(source, held.num_rows), **columns})
    return {"File": rows.select(TABLE["File"].arrow.names).cast(TABLE["File"].arrow)}


def read_shard(storage: Storage, shard: dict[str, Any]) -> Tables:
    """The tables of a shard."""
    return {
        name: storage.read_table(f"{shard['folder']}/{name}.parquet") for name in shard["files"]
    }
