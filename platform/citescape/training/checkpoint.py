"""The state of a training on disk; a training that continues from it gives the same result.

No state of random generators is saved: every draw follows from the seed and the number of the
update.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch

from citescape.core.errors import ConfigError, library_reason

STATE = "state.pt"
_PARTIAL = "state.pt.partial"


@dataclass
class State:
    """The state of a training in progress. Tensors are on the CPU."""

    run: str
    """Id of the run, which follows from configuration and inputs."""
    updates: int = 0
    """Updates done."""
    module: dict[str, Any] = field(default_factory=dict)
    """Trained parameters by name."""
    optimiser: dict[str, Any] = field(default_factory=dict)
    history: list[dict[str, float]] = field(default_factory=list)
    """Validation figures before training and after each epoch."""
    best: dict[str, Any] = field(default_factory=dict)
    """Trained parameters at the best validation figure; empty without `patience`."""
    tokens: int = 0
    flops: float = 0.0
    seconds: float = 0.0
    """Time of the updates."""
    parts: int = 0
    """Parts of an update if memory did not suffice for the configured number, else 0."""
    pairs: int = 0
    """Pairs of texts that a reranker has read."""


def save_state(folder: Path, state: State) -> None:
    """Writes the state atomically: to a second file, synced, renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    partial = folder / _PARTIAL
    with partial.open("wb") as file:
        torch.save(vars(state), file)
        file.flush()
        os.fsync(file.fileno())
    partial.replace(folder / STATE)


def load_state(folder: Path, run: str) -> State | None:
    """The state in a folder; None if there is no file.

    Raises:
        ConfigError: it is damaged, or belongs to a training of another configuration.
    """
    path = folder / STATE
    if not path.is_file():
        return None
    try:
        state = State(**torch.load(path, map_location="cpu", weights_only=True))
    except Exception as error:  # torch raises errors of many types for damaged files
        raise ConfigError(
            f"the checkpoint {path} cannot be read: {library_reason(error)}; delete {folder} to "
            "train from the beginning"
        ) from None
    if state.run != run:
        raise ConfigError(
            f"the checkpoint in {folder} belongs to {state.run}, which has another configuration "
            f"or other inputs; expected {run}; move or delete the folder to train from the "
            "beginning"
        )
    return state
