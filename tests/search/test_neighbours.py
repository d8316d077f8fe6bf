"""Nearest papers, compared with a plain implementation."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citescape.core.errors import ConfigError
from citescape.search import approximate
from citescape.search.approximate import INDEXES
from citescape.search.exact import METRICS
from citescape.search.neighbours import METHODS, Neighbours, find_neighbours, iter_neighbours
from citescape.search.vectors import Vectors

Array = npt.NDArray[np.float32]


def vectors(values: object, first: int = 0) -> Vectors:
    array = np.asarray(values, np.float32)
    ids = [f"p{first + row:05d}" for row in range(len(array))]
    return Vectors(pa.table({"id": pa.array(ids, pa.string())}), array)


def make_random_vectors(papers: int, dimensions: int = 24, seed: int = 0) -> Vectors:
    chance = np.random.default_rng(seed)
    centres = chance.normal(size=(20, dimensions))[chance.integers(0, 20, papers)]
    return vectors(centres + 0.4 * chance.normal(size=(papers, dimensions)))


def plain_score(metric: str, a: Array, b: Array) -> np.float32:
    x, y = a.astype(np.float64), b.astype(np.float64)
    if metric == "l2":
        return np.float32(-np.sqrt(((x - y) ** 2).sum()))
    product = (x * y).sum()
    lengths = np.sqrt((x * x).sum()) * np.sqrt((y * y).sum())
    return np.float32(product / lengths if metric == "cosine" else product)


def search_plainly(
    index: Vectors, queries: Vectors, k: int, metric: str
) -> list[list[tuple[str, float]]]:
    """All pairs, sorted by (score descending, id ascending), without the paper itself."""
    found = []
    for own, query in zip(queries.ids.to_pylist(), queries.values, strict=True):
        scored = [
            (-plain_score(metric, query, value), id_)
            for id_, value in zip(index.ids.to_pylist(), index.values, strict=True)
            if id_ != own
        ]
        found.append([(id_, -score) for score, id_ in sorted(scored)[:k]])
    return found


def list_results(found: Neighbours) -> list[list[tuple[str, float]]]:
    ids = found.ids.to_pylist()
    return [
        [(ids[row], score) for row, score in zip(rows, scores, strict=True)]
        for rows, scores in zip(found.indices.tolist(), found.scores.tolist(), strict=True)
    ]


@st.composite
def whole_numbers(draw: st.DrawFn) -> tuple[Vectors, int]:
    """Vectors of small integers: exact sums, many ties and duplicates."""
    papers, dimensions = draw(st.integers(2, 24)), draw(st.integers(1, 40))
    entries = st.lists(st.integers(-2, 2), min_size=dimensions, max_size=dimensions)
    rows = draw(st.lists(entries.filter(any), min_size=papers, max_size=papers))
    return vectors(rows), draw(st.integers(1, papers - 1))


@settings(max_examples=60, deadline=None)
@given(whole_numbers(), st.sampled_from(sorted(METRICS)))
def test_exact_neighbours_equal_those_of_a_plain_search(
    drawn: tuple[Vectors, int], metric: str
) -> None:
    index, k = drawn
    found = find_neighbours(index, k, method="exact", metric=metric, threads=2)
    assert list_results(found) == search_plainly(index, index, k, metric)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(2, 60), st.integers(1, 70), st.sampled_from(sorted(METRICS))
)
def test_vectors_with_any_numbers(seed: int, papers: int, dimensions: int, metric: str) -> None:
    chance = np.random.default_rng(seed)
    scale = 10 ** chance.uniform(-6, 6, (papers, 1))
    values = chance.normal(size=(papers, dimensions)) * scale + chance.normal() * 5
    values[chance.integers(0, papers, papers // 3)] = values[0]
    index, k = vectors(values), int(chance.integers(1, papers))
    found = find_neighbours(index, k, method="exact", metric=metric)
    expected = search_plainly(index, index, k, metric)
    for mine, theirs in zip(list_results(found), expected, strict=True):
        assert [score for _, score in mine] == pytest.approx(
            [score for _, score in theirs], rel=1e-6, abs=1e-30
        )
    assert ((np.diff(found.scores) < 0) | (np.diff(found.indices) > 0)).all()


def test_a_paper_is_excluded_by_id_but_its_copies_are_found() -> None:
    index = vectors([[1, 0], [1, 0], [1, 0], [0, 1]])
    found = find_neighbours(index, 2, method="exact")
    assert found.indices.tolist() == [[1, 2], [0, 2], [0, 1], [0, 1]]
    assert found.scores[:3].tolist() == [[1, 1]] * 3


def test_queries_may_be_other_papers() -> None:
    index = make_random_vectors(200)
    some = Vectors(index.papers.slice(40, 5), index.values[40:45])
    whole = find_neighbours(index, 7)
    found = find_neighbours(index, 7, queries=some)
    assert found.queries.to_pylist() == some.ids.to_pylist()
    assert (found.indices == whole.indices[40:45]).all()
    strangers = vectors(index.values[40:45], first=900)
    assert (find_neighbours(index, 1, queries=strangers).indices[:, 0] == range(40, 45)).all()
    assert find_neighbours(index, 200, queries=strangers).indices.shape == (5, 200)


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_blocks_and_threads_do_not_matter(metric: str) -> None:
    index = make_random_vectors(300, 33)
    expected = find_neighbours(index, 25, method="exact", metric=metric, threads=1)
    for block_bytes, threads in ((1, 1), (4 * 300 * 7, 3), (10**9, 2)):
        blocks = list(
            iter_neighbours(index, 25, metric=metric, threads=threads, block_bytes=block_bytes)
        )
        assert [block.first for block in blocks][:2] == [0, len(blocks[0].indices)][: len(blocks)]
        assert (np.concatenate([b.indices for b in blocks]) == expected.indices).all()
        assert (np.concatenate([b.scores for b in blocks]) == expected.scores).all()


@pytest.mark.parametrize("method", ["exact", "ivf", "hnsw"])
@pytest.mark.parametrize("metric", sorted(METRICS))
def test_queries_may_be_rows_of_the_index(method: str, metric: str) -> None:
    """Rows give the same result as their vectors, for consecutive and other rows."""
    index = make_random_vectors(300, 17)
    for rows in (np.array([0, 7, 8, 9, 299]), np.arange(40, 90), np.arange(300)):
        same = index.select_rows(rows)
        found, expected = (
            find_neighbours(index, 6, method=method, metric=metric, queries=given, threads=1)
            for given in (rows, same)
        )
        assert found.queries.to_pylist() == same.ids.to_pylist()
        assert (found.indices == expected.indices).all()
        assert (found.scores == expected.scores).all()
    blocks = list(iter_neighbours(index, 6, metric=metric, queries=rows[::7], block_bytes=1))
    whole = find_neighbours(index, 6, method="exact", metric=metric)
    assert (np.concatenate([block.indices for block in blocks]) == whole.indices[::7]).all()


def test_vectors_may_be_memory_mapped(tmp_path: Path) -> None:
    index = make_random_vectors(120)
    np.save(tmp_path / "v.npy", index.values)
    mapped = Vectors(index.papers, np.load(tmp_path / "v.npy", mmap_mode="r"))
    assert (find_neighbours(mapped, 5).indices == find_neighbours(index, 5).indices).all()


@pytest.mark.parametrize("method", ["ivf", "hnsw"])
@pytest.mark.parametrize("metric", sorted(METRICS))
def test_approximate_neighbours_reach_the_recall_they_report(method: str, metric: str) -> None:
    index = make_random_vectors(3000)
    exact = find_neighbours(index, 10, method="exact", metric=metric)
    found = find_neighbours(index, 10, method=method, metric=metric, threads=1)
    common = [
        len(set(a) & set(b)) / 10
        for a, b in zip(exact.indices.tolist(), found.indices.tolist(), strict=True)
    ]
    assert found.method == method
    assert found.recall >= 0.95
    assert np.mean(common) == pytest.approx(found.recall, abs=0.03)
    same = exact.indices == found.indices
    assert (exact.scores[same] == found.scores[same]).all()
    assert (found.indices != np.arange(3000)[:, None]).all()


@pytest.mark.parametrize("metric", sorted(METRICS))
def test_lists_give_the_same_for_any_number_of_threads(metric: str) -> None:
    index = make_random_vectors(9000, 17)
    one, three = (
        find_neighbours(index, 10, method="ivf", metric=metric, threads=threads)
        for threads in (1, 3)
    )
    assert one.effort == three.effort > 0
    assert (one.indices == three.indices).all()
    assert (one.scores == three.scores).all()


def test_lists_need_no_faiss(monkeypatch: pytest.MonkeyPatch) -> None:
    index = make_random_vectors(300)
    expected = find_neighbours(index, 5, method="ivf")
    monkeypatch.setitem(sys.modules, "faiss", None)
    assert (find_neighbours(index, 5, method="ivf").indices == expected.indices).all()
    with pytest.raises(ConfigError, match=r"citescape\[learn\]"):
        find_neighbours(index, 5, method="hnsw")


def test_lists_of_vectors_in_one_direction() -> None:
    """All vectors are in one list, whose products are computed in parts; lengths may be zero."""
    index = vectors(np.outer(np.arange(9000) % 7, np.ones(4)))
    for metric in ("dot", "l2"):
        found = find_neighbours(index, 5, method="ivf", metric=metric)
        assert found.recall >= 0.95
        exact = find_neighbours(index, 5, method="exact", metric=metric)
        assert (found.scores == exact.scores).mean() >= 0.95


@pytest.mark.parametrize("method", ["ivf", "hnsw"])
def test_missing_neighbours_of_an_index_are_searched_exactly(method: str) -> None:
    chance = np.random.default_rng(0)
    copies = vectors(np.repeat(chance.normal(size=(3, 8)), 40, axis=0))
    found = find_neighbours(copies, 60, method=method, recall=1.0)
    assert (found.scores == find_neighbours(copies, 60, method="exact").scores).all()
    tiny = vectors([[1.0, 0.0], [0.0, 1.0]])
    assert find_neighbours(tiny, 1, method=method).indices.tolist() == [[1], [0]]


class WrongIndex:
    """An index that always returns the first rows."""

    first = most = 1

    def __init__(self, search: object, *, seed: int) -> None: ...

    def search(self, queries: Array, k: int, effort: int) -> npt.NDArray[np.int64]:
        return np.tile(np.arange(k), (len(queries), 1))


def test_a_recall_below_the_goal_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(INDEXES, "hnsw", WrongIndex)  # type: ignore[arg-type]
    index = make_random_vectors(200)
    found = find_neighbours(index, 5, method="hnsw", recall=0.9)
    exact = find_neighbours(index, 5, method="exact")
    assert found.recall == (found.scores >= exact.scores[:, -1:]).mean() < 0.9
    assert found.warning == (
        f"hnsw reached a recall of {found.recall:.4f} with its greatest effort of 1; expected 0.9: "
        "search by another method"
    )
    assert find_neighbours(index, 5, method="hnsw", recall=found.recall).warning == ""
    assert exact.warning == ""


class GpuIndex:
    """An index on several GPUs: `nprobe` is set by faiss.GpuParameterSpace alone."""

    def __init__(self, index: Any) -> None:
        self.index, self.probes, self.calls = index, 1, 0

    def search(self, queries: Array, k: int) -> Any:
        assert max(k, self.probes) <= approximate.GPU_MOST
        assert not hasattr(self, "nprobe")
        self.calls += 1
        before, self.index.nprobe = self.index.nprobe, self.probes
        found = self.index.search(queries, k)
        self.index.nprobe = before
        return found


class ParameterSpace:
    def set_index_parameter(self, index: GpuIndex, name: str, value: float) -> None:
        assert name == "nprobe"
        index.probes = int(value)


@pytest.mark.parametrize(("most", "on_gpu"), [(2048, "all"), (20, "some"), (5, "none")])
def test_gpus_search_up_to_their_limits(
    most: int, on_gpu: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """GPUs search up to `most` neighbours and lists; the CPU searches the rest."""
    import faiss

    index = vectors(np.random.default_rng(0).normal(size=(3000, 24)))
    gpu_copies = list[GpuIndex]()
    expected = find_neighbours(index, 10, method="exact")
    for name, value in (
        ("StandardGpuResources", object),
        ("get_num_gpus", lambda: 2),
        (
            "index_cpu_to_all_gpus",
            lambda cpu_index: gpu_copies.append(GpuIndex(cpu_index)) or gpu_copies[0],
        ),
        ("GpuParameterSpace", ParameterSpace),
    ):
        monkeypatch.setattr(faiss, name, value, raising=False)
    monkeypatch.setattr("citescape.search.approximate.GPU_MOST", most)
    found = find_neighbours(index, 10, method="ivf", recall=1.0, threads=1)
    assert (found.indices == expected.indices).mean() > 0.99
    assert found.recall == 1.0
    assert found.effort > 20
    (copies,) = gpu_copies
    assert (copies.calls > 0) == (on_gpu != "none")
    assert (copies.probes == found.effort) == (on_gpu == "all")


def test_auto_is_exact_for_corpora_of_usual_size(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_neighbours(make_random_vectors(50), 5).method == "exact"
    monkeypatch.setattr("citescape.search.neighbours.EXACT_UP_TO", 49)
    assert find_neighbours(make_random_vectors(50), 5).method == "ivf"


def test_no_queries_give_no_neighbours() -> None:
    none = vectors(np.empty((0, 24)))
    for method in METHODS:
        assert find_neighbours(
            make_random_vectors(300), 4, method=method, queries=none
        ).indices.shape == (0, 4)


def test_invalid_vectors_are_refused() -> None:
    values = np.ones((6, 3))
    for bad, metric, message in (
        (np.nan, "l2", r"of 1 of 6 papers hold numbers that are not finite: p00002; encode"),
        (np.inf, "dot", "numbers that are not finite"),
        (0, "cosine", r"of 1 of 6 papers are zero and have no cosine: p00002;"),
        (1e-18, "cosine", "are shorter than 1e-15"),
        (1e18, "dot", r"are longer than 1e\+15"),
    ):
        values[2] = bad
        with pytest.raises(ConfigError, match=message):
            find_neighbours(vectors(values), 2, metric=metric)
    values[:] = 0
    with pytest.raises(
        ConfigError, match=r"6 of 6 papers are zero.*p00000, p00001, p00002, \.\.\."
    ):
        find_neighbours(vectors(values), 2)
    assert find_neighbours(vectors(values), 2, metric="l2").indices[0].tolist() == [1, 2]


def test_invalid_settings_are_refused() -> None:
    index = make_random_vectors(5)
    for k in (0, 5):
        with pytest.raises(ConfigError, match=rf"k is {k}; expected 1 to 4: 5 papers have vectors"):
            find_neighbours(index, k)
    with pytest.raises(ConfigError, match="at least two papers with vectors; found 0"):
        find_neighbours(vectors(np.empty((0, 4))), 3)
    with pytest.raises(ConfigError, match="metric is 'cos'; expected one of: cosine, dot, l2"):
        find_neighbours(index, 2, metric="cos")
    with pytest.raises(ConfigError, match="method is 'lsh'; expected one of: auto, exact, hnsw"):
        find_neighbours(index, 2, method="lsh")
    with pytest.raises(ConfigError, match=r"recall is 1\.5"):
        find_neighbours(index, 2, recall=1.5)
    with pytest.raises(ConfigError, match="queries have 3 numbers a vector, the vectors searched"):
        find_neighbours(index, 2, queries=vectors(np.ones((2, 3))))
