"""Results in run directories: the base of their classes, computing and finding them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from citescape.core.config import DEFAULT_STORE, quote_command
from citescape.core.errors import ConfigError, SourceError, list_some
from citescape.core.locks import alone
from citescape.runs.directory import (
    RECORD,
    RunDirectory,
    RunRecord,
    Stopwatch,
    check_writable,
    command_words,
    describe_run,
    find_finished,
    find_run,
    list_runs,
    open_run,
    read_command,
    read_run,
    unfinished_folder,
)
from citescape.runs.record import warn_of_damaged_run
from citescape.runs.result import Result, Summary


@dataclass(frozen=True)
class KeptRun(Result):
    """A complete run of one command; the class of the command knows the files in it."""

    command: ClassVar[str]
    noun: ClassVar[str]
    """Name of the result in messages, in the plural."""
    required: ClassVar[tuple[str, ...]] = ()
    """Entries of the record that runs are searched by, such as `config.kind`."""

    path: Path
    """The run directory."""
    record: RunRecord
    unchanged: bool = True
    """Whether the run existed before."""

    def __post_init__(self) -> None:
        """Raises SourceError if the record lacks an entry that runs are searched by."""
        for entry in self.required:
            part, _, name = entry.partition(".")
            if name not in getattr(self.record, part):
                raise SourceError(
                    str(self.path / RECORD),
                    "not-a-run",
                    f"expected {entry} in the record of `platform {command_words(self.command)}`; "
                    "found none; move the folder away, and run the command again if its result "
                    "is needed",
                )

    @property
    def run(self) -> str:
        """Its id."""
        return self.record.id

    @property
    def counts(self) -> Mapping[str, Any]:
        """The figures of the result."""
        return self.record.counts

    def summarise(self) -> Summary:
        """Id and folder of the run; subclasses add its content."""
        return Summary([self.describe()], {"run": self.run, "path": str(self.path)})

    def describe(self) -> str:
        """One line: id, folder, and duration, or `unchanged` for an existing run."""
        state = "unchanged" if self.unchanged else f"{self.record.seconds:,.0f} s"
        return f"run {self.run} in {self.path} ({state})"

    def read_table(self, name: str, *columns: str) -> pa.Table:
        """A Parquet file of the run, with all its columns.

        Args:
            name: name of the file.
            columns: required columns.

        Raises:
            SourceError: the file is missing or damaged, or lacks a required column.
        """
        try:
            table = pq.read_table(self.path / name)
            table.select(list(columns))
        except (OSError, KeyError, pa.ArrowException) as error:
            raise SourceError(
                str(self.path / name),
                "not-a-result",
                f"expected a file of `platform {command_words(self.command)}`; found: {error}; "
                "move the folder away and run the command again",
            ) from error
        return table


Kept = TypeVar("Kept", bound=KeptRun)
Fill = Callable[[RunDirectory, Stopwatch], dict[str, Any]]
"""Writes the files of a result into a directory and returns its figures."""


def compute_run(
    kind: type[Kept],
    runs: Path,
    settings: Mapping[str, Any],
    inputs: Mapping[str, Any],
    *,
    fill: Fill,
    command: str = "",
    recorded: Mapping[str, Any] | None = None,
    seed: int | None = None,
    libraries: Iterable[str] = (),
    resumes: bool = False,
    clock: Stopwatch | None = None,
) -> Kept:
    """The run with these settings and inputs; computed and stored if it does not exist.

    A run appears complete or not at all. Its id is a hash of command, settings and inputs, so the
    same work is done once.

    Args:
        kind: class of the run.
        runs: folder of run directories.
        settings: settings that determine the result.
        inputs: hashes and ids of the inputs.
        fill: writes the files of the result and returns its figures.
        command: command of the run, which begins the id; that of `kind` by default.
        recorded: settings that are recorded but not part of the id, such as names of folders with
            a hash of their content in `inputs`.
        seed: random seed, for the record.
        libraries: distributions whose versions are recorded.
        resumes: see `keep_run`.
        clock: a stopwatch that was started before.

    Raises:
        ConfigError: the run folder is not writable, or another process does the same work.
    """
    record = RunRecord.create(
        command or kind.command, settings, inputs, seed=seed, libraries=libraries
    )
    record = replace(record, config={**settings, **(recorded or {})})
    timed = clock or Stopwatch()
    return keep_run(
        kind, record, runs, lambda folder: fill(folder, timed), clock=timed, resumes=resumes
    )


def keep_run(
    kind: type[Kept],
    record: RunRecord,
    runs: Path,
    fill: Callable[[RunDirectory], Mapping[str, Any]],
    *,
    clock: Stopwatch | None = None,
    resumes: bool = False,
) -> Kept:
    """The run of a record; computed and stored if it does not exist, complete or not at all.

    Args:
        kind: class of the run.
        record: record of the work, with the id from its settings and inputs.
        runs: folder of run directories.
        fill: does the work, writes the files of the result, and returns its figures.
        clock: stopwatch of work that began before, such as reading.
        resumes: the unfinished folder of the run, from which the work continues, is locked
            against other processes. It is removed at the end in any case.

    Raises:
        ConfigError: nothing can be written to `runs`.
        OutputError: another process deleted or moved the directory meanwhile, or the disk is full.
    """
    check_writable(runs)
    finished = find_finished(runs, record.id)
    if finished:
        return kind(finished, read_run(finished))
    clock = clock or Stopwatch()
    unfinished = unfinished_folder(runs, record.id)
    with alone(unfinished) if resumes else nullcontext(), open_run(runs, record.id) as directory:
        counts = {**record.counts, **fill(directory)}
        path = directory.complete(clock.stop(replace(record, counts=counts)))
        shutil.rmtree(unfinished, ignore_errors=True)
    return kind(path, read_run(path), unchanged=False)


def list_kept(kind: type[Kept], runs: Path) -> list[Kept]:
    """The runs of a command, the latest last; damaged ones are left out with a warning."""
    kept = []
    for record, path in list_runs(runs, kind.command):
        try:
            kept.append(kind(path, record))
        except SourceError as error:
            warn_of_damaged_run(error)
    return kept


def open_kept(kind: type[Kept], runs: Path, named: str) -> Kept | None:
    """The run of a command; None if there is no such run.

    Args:
        kind: class of the runs.
        runs: folder of run directories.
        named: id or folder of a run.
    """
    path = (find_run(runs, named) or Path(named)) if named else None
    if path is None or read_command(path) != kind.command:
        return None
    return kind(path, read_run(path))


def find_kept(
    kind: type[Kept], runs: Path, named: str = "", *, location: str = DEFAULT_STORE
) -> Kept:
    """The run of a command by its id or folder; the latest one without a name.

    Args:
        kind: the class of the command's runs.
        runs: folder of run directories.
        named: run or folder.
        location: path or address of the store, for messages.

    Raises:
        ConfigError: no such run; the message lists the existing ones, or the command for one.
    """
    kept = open_kept(kind, runs, named)
    if kept:
        return kept
    known = list_kept(kind, runs)
    if not named and known:
        return known[-1]
    words = command_words(kind.command)
    make = quote_command(words, location)
    problem = describe_run(runs, named) if named else f"no {kind.noun} in {runs}"
    expected = list_some([run.run for run in reversed(known)])
    raise ConfigError(
        f"{problem}; expected a run of `platform {words}`: {expected or f'create one with {make}'}"
    )
