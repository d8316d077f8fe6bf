"""A generated set of labels, and a model of importance that was trained on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citescape.importance.labelled import open_labelled
from citescape.importance.learned.training import TrainedImportance, train
from citescape.importance.steps import TrainImportance
from citescape.store.graph_store import GraphStore
from tests.importance.labels import write_labels

Train = Callable[..., TrainedImportance]


def train_on(path: Path, runs: Path, *, store: GraphStore | None = None, **options: Any) -> Any:
    """Trains on a file, in the graph of its sentences or in a store."""
    config = TrainImportance(labels=(path,), **{"folds": 3, "title_encoder": "none", **options})
    graph = "store" if store else "sentences"
    with open_labelled([path], graph=graph, store=lambda: store, sections=config.sections) as pairs:  # type: ignore[arg-type,return-value]
        return train(pairs, config, runs=runs)


@pytest.fixture(scope="session")
def train_file() -> Train:
    """The function `train_on`."""
    return train_on


@pytest.fixture(scope="session")
def labels_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Labels of 40 papers with 8 cited works each."""
    return write_labels(tmp_path_factory.mktemp("labels") / "labels.jsonl")


@pytest.fixture(scope="session")
def trained(labels_file: Path, tmp_path_factory: pytest.TempPathFactory) -> TrainedImportance:
    """A boosted model of `labels_file`."""
    run: TrainedImportance = train_on(labels_file, tmp_path_factory.mktemp("runs"))
    return run
