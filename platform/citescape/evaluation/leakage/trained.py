"""Training lists: papers of the triplets of a model, by role."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from citescape.core.errors import ConfigError, SourceError
from citescape.evaluation.leakage.files import list_triplets, read_list
from citescape.evaluation.leakage.papers import PaperList, join_lists
from citescape.ranking.published import PUBLISHED
from citescape.ranking.registry import KINDS
from citescape.runs.directory import (
    command_words,
    find_run,
    list_runs,
    read_command,
    read_run,
)
from citescape.sampling.fingerprint import hash_triplets, recode
from citescape.sampling.triplets import Triplets, read_triplets


def read_trained(runs: Path, named: str) -> PaperList:
    """The training list of a run, or of a file.

    A run of `platform train` records only the hash of its triplets; the triplets are those of a run
    of `platform sample` in the same folder. The list includes the training list of the base encoder
    if that is a run. For a run of `platform train combine` it includes the training lists of all
    combined encoders, and the triplets by which the weights were chosen.

    Args:
        runs: folder of run directories.
        named: run id, folder, or file, see `files.read_list`.

    Raises:
        ConfigError: none of these, or the triplets were removed.
        SourceError: a file has another format.
    """
    path = find_run(runs, named) or Path(named)
    command = read_command(path)
    if not command:
        if path.is_dir() or (runs / named).is_dir():
            raise ConfigError(f"{named} is a folder, but not a run; expected {_EXPECTED}")
        if named in (*KINDS, *PUBLISHED) and not path.is_file():
            raise ConfigError(
                f"{named} was not trained by a run, so its training list is unknown; expected "
                f"{_EXPECTED}, such as the list that the authors of a model publish"
            )
        return read_list(path)
    if command not in _COMMANDS:
        raise ConfigError(
            f"{named} is a run of `platform {command_words(command)}` and has no training list; "
            f"expected {_EXPECTED}"
        )
    record = read_run(path)
    if command == "sample":  # samplers of facets have several files
        files = [read_triplets(file) for file in sorted(path.glob("*.parquet"))]
        if not files:
            raise SourceError(str(path), "no-triplets", "expected files of triplets; found none")
        return join_lists(record.id, [list_triplets(record.id, triplets) for triplets in files])

    lists, unknown = [], []
    if command == "train":
        encoders = [str(record.config["base"])]
        triplets = _find_triplets(path, str(record.inputs["triplets"]), validation=False)
        lists.append(list_triplets(record.id, triplets))
    else:
        encoders = list(map(str, record.config["parts"]))
        if hashed := str(record.inputs.get("task") or ""):  # of the validation triplets
            triplets = _find_triplets(path, hashed, validation=True)
            lists.append(list_triplets(record.id, triplets))
    for encoder in encoders:
        part = find_run(path.parent, Path(encoder).name) or Path(encoder)
        if read_command(part) in _COMMANDS:
            lists.append(read_trained(part.parent, part.name))
        else:
            unknown.append(encoder)
    if not lists:
        raise ConfigError(
            f"the training lists of all encoders of {record.id} are unknown "
            f"({', '.join(unknown)}); expected {_EXPECTED}"
        )
    joined = join_lists(record.id, lists)
    return replace(joined, unknown=tuple(dict.fromkeys((*joined.unknown, *unknown))))


def _find_triplets(path: Path, hashed: str, *, validation: bool) -> Triplets:
    """The sampled triplets whose hash, of all or of the validation triplets, a run records."""
    for _, sampled in reversed(list_runs(path.parent, "sample")):
        for file in sorted(sampled.glob("*.parquet")):
            triplets = read_triplets(file)
            part = triplets.select_rows(triplets.validation) if validation else triplets
            if hash_triplets(recode(part)) == hashed:
                return triplets
    raise ConfigError(
        f"no run of `platform sample` in {path.parent} has the triplets of {path.name}; expected "
        "them there: give their Parquet file in place of the run"
    )


_COMMANDS = ("sample", "train", "combine")
_EXPECTED = f"a run of {', '.join(f'`platform {name}`' for name in _COMMANDS)}, or a file of papers"
