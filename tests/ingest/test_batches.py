"""Papers are written in transactions of a size."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.ingest.batches import _Batch
from citescape.store.graph_store import BatchSize

WEIGHTS = st.lists(st.sampled_from([1 / 16, 0.5, 1.0, 2.0, 30.0]), min_size=1, max_size=60)


@given(weights=WEIGHTS, full_texts=st.integers(1, 40), papers=st.integers(1, 40))
def test_groups_have_at_most_a_size(weights: list[float], full_texts: int, papers: int) -> None:
    """Apart from their last paper; in order, each paper once."""
    batch = _Batch(weights={str(n): weight for n, weight in enumerate(weights)})
    groups = list(batch.groups(BatchSize(full_texts, papers)))
    assert [id_ for group in groups for id_ in group] == list(batch.weights)
    for group in groups:
        *others, _ = (batch.weights[id_] for id_ in group)
        assert sum(others) < full_texts + 1e-9
        assert len(group) <= papers


@pytest.mark.parametrize(
    ("weights", "sizes"),
    [([1.0] * 47, [24, 23]), ([30, 1, 1, 1], [1, 3]), ([1 / 16] * 40, [40]), ([1.0] * 8, [8])],
)
def test_groups_are_few_and_equal(weights: list[float], sizes: list[int]) -> None:
    batch = _Batch(weights={str(n): weight for n, weight in enumerate(weights)})
    full_texts = 8 if len(weights) < 40 else 32
    assert [len(group) for group in batch.groups(BatchSize(full_texts, 512))] == sizes
