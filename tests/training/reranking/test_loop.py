"""Validation and early stopping of rerankers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from citescape.training.loop import should_stop
from citescape.training.reranking.config import RerankConfig
from citescape.training.reranking.rerankers import open_reranker
from citescape.training.reranking.task import RerankTask, choose_validation
from citescape.training.reranking.train import train_reranker
from tests.training.reranking.conftest import configure, find_ranks, plant


@pytest.mark.parametrize(
    ("patience", "result", "expected"),
    [
        (0, [0.1, 0.1, 0.1], False),
        (1, [0.1], False),
        (1, [0.1, 0.1], True),
        (2, [0.1, 0.2, 0.1], False),
        (2, [0.2, 0.2, 0.1], True),
        (2, [0.2, 0.1, 0.3], False),
    ],
)
def test_training_stops_without_a_higher_mrr(
    patience: int, result: list[float], expected: bool
) -> None:
    """The MRR before the first update does not count."""
    history = [{"update": k, "mrr": mrr} for k, mrr in enumerate([0.9, *result])]
    task = RerankTask.__new__(RerankTask)
    task.config = RerankConfig(patience=patience)
    assert should_stop(task, history) == expected


def test_validation_does_not_depend_on_the_order_of_queries() -> None:
    lists = plant(30)
    counts = np.tile([1, 0], 15)
    lists = replace(lists, relevant=lists.relevant[::2], offsets=np.append(0, np.cumsum(counts)))
    chosen = choose_validation(lists, 6)
    assert len(chosen) == 6
    assert counts[chosen].all()
    assert choose_validation(lists, 99).tolist() == np.flatnonzero(counts).tolist()
    mixed = lists.select_rows(np.random.default_rng(1).permutation(30))
    result = {mixed.queries[row] for row in choose_validation(mixed, 6)}
    assert result == {lists.queries[row] for row in chosen}


def test_candidates_below_the_depth_keep_their_ranks(model: Path, tmp_path: Path) -> None:
    """Query by query: the cited paper is reranked among the first three, or keeps its rank."""
    held = plant(30, seed=2, missed=3)
    config = configure(model, epochs=1, validation_depth=3)
    result = train_reranker(plant(16, seed=1), held, config, runs=tmp_path)
    scores = open_reranker(result.run, tmp_path, precision="float32").score(held.cut(3))
    total = 0.0
    for rank, row in zip(find_ranks(held), scores, strict=True):
        if rank <= 3:
            own = row[rank - 1]
            rank = 1 + int((row > own).sum()) + int((row[: rank - 1] == own).sum())
        total += 1 / rank if rank <= held.k else 0
    assert result.after["mrr"] == pytest.approx(total / len(held))
