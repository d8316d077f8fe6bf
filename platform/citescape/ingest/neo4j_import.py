"""Files for Neo4j's offline importer: the fastest way to load a graph for the first time.

https://neo4j.com/docs/operations-manual/5/import/ One CSV file per table; null is unquoted, the
empty text quoted. Lists are joined by U+001F, which XML cannot hold. The importer cannot express a
list without entries or with one empty text: marks stand for them (`store.neo4j.schema`), which
citescape replaces when it first opens the database.

Files are written to a temporary folder and moved when all are complete, Meta.csv last. So a killed
attempt leaves the earlier files, or files that a printed command refuses.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from citescape.core.errors import StoreError
from citescape.core.outputs import forget_outputs, watch_output
from citescape.ingest.config import IngestConfig
from citescape.ingest.ingest import IngestProgress, IngestResult, ingest
from citescape.store.graph_store import GraphStore, open_store
from citescape.store.neo4j.schema import IMPORT_MARKS, NO_ENTRY, NO_FLOAT, NO_NUMBER, ONE_EMPTY
from citescape.store.schema import (
    BOOL,
    FLOAT,
    INT,
    INTS,
    REL,
    STRING,
    STRINGS,
    TABLE,
    VECTOR,
    NodeTable,
    RelTable,
)
from citescape.store.statements import read_text

TableReader = Callable[[str], Iterable[pa.RecordBatch]]
"""Reads the rows of a table of the schema, in batches."""
_TYPES = {
    STRING: "string",
    INT: "long",
    FLOAT: "double",
    BOOL: "boolean",
    STRINGS: "string[]",
    INTS: "long[]",
    VECTOR: "float[]",
}
_NUMBERS = {INTS: NO_NUMBER, VECTOR: NO_FLOAT}
"""Marks that stand for an empty list of numbers."""
_DELIMITER = "\x1f"
_LAST = "Meta"
_RESERVED = f"[{NO_ENTRY}{ONE_EMPTY}{_DELIMITER}]"


@dataclass(frozen=True)
class _Facts:
    """Properties of a written table that the import command depends on."""

    rows: int
    multiline: bool
    """Whether a text has a line break."""
    marked: frozenset[str]
    """Columns in which marks stand for lists."""


def prepare_import(
    paths: Sequence[Path],
    folder: Path,
    *,
    config: IngestConfig,
    progress: Callable[[IngestProgress], None],
) -> IngestResult:
    """Ingests papers into a temporary ladybug store and writes that as files for the importer.

    The temporary store is in `folder`, which needs space for the files anyway.

    Args:
        paths: files, folders or archives.
        folder: receives the files.
        config: settings of the ingest.
        progress: called with the current stage.
    """
    with _exclusive(folder) as temporary:
        store = open_store(str(temporary / "papers.lbug"))
        try:
            result = ingest(store, paths, config, progress=progress)
            progress(IngestProgress("writing import files"))
            command = _write_files(tables_of(store), folder, temporary)
        finally:
            store.close()
    place = f"the files in {folder} now hold:"
    return replace(result, place=place, import_folder=str(folder), import_command=command)


def tables_of(store: GraphStore) -> TableReader:
    """The tables of a store, usually a ladybug store that papers were just ingested into."""
    return lambda name: store.read_batches(read_text(TABLE[name]))


def write_import_files(read: TableReader, folder: Path) -> str:
    """Writes a whole graph as files for the importer, one for each table that has rows.

    Args:
        read: the graph, with the schema version in `Meta`.
        folder: created if missing; files of the same names are replaced.

    Returns:
        The command line for the machine of the Neo4j server, which must be stopped. The database
        may not exist yet; to replace one, its user adds ``--overwrite-destination=true``.

    Raises:
        StoreError: a list holds one of the three reserved characters, or the reserved number alone.
    """
    with _exclusive(folder) as temporary:
        return _write_files(read, folder, temporary)


@contextmanager
def _exclusive(folder: Path) -> Iterator[Path]:
    """Locks the folder; yields an empty subfolder for unfinished files, removed at the end.

    Raises:
        StoreError: another process is writing there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / ".unfinished"
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the process
        except BlockingIOError:
            raise StoreError(
                f"another process is writing import files to {folder}; wait until it is done, or "
                "name another folder"
            ) from None
        shutil.rmtree(temporary, ignore_errors=True)  # left by a killed attempt
        temporary.mkdir()
        try:
            yield temporary
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
            forget_outputs(temporary)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_files(read: TableReader, folder: Path, temporary: Path) -> str:
    """Writes all tables to `temporary`, moves them to the folder, returns the import command."""
    facts = {
        name: _write_table(_path(temporary, name), table, read(name))
        for name, table in TABLE.items()
        if name != _LAST
    }
    marked = ",".join(f"{name}.{c}" for name, f in facts.items() for c in sorted(f.marked))
    own = pa.table({"id": [IMPORT_MARKS], "value": [marked]}, TABLE[_LAST].arrow)
    meta = [*read(_LAST), *own.to_batches()]
    facts[_LAST] = _write_table(_path(temporary, _LAST), TABLE[_LAST], meta)

    # Complete files replace earlier ones; a table without rows has no file.
    _path(folder, _LAST).unlink(missing_ok=True)
    for name in sorted(facts, key=lambda name: name == _LAST):
        if facts[name].rows:
            with _path(temporary, name).open("rb") as file:
                os.fsync(file.fileno())
            _path(temporary, name).replace(_path(folder, name))
            watch_output(_path(folder, name))
        else:
            _path(folder, name).unlink(missing_ok=True)

    options = ["--id-type=string", "--array-delimiter=U+001F"]
    if any(f.multiline for f in facts.values()):
        options.append("--multiline-fields=true")  # slower: one thread reads each file
    for name in sorted(facts, key=list(TABLE).index):
        if facts[name].rows:
            kind = "relationships" if name in REL else "nodes"
            # `./`: since 2026 the importer refuses a path without a folder
            options.append(f"--{kind}={name}=./{_path(folder, name).name}")
    start = ["neo4j-admin", "database", "import", "full", "neo4j"]
    return f"cd {shlex.quote(str(folder.absolute()))} && {shlex.join([*start, *options])}"


