"""Run directories: settings, inputs, results and timings of a computation.

`runs/<id>/run.json` beside the results (Parquet, npy, safetensors). A directory appears complete or
not at all: it is written under another name, synced to disk and renamed. An id is a hash of
configuration and inputs, so the same work has the same id, and a complete run is written once.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import resource
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from citescape import __version__
from citescape.core.config import is_address
from citescape.core.errors import ConfigError, SourceError
from citescape.core.files import sync
from citescape.core.outputs import filling, forget_outputs, watch_output
from citescape.runs.record import RUN_ID, read_record, redact_record, warn_of_damaged_run
from citescape.store.graph_store import GraphStore
from citescape.store.schema import NODE
from citescape.store.statements import merge_text, read_text

RECORD = "run.json"
_HOST = hashlib.blake2b(platform.node().encode(), digest_size=3).hexdigest()
Json = Mapping[str, Any]
_SECOND = (
    *("accuracy", "benchmark-mdcr", "lcr-grid"),
    *("sample", "sweep", "train"),
)
_REVISIONS = {
    **dict.fromkeys(_SECOND, 2),
    **dict.fromkeys(("benchmark-lcr", "profile", "rerank"), 3),
}
"""Revision of a command's results. Increase it when the same settings and inputs give another
result; otherwise an earlier run would be reused."""
_WORDS = {
    "graph-embed": "train graph",
    "combine": "train combine",
    "dataset": "train",
    "sweep": "train sweep",
    "benchmark-lcr": "benchmark lcr",
    "benchmark-mdcr": "benchmark mdcr",
    "intents train": "text intents train",
    "intents-rules": "text intents label --model rules",
    "lcr-grid": "evaluate lcr --grid",
    "leakage": "evaluate leakage",
    "encode": "evaluate",
    "base-vectors": "train",
    "profile": "prepare",
    "rerank": "train reranker",
    "accuracy": "evaluate accuracy",
    "sections train": "text sections train",
    "split-llm": "text abstracts label --llm",
    "split-rules": "text abstracts label --model rules",
    "split train": "text abstracts train",
    "texts": "prepare",
    "tokens": "train",
}
"""Command in the ids of runs -> the words of the command line for such a run."""
_ID = re.compile(r"[a-z][a-z-]*-[0-9a-f]{12}")
_UNFINISHED = ".unfinished"


@dataclass(frozen=True)
class RunRecord:
    """The record of one computation, in `run.json` and in the graph's Run node."""

    id: str
    command: str
    config: Json
    inputs: Json
    """Hashes of the inputs."""
    seed: int | None = None
    versions: Json = field(default_factory=dict)
    counts: Json = field(default_factory=dict)
    """The figures of the result."""
    started: str = ""
    """UTC, ISO 8601."""
    seconds: float = 0.0
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by stage."""
    peak_memory_mb: int = 0
    request: Json = field(default_factory=dict)
    """Options of the command line as given, and its arguments as `""`: different options may have
    the same settings and result."""

    @classmethod
    def create(
        cls,
        command: str,
        config: Json,
        inputs: Json,
        *,
        seed: int | None = None,
        libraries: Iterable[str] = (),
        request: Json | None = None,
    ) -> RunRecord:
        """The record of new work, with the id from its settings and inputs.

        Args:
            command: name of the command; its first word begins the id.
            config: settings that determine the result.
            inputs: hashes of the inputs.
            seed: random seed.
            libraries: distributions whose versions are recorded.
            request: options of the command line as given.
        """
        id_, versions = run_id(command, config, inputs), library_versions(*libraries)
        return cls(id_, command, config, inputs, seed, versions, request=request or {})


def default_runs(location: str) -> Path:
    """`runs` beside a store that is a file, and in the working directory for a server."""
    return Path("runs") if is_address(location) else Path(location).parent / "runs"


def run_id(command: str, config: Json, inputs: Json) -> str:
    """`<command>-<12 hex digits>`: equal for equal configuration, inputs and revision.

    Args:
        command: its first word begins the id.
        config: settings that determine the result.
        inputs: hashes of the inputs.
    """
    revision = _REVISIONS.get(command)
    parts = [config, inputs, *([revision] if revision else [])]
    text = json.dumps(parts, sort_keys=True, allow_nan=False)
    return f"{command.split()[0]}-{hashlib.blake2b(text.encode(), digest_size=6).hexdigest()}"


def library_versions(*names: str) -> dict[str, str]:
    """Versions of Python, of citescape, and of the installed distributions among `names`."""
    versions = {"python": platform.python_version(), "citescape": __version__}
    for name in names:
        with suppress(PackageNotFoundError):
            versions[name] = version(name)
    return versions


class Stopwatch:
    """Times a computation from its creation, and stages of it by name."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._started = datetime.now(UTC).isoformat(timespec="microseconds")
        self._timings: dict[str, float] = {}

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Adds the time spent inside to that of `stage`."""
        begun = time.monotonic()
        try:
            yield
        finally:
            spent = time.monotonic() - begun
            self._timings[stage] = round(self._timings.get(stage, 0.0) + spent, 3)

    @property
    def timings(self) -> dict[str, float]:
        """Seconds by stage so far."""
        return dict(self._timings)

    def stop(self, record: RunRecord) -> RunRecord:
        """The record with start, seconds, timings by stage and peak memory filled in."""
        return replace(
            record,
            started=self._started,
            seconds=round(time.monotonic() - self._begun, 3),
            timings=dict(self._timings),
            peak_memory_mb=peak_memory_mb(),
        )


class RunDirectory:
    """A run directory being written. Files put into `path` become visible at `complete`."""

    def __init__(self, runs: Path, id_: str) -> None:
        if not RUN_ID.fullmatch(id_):
            raise ConfigError(f"run id {id_!r}: expected a-z, 0-9 and '-', as run_id makes them")
        self._final = runs / id_
        if self._final.exists() and not find_run(runs, id_):
            raise _no_run(self._final)
        self.partial = runs / f".{id_}.{_HOST}.{os.getpid()}.partial"
        self.unfinished = unfinished_folder(runs, id_)
        """Folder for files that survive a kill, such as checkpoints: see `keep_run`."""

    @cached_property
    def path(self) -> Path:
        """Folder for the files; created on first use, without files of dead processes here.

        Those of other machines that share the folder stay.
        """
        run, _, _ = self.partial.name.removesuffix(".partial").rpartition(".")
        _remove_left(self.partial.parent, f"{run}.*.partial")
        shutil.rmtree(self.partial, ignore_errors=True)
        try:
            self.partial.mkdir(parents=True)
        except OSError as error:
            raise _not_writable(self.partial.parent, error) from error
        return self.partial

    def write_parquet(self, name: str, tables: Iterable[pa.Table]) -> None:
        """Writes tables of one schema into one Parquet file, one row group per table."""
        writer: pq.ParquetWriter | None = None
        for table in tables:
            writer = writer or pq.ParquetWriter(self.path / name, table.schema, compression="zstd")
            writer.write_table(table)
        if writer:
            writer.close()

    def complete(self, record: RunRecord) -> Path:
        """Writes `run.json`, syncs everything and moves the directory to its place.

        An existing complete run is kept, and this one is removed.
        """
        (self.path / RECORD).write_text(_to_json(record), encoding="utf-8")
        for path in [*self.path.rglob("*"), self.path]:
            sync(path)
        try:
            self.path.rename(self._final)
        except OSError as error:  # it exists: from before, or another process was faster
            if not self.path.exists():
                raise
            if not find_run(self._final.parent, self._final.name):
                raise _no_run(self._final) from error
        sync(self._final.parent)
        forget_outputs(self.path)
        watch_output(self._final)
        return self._final


def replace_record(path: Path, record: RunRecord) -> None:
    """Replaces the record of a run, completely or not at all."""
    _remove_left(path, f".{RECORD}.{_HOST}.*")
    partial = path / f".{RECORD}.{_HOST}.{os.getpid()}"
    partial.write_text(_to_json(record), encoding="utf-8")
    sync(partial)
    partial.replace(path / RECORD)
    watch_output(path / RECORD)


def _to_json(record: RunRecord) -> str:
    return json.dumps(redact_record(asdict(record)), indent=2, allow_nan=False) + "\n"


def _no_run(path: Path) -> ConfigError:
    return ConfigError(
        f"{path} exists but holds no {RECORD}; expected a run of citescape: "
        "move it away, or name another folder with --runs"
    )


@contextmanager
def open_run(runs: Path, id_: str) -> Iterator[RunDirectory]:
    """A run directory to fill and `complete`; an incomplete one is removed at the end.

    Raises:
        OutputError: another process deleted or moved it meanwhile, or the disk is full.
    """
    directory = RunDirectory(runs, id_)
    try:
        with filling(directory.partial, runs / id_, created=lambda: "path" in vars(directory)):
            yield directory
    finally:
        shutil.rmtree(directory.partial, ignore_errors=True)


def is_run_id(name: str) -> bool:
    """Whether a name has the form of a run's id: a command and twelve hexadecimal digits."""
    return _ID.fullmatch(name) is not None


