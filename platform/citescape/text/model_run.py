"""Trained models as runs: `model.safetensors` beside `run.json`, found and loaded by name."""

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
    """A trained model as a run. `load` makes what labels from its tensors and record."""

    what = "trained models"
    group: ClassVar[str]
    """Group of the commands: `sections`."""
    columns: ClassVar[tuple[str, str]]
    """What it gives, and what it gives it to: ("type", "sections")."""
    learned: ClassVar[str]
    """The figure that counts by label what the model learned from."""

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
        """What labels; `KeyError` and the like mean that the model is of another version."""
        raise NotImplementedError

    def unlike(self, error: Exception) -> SourceError:
        """What to raise where the files of a model are whole, but not what this version trains."""
        found = " ".join(str(error).split())[:200]
        return SourceError(
            str(self.path),
            "not-a-model",
            f"expected a model as this citescape trains them; found: {found}; remove {self.path} "
            "and train it again",
        )

    def describe_data(self) -> str:
        """What the model was trained on, with its number."""
        raise NotImplementedError

    def details(self) -> list[str]:
        """Further lines of the summary."""
        return []

    @property
    def arrow(self) -> pa.Table:
        """A row per label: what the model learned from."""
        known = self.counts[self.learned]
        return pa.table(dict(zip(self.columns, (list(known), list(known.values())), strict=True)))

    def summarise(self) -> Summary:
        """The run, what it learned from, and the command that labels with it."""
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
    """A model with these settings and inputs: the one that is there, or one trained now.

    Args:
        kind: class of the model's runs.
        settings: all that decides the tensors beside the inputs, `seed` among them.
        inputs: hashes of what it learns from.
        runs: folder of run directories.
        fill: trains the model, writes its files and returns its figures.
    """
    seed = settings["seed"]
    return compute_run(kind, runs, settings, inputs, fill=fill, seed=seed, libraries=_LIBRARIES)


def write_tensors(folder: Path, tensors: Tensors) -> None:
    """Writes the arrays of a model.

    Raises:
        ConfigError: some are not finite: the training did not converge.
    """
    require("safetensors")
    from safetensors.numpy import save_file

    for name, array in tensors.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise ConfigError(
                f"the training did not converge: found numbers in {name} that are not finite; "
                "expected other settings or examples"
            )
    dense = {name: np.ascontiguousarray(array) for name, array in tensors.items()}
    save_file(dense, folder / TENSORS)


def load_model(
    kind: type[ModelRun], runs: Path, named: str = "", *, location: str = DEFAULT_STORE
) -> Any:
    """What labels, of a model by path or run id; of the last one trained if none is named.

    Args:
        kind: class of the model's runs.
        runs: folder of run directories.
        named: run or folder.
        location: of the store, for messages.

    Raises:
        ConfigError: there is none; the message says how to train one.
        SourceError: it is damaged, or of another version.
    """
    try:
        found = find_kept(kind, runs, named, location=location)
    except ConfigError as error:
        raise ConfigError(f"{error}; or use --model rules") from error
    try:
        return found.load()
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise found.unlike(error) from error


def pack_texts(texts: list[str]) -> npt.NDArray[np.uint8]:
    """Texts as one tensor of bytes (UTF-8 JSON), so that a model is one file."""
    return np.frombuffer(json.dumps(texts, ensure_ascii=False).encode(), np.uint8)


def unpack_texts(packed: npt.NDArray[np.uint8]) -> list[str]:
    """What `pack_texts` packed."""
    texts: list[str] = json.loads(packed.tobytes().decode())
    return texts
