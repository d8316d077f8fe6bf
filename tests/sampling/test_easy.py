"""Easy negatives: random, farthest of a sample, or from another cluster."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from citescape.core.errors import ConfigError
from citescape.networks.citations import Citations, build_citations
from citescape.sampling.config import EASY, NeighbourhoodConfig, SamplingConfig
from citescape.sampling.easy import draw_closest
from citescape.sampling.neighbourhood import sample_neighbourhood
from citescape.search.clusters import find_clusters
from citescape.search.vectors import scale_to_units
from tests.sampling.clouds import by_anchor, cloud, is_hard, nearest, small_numbers, vectors
from tests.sampling.conftest import name, rows

ALL = SamplingConfig(validation=0)


@pytest.mark.parametrize("easy", EASY)
def test_easy_negatives_are_distinct_and_no_positives(easy: str) -> None:
    config = NeighbourhoodConfig(6, 2, near=8, far=12, easy=easy, sample=3, clusters=3)
    sampled = by_anchor(sample_neighbourhood(small_numbers(3, 40), config, sampling=ALL))
    for anchor, found in sampled.items():
        negatives = [row.negative for row in found if not is_hard(row)]
        assert len(set(negatives)) == len(negatives) <= 4
        assert not {anchor, *(row.positive for row in found)} & set(negatives)
        reasons = {row.negative_reason for row in found if not is_hard(row)}
        expected = {"sorted": "furthest of a sample", "clusters": "of another cluster"}
        assert reasons <= {expected.get(easy, "random")}


def test_the_last_remaining_paper_is_found() -> None:
    """Of 120 papers 118 are excluded as neighbours: one is left for each query."""
    config = NeighbourhoodConfig(2, 0, near=5, far=118)
    sampled = sample_neighbourhood(cloud(120), config, sampling=ALL)
    assert sampled.counts["no_random_paper"] == 120, "the second one of each"
    given = cloud(120)
    for anchor, found in by_anchor(sampled).items():
        assert [row.negative for row in found] == [nearest(given, int(anchor[1:]))[-1][0]]


def read_references(pairs: set[tuple[int, int]]) -> Citations:
    """Citations among papers by number, and to a paper without vector."""
    ends = sorted(pairs | {(citing, 999) for citing, _ in pairs})
    columns = {
        "citing": [name(citing) for citing, _ in ends],
        "cited": [name(cited) for _, cited in ends],
        "weight": [1.0] * len(ends),
    }
    return build_citations(pa.table(columns))


@pytest.mark.parametrize("easy", EASY)
def test_references_are_no_easy_negatives(easy: str) -> None:
    """True for all methods; citing papers are allowed, and all other draws are unchanged."""
    given = cloud(40)
    config = NeighbourhoodConfig(6, 2, near=8, far=12, easy=easy, sample=3, clusters=3)
    chance = np.random.default_rng(5)
    cited = {tuple(pair) for pair in chance.integers(0, 40, (400, 2)).tolist() if pair[0] > 4}
    cited = {(a, b) for a, b in cited if a != b}
    plain = rows(sample_neighbourhood(given, config, sampling=ALL).triplets)
    sampled = sample_neighbourhood(given, config, citations=read_references(cited), sampling=ALL)
    pairs = {(name(a), name(b)) for a, b in cited}
    negatives = [(row.anchor, row.negative) for row in plain if not is_hard(row)]
    assert set(negatives) & pairs, "else nothing is tested"
    found = by_anchor(sampled)
    drawn = {(a, row.negative) for a, of in found.items() for row in of if not is_hard(row)}
    assert not drawn & pairs
    assert drawn & {(b, a) for a, b in pairs}
    moved = {anchor for anchor, negative in negatives if (anchor, negative) in pairs}
    if easy != "sorted":  # without references in a sample
        others = [row for row in plain if row.anchor not in moved]
        assert [row for row in rows(sampled.triplets) if row.anchor not in moved] == others != []
    hard = [(row.anchor, row.negative) for row in rows(sampled.triplets) if is_hard(row)]
    assert sampled.counts["hard_cited"] == sum(pair in pairs for pair in hard) > 0
    assert "hard_cited" not in sample_neighbourhood(given, config, sampling=ALL).counts


def test_without_remaining_papers_nothing_is_sampled() -> None:
    config = NeighbourhoodConfig(2, 0, near=5, far=10, easy="random")
    cited = {(0, k) for k in range(1, 30)} - {(0, 17)}
    sampled = sample_neighbourhood(
        cloud(30), config, citations=read_references(cited), sampling=ALL
    )
    assert sampled.counts["no_random_paper"] in (1, 2)
    found = by_anchor(sampled).get(name(0), [])
    assert {row.negative for row in found} <= {name(17)}


def test_papers_are_sampled_uniformly() -> None:
    """The 60 - 1 - 20 papers beyond the neighbours have equal probability."""
    given, papers = cloud(60), 60
    config = NeighbourhoodConfig(5, 0, near=10, far=20)
    chosen = np.zeros((papers, papers))
    for seed in range(80):
        sampled = sample_neighbourhood(
            given, config, sampling=SamplingConfig(seed=seed, validation=0)
        )
        triplets = sampled.triplets
        np.add.at(chosen, (triplets.anchor, triplets.negative), 1)
    drawn = chosen[chosen > 0]
    assert len(drawn) == papers * (papers - 1 - 20)
    assert drawn.mean() == pytest.approx(80 * 5 / 39)
    # without replacement: hypergeometric, variance n p (1 - p)
    assert drawn.var() == pytest.approx(80 * 5 / 39 * (1 - 5 / 39), rel=0.1)


def test_sorted_negatives_are_the_farthest_of_the_sample() -> None:
    """A sample larger than the corpus gives the farthest papers in order."""
    given = cloud(30)
    config = NeighbourhoodConfig(4, 0, near=5, far=10, easy="sorted", sample=2000)
    for anchor, found in by_anchor(sample_neighbourhood(given, config, sampling=ALL)).items():
        ranked = [id_ for id_, _ in nearest(given, int(anchor[1:]))]
        assert [row.negative for row in found] == ranked[::-1][:4]
    smaller = NeighbourhoodConfig(4, 0, near=5, far=10, easy="sorted", sample=8)
    mean = {}
    for label, sampled_config in (
        ("one", NeighbourhoodConfig(4, 0, 5, 10, easy="random")),
        ("8", smaller),
    ):
        sampled = sample_neighbourhood(given, sampled_config, sampling=ALL).triplets
        units = given.values / np.linalg.norm(given.values, axis=1, keepdims=True)
        mean[label] = (units[sampled.anchor] * units[sampled.negative]).sum(axis=1).mean()
    assert mean["8"] < mean["one"] - 0.2


def test_sorted_positives_are_the_closest_of_the_sample() -> None:
    """A sample of all papers gives the nearest; hard negatives are farther or left out."""
    given = cloud(60)
    config = NeighbourhoodConfig(4, 2, near=6, far=30, positives="sorted", sample=59)
    whole = sample_neighbourhood(given, config, sampling=ALL)
    for anchor, found in by_anchor(whole).items():
        ranked = nearest(given, int(anchor[1:]))
        assert [row.positive for row in found] == [id_ for id_, _ in ranked[:4]]
        assert [row.positive_score for row in found] == pytest.approx(
            [score for _, score in ranked[:4]], abs=1e-5
        )
        assert {(row.positive_reason, row.positive_rank) for row in found} == {
            ("nearest of a sample", None)
        }
    few = replace(config, sample=4)
    some = sample_neighbourhood(given, few, sampling=ALL)
    assert some.counts["no_negative_above"] > 0 == whole.counts["no_negative_above"]
    for found in by_anchor(some).values():
        farthest = min(row.positive_score or 0 for row in found)
        assert all((row.negative_score or -1) < farthest for row in found if is_hard(row))
    closest, close = (sampled.triplets.positive_score.mean() for sampled in (whole, some))
    assert close < closest - 0.2
    with pytest.raises(ConfigError, match="sample is 3; expected 4 or more"):
        replace(config, sample=3)


@pytest.mark.parametrize("sample", [1, 4, 12])
def test_sampled_positives_are_distinct_and_depend_on_the_query_only(
    sample: int,
) -> None:
    values = scale_to_units(cloud(12).values)
    queries = np.arange(12)
    papers, cosines = draw_closest(queries, values, (12, sample, 7))
    drawn = [row[row >= 0].tolist() for row in papers]
    assert [len(set(row)) for row in drawn] == [min(sample, 11)] * 12
    assert all(query not in row for query, row in enumerate(drawn))
    assert np.isneginf(cosines[:, sample:]).all()
    order = np.random.default_rng(0).permutation(12)
    again, _ = draw_closest(queries[order], values, (12, sample, 7))
    assert (again == papers[order]).all()


@pytest.mark.parametrize(("distance", "place"), [(0.0, 0), (0.5, 1), (1.0, 2)])
def test_clusters_are_chosen_at_the_given_distance(distance: float, place: int) -> None:
    """Four bundles of directions; other bundles are at a near, middle or far distance."""
    chance = np.random.default_rng(1)
    angles = np.repeat(np.radians([0, 50, 110, 160]), 12) + chance.normal(0, 0.01, 48)
    given = vectors(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    config = NeighbourhoodConfig(
        3, 0, near=5, far=11, easy="clusters", clusters=4, cluster_distance=distance
    )
    bundles = [k // 12 for k in range(48)]
    seed = next(
        s for s in range(50) if are_separated(find_clusters(given, 4, seed=s).labels, bundles)
    )
    sampled = sample_neighbourhood(
        given, config, sampling=SamplingConfig(seed=seed, validation=0)
    ).triplets
    places = {0: [1, 2, 3], 1: [0, 2, 3], 2: [3, 1, 0], 3: [2, 1, 0]}
    assert len(sampled) == 48 * 3
    for anchor, negative in zip(sampled.anchor.tolist(), sampled.negative.tolist(), strict=True):
        assert negative // 12 == places[anchor // 12][place]


def are_separated(labels: npt.NDArray[Any], bundles: list[int]) -> bool:
    return (
        len(set(zip(labels.tolist(), bundles, strict=True)))
        == len(set(bundles))
        == len(set(labels.tolist()))
    )


def test_a_single_cluster_has_no_easy_negatives() -> None:
    """With a single cluster no easy negatives are sampled."""
    sampled = sample_neighbourhood(
        vectors(np.ones((40, 4))), NeighbourhoodConfig(easy="clusters"), sampling=ALL
    )
    assert sampled.counts["no_random_paper"] == 40 * 3
    assert {row.negative_reason for row in rows(sampled.triplets)} == {"far neighbour"}
