"""Order, updates, parts and passes: each triplet and paper once, within the budget."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citescape.sampling.triplets import Triplets, from_table
from citescape.training.batches import (
    count_updates,
    make_part,
    order_triplets,
    plan_passes,
    split_update,
)
from tests.training.conftest import triplet_table


@pytest.fixture(scope="module")
def triplets() -> Triplets:
    return from_table(triplet_table())


@pytest.mark.parametrize(
    ("triplets", "updates"),
    [(960_000, 30_000), (960_001, 30_001), (1, 1), (31, 1), (32, 1), (33, 2)],
)
def test_updates_of_an_epoch(triplets: int, updates: int) -> None:
    """ceil(T / 32): 80 % of 1.2 million triplets give 30,000 updates (CIA, section 4.3)."""
    assert count_updates(triplets, 32) == updates == -(-triplets // 32)


@pytest.mark.parametrize("epoch", [0, 1, 7])
def test_an_epoch_has_each_triplet_once_grouped_by_anchor(triplets: Triplets, epoch: int) -> None:
    rows = order_triplets(triplets, seed=3, epoch=epoch)
    assert sorted(rows.tolist()) == list(range(len(triplets)))
    anchors = [anchor for anchor, _ in groupby(triplets.anchor[rows].tolist())]
    assert len(anchors) == len(set(anchors)) == triplets.anchors
    for _, result in groupby(rows.tolist(), key=lambda row: triplets.anchor[row]):
        together = list(result)
        assert together == sorted(together)


def test_seeds_and_epochs_give_other_orders(triplets: Triplets) -> None:
    orders = {
        tuple(order_triplets(triplets, seed=seed, epoch=epoch).tolist())
        for seed in range(3)
        for epoch in range(3)
    }
    assert len(orders) == 9


@given(st.integers(1, 40), st.integers(1, 8), st.randoms())
def test_parts_cover_an_update_with_each_paper_once(size: int, parts: int, chance: object) -> None:
    triplets = from_table(triplet_table())
    rows = np.array(chance.sample(range(len(triplets)), size))  # type: ignore[attr-defined]
    batches = list(split_update(triplets, rows, parts))
    assert len(batches) == parts
    assert max(map(len, batches)) - min(map(len, batches)) <= 1
    result = [
        (part.papers[a], part.papers[p], part.papers[n])
        for part in batches
        for a, p, n in zip(part.anchor, part.positive, part.negative, strict=True)
    ]
    roles = (triplets.anchor, triplets.positive, triplets.negative)
    assert result == [tuple(role[row] for role in roles) for row in rows]
    for part in batches:
        assert (np.diff(part.papers) > 0).all()


def test_an_anchor_is_in_a_part_once(triplets: Triplets) -> None:
    """Five triplets of one anchor have eleven papers, not fifteen."""
    part = make_part(triplets, np.arange(5))
    assert set(triplets.anchor[:5]) == {triplets.anchor[0]}
    assert len(part.papers) == len(
        {int(p) for role in ("anchor", "positive", "negative") for p in getattr(triplets, role)[:5]}
    )
    assert len(part.papers) < 15


@given(st.lists(st.integers(1, 60), min_size=1, max_size=40), st.integers(1, 200))
def test_passes_have_each_text_once_and_respect_the_budget(lengths: list[int], budget: int) -> None:
    planned = plan_passes(np.array(lengths), budget)
    assert sorted(np.concatenate(planned).tolist()) == list(range(len(lengths)))
    for rows in planned:
        widest = max(lengths[row] for row in rows)
        assert len(rows) == 1 or len(rows) * widest <= budget
    inside = [lengths[row] for rows in planned for row in rows]
    assert inside == sorted(lengths), "texts of like length go together"


def test_passes_use_the_whole_budget() -> None:
    assert [len(rows) for rows in plan_passes(np.full(10, 7), 21)] == [3, 3, 3, 1]
    assert [rows.tolist() for rows in plan_passes(np.array([9, 1, 30]), 20)] == [[1, 0], [2]]
