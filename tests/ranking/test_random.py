from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from citescape.ranking.random import Random

POOL = np.arange(10, 60)


def test_random_papers_of_the_pool_exclude_the_query() -> None:
    found = Random().among(POOL).search(np.array([12, 5]), 50)
    assert set(found.papers[0]) == {-1, *POOL} - {12}
    assert set(found.papers[1]) == set(POOL)
    assert (np.diff(found.scores[1]) <= 0).all()


def test_the_score_of_a_pair_does_not_depend_on_other_pairs() -> None:
    pool = Random(1).among(POOL)
    found = pool.search(np.array([12, 5]), 5)
    scores = pool.score(np.repeat([12, 5], 5), found.papers.ravel().astype(np.int64))
    assert found.scores.ravel().tolist() == np.float32(scores).tolist()
    assert found.papers[0].tolist() != found.papers[1].tolist()
    other = Random(2).among(POOL).search(np.array([5]), 5)
    assert other.papers[0].tolist() != found.papers[1].tolist()


@given(size=st.integers(0, 40), k=st.integers(1, 45), query=st.integers(0, 60))
def test_papers_with_the_highest_scores_are_found(size: int, k: int, query: int) -> None:
    """Compared with sorting the whole pool."""
    pool = POOL[:size]
    scores = Random(3).among(pool).score(np.full(size, query), pool)
    order = [row for row in np.argsort(-scores, kind="stable") if pool[row] != query][:k]
    found = Random(3).among(pool).search(np.array([query]), k)
    assert found.papers[0].tolist() == [*pool[order], *[-1] * (k - len(order))]
    assert found.scores[0, : len(order)].tolist() == np.float32(scores[order]).tolist()


def test_papers_are_equally_likely() -> None:
    found = Random().among(POOL).search(np.arange(100, 2100), 5)
    times = np.bincount(found.papers.ravel(), minlength=60)[10:]
    assert abs(times - 200).max() < 5 * np.sqrt(200)