def find_run(runs: Path, id_: str) -> Path | None:
    """The directory of a complete run, or None."""
    path = runs / id_
    return path if (path / RECORD).is_file() else None


def command_words(command: str) -> str:
    """The words of the command line for runs of a command."""
    return _WORDS.get(command, command)


def describe_run(runs: Path, named: str) -> str:
    """Description of a name that is not the expected run, as a clause."""
    for path in (Path(named), runs / named):
        if (path / RECORD).exists():
            try:
                return f"{named} is a run of `platform {command_words(read_run(path).command)}`"
            except SourceError as error:
                return str(error)
    return f"no run {named!r} in {runs}"


def read_command(path: Path) -> str:
    """The command of the run in a folder; empty without a valid `run.json`."""
    with suppress(SourceError):
        return read_run(path).command
    return ""


def find_finished(runs: Path, id_: str) -> Path | None:
    """The directory of a complete run, or None; removes its unfinished folder after a late kill."""
    path = find_run(runs, id_)
    if path:
        shutil.rmtree(unfinished_folder(runs, id_), ignore_errors=True)
    return path


def find_files(runs: Path, name: str) -> list[Path]:
    """The files of a name in all run directories, ascending.

    Those in hidden folders are skipped: their runs are not complete.
    """
    return sorted(runs.glob(f"[!.]*/{name}"))


