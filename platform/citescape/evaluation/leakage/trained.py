"""What a model has learned from: the papers of its triplets, by role."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError
from citescape.evaluation.leakage.files import list_triplets, read_list
from citescape.evaluation.leakage.papers import PaperList, join_lists
from citescape.ranking.published import PUBLISHED
from citescape.ranking.registry import KINDS
from citescape.runs.directory import (
    RunRecord,
    command_words,
    find_run,
    list_runs,
    read_command,
    read_run,
)
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.triplets import Triplets, read_triplets

_SAMPLE = "sample"


def read_trained(runs: Path, named: str) -> PaperList:
    """The training list of a run, or of a file.

    A run of `platform train` keeps the hash of its triplets only: they are found among the runs of
    `platform sample` that lie in the same folder. What it began with, if that is a run too, counts
    as well; so do all encoders of a run of `platform train combine`, and the triplets that it chose
    weights by.

    Args:
        runs: folder of run directories.
        named: run id, folder, or file: see `files.read_list`.

    Raises:
        ConfigError: it is nothing of this, or the triplets are not there any more.
        SourceError: a file is not what it should be.
    """
    path = find_run(runs, named) or Path(named)
    command = read_command(path)
    if not command:
        if path.is_dir() or (runs / named).is_dir():
            raise ConfigError(f"{named} is a folder, but no run; expected {_EXPECTED}")
        if named in (*KINDS, *PUBLISHED) and not path.is_file():
            raise ConfigError(
                f"what {named} has learned from, if anything, is in no run: it was not trained "
                f"here; expected {_EXPECTED}, such as the list that a model's authors publish"
            )
        return read_list(path)
    if command not in _READERS:
        raise ConfigError(
            f"{named} is a run of `platform {command_words(command)}`, of which no training list "
            f"is kept; expected {_EXPECTED}"
        )
    record = read_run(path)
    return replace(_READERS[command](path, record), name=record.id)


def _read_sample(path: Path, record: RunRecord) -> PaperList:
    """Of samplers of facets there are several files."""
    found = [read_triplets(file) for file in sorted(path.glob("*.parquet"))]
    if not found:
        raise SourceError(str(path), "no-triplets", "expected files of triplets; found none")
    return join_lists(record.id, [list_triplets(record.id, triplets) for triplets in found])


def _read_train(path: Path, record: RunRecord) -> PaperList:
    own = list_triplets(record.id, _find_triplets(path, str(record.inputs["triplets"]), hash_whole))
    return _add_parts(record.id, [own], [str(record.config["base"])], runs=path.parent)


def _read_combined(path: Path, record: RunRecord) -> PaperList:
    hashed = str(record.inputs.get("task") or "")
    task = [_find_triplets(path, hashed, hash_validation)] if hashed else []
    own, parts = [list_triplets(record.id, one) for one in task], map(str, record.config["parts"])
    return _add_parts(record.id, own, list(parts), runs=path.parent)


def _add_parts(name: str, own: list[PaperList], encoders: list[str], *, runs: Path) -> PaperList:
    """With what some encoders have learned from; those of which nothing is known are named."""
    known, unknown = list(own), []
    for encoder in encoders:
        path = find_run(runs, Path(encoder).name) or Path(encoder)
        if read_command(path) in _READERS:
            known.append(read_trained(path.parent, path.name))
        else:
            unknown.append(encoder)
    if not known:
        raise ConfigError(
            f"{name} is made of {', '.join(unknown)}, of which no training list is known; "
            f"expected {_EXPECTED}"
        )
    joined = join_lists(name, known)
    return replace(joined, unknown=tuple(dict.fromkeys((*joined.unknown, *unknown))))


def hash_whole(triplets: Triplets) -> str:
    """As records of trainings name them."""
    return hash_triplets(recode(triplets))


def hash_validation(triplets: Triplets) -> str:
    """As records of combined encoders name the triplets that weights were chosen by."""
    return hash_triplets(recode(triplets.take(triplets.validation)))


def _find_triplets(path: Path, hashed: str, hash_: Callable[[Triplets], str]) -> Triplets:
    for _, sampled in reversed(list_runs(path.parent, _SAMPLE)):
        for file in sorted(sampled.glob("*.parquet")):
            triplets = read_triplets(file)
            if hash_(triplets) == hashed:
                return triplets
    raise ConfigError(
        f"the triplets of {path.name} are in no run of `platform sample` in {path.parent}; "
        "expected them there: name their Parquet file in place of the run"
    )


_READERS: Mapping[str, Callable[[Path, RunRecord], PaperList]] = {
    _SAMPLE: _read_sample,
    "train": _read_train,
    "combine": _read_combined,
}
_EXPECTED = f"a run of {', '.join(f'`platform {name}`' for name in _READERS)}, or a file of papers"
