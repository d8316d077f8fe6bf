"""Ranks of held-out edges, by hand and compared with a loop over edges."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from citescape.encoders import link_ranks  # noqa: E402
from citescape.encoders.graph_edges import Edges, make_edges  # noqa: E402
from citescape.encoders.link_prediction import (  # noqa: E402
    PROTOCOLS,
    SIDES,
    LinkFigures,
    Split,
    evaluate,
    hold_out,
)

Pairs = list[tuple[int, int]]


def rank_edges(
    embedding: tuple[np.ndarray, np.ndarray],
    split: Split,
    *,
    protocol: str = "filtered-all",
    side: str = "target",
    **options: Any,
) -> LinkFigures:
    """Metrics of one protocol and side."""
    rows = evaluate(embedding, split, **options)
    chosen = next(row for row in rows if (row["protocol"], row["side"]) == (protocol, side))
    return LinkFigures(**chosen)


def edges(pairs: Pairs, nodes: int) -> Edges:
    return make_edges(*np.array(pairs).T, nodes=nodes)


def make_case(
    scores: list[float], train: Pairs, held: Pairs
) -> tuple[np.ndarray, np.ndarray, Split]:
    """A graph in which the pair of node 0 and node j has the score scores[j]."""
    nodes = len(scores)
    sources, targets = np.zeros((nodes, 1), np.float32), np.zeros((nodes, 1), np.float32)
    sources[0], targets[:, 0] = 1, scores
    return sources, targets, Split(edges(train, nodes), edges(held, nodes), len(held))


def test_ranks_of_two_edges_by_hand() -> None:
    """Held-out edges lead from node 0 to 3 and 5, a training edge to 1. Node 0 has score 9."""
    sources, targets, split = make_case([9, 8, 7, 6, 5, 5], [(0, 1)], [(0, 3), (0, 5)])
    raw = rank_edges((sources, targets), split, protocol="raw-all")
    # 3: 9, 8 and 7 are above. 5: 9, 8, 7 and 6 are above, 4 is tied.
    ranks = (4, 1 + 4 + 1 / 2)
    assert raw.mrr == pytest.approx((1 / ranks[0] + 1 / ranks[1]) / 2)
    assert (raw.hits_at_1, raw.hits_at_10, raw.edges, raw.candidates) == (0, 1, 2, 6)
    assert raw.auc == pytest.approx((2 / 5 + (1 / 2) / 5) / 2)
    filtered = rank_edges((sources, targets), split, protocol="filtered-all")
    # For 3, nodes 0 (source), 1 (training), 5 (held out) do not count: 7 is above, 5 below.
    # For 5, nodes 0, 1, 3 do not count: 7 is above, 4 is tied.
    ranks = (2, 1 + 1 + 1 / 2)
    assert filtered.mrr == pytest.approx((1 / ranks[0] + 1 / ranks[1]) / 2)
    assert filtered.auc == pytest.approx((1 / 2 + (1 / 2) / 2) / 2)


def test_an_uninformative_model_ranks_in_the_middle() -> None:
    sources, targets, split = make_case([1, 1, 1, 1, 1], [(0, 1)], [(0, 2)])
    result = rank_edges((sources, targets), split, protocol="raw-all")
    assert (result.mrr, result.auc) == (1 / 3, 1 / 2)


def random_case(seed: int) -> tuple[tuple[np.ndarray, np.ndarray], Split]:
    """Vectors with few distinct values, so that many scores are tied."""
    chance = np.random.default_rng(seed)
    nodes = 30
    pairs = np.unique(chance.integers(0, nodes, (150, 2)), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    split = hold_out(make_edges(pairs[:, 0], pairs[:, 1], nodes=nodes), share=0.2, seed=seed)
    tables = chance.integers(-1, 2, (2, nodes, 3)).astype(np.float32)
    return (tables[0], tables[1]), split


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("known", ["filtered", "raw"])
@pytest.mark.parametrize("comparator", ["dot", "cosine"])
def test_ranks_equal_those_of_a_loop(seed: int, side: str, known: str, comparator: str) -> None:
    (sources, targets), split = random_case(seed)
    if comparator == "cosine":  # rounding decides which of two equal cosines is greater
        noise = np.random.default_rng(seed).random((2, *sources.shape), np.float32)
        sources, targets = sources + noise[0], targets + noise[1]
    result = rank_edges(
        (sources, targets), split, protocol=f"{known}-all", side=side, comparator=comparator
    )
    everything = [
        pair
        for part in (split.train, split.held)
        for pair in zip(part.sources.tolist(), part.targets.tolist(), strict=True)
    ]
    reciprocal, shares, first, ten = [], [], 0, 0
    for i, j in zip(split.held.sources.tolist(), split.held.targets.tolist(), strict=True):
        given, sought = (i, j) if side == "target" else (j, i)
        scores = []
        for other in range(split.train.nodes):
            pair = (i, other) if side == "target" else (other, j)
            if other == sought or (known == "filtered" and (pair in everything or other == given)):
                continue
            scores.append(score(sources[pair[0]], targets[pair[1]], comparator))
        own = score(sources[i], targets[j], comparator)
        above = sum(s > own + 1e-6 for s in scores)
        level = sum(abs(s - own) <= 1e-6 for s in scores)
        rank = 1 + above + level / 2
        reciprocal.append(1 / rank)
        shares.append(1 - (above + level / 2) / max(len(scores), 1))
        first, ten = first + (rank <= 1), ten + (rank <= 10)
    assert result.mrr == pytest.approx(np.mean(reciprocal))
    assert result.auc == pytest.approx(np.mean(shares))
    assert result.hits_at_1 == pytest.approx(first / len(reciprocal))
    assert result.hits_at_10 == pytest.approx(ten / len(reciprocal))
    assert result.edges == len(reciprocal)


def score(source: np.ndarray, target: np.ndarray, comparator: str) -> float:
    product = float(source @ target)
    length = float(np.linalg.norm(source) * np.linalg.norm(target))
    return product / length if comparator == "cosine" else product


def test_sampling_all_candidates_equals_no_sampling() -> None:
    embedding, split = random_case(0)
    for known in ("filtered", "raw"):
        some = rank_edges(embedding, split, protocol=f"{known}-sampled", sample=10**6)
        whole = rank_edges(embedding, split, protocol=f"{known}-all")
        assert (some.mrr, some.auc) == (whole.mrr, whole.auc)


def test_sampled_candidates_are_easier_and_seeded() -> None:
    embedding, split = random_case(0)
    some = rank_edges(embedding, split, protocol="raw-sampled", sample=5)
    assert some == rank_edges(embedding, split, protocol="raw-sampled", sample=5)
    assert some.candidates == 5
    assert some.mrr > rank_edges(embedding, split, protocol="raw-all").mrr


@pytest.mark.parametrize("share", [0.01, 0.1, 1.0])
def test_each_node_keeps_a_training_edge(share: float) -> None:
    chance = np.random.default_rng(0)
    pairs = np.unique(chance.integers(0, 40, (200, 2)), axis=0)
    whole = make_edges(pairs[:, 0], pairs[:, 1], nodes=40)
    split = hold_out(whole, share=share, seed=0)
    assert len(split.held) == min(round(share * len(whole)), split.eligible)
    assert len(split.train) + len(split.held) == len(whole)
    assert set(split.train.sources) == set(whole.sources)
    assert set(split.train.targets) == set(whole.targets)
    other = hold_out(whole, share=share, seed=1)
    assert not np.array_equal(split.held.sources, other.held.sources)


def test_an_undirected_graph_does_not_leak_held_out_edges() -> None:
    """i -> j is not a test edge if j -> i is a training edge."""
    chance = np.random.default_rng(0)
    pairs = np.unique(chance.integers(0, 40, (600, 2)), axis=0)
    whole = make_edges(pairs[:, 0], pairs[:, 1], nodes=40)
    split = hold_out(whole, share=0.2, seed=0, undirected=True)
    both = split.train.both_ways()
    learned = set(zip(both.sources.tolist(), both.targets.tolist(), strict=True))
    held = set(zip(split.held.sources.tolist(), split.held.targets.tolist(), strict=True))
    assert len(held) == min(round(0.2 * len(whole)), split.eligible) > 50
    assert not held & learned
    assert split.eligible < hold_out(whole, share=0.2, seed=0).eligible


def test_held_out_edges_do_not_depend_on_the_order_of_edges() -> None:
    chance = np.random.default_rng(0)
    pairs = np.unique(chance.integers(0, 40, (200, 2)), axis=0)
    result = []
    for order in (np.arange(len(pairs)), chance.permutation(len(pairs))):
        whole = make_edges(pairs[order, 0], pairs[order, 1], nodes=40)
        result.append(hold_out(whole, share=0.1, seed=0).held)
    assert np.array_equal(result[0].sources, result[1].sources)
    assert np.array_equal(result[0].targets, result[1].targets)


def test_all_protocols_are_evaluated() -> None:
    embedding, split = random_case(0)
    rows = evaluate(embedding, split)
    assert {(r["protocol"], r["side"]) for r in rows} == {(p, s) for p in PROTOCOLS for s in SIDES}
    none = np.zeros(len(split.held), np.bool_)
    assert evaluate(embedding, replace(split, held=split.held.select_rows(none))) == []


@pytest.mark.parametrize("comparator", ["dot", "cosine"])
@pytest.mark.parametrize(("edges", "columns"), [(2048, 1), (1, 8192), (7, 11), (5, 30), (100, 29)])
def test_block_sizes_do_not_matter(
    monkeypatch: pytest.MonkeyPatch, comparator: str, edges: int, columns: int
) -> None:
    """Dot products of small integers are exact, and many are tied."""
    embedding, split = random_case(0)
    if comparator == "cosine":
        noise = np.random.default_rng(0).random((2, *embedding[0].shape), np.float32)
        embedding = (embedding[0] + noise[0], embedding[1] + noise[1])
    whole = evaluate(embedding, split, comparator=comparator)
    monkeypatch.setattr(link_ranks, "_EDGES", edges)
    monkeypatch.setattr(link_ranks, "_COLUMNS", columns)
    assert evaluate(embedding, split, comparator=comparator) == whole


@pytest.mark.parametrize("columns", [8, 64, 999, 1000])
def test_equal_vectors_tie_across_blocks(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """All vectors are equal, and their products are not exact."""
    monkeypatch.setattr(link_ranks, "_COLUMNS", columns)
    vector = np.random.default_rng(0).standard_normal(300, np.float32)
    table = np.tile(vector, (1000, 1))
    split = Split(edges([(0, 1)], 1000), edges([(k, 999 - k) for k in range(40)], 1000), 40)
    for row in evaluate((table, table), split):
        assert row["auc"] == 1 / 2
        if row["protocol"] == "raw-all":
            assert row["mrr"] == pytest.approx(1 / ((1000 + 1) / 2))


@pytest.mark.parametrize("comparator", ["dot", "cosine"])
def test_tables_on_disk_are_never_copied_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, comparator: str
) -> None:
    """No array of numpy or torch is as large as a quarter of a table."""
    monkeypatch.setattr(link_ranks, "_COLUMNS", 1024)
    shape, chance = (20_000, 128), np.random.default_rng(0)
    tables = [
        np.lib.format.open_memmap(tmp_path / f"{k}.npy", mode="w+", dtype=np.float32, shape=shape)
        for k in range(2)
    ]
    for table in tables:
        table[:] = chance.standard_normal(shape, np.float32)
    pairs = chance.permutation(shape[0])[:80].reshape(2, 40)
    split = Split(edges([(0, 1)], shape[0]), edges(list(zip(*pairs, strict=True)), shape[0]), 40)
    with torch.profiler.profile(profile_memory=True) as profile:
        rows = evaluate((tables[0], tables[1]), split, comparator=comparator)
    tracemalloc.start()
    assert evaluate((tables[0], tables[1]), split, comparator=comparator) == rows
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    taken = [event.cpu_memory_usage for event in profile.events()]
    assert 0 < max(taken) < tables[0].nbytes / 4
    assert 0 < peak < tables[0].nbytes / 4
