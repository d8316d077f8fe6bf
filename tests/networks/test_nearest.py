"""The network of nearest papers: by hand, and invariants of its lists."""

from __future__ import annotations

from math import cos, radians
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.networks.build import build
from citescape.networks.config import NetworkConfig
from citescape.networks.nearest import link_nearest
from citescape.search.neighbours import find_neighbours
from citescape.search.vectors import VECTORS, Vectors
from citescape.store.graph_store import GraphStore
from tests.networks.conftest import ANGLES, listed, write_angles

IDS = pa.array(list("abcd"))


def by_angle(pair: str) -> float:
    return cos(radians(ANGLES[pair[0]] - ANGLES[pair[1]]))


@pytest.mark.parametrize(
    ("k", "edges", "reciprocal"),
    [(1, ["ab", "bc", "cd"], 1), (2, ["ab", "ac", "bc", "bd", "cd"], 3)],
)
def test_nearest_neighbours_by_hand(
    toy: GraphStore, runs: Path, k: int, edges: list[str], reciprocal: int
) -> None:
    """k = 1: a -> b, b -> a, c -> b, d -> c. Edges = k n - reciprocal pairs."""
    run = build(toy, NetworkConfig(k=k), runs=runs)
    result = listed(run.read())
    assert result == pytest.approx({pair: by_angle(pair) for pair in edges}, abs=1e-6)
    assert len(edges) == 4 * k - reciprocal
    counts = {name: run.counts[name] for name in ("k", "reciprocal", "without_vector", "negative")}
    assert counts == {"k": k, "reciprocal": reciprocal, "without_vector": 2, "negative": 0}
    assert (run.counts["isolated"], run.counts["papers"]) == (2, 6)
    assert (run.counts["recall"], run.counts["method"]) == (1, "exact")


def test_opposite_papers_are_neighbours_only_in_unweighted_networks(
    toy: GraphStore, runs: Path
) -> None:
    """Each of four papers has the three others: a and d, 95 degrees apart, are not linked."""
    run = build(toy, NetworkConfig(k=3), runs=runs)
    assert set(listed(run.read())) == {"ab", "ac", "bc", "bd", "cd"}
    assert run.counts["negative"] == 2
    assert run.counts["reciprocal"] == 4 * 3 - 2 - 5
    unweighted = build(toy, NetworkConfig(k=3, weighted=False), runs=runs)
    assert listed(unweighted.read()) == dict.fromkeys(["ab", "ac", "ad", "bc", "bd", "cd"], 1)
    assert unweighted.counts["reciprocal"] == 4 * 3 - 6


def test_k_larger_than_the_number_of_papers_links_all(toy: GraphStore, runs: Path) -> None:
    run = build(toy, NetworkConfig(k=20), runs=runs)
    assert run.counts["k"] == 3


@settings(max_examples=60)
@given(st.integers(2, 12), st.integers(1, 11), st.integers(0, 10_000), st.booleans())
def test_nearest_neighbours_equal_plain_loops(
    papers: int, k: int, seed: int, weighted: bool
) -> None:
    """The union contains every list; E = k n - reciprocal pairs; weights are cosines."""
    k = min(k, papers - 1)
    ids = [f"p{place:02d}" for place in range(papers)]
    values = np.random.default_rng(seed).normal(size=(papers, 3)).astype(np.float32)
    near = find_neighbours(Vectors(pa.table({"id": ids}), values), k)
    units = values / np.linalg.norm(values, axis=1, keepdims=True)
    cosines = units @ units.T
    np.fill_diagonal(cosines, -2)
    best = [np.lexsort((np.arange(papers), -row))[:k].tolist() for row in cosines]
    directed = {(i, j) for i, row in enumerate(best) for j in row}
    kept = {(i, j) for i, j in directed if not weighted or cosines[i, j] > 0}
    network = link_nearest(pa.array(ids), near, weighted=weighted)
    result = {(int(a), int(b)): w for a, b, w in zip(*network.upper(), strict=True)}
    assert set(result) == {(min(pair), max(pair)) for pair in kept}
    reciprocal = sum((j, i) in kept for i, j in kept) // 2
    assert network.edges == len(kept) - reciprocal
    for (i, j), weight in result.items():
        assert weight == pytest.approx(cosines[i, j] if weighted else 1, abs=1e-6)
    if not weighted:
        assert network.degrees.min() >= k


def test_papers_without_neighbours_are_isolated() -> None:
    vectors = Vectors(pa.table({"id": ["b", "d"]}), np.ones((2, 2), np.float32))
    network = link_nearest(IDS, find_neighbours(vectors, 1))
    assert listed(network) == pytest.approx({"bd": 1})
    assert network.degrees.tolist() == [0, 1, 0, 1]


def test_papers_outside_the_core_are_not_neighbours(toy: GraphStore, runs: Path) -> None:
    write_angles(runs, {**ANGLES, "u": 1, "v": 9}, "embed-2", zeros="")
    inside = build(toy, NetworkConfig(k=1, vectors="embed-2"), runs=runs)
    assert set(listed(inside.read())) == {"ab", "bc", "cd"}
    every = build(toy, NetworkConfig(k=1, vectors="embed-2", papers="all"), runs=runs)
    assert set(listed(every.read())) == {"au", "bv", "bc", "cd"}


def test_few_vectors_give_a_warning(toy: GraphStore, runs: Path) -> None:
    """Two of six full texts have vectors; then all except two have vectors."""
    write_angles(runs, {"a": 0, "b": 5}, "embed-3", zeros="")
    few = build(toy, NetworkConfig(k=1, vectors="embed-3"), runs=runs)
    assert few.counts["warning"] == "only 2 of 6 papers have a vector; embed the others"
    most = build(toy, NetworkConfig(k=1, vectors="embed-1"), runs=runs)
    assert "warning" not in most.counts


def test_too_few_vectors_are_refused(toy: GraphStore, tmp_path: Path) -> None:
    for angles in ({"a": 0}, {}):
        runs = tmp_path / f"runs{len(angles)}"
        write_angles(runs, angles, zeros="bcd")
        with pytest.raises(
            ConfigError, match=rf"^{len(angles)} of 6 papers have a vector in embed-1"
        ):
            build(toy, NetworkConfig(), runs=runs)
        assert [path.name for path in runs.iterdir()] == ["embed-1"]


def test_missing_vectors_are_refused(toy: GraphStore, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no vectors of papers .*; compute them with .*embed"):
        build(toy, NetworkConfig(), runs=tmp_path)
    with pytest.raises(ConfigError, match="no run 'embed-9'"):
        build(toy, NetworkConfig(vectors="embed-9"), runs=tmp_path)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_vectors_with_nan_are_named(toy: GraphStore, runs: Path, bad: float) -> None:
    values = np.load(runs / "embed-1" / VECTORS)
    values[1, 0] = bad
    np.save(runs / "embed-1" / VECTORS, values)
    with pytest.raises(ConfigError, match=r"\bb\b"):
        build(toy, NetworkConfig(), runs=runs)
    assert [path.name for path in runs.iterdir()] == ["embed-1"]


def test_invalid_searches_are_refused(toy: GraphStore, runs: Path) -> None:
    with pytest.raises(ConfigError, match="method is 'fast'; expected one of"):
        build(toy, NetworkConfig(method="fast"), runs=runs)
    with pytest.raises(ConfigError, match="recall is 2"):
        build(toy, NetworkConfig(recall=2), runs=runs)
