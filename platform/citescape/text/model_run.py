"""Trained models as runs: `model.safetensors` beside `run.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from citescape.core.config import DEFAULT_STORE
from citescape.core.errors import ConfigError, SourceError
from citescape.core.extras import require
from citescape.runs.kept import Fill, KeptRun, compute_run, find_kept
from citescape.runs.result import Summary

TENSORS = "model.safetensors"
Tensors = Mapping[str, npt.NDArray[Any]]
_LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "transformers", "safetensors")


class ModelRun(KeptRun):
    """A trained model as a run. `load` builds the labeller from its tensors and record."""

    noun = "trained models"
    group: ClassVar[str]
    """Group of the commands: `sections`."""
    columns: ClassVar[tuple[str, str]]
    """Columns of `arrow`: the label, and the number of items: ("type", "sections")."""
    learned: ClassVar[str]
    """The figure that counts the training items by label."""

    @cached_property
    def tensors(self) -> Tensors:
        """The arrays of the model by name.

        Raises:
            SourceError: the file is missing or cut short.
        """
        require("safetensors")
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        try:
            return load_file(self.path / TENSORS)
        except (OSError, SafetensorError) as error:
            raise SourceError(
                str(self.path / TENSORS),
                "not-a-model",
                f"expected the tensors of a trained model; found: {error}; remove {self.path} and "
                "train it again",
            ) from error

    def load(self) -> Any:
        """The labeller. A `KeyError` or similar means that the model is of another version."""
        raise NotImplementedError

    def version_error(self, error: Exception) -> SourceError:
        """The error for a model of another version."""
        reason = " ".join(str(error).split())[:200]
        return SourceError(
            str(self.path),
            "not-a-model",
            f"expected a model of this version of citescape; found: {reason}; remove {self.path} "
            "and train it again",
        )

    def describe_data(self) -> str:
        """Number and kind of the training items."""
        raise NotImplementedError

    def details(self) -> list[str]:
        """Further lines of the summary."""
        return []

    @property
    def arrow(self) -> pa.Table:
        """A row per label: number of training items."""
        known = self.counts[self.learned]
        return pa.table(dict(zip(self.columns, (list(known), list(known.values())), strict=True)))

    def summarise(self) -> Summary:
        """The run, its training data, and the command that labels with it."""
        known = ", ".join(f"{count:,} {name}" for name, count in self.counts[self.learned].items())
        parts = [
            f"{'unchanged' if self.unchanged else 'trained'}: {self.run}, on "
            f"{self.describe_data()} ({known})",
            *self.details(),
            f"model: {self.path}",
            "",
        ]
        figures = {
            "run": self.run,
            "path": str(self.path),
            "config": self.record.config,
            "seconds": self.record.seconds,
            "unchanged": self.unchanged,
            **self.counts,
        }
        if "kind" in self.record.config:
            figures["kind"] = self.record.config["kind"]
        named = f" --model {self.run}" if self.unchanged else ""
        return Summary(parts, figures, [("next", f"text {self.group} label{named}")])


M = TypeVar("M", bound=ModelRun)


def keep_model(
    kind: type[M],
    settings: dict[str, Any],
    inputs: dict[str, Any],
    *,
    runs: Path,
    fill: Fill,
) -> M:
    """The run of a model, which is trained only if no equal run exists.

    Args:
        kind: class of the run.
        settings: all settings that decide the tensors, with `seed`.
        inputs: hashes of the training data.
        runs: folder of runs.
        fill: trains the model, writes its files and returns its figures.
    """
    seed = settings["seed"]
    return compute_run(kind, runs, settings, inputs, fill=fill, seed=seed, libraries=_LIBRARIES)


def write_tensors(folder: Path, tensors: Tensors) -> None:
    """Writes the arrays of a model.

    Raises:
        ConfigError: an array is not finite: the training did not converge.
    """
    require("safetensors")
    from safetensors.numpy import save_file

    for name, array in tensors.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ConfigError(
                f"the training did not converge: found numbers in {name} that are not finite; "
                "train it again with other settings or examples"
            )
    dense = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    save_file(dense, folder / TENSORS)


def load_model(
    kind: type[ModelRun], runs: Path, named: str = "", *, location: str = DEFAULT_STORE
) -> Any:
    """The labeller of a trained model.

    Args:
        kind: class of the run.
        runs: folder of runs.
        named: a run id or a folder; empty for the latest run.
        location: path or address of the store, for messages.

    Raises:
        ConfigError: no such model; the message names the command that trains one.
        SourceError: the model is damaged, or of another version.
    """
    try:
        model = find_kept(kind, runs, named, location=location)
    except ConfigError as error:
        raise ConfigError(f"{error}; or use --model rules") from error
    try:
        return model.load()
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise model.version_error(error) from error


def pack_texts(texts: list[str]) -> npt.NDArray[np.uint8]:
    """Texts as one tensor of bytes (UTF-8 JSON), so that a model is one file."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), np.uint8)


def unpack_texts(packed: npt.NDArray[np.uint8]) -> list[str]:
    """The inverse of `pack_texts`."""
    texts: list[str] = json.loads(packed.tobytes().decode())
    return texts
