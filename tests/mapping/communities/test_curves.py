"""Curves from coarse to fine communities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import block_diag

from citescape.mapping.communities.accuracy import judge_clustering
from citescape.mapping.communities.curves import Leiden, find_resolutions, trace_curve
from citescape.mapping.communities.leiden import find_communities, prepare
from citescape.networks.network import Network, build_network
from tests.mapping.communities.planted import name_papers, plant_criterion, plant_network

WITHIN = (2 / 60, 0.3)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("quality", ["cpm", "modularity"])
def test_a_series_spans_the_range_for_any_scale_of_weights(scale: float, quality: str) -> None:
    network = plant_network(inside=0.5, outside=0.05)
    prepared = prepare(replace(network, weights=network.weights * scale))
    criterion, leiden = plant_criterion(), Leiden(quality)
    found = find_resolutions(prepared, criterion, leiden, within=WITHIN, points=8)
    assert len(found) == 8
    np.testing.assert_allclose(found[1:] / found[:-1], (found[-1] / found[0]) ** (1 / 7))
    ends = [
        judge_clustering(criterion, leiden.find(prepared, resolution, seed=0)).granularity
        for resolution in (found[0], found[-1])
    ]
    assert ends[0] <= WITHIN[0]
    assert ends[1] >= WITHIN[1]
    within = [
        judge_clustering(criterion, leiden.find(prepared, resolution, seed=0)).granularity
        for resolution in (found[0] * 4, found[-1] / 4)
    ]
    assert within[0] > WITHIN[0], "the series begins far below what it needs"
    assert within[1] < WITHIN[1], "the series ends far above what it needs"


def test_a_disconnected_network_starts_with_its_components() -> None:
    """Ten parts of six papers: no granularity is below .1 / 6."""
    parts = [plant_network(1, 6, inside=1.0, outside=0.0).weights] * 10
    network = Network(name_papers(60), block_diag(parts, format="csr"))
    prepared, criterion, leiden = prepare(network), plant_criterion(), Leiden()
    found = find_resolutions(prepared, criterion, leiden, within=(1 / 60, 0.5), points=5)
    begun = leiden.find(prepared, float(found[0]), seed=0)
    assert begun.sizes.tolist() == [6] * 10
    assert 0.05 < found[0] < 1.2 < found[-1] * 1.3


def test_a_network_without_edges_has_one_point() -> None:
    empty = np.empty(0, np.int32)
    network = build_network(name_papers(60), (empty, empty), np.empty(0))
    prepared, criterion = prepare(network), plant_criterion()
    found = find_resolutions(prepared, criterion, Leiden(), within=WITHIN, points=5)
    assert len(found) == 1
    rows = trace_curve(prepared, criterion, Leiden(), resolutions=found, seed=0)
    assert [(row["granularity"], row["accuracy"]) for row in rows] == [(1.0, 0.0)]


def test_rows_describe_each_clustering() -> None:
    prepared = prepare(plant_network(inside=0.5, outside=0.05))
    criterion, resolutions = plant_criterion(), np.array([0.05, 0.2, 0.6])
    rows = trace_curve(prepared, criterion, Leiden(), resolutions=resolutions, seed=3)
    for row, resolution in zip(rows, resolutions.tolist(), strict=True):
        found = find_communities(prepared, resolution, quality="cpm", seed=3)
        judged = judge_clustering(criterion, found)
        assert row["resolution"] == resolution
        assert row["accuracy"] == judged.accuracy
        assert row["granularity"] == judged.granularity
    assert rows == trace_curve(prepared, criterion, Leiden(), resolutions=resolutions, seed=3)
