"""Checkpoints of a graph embedding: whole or not there, and of one configuration and graph."""

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
from citescape.encoders.graph_tables import Table, load_table, save_table

_STATE, _PREFIX, _ASIDE = "state.json", "checkpoint-", "partial"


@dataclass(frozen=True)
class Position:
    """The position of a training. All draws follow from it, so no generator has a state."""

    epoch: int = 0
    step: int = 0
    """Steps done of this epoch."""
    loss: float = 0.0
    """Sum over the edges of this epoch so far."""
    losses: tuple[float, ...] = ()
    """Mean of each finished epoch."""


def identify(edges: Edges, config: GraphConfig) -> dict[str, Any]:
    """Settings and graph of a checkpoint."""
    return {**config.settings(), "graph": edges.fingerprint()}


def save_checkpoint(
    folder: Path, tables: Sequence[Table], position: Position, *, of: dict[str, Any]
) -> None:
    """Writes a checkpoint to a second folder, syncs and renames it, and removes older ones."""
    aside = folder / _ASIDE
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(parents=True)
    for number, table in enumerate(tables):
        save_table(table, aside, number)
    (aside / _STATE).write_text(json.dumps({"of": of, **asdict(position)}), encoding="utf-8")
    for path in [*aside.iterdir(), aside]:
        sync(path)
    older = list(folder.glob(f"{_PREFIX}*"))
    name = folder / f"{_PREFIX}{position.epoch:06}-{position.step:09}"
    if name not in older:
        aside.rename(name)
        sync(folder)
    for path in older:
        if path != name:
            shutil.rmtree(path, ignore_errors=True)


def load_checkpoint(folder: Path, tables: Sequence[Table], *, of: dict[str, Any]) -> Position:
    """Fills the tables from the last checkpoint; the start position if there is none.

    Raises:
        ConfigError: it is of another configuration or graph.
        SourceError: it is damaged.
    """
    checkpoints = sorted(folder.glob(f"{_PREFIX}*"))
    if not checkpoints:
        return Position()
    path = checkpoints[-1]
    try:
        state = json.loads((path / _STATE).read_text(encoding="utf-8"))
        saved = state.pop("of")
        unlike = sorted(k for k in {*saved, *of} if saved.get(k) != of.get(k))
        if unlike:
            pairs = ", ".join(f"{k} {saved.get(k)} (expected {of.get(k)})" for k in unlike)
            raise ConfigError(
                f"{path} is a checkpoint of something else: {pairs}; go on with what it was begun "
                "with, or remove it, or name another folder"
            )
        position = Position(**{**state, "losses": tuple(state["losses"])})
        for number, table in enumerate(tables):
            load_table(table, path, number)
    except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError) as error:
        raise SourceError(
            str(path),
            "no-checkpoint",
            f"expected a checkpoint of a graph embedding; found: {library_reason(error)}; "
            f"remove {folder} to begin anew",
        ) from None
    return position