def _write_table(
    path: Path, table: NodeTable | RelTable, batches: Iterable[pa.RecordBatch]
) -> _Facts:
    # Column titles give the importer names, types and ends, such as `id:ID(Paper)`.
    titles = [f"{name}:{_TYPES[kind]}" for name, kind in table.columns.items()]
    if isinstance(table, NodeTable):
        titles = [f"id:ID({table.name})", *titles]
    else:
        titles = [f":START_ID({table.source})", f":END_ID({table.target})", *titles]
    schema = pa.schema(
        {f.name: STRING if pa.types.is_list(f.type) else f.type for f in table.arrow}
    )
    options = csv.WriteOptions(include_header=False, quoting_style="all_valid")
    count, multiline, marked = 0, False, frozenset[str]()
    with path.open("wb") as sink:
        sink.write((",".join(titles) + "\n").encode())
        with csv.CSVWriter(sink, schema, write_options=options) as writer:
            for batch in batches:
                rows = pa.Table.from_batches([batch]).select(table.arrow.names).cast(table.arrow)
                text, own = _join_lists(rows, table.name)
                writer.write_table(text)
                count += text.num_rows
                multiline = multiline or _has_line_breaks(text)
                marked |= own
    return _Facts(count, multiline, marked)


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.csv"


def _join_lists(rows: pa.Table, name: str) -> tuple[pa.Table, set[str]]:
    """The rows with lists as texts, and the columns in which marks stand for any of them."""
    marked = set()
    for i, column in enumerate(rows.schema):
        if pa.types.is_list(column.type):
            joined, has_marks = _joined(rows[i], f"{name}.{column.name}")
            rows = rows.set_column(i, pa.field(column.name, STRING), joined)
            marked |= {column.name} if has_marks else set()
    return rows, marked


def _has_line_breaks(rows: pa.Table) -> bool:
    texts = [column for column in rows.columns if pa.types.is_string(column.type)]
    return any(_any(pc.match_substring_regex(text, "[\r\n]")) for text in texts)


def _joined(column: pa.ChunkedArray, name: str) -> tuple[pa.ChunkedArray, bool]:
    """The lists as texts, and whether marks stand for any of them."""
    joined = pc.binary_join(column.cast(STRINGS), _DELIMITER)
    if column.type in _NUMBERS:
        mark = pa.scalar(_NUMBERS[column.type], column.type.value_type).cast(STRING)
        if _any(pc.equal(joined, mark)):
            raise StoreError(
                f"{name} holds a list of {mark} alone, which stands for an empty list in the "
                "import files; load over Bolt instead"
            )
        marks = mark
    else:
        if _any(pc.match_substring_regex(pc.list_flatten(column), _RESERVED)):
            raise StoreError(
                f"a value of {name} holds one of the control characters U+001D, U+001E and U+001F, "
                "which the import files use as separators; load over Bolt instead"
            )
        marks = pc.if_else(pc.equal(pc.list_value_length(column), 0), NO_ENTRY, ONE_EMPTY)
    no_text = pc.equal(joined, "")
    return pc.if_else(no_text, marks, joined), _any(no_text)


def _any(mask: pa.ChunkedArray) -> bool:
    return bool(pc.any(mask).as_py())
