"""Pools: area under the curve by hand, and negatives of anchors."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_auc_score

from citescape.networks.citations import Citations
from citescape.training.pools import (
    POOLS,
    PoolNegatives,
    Pools,
    compute_auc,
    compute_pools,
    draw_negatives,
)
from tests.sampling.conftest import Graph, arrays, graphs, random_graph

scores = st.lists(st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=20)


def test_area_under_the_curve_by_hand() -> None:
    """Three of the pairs (.9, .5), (.9, .7), (.6, .5), (.6, .7) are in the right order."""
    assert compute_auc(np.array([0.9, 0.6]), np.array([0.5, 0.7])) == 3 / 4
    assert compute_auc(np.array([0.5]), np.array([0.5])) == 1 / 2
    assert compute_auc(np.array([0.5, 0.7]), np.array([0.5])) == (0.5 + 1) / 2


@given(scores, scores)
def test_the_area_equals_the_share_of_pairs_and_scikit_learn(
    near: list[float], far: list[float]
) -> None:
    result = compute_auc(np.array(near), np.array(far))
    pairs = [(a > b) + 0.5 * (a == b) for a, b in product(near, far)]
    assert result == pytest.approx(sum(pairs) / len(pairs))
    truth = [1] * len(near) + [0] * len(far)
    assert result == pytest.approx(roc_auc_score(truth, near + far))


@settings(max_examples=40, deadline=None)
@given(graphs, st.integers(0, 100))
def test_pools_exclude_the_anchor_and_its_references(graph: Graph, seed: int) -> None:
    citations = arrays(graph)
    lists = references(citations)
    drawn = draw_negatives(citations, np.arange(len(lists)), seed=seed)
    alone = draw_negatives(citations, np.arange(len(lists))[-1:], seed=seed)
    assert (alone.random == drawn.random[-1:]).all()
    assert (alone.cocited == drawn.cocited[-1:]).all()
    for anchor, own in enumerate(lists):
        easy, hard = (papers(drawn, kind, anchor) for kind in ("random", "cocited"))
        cocited = {paper for other in lists if other & own for paper in other}
        for result in (easy, hard):
            assert len(set(result)) == len(result)
            assert not set(result) & {anchor, *own}
        assert set(hard) <= cocited
        assert own or not hard


def papers(negatives: PoolNegatives, kind: str, row: int) -> list[int]:
    """Papers sampled for one anchor."""
    return [paper for paper in getattr(negatives, kind)[row].tolist() if paper >= 0]


def references(citations: Citations) -> list[set[int]]:
    bounds = zip(citations.indptr[:-1], citations.indptr[1:], strict=True)
    return [set(citations.cited[low:high].tolist()) for low, high in bounds]


def test_walks_reach_all_co_cited_works() -> None:
    graph = {
        "a": {"r1": 1.0, "r2": 1.0},
        "b": {"r1": 1.0, "x": 1.0, "y": 1.0},
        "c": {"r2": 1.0, "z": 1.0, "a": 1.0},
        "d": {"q": 1.0},
    }
    citations = arrays(graph)
    ids = citations.ids.to_pylist()
    result = draw_negatives(citations, np.array([ids.index("a")]))
    assert sorted(ids[k] for k in papers(result, "cocited", 0)) == ["x", "y", "z"]
    assert sorted(ids[k] for k in papers(result, "random", 0)) == [
        "b",
        "c",
        "d",
        "q",
        "x",
        "y",
        "z",
    ]


def plain_pools(
    vectors: np.ndarray, citations: Citations, anchors: list[int], seed: int
) -> dict[str, float]:
    """Cosines in plain Python for the same samples; anchors have equal weight."""
    placed = np.array([any(row) for row in vectors.tolist()])
    result: dict[str, list[float]] = {name: [] for name in POOLS}

    def cosine(a: int, b: int) -> float:
        x, y = vectors[a].tolist(), vectors[b].tolist()
        return math.fsum(p * q for p, q in zip(x, y, strict=True)) / (
            math.hypot(*x) * math.hypot(*y)
        )

    negatives = draw_negatives(citations, np.array(anchors), seed=seed)
    for row, anchor in enumerate(anchors):
        if not placed[anchor]:
            continue
        low, high = citations.indptr[anchor], citations.indptr[anchor + 1]
        cited = citations.cited[low:high].tolist()
        weight = dict(zip(cited, citations.weights[low:high].tolist(), strict=True))
        own = [paper for paper in cited if placed[paper]]
        values = sorted(weight[paper] for paper in own)
        least = values[0] if own else 0.0
        middle = (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2 if own else 0.0
        easy, hard = (
            [p for p in papers(negatives, kind, row) if placed[p]] for kind in ("random", "cocited")
        )
        sets = {
            "easy": (own, easy),
            "hard": (own, hard),
            "important": (
                [p for p in own if weight[p] > middle and weight[p] > least],
                [p for p in own if weight[p] == least],
            ),
        }
        for name, (near, far) in sets.items():
            if near and far:
                pairs = product((cosine(anchor, p) for p in near), [cosine(anchor, p) for p in far])
                wins = [(a > b) + 0.5 * (a == b) for a, b in pairs]
                result[name].append(sum(wins) / len(wins))
    return {name: sum(v) / len(v) if v else math.nan for name, v in result.items()}


@pytest.mark.parametrize("seed", range(4))
def test_metrics_equal_those_of_plain_python(seed: int) -> None:
    citations = arrays(random_graph(60, 9, seed, levels=5))
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(len(citations.ids), 5)).astype(np.float32)
    vectors[chance.integers(0, len(vectors), 6)] = 0
    anchors = list(range(0, len(vectors), 2))
    result = compute_pools(vectors, draw_negatives(citations, np.array(anchors), seed=seed))
    assert result.as_dict() == pytest.approx(
        plain_pools(vectors, citations, anchors, seed), abs=1e-6
    )
    assert result.anchors <= len(anchors)


def test_perfect_vectors_have_area_one_and_reversed_vectors_zero() -> None:
    """The anchor is near its references, nearer to important ones, and far from all others."""
    graph = {"a": {"r1": 3.0, "r2": 2.0, "r3": 1.0}, "b": {"r1": 1.0, "x": 1.0}, "c": {"y": 1.0}}
    citations = arrays(graph)
    angle = {"a": 0, "r1": 10, "r2": 20, "r3": 30, "b": 60, "x": 70, "c": 80, "y": 89}
    turns = np.radians([angle[id_] for id_ in citations.ids.to_pylist()])
    vectors = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    anchors = draw_negatives(citations, np.array([citations.ids.to_pylist().index("a")]))
    assert compute_pools(vectors, anchors) == Pools(1.0, 1.0, 1.0, anchors=1)
    opposite = vectors.copy()
    opposite[anchors.anchors] *= -1
    assert compute_pools(opposite, anchors) == Pools(0.0, 0.0, 0.0, anchors=1)
    scaled = vectors * np.random.default_rng(0).uniform(0.1, 9, (len(vectors), 1))
    assert compute_pools(scaled, anchors) == Pools(1.0, 1.0, 1.0, anchors=1)


def test_random_vectors_have_area_one_half() -> None:
    citations = arrays(random_graph(200, 15, 1, levels=9))
    vectors = np.random.default_rng(0).normal(size=(len(citations.ids), 16))
    result = compute_pools(vectors, draw_negatives(citations, np.arange(len(citations.ids))))
    assert list(result.as_dict().values()) == pytest.approx([0.5] * 3, abs=0.03)


def test_anchors_without_a_pool_are_skipped() -> None:
    """Anchors without references, with equal importance, or with zero or NaN vectors."""
    citations = arrays({"a": {"b": 1.0, "c": 1.0}, "d": {"e": 1.0}})
    vectors = np.ones((5, 2), np.float32)
    result = compute_pools(vectors, draw_negatives(citations, np.array([1])))
    assert (result.anchors, math.isnan(result.easy), math.isnan(result.hard)) == (0, True, True)
    anchors = draw_negatives(citations, np.array([0]))
    result = compute_pools(vectors, anchors)
    assert result.easy == 0.5
    assert math.isnan(result.important)
    for bad in (0.0, np.nan, np.inf):
        vectors[0] = bad
        assert compute_pools(vectors, anchors).anchors == 0
