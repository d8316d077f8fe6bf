"""Scores of all pairs by a trained model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from citescape.core.progress import Progress, silent
from citescape.importance.counts import PairFeatures
from citescape.importance.learned.additive import score
from citescape.importance.learned.predictors import read_predictors
from citescape.importance.learned.training import TrainedImportance, open_encoder
from citescape.importance.scored import LearnedScores
from citescape.papers.slices import Slice
from citescape.runs.kept import find_kept
from citescape.store.graph_store import GraphStore


def score_pairs(
    store: GraphStore,
    slices: Sequence[Slice],
    features: PairFeatures,
    model: str,
    *,
    runs: Path,
    progress: Progress = silent,
) -> LearnedScores:
    """Importance of all pairs.

    Args:
        store: the graph.
        slices: citing papers, those of `features`.
        features: the counts of all pairs.
        model: run of `platform importance train`.
        runs: folder of runs.
        progress: called with the name of each stage.

    Raises:
        ConfigError: no such run, or its encoder is missing.
    """
    trained = find_kept(TrainedImportance, runs, model, location=store.location)
    additive = trained.read_models()[0]
    progress("reading predictors")
    encode = open_encoder(trained.record.config["title_encoder"])
    columns = read_predictors(store, slices, features, encode_texts=encode, progress=progress)
    values = np.column_stack([columns[name] for name in additive.names])
    return LearnedScores(score(additive, values)[0], additive, values)
