"""Files for Neo4j's offline importer: the fastest way to load a graph for the first time.

https://neo4j.com/docs/operations-manual/5/import/ One CSV file a table; null is unquoted, the
empty text quoted. Lists are joined by U+001F, which XML cannot hold. The importer cannot be told
of a list without entries or with one empty text: marks stand for them (`neo4j_schema`), which are
put right when citescape first opens the database.

Files are written aside and moved to their places when all are whole, Meta.csv last: an attempt that
was killed leaves either the files of before, or none that a printed command would accept.
"""

from __future__ import annotations

import fcntl
import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
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
"""What stands for a list of numbers without any."""
_DELIMITER = "\x1f"
_LAST = "Meta"
_RESERVED = f"[{NO_ENTRY}{ONE_EMPTY}{_DELIMITER}]"


@dataclass(frozen=True)
class ImportFiles:
    """What `prepare_import` made."""

    command: str
    """The command line to run on the server."""
    result: IngestResult
    """What was found in the papers: rejected documents, losses, a damaged archive."""


@dataclass
class _Facts:
    """What was seen while a table was written."""

    rows: int = 0
    multiline: bool = False
    marked: set[str] = field(default_factory=set)


def prepare_import(
    paths: Sequence[Path],
    folder: Path,
    *,
    config: IngestConfig,
    progress: Callable[[IngestProgress], None],
) -> ImportFiles:
    """Ingests papers into a temporary ladybug store and writes that as files for the importer.

    The temporary store stands in `folder`, where there must be room for the files anyway.
    """
    with _alone(folder) as aside:
        store = open_store(str(aside / "papers.lbug"))
        try:
            result = ingest(store, paths, config, progress=progress)
            progress(IngestProgress("writing import files"))
            return ImportFiles(_write_files(store, folder, aside), result)
        finally:
            store.close()


def write_import_files(store: GraphStore, folder: Path) -> str:
    """Writes a whole store as files for the importer, one for each table that has rows.

    Args:
        store: where from, such as a ladybug store that papers were just ingested into.
        folder: where to; created if missing, files of the same names are replaced.

    Returns:
        The command line for the machine of the Neo4j server, which must be stopped. The database
        may not exist yet; to replace one, its user adds ``--overwrite-destination=true``.

    Raises:
        StoreError: a list holds one of the three reserved characters, or the reserved number alone.
    """
    with _alone(folder) as aside:
        return _write_files(store, folder, aside)


@contextmanager
def _alone(folder: Path) -> Iterator[Path]:
    """A place within the folder for unfinished files, empty at first and gone at the end.

    Raises:
        StoreError: another process is writing there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    aside = folder / ".unfinished"
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder)
        shutil.rmtree(aside, ignore_errors=True)  # an attempt that was killed left it
        aside.mkdir()
        try:
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)
            forget_outputs(aside)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # ends with the process
    except BlockingIOError:
        raise StoreError(
            f"another process is writing import files to {folder}; wait until it is done, or name "
            "another folder"
        ) from None


def _write_files(store: GraphStore, folder: Path, aside: Path) -> str:
    facts = {
        name: _write_table(_path(aside, name), table, store.read_batches(read_text(table)))
        for name, table in TABLE.items()
        if name != _LAST
    }
    marked = ",".join(f"{name}.{c}" for name, f in facts.items() for c in sorted(f.marked))
    own = pa.table({"id": [IMPORT_MARKS], "value": [marked]}, TABLE[_LAST].arrow)
    meta = [*store.read_batches(read_text(TABLE[_LAST])), *own.to_batches()]
    facts[_LAST] = _write_table(_path(aside, _LAST), TABLE[_LAST], meta)
    _move_files(aside, folder, facts)
    return _command(folder, facts)


def _move_files(aside: Path, folder: Path, facts: dict[str, _Facts]) -> None:
    """Puts whole files in place of earlier ones; a table without rows has none."""
    _path(folder, _LAST).unlink(missing_ok=True)
    for name in sorted(facts, key=lambda name: name == _LAST):
        if facts[name].rows:
            with _path(aside, name).open("rb") as file:
                os.fsync(file.fileno())
            _path(aside, name).replace(_path(folder, name))
            watch_output(_path(folder, name))
        else:
            _path(folder, name).unlink(missing_ok=True)


def _write_table(
    path: Path, table: NodeTable | RelTable, batches: Iterable[pa.RecordBatch]
) -> _Facts:
    facts = _Facts()
    schema = pa.schema(
        {f.name: STRING if pa.types.is_list(f.type) else f.type for f in table.arrow}
    )
    options = csv.WriteOptions(include_header=False, quoting_style="all_valid")
    with path.open("wb") as sink:
        sink.write((",".join(_header(table)) + "\n").encode())
        with csv.CSVWriter(sink, schema, write_options=options) as writer:
            for batch in batches:
                rows = pa.Table.from_batches([batch]).select(table.arrow.names).cast(table.arrow)
                writer.write_table(_as_text(table.name, rows, facts))
    return facts


def _path(folder: Path, name: str) -> Path:
    return folder / f"{name}.csv"


def _header(table: NodeTable | RelTable) -> Iterator[str]:
    """Column titles that tell the importer names, types and ends, as `id:ID(Paper)`."""
    if isinstance(table, NodeTable):
        yield f"id:ID({table.name})"
    else:
        yield f":START_ID({table.source})"
        yield f":END_ID({table.target})"
    for name, kind in table.columns.items():
        yield f"{name}:{_TYPES[kind]}"


def _as_text(name: str, rows: pa.Table, facts: _Facts) -> pa.Table:
    """The rows with lists joined; adds to the facts."""
    facts.rows += rows.num_rows
    for i, column in enumerate(rows.schema):
        if pa.types.is_list(column.type):
            joined, marked = _joined(rows[column.name], f"{name}.{column.name}")
            rows = rows.set_column(i, pa.field(column.name, STRING), joined)
            if marked:
                facts.marked.add(column.name)
        if pa.types.is_string(rows.schema.field(i).type):
            facts.multiline |= _any(pc.match_substring_regex(rows[i], "[\r\n]"))
    return rows


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
                "which the import files need for themselves; load over Bolt instead"
            )
        marks = pc.if_else(pc.equal(pc.list_value_length(column), 0), NO_ENTRY, ONE_EMPTY)
    no_text = pc.equal(joined, "")
    return pc.if_else(no_text, marks, joined), _any(no_text)


def _any(found: pa.ChunkedArray) -> bool:
    return bool(pc.any(found).as_py())


def _command(folder: Path, facts: dict[str, _Facts]) -> str:
    options = ["--id-type=string", "--array-delimiter=U+001F"]
    if any(f.multiline for f in facts.values()):
        options.append("--multiline-fields=true")  # slower: files are then read by one thread
    for name in sorted(facts, key=list(TABLE).index):
        if facts[name].rows:
            kind = "relationships" if name in REL else "nodes"
            options.append(f"--{kind}={name}={_path(folder, name).name}")
    start = ["neo4j-admin", "database", "import", "full", "neo4j"]
    return f"cd {shlex.quote(str(folder.absolute()))} && {shlex.join([*start, *options])}"
