"""Levels: independent or nested, and invalid settings."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from citescape.core.errors import ConfigError
from citescape.mapping.communities import leiden
from citescape.mapping.communities.clustering import Clustering
from citescape.mapping.communities.config import LEVELS, ClusterConfig
from citescape.mapping.communities.leiden import ENGINES, find_communities, prepare
from citescape.mapping.communities.levels import find_levels
from citescape.mapping.communities.quality import QUALITIES, compute_quality
from tests.mapping.communities.planted import plant_network
from tests.mapping.communities.small_networks import network

PLANTED = plant_network(12, 30, inside=0.3, outside=0.03, seed=5)


def is_within(below: Clustering, above: Clustering) -> bool:
    pairs = np.unique(np.stack([below.labels, above.labels]), axis=1)
    return pairs.shape[1] == len(below)


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("quality", sorted(QUALITIES))
def test_a_sweep_equals_single_runs(engine: str, quality: str) -> None:
    resolutions = (0.3, 0.05, 1.2) if quality == "cpm" else (4.0, 0.5, 1.0)
    config = ClusterConfig(
        resolutions=resolutions, quality=quality, engine=engine, seed=4, iterations=3
    )
    found = find_levels(PLANTED, config)
    assert [level.resolution for level in found] == sorted(resolutions)
    assert [level.name for level in found] == [f"{r:g}" for r in sorted(resolutions)]
    for level in found:
        alone = find_communities(
            prepare(PLANTED, engine=engine),
            level.resolution,
            quality=quality,
            seed=4,
            iterations=3,
        )
        assert level.clustering.fingerprint() == alone.fingerprint()
        assert level.quality == compute_quality(
            PLANTED, alone.labels, level.resolution, quality=quality
        )


def test_the_graph_of_a_sweep_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built, build = [], leiden._to_igraph
    monkeypatch.setattr(leiden, "_to_igraph", lambda w: built.append(w.nnz) or build(w))
    find_levels(PLANTED, ClusterConfig(resolutions=tuple(np.geomspace(0.05, 1, 8).tolist())))
    assert built == [PLANTED.weights.nnz]


def test_three_levels_are_nested() -> None:
    macro, meso, micro = find_levels(PLANTED, ClusterConfig())
    assert [level.name for level in (macro, meso, micro)] == list(LEVELS)
    assert len(macro.clustering) < len(meso.clustering) < len(micro.clustering)
    assert is_within(micro.clustering, meso.clustering)
    assert is_within(meso.clustering, macro.clustering)
    for level, exponent in zip((macro, meso, micro), LEVELS.values(), strict=True):
        mean = 1 / level.clustering.granularity
        assert mean == pytest.approx(2 * 360**exponent, rel=0.4)
        assert level.goal is not None
        assert level.goal.value == pytest.approx(2 * 360**exponent)
        expected = compute_quality(PLANTED, level.clustering.labels, level.resolution)
        assert level.quality == expected


def test_given_levels_may_be_nested() -> None:
    truth = np.arange(360) % 12
    for config in (
        ClusterConfig(communities=(40, 12), nested=True),
        ClusterConfig(sizes=(8.0, 30.0), nested=True),
        ClusterConfig(resolutions=(0.4, 0.08), nested=True, seeds=3),
    ):
        macro, micro = find_levels(PLANTED, config)
        assert (macro.name, micro.name) == ("macro", "micro")
        assert is_within(micro.clustering, macro.clustering)
        assert adjusted_rand_score(truth, macro.clustering.labels) > 0.7


def test_levels_of_papers_with_and_without_edges() -> None:
    """Papers without edges are singletons and do not count for a requested number."""
    first, second, weights = PLANTED.upper()
    ends = list(zip(first.tolist(), second.tolist(), strict=True))
    larger = network(400, ends, weights.tolist())
    levels = find_levels(larger, ClusterConfig())
    for above, below in pairwise(levels):
        assert is_within(below.clustering, above.clustering)
    for level, same in zip(levels, find_levels(PLANTED, ClusterConfig()), strict=True):
        labels = level.clustering.labels
        assert len(set(labels[360:].tolist())) == 40
        assert adjusted_rand_score(labels[:360], same.clustering.labels) == 1.0
    (twelve,) = find_levels(larger, ClusterConfig(communities=(12,)))
    assert len(twelve.clustering) == 12 + 40


@pytest.mark.parametrize("papers", [1, 2, 3, 8])
def test_the_smallest_networks_have_levels_too(papers: int) -> None:
    edges = [(k, k + 1) for k in range(papers - 1)]
    levels = find_levels(network(papers, edges), ClusterConfig())
    assert [level.name for level in levels] == list(LEVELS)
    assert all(level.clustering.sizes.sum() == papers for level in levels)
    for above, below in pairwise(levels):
        assert is_within(below.clustering, above.clustering)


def test_small_communities_are_reassigned_and_counted() -> None:
    (bare,) = find_levels(PLANTED, ClusterConfig(resolutions=(0.3,)))
    (level,) = find_levels(PLANTED, ClusterConfig(resolutions=(0.3,), min_size=6))
    small = bare.clustering.sizes < 6
    assert small.any()
    assert level.figures["reassigned"] == bare.clustering.sizes[small].sum()
    assert level.clustering.sizes.min() >= 6
    assert bare.figures["reassigned"] == 0


def test_several_seeds_report_their_agreement() -> None:
    (level,) = find_levels(PLANTED, ClusterConfig(resolutions=(0.3,), seed=2, seeds=4))
    found = [find_communities(prepare(PLANTED), 0.3, seed=seed).labels for seed in range(2, 6)]
    pairs = [adjusted_rand_score(found[a], found[b]) for a in range(4) for b in range(a)]
    assert level.figures["ari"] == pytest.approx(np.mean(pairs))
    assert level.figures["ari_sd"] == pytest.approx(np.std(pairs, ddof=1))
    assert level.figures["rounds"] > 1
    (two,) = find_levels(PLANTED, ClusterConfig(resolutions=(0.3,), seeds=2))
    assert two.figures["ari_sd"] is None


def test_levels_start_from_given_clusterings() -> None:
    settled = find_communities(prepare(PLANTED), 0.3, iterations=-1)
    requested: list[str] = []

    def start(name: str) -> Any:
        requested.append(name)
        return settled.labels

    config = ClusterConfig(resolutions=(0.3, 0.1), iterations=1, seed=8)
    levels = find_levels(PLANTED, config, start=start)
    assert requested == ["0.1", "0.3"]
    assert levels[1].quality >= compute_quality(PLANTED, settled.labels, 0.3)
    assert levels[1].quality > find_levels(PLANTED, config)[1].quality


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quality": "x"}, "quality is 'x'; expected one of: cpm, modularity"),
        ({"engine": "x"}, "engine is 'x'; expected one of: igraph, leidenalg"),
        ({"seeds": 0}, "seeds is 0; expected 1 or more"),
        ({"min_size": 0}, "min_size is 0; expected 1 or more"),
        ({"resolutions": (0.1,), "sizes": (5.0,)}, "expected at most one of them"),
        ({"resolutions": (0.1, 0.1)}, "levels by 0.1, 0.1; expected numbers above 0, each once"),
        ({"sizes": (0.0,)}, "sizes is 0.0; expected 1 or more"),
        ({"communities": (5,), "nested": True}, "a hierarchy of 1 levels; expected two or three"),
        ({"nested": True}, "a hierarchy of 0 levels; expected two or three"),
    ],
)
def test_invalid_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        ClusterConfig(**settings)


def test_more_communities_than_papers_are_refused() -> None:
    with pytest.raises(ConfigError, match="of 500 for 360 papers with edges; expected at most 360"):
        find_levels(PLANTED, ClusterConfig(communities=(500,)))
