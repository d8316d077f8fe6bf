"""Rerankers on disk: their files, settings and hash. Does not import torch.

The folder of a Hugging Face encoder (config.json, model.safetensors, tokenizer.json), with the head
over the encoder, `heads.safetensors`, and `reranker.json`. A reranker of vectors has no encoder.

    {"kind": "davinci", "ablation": "none", "hidden": 128, "decay": 0.95, "max_tokens": 256, ...
     "retriever": {"system": "fused", "word_weight": 0.2, ...}}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from citescape.core.errors import ConfigError, list_some
from citescape.core.extras import require
from citescape.encoders.files import find_weights, hash_encoder, read_architectures
from citescape.runs.directory import (
    command_words,
    find_run,
    is_run_id,
    list_runs,
    read_command,
)
from citescape.training.kept import TrainedRun
from citescape.training.reranking.config import UNUSED, RerankConfig

COMMAND = "rerank"
SETTINGS, HEADS = "reranker.json", "heads.safetensors"
RETRIEVER = "retriever"
ENCODER = "encoder"
"""Name of the encoder's hash in the metadata of the head."""
_FIELDS = ("kind", "ablation", "hidden", "dropout", "decay", "k", "max_tokens", "abstracts")
_SCORING = ("ForSequenceClassification", "ForCausalLM")
"""Endings of the classes of transformers that give logits for a pair."""
Settings = tuple[RerankConfig, Mapping[str, Any]]
"""Settings of the scores, and the retriever."""


@dataclass(frozen=True)
class RerankerRun(TrainedRun):
    """A trained reranker."""

    command: ClassVar[str] = COMMAND
    noun: ClassVar[str] = "rerankers"


def write_settings(folder: Path, config: RerankConfig, retriever: Mapping[str, Any]) -> None:
    """Writes `reranker.json`.

    Args:
        folder: folder that exists.
        config: settings of the training.
        retriever: retriever of the shortlists; empty if unknown.
    """
    fields = {name: getattr(config, name) for name in _FIELDS}
    fields |= {RETRIEVER: dict(retriever)} if retriever else {}
    (folder / SETTINGS).write_text(json.dumps(fields, indent=2) + "\n", encoding="utf-8")


def read_settings(folder: Path) -> Settings | None:
    """The settings in `reranker.json`; None if there is no such file.

    Raises:
        ConfigError: it cannot be read, or is of another version.
    """
    path = folder / SETTINGS
    if not path.is_file():
        return None
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        fields = {"abstracts": False, **content}  # missing in the first versions
        unused = {name for by in ("kind", "ablation") for name in UNUSED.get((by, fields[by]), ())}
        config = RerankConfig(**{name: fields[name] for name in _FIELDS if name not in unused})
        return config, dict(fields.get(RETRIEVER, {}))
    except (OSError, ValueError, KeyError, TypeError, ConfigError) as error:
        raise ConfigError(
            f"{path}: expected {', '.join(_FIELDS)} of a reranker; found: {error}; train it again"
        ) from error


def hash_reranker(name: str) -> str:
    """SHA-256 of the files that decide scores, 64 digits, of a folder or hub id.

    Raises:
        ConfigError: there is no such model.
    """
    own = [path for file in (SETTINGS, HEADS) if (path := Path(name) / file).is_file()]
    has_encoder = not own or (Path(name) / "config.json").is_file()
    digest = hashlib.sha256(b"" if not has_encoder else hash_encoder(name).encode())
    for path in own:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def find_reranker(named: str, runs: Path) -> tuple[Path, Settings | None]:
    """Folder or hub id of a reranker, and its settings if it was trained here; loads no weights.

    Raises:
        ConfigError: see `open_reranker`.
    """
    require("torch", "transformers")
    path = find_run(runs, named) or Path(named)
    settings = read_settings(path)
    if settings:
        return path, settings
    if command := read_command(path):
        raise _no_reranker(named, f"is a run of `platform {command_words(command)}`", runs)
    if is_run_id(named):
        raise _no_reranker(named, f"is not in {runs}", runs)
    try:
        find_weights(named)
    except ConfigError as error:
        reason = f"is no model: it is not in {runs}, not a complete folder and not a hub id"
        raise _no_reranker(named, reason, runs) from error
    kinds = read_architectures(named)
    if kinds and not any(kind.endswith(_SCORING) for kind in kinds):
        raise _no_reranker(named, f"is an encoder ({kinds[0]}), not a reranker", runs)
    return path, None


def _no_reranker(named: str, reason: str, runs: Path) -> ConfigError:
    trained = list_some([record.id for record, _ in reversed(list_runs(runs, COMMAND))])
    return ConfigError(
        f"{named} {reason}; expected a reranker: "
        + (f"one of {trained}, " if trained else "")
        + f"a folder with {SETTINGS}, or a cross-encoder of Hugging Face"
    )
