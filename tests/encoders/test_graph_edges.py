"""Training edges: refused input, batches of an epoch, and sampling frequencies of nodes."""

from __future__ import annotations

import numpy as np
import pytest

from citescape.core.errors import ConfigError
from citescape.encoders.graph_config import GraphConfig
from citescape.encoders.graph_edges import (
    Edges,
    count_steps,
    cut_epoch,
    expect_draws,
    make_edges,
)

CONFIG = GraphConfig(batch=64, chunk=24, uniform=4)


def random_edges(nodes: int = 60, edges: int = 900, *, weighted: bool = False) -> Edges:
    chance = np.random.default_rng(0)
    fame = np.arange(1, nodes + 1) / (nodes * (nodes + 1) / 2)
    pairs = np.unique(
        np.stack([chance.integers(0, nodes, edges), chance.choice(nodes, edges, p=fame)]), axis=1
    )
    weights = chance.integers(1, 5, pairs.shape[1]) if weighted else None
    return make_edges(pairs[0], pairs[1], weights, nodes=nodes)


def test_an_epoch_has_each_edge_once_and_can_start_anywhere() -> None:
    edges, config = random_edges(), CONFIG
    steps = list(cut_epoch(edges, config, 0))
    assert len(steps) == count_steps(len(edges), config)
    taken = [
        pair
        for step in steps
        for pair in zip(step.sources[step.weights > 0], step.targets[step.weights > 0], strict=True)
    ]
    assert sorted(taken) == list(zip(edges.sources, edges.targets, strict=True))
    for late, step in zip(cut_epoch(edges, config, 0, first=2), steps[2:], strict=True):
        assert all(np.array_equal(array, vars(step)[name]) for name, array in vars(late).items())
    assert not np.array_equal(steps[0].sources, next(cut_epoch(edges, config, 1)).sources)


@pytest.mark.parametrize("weighted", [False, True])
def test_nodes_are_sampled_with_the_expected_frequency(weighted: bool) -> None:
    """Counted over many epochs; an edge of weight w counts as w edges."""
    edges = random_edges(weighted=weighted)
    counts = np.zeros((2, edges.nodes))
    chunks = 0
    for epoch in range(200):
        for step in cut_epoch(edges, CONFIG, epoch):
            full = step.weights.min(axis=1) > 0  # the last chunk is padded
            chunks += full.sum()
            for count, own, others in (
                (counts[0], step.sources, step.other_sources),
                (counts[1], step.targets, step.other_targets),
            ):
                np.add.at(count, own[full], step.weights[full])
                np.add.at(count, others[full], 1)
    for count, logs in zip(counts, expect_draws(edges, CONFIG), strict=True):
        np.testing.assert_allclose(count / chunks, np.exp(logs), rtol=0.2, atol=0.02)


def test_nodes_that_are_never_sampled_are_not_corrected() -> None:
    edges = make_edges(np.array([0]), np.array([1]), nodes=3)
    config = GraphConfig(chunk=2, uniform=0)
    sources, targets = expect_draws(edges, config)
    assert sources.tolist() == [0, 0, 0]
    assert targets.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("sources", "targets", "weights", "text"),
    [
        ([], [], [], "no edges"),
        ([0], [9], [1], "codes of 3 nodes"),
        ([0], [-1], [1], "codes of 3 nodes"),
        ([0, 1], [1], [1], "2 sources, 1 targets, 1 weights"),
        ([0], [1], [0], "above 0"),
        ([0], [1], [float("nan")], "above 0"),
    ],
)
def test_invalid_edges_are_refused(
    sources: list[int], targets: list[int], weights: list[float], text: str
) -> None:
    with pytest.raises(ConfigError, match=text):
        make_edges(np.array(sources), np.array(targets), np.array(weights), nodes=3)
