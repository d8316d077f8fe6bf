"""Trained models on disk: `model.safetensors` beside `run.json` in a run directory."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from citescape.core.errors import ConfigError, SourceError
from citescape.core.extras import require
from citescape.runs.directory import (
    RECORD,
    RunRecord,
    command_words,
    find_run,
    list_runs,
    open_run,
    read_run,
)

TENSORS = "model.safetensors"
Tensors = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class SavedModel:
    """A trained model: where it lies, how it was made, its numbers."""

    path: Path
    record: RunRecord
    tensors: Tensors

    @property
    def run(self) -> str:
        """The id of the run that trained it."""
        return self.record.id


def save_model(
    runs: Path,
    record: RunRecord,
    tensors: Tensors,
    *,
    more: Callable[[Path], None] = lambda _: None,
) -> Path:
    """Writes a model as a run directory that appears whole or not at all; returns its path.

    Args:
        runs: the folder of run directories.
        record: its `run.json`; config and inputs must be all that decides the tensors.
        tensors: arrays by name.
        more: writes further files (a fine-tuned encoder) into the folder it is given.
    """
    require("safetensors")
    from safetensors.numpy import save_file

    found = find_run(runs, record.id)
    if found:
        return found
    with open_run(runs, record.id) as directory:
        dense = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
        save_file(dense, directory.path / TENSORS, metadata={"run": record.id})
        more(directory.path)
        return directory.complete(record)


def load_model(path: Path) -> SavedModel:
    """A model from its run directory.

    Raises:
        SourceError: files are missing or cut short.
    """
    require("safetensors")
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    record = read_run(path)
    try:
        return SavedModel(path, record, load_file(path / TENSORS))
    except (OSError, SafetensorError) as error:
        raise SourceError(
            str(path / TENSORS),
            "not-a-model",
            f"expected the tensors of a trained model; found: {error}; remove {path} and train it "
            "again",
        ) from error


def unlike(path: Path, error: Exception) -> SourceError:
    """What to raise where the files of a model are whole, but not what this version trains."""
    found = " ".join(str(error).split())[:200]
    return SourceError(
        str(path),
        "not-a-model",
        f"expected a model as this citescape trains them; found: {found}; remove {path} and train "
        "it again",
    )


def find_model(runs: Path, command: str, named: str = "") -> Path:
    """The directory of a model: the one named by path or run id, else the last one trained.

    Args:
        runs: the folder of run directories.
        command: of the record: `sections train`.
        named: a path or a run id; empty for the last.

    Raises:
        ConfigError: there is none; the message says how to train one.
    """
    if named:
        for path in (Path(named), runs / named):
            if (path / RECORD).is_file():
                return path
        raise ConfigError(
            f"no model {named!r}; expected the folder of a run with {RECORD}, or the id of one in "
            f"{runs}"
        )
    trained = list_runs(runs, command)
    if not trained:
        raise ConfigError(
            f"no trained model in {runs}; expected one of "
            f"`platform {command_words(command)}`: run that first, "
            "or name a model with --model, or use --model rules"
        )
    return trained[-1][1]


def pack_texts(texts: list[str]) -> npt.NDArray[np.uint8]:
    """Texts as one tensor of bytes (UTF-8 JSON), so that a model is one file."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), np.uint8)


def unpack_texts(packed: npt.NDArray[np.uint8]) -> list[str]:
    """What `pack_texts` packed."""
    texts: list[str] = json.loads(packed.tobytes().decode())
    return texts
