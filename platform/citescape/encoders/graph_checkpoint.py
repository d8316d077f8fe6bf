"""Checkpoints of a graph embedding, written atomically, for one configuration and graph."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from citescape.core.errors import ConfigError, SourceError, library_reason
from citescape.core.files import sync
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.graph_edges import Edges
from citescape.encoders.graph_tables import EmbeddingTable, load_table, save_table

_STATE, _PREFIX, _PARTIAL = "state.json", "checkpoint-", "partial"


@dataclass(frozen=True)
class TrainingPosition:
    """The position of a training. All draws follow from it: no generator state is saved."""

    epoch: int = 0
    step: int = 0
    """Steps done of this epoch."""
    loss: float = 0.0
    """Sum over the edges of this epoch so far."""
    losses: tuple[float, ...] = ()
    """Mean of each finished epoch."""


def identify(edges: Edges, config: GraphConfig) -> dict[str, Any]:
    """What a checkpoint belongs to: all settings, and a hash of the graph."""
    return {**config.settings(), "graph": edges.fingerprint()}


def save_checkpoint(
    folder: Path,
    tables: Sequence[EmbeddingTable],
    position: TrainingPosition,
    *,
    identity: dict[str, Any],
) -> None:
    """Writes a checkpoint to a second folder, syncs and renames it, and removes older ones.

    Args:
        folder: folder of the checkpoints.
        tables: tables to save.
        position: steps that the tables include.
        identity: result of `identify`.
    """
    partial = folder / _PARTIAL
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for number, table in enumerate(tables):
        save_table(table, partial, number)
    state = json.dumps({"of": identity, **asdict(position)})
    (partial / _STATE).write_text(state, encoding="utf-8")
    for path in [*partial.iterdir(), partial]:
        sync(path)
    older = list(folder.glob(f"{_PREFIX}*"))
    name = folder / f"{_PREFIX}{position.epoch:06}-{position.step:09}"
    if name not in older:
        partial.rename(name)
        sync(folder)
    for path in older:
        if path != name:
            shutil.rmtree(path, ignore_errors=True)


def load_checkpoint(
    folder: Path, tables: Sequence[EmbeddingTable], *, identity: dict[str, Any]
) -> TrainingPosition:
    """Fills the tables from the last checkpoint; the start position if there is none.

    Args:
        folder: folder of the checkpoints.
        tables: tables to fill, of the same shapes.
        identity: result of `identify`, which must be that of the checkpoint.

    Raises:
        ConfigError: it is of another configuration or graph.
        SourceError: it is damaged.
    """
    checkpoints = sorted(folder.glob(f"{_PREFIX}*"))
    if not checkpoints:
        return TrainingPosition()
    path = checkpoints[-1]
    try:
        state = json.loads((path / _STATE).read_text(encoding="utf-8"))
        saved = state.pop("of")
        names = sorted(k for k in {*saved, *identity} if saved.get(k) != identity.get(k))
        if names:
            pairs = ", ".join(f"{k} {saved.get(k)} (expected {identity.get(k)})" for k in names)
            raise ConfigError(
                f"{path} is a checkpoint of other settings or another graph: {pairs}; use the same "
                "as before, remove the checkpoint, or name another folder"
            )
        position = TrainingPosition(**{**state, "losses": tuple(state["losses"])})
        for number, table in enumerate(tables):
            load_table(table, path, number)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError) as error:
        raise SourceError(
            str(path),
            "no-checkpoint",
            f"expected a checkpoint of a graph embedding; found: {library_reason(error)}; "
            f"remove {folder} to start again",
        ) from None
    return position