def list_runs(runs: Path, command: str) -> list[tuple[RunRecord, Path]]:
    """The runs of a command (all if empty) with their directories, the latest last.

    A damaged run is skipped with a `DamagedRunWarning`.
    """
    runs_found = []
    for path in find_files(runs, RECORD):
        try:
            record = read_run(path.parent)
        except SourceError as error:
            warn_of_damaged_run(error)
            continue
        if command in ("", record.command):
            runs_found.append((record, path.parent))
    return sorted(runs_found, key=lambda run: (run[0].started, run[0].id))


def unfinished_folder(runs: Path, id_: str) -> Path:
    """Folder for the state of an unfinished run, from which it resumes."""
    return runs / f".{id_}{_UNFINISHED}"


def list_unfinished(runs: Path) -> list[tuple[str, Path, int]]:
    """Interrupted work: run id, folder, bytes in it; ascending by id."""
    unfinished = []
    for folder in sorted(runs.glob(unfinished_folder(runs, "*").name)):
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        unfinished.append((folder.name[1:].removesuffix(_UNFINISHED), folder, size))
    return unfinished


def read_run(path: Path) -> RunRecord:
    """The record of a run directory.

    Raises:
        SourceError: no `run.json`, or not one of citescape.
    """
    return RunRecord(**read_record(path / RECORD))


def record_run(store: GraphStore, record: RunRecord) -> bool:
    """Writes the record as a Run node; False if the graph has it already, or is of shards.

    Writes to the graph: Run {id, command, started, seconds, config, versions, inputs, counts}.
    """
    if store.dialect == "shards":  # see `GraphStore.dialect`
        return False
    if record.id in store.read(read_text(NODE["Run"], []))["id"].to_pylist():
        return False
    store.write(merge_text(NODE["Run"]), record_row(record))
    return True


def record_row(record: RunRecord) -> pa.Table:
    """The record as a row of Run."""
    fields = {
        name: value if isinstance(value, str | float) else json.dumps(value, allow_nan=False)
        for name, value in redact_record(asdict(record)).items()
    }
    schema = NODE["Run"].arrow
    return pa.table(
        {name: pa.array([fields[name]], schema.field(name).type) for name in schema.names}
    )


def peak_memory_mb() -> int:
    """Peak memory of this process, in MB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10))


def _remove_left(folder: Path, pattern: str) -> None:
    """Removes files and folders of dead processes, whose process id is at the `*`."""
    before, after = pattern.split("*")
    for left in folder.glob(pattern):
        try:
            os.kill(int(left.name.removeprefix(before).removesuffix(after)), 0)
            continue
        except PermissionError:  # alive, of another user
            continue
        except ProcessLookupError:
            pass
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def check_writable(runs: Path) -> None:
    """Creates the folder and checks that it is writable, before hours of work.

    Raises:
        ConfigError: the folder is not writable.
    """
    try:
        runs.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=runs):
            pass
    except OSError as error:
        raise _not_writable(runs, error) from error


def _not_writable(runs: Path, error: OSError) -> ConfigError:
    return ConfigError(
        f"cannot write run directories in {runs}: {error.strerror}; "
        "name a folder you may write to with --runs"
    )
