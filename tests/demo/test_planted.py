"""Properties of planted vectors and facet worlds; measures compared with plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.types import FACETS
from citescape.demo.planted import (
    compute_core_map,
    compute_precision,
    generate_facet_world,
    paper_ids,
    plant_vectors,
)


def test_vectors_are_directions_of_labels_and_noise() -> None:
    """Without noise equal labels give equal vectors; strengths are the lengths of directions."""
    chance = np.random.default_rng(0)
    topic, venue = chance.integers(4, size=200), chance.integers(3, size=200)
    labels = {"topic": (topic, 1.0), "venue": (venue, 2.5)}
    planted = plant_vectors(labels, noise=0, dimensions=400, rng=chance)
    assert planted.dtype == np.float32
    assert len(np.unique(planted, axis=0)) == len(
        set(zip(topic.tolist(), venue.tolist(), strict=True))
    )
    same_venue = venue[:, None] == venue
    apart = np.linalg.norm(planted[:, None] - planted[None], axis=2)
    other_topic = apart[same_venue & (topic[:, None] != topic)]
    # two orthogonal directions of length 1 have distance sqrt(2)
    assert other_topic == pytest.approx(math.sqrt(2) * 1.0, rel=0.2)
    other_venue = apart[~same_venue & (topic[:, None] == topic)]
    assert other_venue == pytest.approx(math.sqrt(2) * 2.5, rel=0.2)


def test_noise_has_the_given_length() -> None:
    labels = {"all": (np.zeros(500, np.int64), 0.0)}
    planted = plant_vectors(labels, noise=1.5, dimensions=300, rng=np.random.default_rng(1))
    assert np.linalg.norm(planted, axis=1).mean() == pytest.approx(1.5, rel=0.02)


def test_a_facet_world_has_citations_by_label() -> None:
    """Six of seven by design, slightly more because other citations may share the label."""
    world = generate_facet_world(papers=300, labels=8, seed=3)
    assert world.ids.equals(paper_ids(300))
    assert set(world.citations) == set(FACETS)
    for k, facet in enumerate(FACETS):
        citations = world.citations[facet]
        papers = np.array([int(id_[1:]) for id_ in citations.ids.to_pylist()])
        citing, cited = papers[citations.citing], papers[citations.cited]
        assert (cited < citing).all(), "only older papers"
        assert len(set(zip(citing.tolist(), cited.tolist(), strict=True))) == len(citations)
        alike = (world.labels[citing, k] == world.labels[cited, k]).mean()
        assert alike == pytest.approx(6 / 7, abs=0.06)
        for other in set(range(3)) - {k}:
            chance = (world.labels[citing, other] == world.labels[cited, other]).mean()
            assert chance == pytest.approx(1 / 8, abs=0.04), "facets are independent"
        assert citations.weights.min() >= 1


def test_the_seed_decides_the_world() -> None:
    first, second, other = (generate_facet_world(papers=60, seed=seed) for seed in (1, 1, 2))
    assert (first.labels == second.labels).all()
    assert (first.citations["method"].cited == second.citations["method"].cited).all()
    assert (first.labels != other.labels).any()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1000), st.integers(5, 30), st.integers(1, 4))
def test_precision_is_the_share_of_nearest_papers_with_the_label(
    seed: int, papers: int, k: int
) -> None:
    chance = np.random.default_rng(seed)
    vectors, labels = chance.normal(size=(papers, 3)), chance.integers(3, size=papers)

    def cosine(a: int, b: int) -> float:
        lengths = np.linalg.norm(vectors[a]) * np.linalg.norm(vectors[b])
        return float(vectors[a] @ vectors[b] / lengths)

    shares = []
    for a in range(papers):
        others = sorted((b for b in range(papers) if b != a), key=lambda b: -cosine(a, b))
        shares.append(sum(labels[b] == labels[a] for b in others[:k]) / k)
    assert compute_precision(vectors, labels, k=k) == pytest.approx(np.mean(shares))


def test_mean_average_precision_by_hand() -> None:
    """Papers at 0, 10, 20, 30, 40 degrees; important papers at ranks 1 and 3, and at rank 2."""
    angles = np.radians([0, 10, 20, 30, 40])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lists = {
        0: (np.array([1, 2, 3]), np.array([True, False, True])),
        4: (np.array([2, 3]), np.array([True, False])),
        1: (np.array([2, 3]), np.array([True, True])),
        2: (np.array([0, 1]), np.array([False, False])),
    }
    expected = ((1 / 1 + 2 / 3) / 2 + (1 / 2)) / 2
    assert compute_core_map(vectors, lists) == pytest.approx(expected)
