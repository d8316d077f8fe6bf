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
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

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
    refuse_rejected,
    rejected_row,
)
from citescape.ingest.records import LatestRecords, Tables, concat, without_papers
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
"""Rows after which a shard is written: those of about 2,000 full texts."""


@dataclass(frozen=True)
class ReadingTask:
    """Files that are read together."""

    key: str
    files: tuple[tuple[Path, bool], ...] = ()
    """Documents and archives, each with whether it was found in a folder."""
    data_set: DataSet | None = None
    notices: Path | None = None
    """A table of notices."""


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
    how = [config.format, config.source, *config.types, *sorted(VERSIONS), SCHEMA_VERSION]

    def key_of(*content: object) -> str:
        text = json.dumps([how, content])
        return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()

    tasks, group, size = [], list[tuple[Path, bool, _State]](), 0

    def end_group() -> None:
        if group:
            key = key_of([(str(path), flag, *state) for path, flag, state in group])
            tasks.append(ReadingTask(key, tuple((path, flag) for path, flag, _ in group)))
            group.clear()

    for path in sources.documents:
        is_folder = path.is_dir()
        for file in iter_files(path, passed_over, sources.tables):
            state = _state_of(file)
            if len(group) == _FILES or size + state.size > _BYTES:
                end_group()
                size = 0
            group.append((absolute_path(file), is_folder, state))
            size += state.size
    end_group()
    for data_set in sources.data_sets:
        states = [(str(path), *_state_of(path)) for path in data_set.files]
        tasks.append(ReadingTask(key_of(data_set.name, states), data_set=data_set))
    for path in map(absolute_path, sources.notices):
        tasks.append(ReadingTask(key_of(str(path), *_state_of(path)), notices=path))
    return tasks


class _State(NamedTuple):
    """Size in bytes and time of a file in nanoseconds; -1 if it cannot be found."""

    size: int
    changed: int


def _state_of(path: Path) -> _State:
    try:
        found = path.stat()
        return _State(found.st_size, found.st_mtime_ns)
    except OSError:  # reading it reports the error
        return _State(-1, -1)


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
        if config.strict:
            refuse_rejected(parsed.report)
        reports.append(writer.add(of_types(parsed, config.types)))
    writer.flush()
    report = pa.concat_tables(reports)
    storage.write_table(f"{folder}/report.parquet", report)
    loaded = report.filter(pc.equal(report["status"], "loaded"))
    notes: Counter[str] = Counter()
    for row in loaded["notes"].drop_null().to_pylist():
        notes.update(dict(row))
    entry = {
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
            rows, account, _ = read_notice_table(task.notices, strict=config.strict)
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
        yield from read_file(path, passed_over, in_folder=in_folder)


class ShardWriter:
    """Collects records, and writes them as shards, in each of which a paper is once."""

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage, self._folder = storage, folder
        self.shards: list[dict[str, Any]] = []
        self._begin()

    def _begin(self) -> None:
        self._parts: dict[str, list[Tables]] = {}
        self._files: dict[str, list[pa.Table]] = {}
        self._latest = LatestRecords()
        self._rows = 0

    def add(self, parsed: Parsed) -> pa.Table:
        """Adds records of one source; returns the report with copies named."""
        source, tables, report = parsed.source, parsed.tables, parsed.report
        parts = self._parts.setdefault(source, [])
        if "Paper" in tables:
            copies, replaced = self._latest.add(source, tables["Paper"])
            report = mark(report, copies, "copy")
            parts[:] = [without_papers(part, replaced) for part in parts]
            parts.append(without_papers(tables, copies))
        elif tables:  # of notices
            parts.append(tables)
        self._files.setdefault(source, []).append(_list_files(report, source))
        self._rows += sum(rows.num_rows for rows in tables.values())
        if self._rows >= _ROWS:
            self.flush()
        return report

    def flush(self) -> None:
        """Writes a shard for each source."""
        for source, parts in self._parts.items():
            tables = concat([*parts, *({"File": rows} for rows in self._files[source])])
            if not tables:
                continue
            folder = f"{self._folder}/{len(self.shards):04}"
            files = {}
            for name, rows in tables.items():
                size = self._storage.write_table(f"{folder}/{name}.parquet", rows)
                files[name] = {"rows": rows.num_rows, "bytes": size}
            self.shards.append({"folder": folder, "source": source, "files": files})
        self._begin()


def _list_files(report: pa.Table, source: str) -> pa.Table:
    """The `File` nodes of documents that hold a paper."""
    held = report.filter(pc.is_in(report["status"], value_set=pa.array(["loaded", "copy"])))
    columns = {name: held[name] for name in ("paper", "sha256", "loader")}
    rows = pa.table({"id": held["path"], "source": pa.repeat(source, held.num_rows), **columns})
    return rows.select(TABLE["File"].arrow.names).cast(TABLE["File"].arrow)


def read_shard(storage: Storage, shard: dict[str, Any]) -> Tables:
    """The tables of a shard."""
    return {
        name: storage.read_table(f"{shard['folder']}/{name}.parquet") for name in shard["files"]
    }
